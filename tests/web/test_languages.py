"""Languages: whose they are, that nothing is left behind, and that two can look at once."""

import json
import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest
from demo_desk import DemoDesk
from lan_table import LanTable
from pseudo import outside_brackets
from pseudo import pseudo as made_up
from quiet_house import QuietHouse, faces

from companion.actions import Adjusted, Chose, Correct, Flipped, Report, Rolled, Undo
from companion.errors import IllegalAction
from companion.messages import (
    LANGUAGES,
    files_of,
    forms_of,
    missing,
    read,
    template,
    updated,
)
from companion.sensor_rows import zone_row
from companion.telling import sensing
from companion.words import rendered, say, word
from hardware.pins import AS_SHIPPED
from web import i18n
from web.access import Access
from web.charts import number
from web.dashboard import create_app
from web.doctor import show_doctor
from web.feed import Message
from web.i18n import COOKIE, filled, gettext, ngettext, speaking
from web.i18n import LANGUAGES as SPOKEN
from web.setup_benches import show_benches
from web.streams import Painter
from web.telling import in_language


@pytest.fixture(scope="module")
def every() -> Any:
    return template()


@pytest.fixture
def client() -> Iterator[Any]:
    with create_app(DemoDesk(), simulated=True).test_client() as client:
        yield client


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_missing_or_doubtful(language: str, every: Any) -> None:
    assert missing(updated(language, every)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_in_step_with_the_sources(language: str, every: Any) -> None:
    for path, content in files_of(language, updated(language, every)).items():
        assert path.read_bytes() == content, f"{path}: run make messages"


ALIKE = {"Diamond"}  # read the same in German and in French


def test_no_language_repeats_another() -> None:
    """A script that fills two catalogues at once easily leaves German in the French one."""
    german, french = ({m.id: forms_of(m) for m in read(one) if m.id} for one in LANGUAGES)
    same = {key for key in german if german[key] == french[key] and key != german[key][0]}
    assert {key for key in same if re.search("[a-z]{4}", str(german[key]))} <= ALIKE


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_fields_of_their_messages(language: str) -> None:
    for message in read(language):
        if not message.id:
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        for text in forms_of(message):
            assert fields(text) <= fields(ids[-1]), f"{language}: {message.id}"
        assert fields(forms_of(message)[-1]) == fields(ids[-1]), f"{language}: {message.id}"


def test_language_is_asked_for_then_kept_then_accepted(client: Any) -> None:
    accepted = {"Accept-Language": "fr-CH, fr;q=0.9, en;q=0.5"}
    assert '<html lang="en">' in client.get("/").text
    assert '<html lang="fr">' in client.get("/", headers=accepted).text
    asked = client.get("/?lang=de", headers=accepted)
    assert '<html lang="de">' in asked.text
    assert f"{COOKIE}=de" in asked.headers["Set-Cookie"]
    assert '<html lang="de">' in client.get("/", headers=accepted).text


def test_language_that_nobody_speaks_is_english(client: Any) -> None:
    reply = client.get("/?lang=xx", headers={"Accept-Language": "tlh"})
    assert '<html lang="en">' in reply.text
    assert "Set-Cookie" not in reply.headers or COOKIE not in reply.headers["Set-Cookie"]


def test_refusal_is_in_the_language_of_who_is_refused(client: Any) -> None:
    reply = client.get("/evidence", headers={"Accept-Language": "de"})
    assert reply.status_code == 404
    post = client.post("/answers", json={"question": "x", "face": "key", "step": 12}, headers={
        "Accept-Language": "de"})  # fmt: skip
    assert post.json["code"]
    assert post.json["message"] == post.json["detail"]


def test_values_that_are_words_are_translated_and_names_are_not() -> None:
    told = say("A second {face} opens nothing.", face=word("key"))
    snapshot = {
        "players": [{"key": "ann", "name": "Dragon"}],
        "told": [{"text": str(told), "message": None, "title": "The Troll!"}],
        "view": {"zones": [{"label": "Dragon", "name": "key"}]},
        "words": {str(told): {"id": told.sentence, "plural": None,
                              "values": {"face": {"id": "key", "plural": None, "values": {}}}}},
    }  # fmt: skip
    with speaking("de"):
        german = in_language(snapshot)
    assert german["told"][0]["text"] == "Doppelt öffnet nichts: Schlüssel."
    assert german["told"][0]["title"] == "Der Troll!"
    assert german["view"]["zones"][0] == {"label": "Dragon", "name": "key"}


def test_two_viewers_of_one_table_read_their_own_languages() -> None:
    told = say("{player} finds {n} diamond.", "{player} finds {n} diamonds.", player="Ann", n=2)
    row = {"text": str(told), "title": "Diamonds!", "family": "good", "step": 3,
           "message": {"id": told.sentence, "plural": told.plural,
                       "values": {"player": "Ann", "n": 2}}}  # fmt: skip
    desk = DemoDesk()
    data = {"told": [row], "refused": None, "snapshot": desk.snapshot()}
    message = Message("table", json.dumps(data).encode(), "demo-1")
    app = create_app(desk, simulated=True)
    painter = Painter(lambda snapshot: gettext("Your move"))
    read_by = {name: json.loads(painter.form(name).body(message, True)) for name in SPOKEN}
    assert read_by["en"]["told"][0]["text"] == "Ann finds 2 diamonds."
    assert read_by["de"]["told"][0]["text"] == "Ann findet 2 Diamanten."
    assert read_by["fr"]["told"][0]["text"] == "Ann trouve 2 diamants."
    assert {one["html"] for one in read_by.values()} == {"Your move", "Dein Zug", "À toi de jouer"}
    assert app is not None


def test_two_streams_of_one_running_desk_speak_two_languages() -> None:
    app = create_app(DemoDesk(), simulated=True)
    heard = {}
    for language in ("de", "fr"):
        reply = app.test_client().get(f"/events?as=page&lang={language}&after=none")
        text = b""
        for chunk in reply.response:
            text += chunk
            if b"event: table" in text and text.endswith(b"\n\n"):
                break
        reply.close()
        heard[language] = text.decode()
    assert "Dein Zug" in heard["de"]
    assert "À toi de jouer" in heard["fr"]


FROM_THE_TABLE = {"Companion", "English", "Deutsch", "Français", "JSON", "CSV"}
HIDDEN = re.compile(r"<(title|code|svg|script|style|time)\b.*?</\1>", re.DOTALL)
TEXT = re.compile(r">([^<>]*[A-Za-z]{3}[^<>]*)<")
MEASURED = re.compile(r"-?\d+ dBm\b")  # a number and the symbol of its unit, alike everywhere
SAID = re.compile(r'\s(?:aria-label|title|alt|placeholder)="([^"]*[A-Za-z]{3}[^"]*)"')


def unmarked(page: str, names: set[str]) -> list[str]:
    """Texts of a page, and of its labels, that did not come from the catalogue."""
    shown = MEASURED.sub("", outside_brackets(page))
    texts = [*TEXT.findall(HIDDEN.sub("", shown)), *SAID.findall(shown)]
    words = [re.sub("|".join(map(re.escape, sorted(names))), "", text) for text in texts]
    return [word.strip() for word in words if re.search(r"[A-Za-z]{3}", word)
            and word.strip() not in FROM_THE_TABLE]  # fmt: skip


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    language = made_up()
    monkeypatch.setattr(i18n, "catalogue", lambda name: language)


@pytest.fixture
def in_play(tmp_path: Any, request: Any) -> Iterator[Any]:
    """A running game in which something happened, as strangers and the referee see it."""
    house = QuietHouse(tmp_path, request.param)
    for act in PLAYED[request.param]:
        house.companion.inbox.put(Report(act, source="web"), seen=None).wait(8.0)
    lan = LanTable(house.desk)
    show_doctor(lan.app, lambda: {"machine": [FOUND]})
    show_benches(lan.app, house.benches(), Access(lan.keys, lan=True))
    yield lan
    house.close()


LEFT = Chose("ann", "leave")
ROLLED = Rolled(faces("diamond") | {"white-1": "key"})
CORRECTED = Correct(1, Rolled(faces("diamond")))
PLAYED: dict[str, list[Any]] = {
    "troll_and_dragon": [ROLLED, LEFT, CORRECTED, Adjusted("supply.gold", 9), Undo()],
    "roll_for_adventure": [],
    "schatz_der_drachen": [Flipped("0,3", "ball")],
}
FREE = say("{mb} MB free in {folder}", mb=9, folder="/")
FOUND = {"code": "disk", "state": "bad", "finding": FREE, "fix": "remove small files"}
VIEWS = ("/", "/seat/ann", "/referee?open=2", "/games", "/games/1", "/games/1/steps/0",
         "/games/dice", "/pairing", "/doctor", "/setup")  # fmt: skip


@pytest.mark.parametrize("in_play", PLAYED, indirect=True)
def test_no_text_of_any_view_is_unmarked(in_play: LanTable, pseudo: None) -> None:
    referee, seen = in_play.referee(), 0
    for path in VIEWS:
        reply = referee.get(path, headers={"Accept-Language": "de"})
        if reply.status_code == 403 and path.startswith("/games/1/steps"):
            continue  # what lay open may lie covered now
        seen += 1
        assert reply.status_code == 200, path
        assert "⟦" in reply.text
        assert unmarked(reply.text, {"Ann", "=2+3"}) == [], path
    assert seen >= len(VIEWS) - 1


@pytest.mark.parametrize("in_play", ["troll_and_dragon"], indirect=True)
def test_no_text_for_who_is_not_let_in_is_unmarked(in_play: LanTable, pseudo: None) -> None:
    german = {"Accept-Language": "de", "Accept": "text/html"}
    for browser, path, status in (
        (in_play.stranger(), "/", 401),
        (in_play.viewer(), "/referee", 403),
    ):
        reply = browser.get(path, headers=german)
        assert reply.status_code == status
        assert "⟦" in reply.text
        assert unmarked(reply.text, set()) == []
    refused = in_play.viewer().get("/seat/zed", headers={"Accept-Language": "de"}).json
    assert refused["title"] == "⟦Not there⟧"
    assert refused["detail"] == "⟦Nobody here is called 'zed'.⟧"


def test_page_looks_for_a_table_in_the_viewers_language(pseudo: None, mocker: Any) -> None:
    desk = DemoDesk()
    mocker.patch.object(desk, "snapshot", side_effect=IllegalAction("no_game", "One moment."))
    text = create_app(desk, simulated=True).test_client().get("/?lang=de").text
    assert unmarked(text, {"One moment."}) == []


def test_lamps_and_sensors_are_named_in_the_viewers_language(pseudo: None) -> None:
    rows = [zone_row("tray", state, [], []) for state in ("starting", "still", "moving")]
    lamps = [{"name": one.name, "label": one.label} for one in AS_SHIPPED.lamps()]
    sent = json.loads(json.dumps(sensing(rows)))  # as the feed brings it
    with speaking("de"):
        told = in_language({**sent, "lamps": lamps})
    assert {row["label"] for row in told["sources"]} == {"⟦Camera, ⟦tray⟧⟧"}
    assert [row["detail"] for row in told["sources"]] == ["⟦starting⟧", "⟦still⟧", "⟦moving⟧"]
    assert all(lamp["label"].startswith("⟦") for lamp in told["lamps"])


def test_switch_of_languages_keeps_what_was_asked_for(client: Any) -> None:
    text = client.get("/seat/ann?lang=fr&step=3").text
    assert 'href="?step=3&amp;lang=de"' in text


def test_values_are_escaped_where_one_of_them_is_html() -> None:
    from markupsafe import Markup

    assert filled("{a} <{b}>", {"a": Markup("<b>x</b>"), "b": "<i>"}) == (
        "<b>x</b> &lt;&lt;i&gt;&gt;"
    )
    with speaking("en"):
        assert ngettext("{n} die", "{n} dice", 2) == "2 dice"


def test_fractions_have_the_comma_of_their_language() -> None:
    slow = say("a step takes long to write ({seconds} s); is the card worn?", seconds=1.5)
    told: dict[str, list[str]] = {code: [] for code in SPOKEN}
    for code, said in told.items():
        with speaking(code):
            row = in_language({"detail": slow})["detail"]
            said += [row, gettext("{x} of {y:.2f}", x=2, y=0.25), number(2.5)]
    assert told["en"] == [str(slow), "2 of 0.25", "2.5"]
    assert "(1,5 s)" in told["de"][0]
    assert "(1,5 s)" in told["fr"][0]
    assert told["de"][1:] == told["fr"][1:] == ["2 of 0,25", "2,5"]


def test_message_of_nested_words_comes_back_as_it_was() -> None:
    said = say("{first} and {rest}", first=word("key"), rest=say("Roll: {dice}", dice="x"))
    from companion.words import as_written, message_of

    made = message_of(said)
    assert made is not None
    assert rendered(made, as_written) == said == "key and Roll: x"
