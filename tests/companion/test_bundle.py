"""The file for somebody who helps: complete, without secrets, and its game can be played again."""

import json
import zipfile
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion import bundle
from companion.actions import Flipped, Report, Rolled
from companion.bundle import GAME, collect, game_of, keeps_secrets, scrubbed, settings_text
from companion.cli import main
from companion.config import game_named, players_named
from companion.errors import ConfigError
from companion.evidence import RollPictures, rolls_beside
from companion.journal import Journal
from companion.offers import Flip
from companion.outside import Ran
from companion.referee import Referee

SECRET = "s3cr3t-word"
WHITE = ("white-1", "white-2", "white-3", "white-4")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bundle, "machine_with", lambda journal, config: None)
    monkeypatch.setattr(bundle, "page", lambda machine: {"machine": [{"code": "python"}]})
    return tmp_path


def begun(key, actions):
    """A journal with a game in play; `actions` makes one out of the referee, again and again."""
    journal = Journal(Path("journal.sqlite"))
    referee = Referee(game_named(key), players_named(("Ann", "Bo")))
    number = journal.begin(referee)
    for act in actions:
        journal.append(number, referee.apply(Report(act(referee))), referee)
    journal.close()


def roll(referee):
    return Rolled(dict.fromkeys(WHITE, "diamond"))


def flip(referee):
    (offer,) = [o for o in referee.offers if isinstance(o, Flip) and o.closed is None][:1]
    return Flipped(offer.squares[0], "ring")


def run(*words, answers=""):
    told = CliRunner().invoke(main, list(words), input=answers)
    return told.exit_code, " ".join(told.output.split())


def test_what_is_in_it_is_listed_and_asked_before_it_is_written(here):
    begun("troll_and_dragon", [roll])
    status, said = run("support-bundle", "--journal", "journal.sqlite", answers="n\n")
    assert status == 2
    for name in ("settings.json", "versions.json", "doctor.json", "log.txt", "game.jsonl"):
        assert name in said
    assert "names Ann, Bo" in said
    assert not (here / "companion-support.zip").exists()


def test_bundle_without_a_game_says_so_and_is_not_offered_for_replay(here):
    status, said = run("support-bundle", "--journal", "none.sqlite", "--yes")
    assert status == 0
    assert "written; it holds no game" in said
    status, said = run("replay", "nothing.zip")
    assert status == 2
    assert "nothing.zip: expected a support bundle, found no such file" in said


def test_game_of_a_bundle_is_played_again_as_that_of_the_journal_is(here):
    begun("troll_and_dragon", [roll])
    assert run("support-bundle", "help.zip", "--journal", "journal.sqlite", "--yes")[0] == 0
    assert (here / "help.zip").stat().st_mode & 0o777 == 0o600
    assert run("replay", "help.zip") == run("replay", "--journal", "journal.sqlite")
    assert run("replay", "help.zip", "--json") == run(
        "replay", "1", "--json", "--journal", "journal.sqlite"
    )
    status, said = run("support-bundle", "help.zip", "--yes")
    assert status == 2
    assert "expected no file of that name" in said


def test_everything_in_it_can_be_read(here):
    begun("troll_and_dragon", [roll])
    assert run("support-bundle", "help.zip", "--journal", "journal.sqlite", "--yes")[0] == 0
    with zipfile.ZipFile("help.zip") as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert "numpy" in json.loads(texts["versions.json"])["libraries"]
    assert json.loads(texts["doctor.json"])["machine"][0]["code"] == "python"
    assert json.loads(texts["settings.json"]) == {"file": "none; the defaults hold"}
    assert len(texts["game.jsonl"].splitlines()) == 2
    assert all(name in texts["README.txt"] for name in texts if name != "README.txt")


def test_covered_tiles_are_warned_of_while_the_game_runs(here):
    begun("schatz_der_drachen", [flip])
    status, said = run("support-bundle", "--journal", "journal.sqlite", answers="n\n")
    assert status == 2
    assert f"game.jsonl: {bundle.SECRETS}" in said


def test_game_without_secrets_is_not_warned_of(here):
    begun("troll_and_dragon", [roll])
    (game,) = [part for part in collect(here / "journal.sqlite", here / "x") if part.name == GAME]
    assert not game.warning


def test_game_that_cannot_be_resumed_is_taken_for_one_with_secrets(here):
    begun("schatz_der_drachen", [flip])
    journal = Journal(here / "journal.sqlite")
    row, steps = journal.game(1), list(journal.steps(1))
    journal.close()
    old = msgspec.structs.replace(row, revision=99)
    assert keeps_secrets(old, steps)
    assert not keeps_secrets(msgspec.structs.replace(old, over=True), steps)


@pytest.mark.parametrize("journal", [None, "empty", "broken"])
def test_bundle_is_written_without_a_game_too(here, journal):
    if journal == "empty":
        Journal(here / "journal.sqlite").close()
    elif journal == "broken":
        (here / "journal.sqlite").write_bytes(b"no database at all, but long" * 90)
    status, said = run("support-bundle", "help.zip", "--journal", "journal.sqlite", "--yes")
    assert status == 0
    assert "no game" in said
    status, said = run("replay", "help.zip")
    assert status == 2
    assert "no game in this bundle" in said


# --- secrets --------------------------------------------------------------------------------------


def test_secrets_are_taken_out_of_settings(here):
    (here / "companion.toml").write_text(
        f"""
        [web]
        port = 8000
        password = "{SECRET}"
        session_secret = "{SECRET}"
        keys = {{ token = "{SECRET}", colour = "red" }}
        [wled]
        url = "http://ann:{SECRET}@192.168.1.9/"
        [[doors]]
        pin = "{SECRET}"
        """
    )
    text = settings_text(here / "companion.toml")
    assert SECRET not in text
    assert json.loads(text)["web"]["port"] == 8000
    assert json.loads(text)["web"]["keys"]["colour"] == "red"
    assert "192.168.1.9" in text


def test_settings_that_cannot_be_read_are_not_given_away(here):
    (here / "companion.toml").write_text(f'password = "{SECRET}\n')
    assert SECRET not in settings_text(here / "companion.toml")


@pytest.mark.parametrize(
    "line",
    [
        f"GET /events?token={SECRET}&x=1",
        f"pairing code: {SECRET}",
        f'{{"pin": "{SECRET}"}}',
        f"http://bo:{SECRET}@10.0.0.2/json",
        f"PIN of the referee: {SECRET}   (codes for the seats: /pairing)",
        f"Big screen here:   http://127.0.0.1:8000/join/{SECRET}",
        f"Set-Cookie: session={SECRET}; HttpOnly",
    ],
)
def test_secrets_are_taken_out_of_the_log(line):
    assert SECRET not in scrubbed(line)


def test_log_is_asked_of_journald(here):
    asked = []

    def journald(words):
        asked.append(list(words))
        return Ran(0, f"Nov 21 companion[1]: token={SECRET} port 8000\n")

    parts = {part.name: part.text for part in collect(here / "j", here / "c", journald)}
    assert asked == [["journalctl", "--unit=companion", "--lines=2000", "--no-pager", "--quiet"]]
    assert parts["log.txt"] == "Nov 21 companion[1]: token=(removed) port 8000\n"
    parts = {part.name: part.text for part in collect(here / "j", here / "c", lambda words: None)}
    assert parts["log.txt"].startswith("no log")


# --- bundles from elsewhere -----------------------------------------------------------------------


def packed(here, text):
    with zipfile.ZipFile(here / "other.zip", "w") as archive:
        archive.writestr(GAME, text)
    return here / "other.zip"


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", '{"number": 1}\n', "[1]\n"])
def test_damaged_game_is_refused(here, text):
    with pytest.raises(ConfigError, match=r"other\.zip: game\.jsonl is damaged"):
        game_of(packed(here, text))


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip file at all"])
def test_file_that_is_no_bundle_is_refused(here, data):
    (here / "other.zip").write_bytes(data)
    status, said = run("replay", "other.zip")
    assert status == 2
    assert "expected a support bundle" in said
    assert run("replay", "nowhere.zip")[0] == 2


def test_bundle_of_other_rules_says_so(here):
    begun("troll_and_dragon", [roll])
    assert run("support-bundle", "help.zip", "--journal", "journal.sqlite", "--yes")[0] == 0
    row, steps = game_of(here / "help.zip")
    old = msgspec.structs.replace(row, revision=99)
    lines = [msgspec.json.encode(one).decode() for one in (old, *steps)]
    status, said = run("replay", str(packed(here, "\n".join(lines))))
    assert status == 2
    assert "revision" in said


def test_pictures_of_rolls_are_in_it_only_when_asked_for(here):
    begun("troll_and_dragon", [lambda referee: Rolled(dict.fromkeys(WHITE, "key"))])
    rolls = RollPictures(rolls_beside(Path("journal.sqlite")))
    report = Report(Rolled({"white-1": "key"}), at_s=1.0, source="camera:tray")
    name = rolls.keep(1, report, b"jpeg")
    rolls.keep(2, report, b"another game's")
    words = ["support-bundle", "--journal", "journal.sqlite", "--yes"]
    assert CliRunner().invoke(main, [*words, "plain.zip"]).exit_code == 0
    assert CliRunner().invoke(main, [*words, "full.zip", "--pictures"]).exit_code == 0
    with zipfile.ZipFile("plain.zip") as plain, zipfile.ZipFile("full.zip") as full:
        assert set(full.namelist()) - set(plain.namelist()) == {name.replace("1/", "rolls/")}
        assert full.read(name.replace("1/", "rolls/")) == b"jpeg"
