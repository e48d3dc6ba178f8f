from pathlib import Path

import pytest
from gpiozero.tones import Tone as GpioTone

from companion.errors import ConfigError
from companion.games import GAMES
from companion.referee import CUES as REFEREE_CUES
from companion.steps import FAMILIES, Cue
from hardware.alerts import REFUSED
from hardware.cues import CUES_TOML, Alert, CueBook, Light, read_cues
from hardware.flashes import FLASHES, WINDOW_S

SILENT = {"undo", "corrected"}  # the driver shows nothing for them
CUES = {
    (game.key, cue.name): cue
    for game in GAMES.values()
    for cue in (*game.cues, *REFEREE_CUES)
    if cue.name not in SILENT
}
FAMILY_ENTRIES = "".join(f"[families.{name}]\npriority = 1\n" for name in FAMILIES)


@pytest.fixture(scope="module")
def book() -> CueBook:
    return read_cues()


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "cue", [*CUES.values(), REFUSED], ids=lambda cue: f"{cue.name}, {cue.title}"
)
def test_every_alert_of_every_game_has_light_and_sound_and_text(book: CueBook, cue: Cue) -> None:
    alert = book.alert(cue)
    lights = (*alert.table, *alert.troll, *alert.dragon, *alert.seat)
    assert any(light.level > 0 for light in lights)
    assert any(tone.note != "-" for tone in alert.buzzer)
    assert alert.volume > 0
    assert not alert.mute
    assert cue.title.strip()


def test_no_entry_is_for_a_cue_that_nobody_tells(book: CueBook) -> None:
    assert set(book.cues) <= {cue.name for cue in (*CUES.values(), REFUSED)}
    assert not SILENT & set(book.cues)


def test_strip_glows_steadily_unless_it_has_steps_of_its_own() -> None:
    blinks = (Light("#00ff00", 0.5), Light("#00ff00", 0.5, 0.2), Light("#00ff00", 1.0))
    assert Alert(1, table=blinks).on_strip() == (Light("#00ff00", 2.0),)
    assert Alert(1, table=blinks, strip=blinks).on_strip() == blinks
    assert Alert(1).on_strip() == ()


def test_colour_may_be_named(tmp_path: Path) -> None:
    entry = "[cues.x]\npriority = 1\ntable = [{ colour = 'sea', for_s = 1 }]\n"
    path = written(tmp_path, "[palette]\nsea = '#0000ff'\n" + FAMILY_ENTRIES + entry)
    assert read_cues(path).cues["x"].table == (Light("#0000ff", 1.0),)


def test_cue_without_an_entry_is_shown_as_its_family(book: CueBook) -> None:
    for family in FAMILIES:
        assert book.alert(Cue("never heard of", family, "?")) is book.families[family]
    assert book.alert(Cue("never heard of", "nor this", "?")) is book.families["note"]


def test_own_entry_comes_before_the_family(book: CueBook) -> None:
    assert book.alert(Cue("dragon_awake", "bad", "!")) is book.cues["dragon_awake"]


def test_dragon_comes_before_the_turn(book: CueBook) -> None:
    ranks = [book.cues[name].priority for name in ("your_turn", "race", "dragon", "dragon_awake")]
    assert ranks == sorted(set(ranks))


def test_shipped_notes_are_within_the_reach_of_the_buzzer(book: CueBook) -> None:
    for alert in (*book.cues.values(), *book.families.values()):
        for tone in alert.buzzer:
            if tone.note != "-":
                frequency = GpioTone.from_note(tone.note).frequency
                assert 109.9 <= frequency <= 1760.1


def test_shipped_patterns_come_out_as_they_are_written(book: CueBook) -> None:
    for name, alert in (*book.cues.items(), *book.families.items()):
        for row in (alert.table, alert.troll, alert.dragon, alert.seat):
            if len(row) > FLASHES:
                lasts = [sum(s.for_s for s in row[at : at + FLASHES + 1]) for at in range(2)]
                assert min(lasts) > WINDOW_S, name
            assert all(step.for_s >= 0.3 for step in row), name


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("[cues.x]\n", r"mine.toml \[cues.x\].*required field `priority`"),
        ("[cues.x]\npriority = 'high'\n", r"\[cues.x\].*`int`, got `str` in `priority`"),
        ("[cues.x]\npriority = 101\n", r"\[cues.x\].*<= 100"),
        ("[cues.x]\npriority = 1\nlamp = []\n", r"\[cues.x\].*unknown field `lamp`"),
        (
            "[cues.x]\npriority = 1\ntable = [{ colour = '#ff', for_s = 1 }]\n",
            r"\[cues.x\].*in `table\[0\].colour`",
        ),
        (
            "[palette]\nsea = '#0000ff'\n[cues.x]\npriority = 1\n"
            "strip = [{ colour = 'red', for_s = 1 }]\n",
            r"\[cues.x\]: expected a colour #rrggbb or a name of \[palette\] \(sea\), got 'red'",
        ),
        ("[palette]\nsea = 'blue'\n", r"\[palette\]"),
        (
            "[cues.x]\npriority = 1\nsay = 'loud'\n",
            r"\[cues.x\].*`say`",
        ),
        (
            "[cues.x]\npriority = 1\ndragon = [{ colour = '#ffffff', for_s = 1 }]\n",
            r"\[cues.x\].*unknown field `colour` in `dragon\[0\]`",
        ),
        (
            "[cues.x]\npriority = 1\nseat = [{ level = 1.5, for_s = 1 }]\n",
            r"\[cues.x\].*<= 1.0 in `seat\[0\].level`",
        ),
        (
            "[cues.x]\npriority = 1\nbuzzer = [{ note = 'H4', for_s = 1 }]\n",
            r"\[cues.x\].*in `buzzer\[0\].note`",
        ),
        (
            "[cues.x]\npriority = 1\nbuzzer = [{ note = 'C4', for_s = 0.001 }]\n",
            r"\[cues.x\].*>= 0.05 in `buzzer\[0\].for_s`",
        ),
        ("[follow]\ntroll = { counter = 'a', of = 0 }\n", r"\[follow\].*>= 1 in `troll.of`"),
        ("[families.loud]\npriority = 1\n", r"got \[families.loud\]; remove it"),
        ("[lamps]\nred = 1\n", r"got \[lamps\]; remove it"),
        ("[cues.x\n", "mine.toml: expected TOML"),
    ],
)
def test_bad_entry_is_an_error_that_names_it(tmp_path: Path, entry: str, message: str) -> None:
    path = written(tmp_path, FAMILY_ENTRIES + entry)
    with pytest.raises(ConfigError, match=message):
        read_cues(path)


def test_missing_family_is_an_error(tmp_path: Path) -> None:
    text = FAMILY_ENTRIES.replace("[families.over]\npriority = 1\n", "")
    with pytest.raises(ConfigError, match=r"expected an entry \[families.over\]; write one"):
        read_cues(written(tmp_path, text))


def test_missing_file_and_wrong_bytes_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a readable file"):
        read_cues(tmp_path / "nowhere.toml")
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="expected TOML in UTF-8"):
        read_cues(path)


def test_shipped_table_lies_beside_its_module() -> None:
    assert CUES_TOML.exists()
