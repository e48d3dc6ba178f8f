"""Journal and settings in one file, there and back; nothing is lost on either way."""

import sqlite3
import zipfile

import msgspec
import pytest
from click.testing import CliRunner

from companion import backup
from companion.actions import Chose, Report, Rolled
from companion.backup import JOURNAL, MANIFEST, bring_back, unpacked, write_backup
from companion.cli import main
from companion.commands import OUT
from companion.config import game_named, players_named
from companion.errors import CompanionError, ConfigError, JournalError
from companion.journal import Journal
from companion.referee import Referee
from companion.service import alone_with

WHITE = ("white-1", "white-2", "white-3", "white-4")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def played(here):
    """A journal in which a game of two steps is in play, and settings."""
    (here / "companion.toml").write_text("[web]\nport = 8123\n")
    journal = Journal(here / "journal.sqlite")
    referee = Referee(game_named("troll_and_dragon"), players_named(("Ann", "Bo")))
    number = journal.begin(referee)
    for action in (Rolled(dict.fromkeys(WHITE, "diamond")), Chose("ann", "leave")):
        journal.append(number, referee.apply(Report(action)), referee)
    yield journal
    journal.close()


def steps_in(path):
    journal = Journal(path)
    steps = [row.steps for row in journal.games()]
    referee = journal.resume(len(steps))
    journal.close()
    return [*steps, referee.number]


def keep(here, name="kept.zip", **more):
    write_backup(here / name, here / "journal.sqlite", here / "companion.toml", OUT, **more)
    return here / name


def restore(here, file="kept.zip", to="back", yes=True):
    places = (here / to / "journal.sqlite", here / to / "companion.toml")
    bring_back(here / file, *places, OUT, yes=yes)
    return places


def test_everything_comes_back_while_the_game_goes_on(here, played):
    keep(here)
    journal, config = restore(here)
    assert steps_in(journal) == [2, 2]
    assert config.read_text() == "[web]\nport = 8123\n"
    assert [path.name for path in journal.parent.iterdir() if path.suffix == ".new"] == []


def test_backup_is_for_its_owner_alone(here, played):
    assert keep(here).stat().st_mode & 0o777 == 0o600


def test_backup_never_replaces_a_file_silently(here, played):
    keep(here).write_bytes(b"precious")
    with pytest.raises(ConfigError, match=r"kept\.zip: expected no file .* --replace"):
        keep(here)
    assert (here / "kept.zip").read_bytes() == b"precious"
    keep(here, replace=True)
    assert set(unpacked(here / "kept.zip")) == {JOURNAL, "companion.toml"}


def test_what_was_there_is_kept_aside_with_what_lies_beside_it(here, played):
    keep(here)
    referee = played.resume(1)
    played.begin(referee)
    (here / "companion.toml").write_text("[web]\nport = 9\n")
    bring_back(here / "kept.zip", here / "journal.sqlite", here / "companion.toml", OUT, yes=True)
    played.close()
    assert steps_in(here / "journal.sqlite") == [2, 2]
    kept = Journal(here / "journal.sqlite.1")
    assert [row.number for row in kept.games()] == [1, 2], "rows that were in the -wal file"
    kept.close()
    assert (here / "companion.toml.1").read_text() == "[web]\nport = 9\n"


def test_nothing_changes_while_a_companion_plays_with_the_journal(here, played):
    keep(here)
    before = (here / "companion.toml").read_text()
    with (
        alone_with(here / "journal.sqlite"),
        pytest.raises(JournalError, match="another companion is playing"),
    ):
        bring_back(
            here / "kept.zip", here / "journal.sqlite", here / "companion.toml", OUT, yes=True
        )
    assert not (here / "journal.sqlite.1").exists()
    assert (here / "companion.toml").read_text() == before


def test_nothing_changes_when_people_say_no(here, played):
    keep(here)
    words = ["restore", "kept.zip", "--journal", "journal.sqlite"]
    told = CliRunner().invoke(main, words, input="n\n")
    assert told.exit_code == 2
    assert "kept as journal.sqlite.1" in " ".join(told.output.split())
    assert not (here / "journal.sqlite.1").exists()


def test_commands_do_it_too(here, played):
    run = CliRunner().invoke
    assert run(main, ["backup", "kept.zip", "--journal", "journal.sqlite"]).exit_code == 0
    assert run(main, ["restore", "kept.zip", "--yes", "--config", "other.toml"]).exit_code == 0
    assert steps_in(here / "data" / "companion" / "journal.sqlite") == [2, 2]
    assert run(main, ["backup", "again.zip", "--journal", "none.sqlite"]).exit_code == 2


def damaged_whole(data):
    return data[: len(data) // 2]


def damaged_nothing(data):
    return b""


@pytest.mark.parametrize("damage", [damaged_whole, damaged_nothing, lambda data: b"PK" + data])
def test_file_that_is_no_backup_is_refused(here, played, damage):
    file = keep(here)
    file.write_bytes(damage(file.read_bytes())[: 200 if damage is not damaged_whole else None])
    with pytest.raises(ConfigError, match=r"kept\.zip"):
        unpacked(file)


def rewritten(file, **changes):
    """The same backup with other parts or another manifest."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = msgspec.json.decode(parts[MANIFEST])
    manifest |= changes.pop("manifest", {})
    parts |= changes | {MANIFEST: msgspec.json.encode(manifest)}
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"journal.sqlite": b"other"}, "journal.sqlite is damaged"),
        ({"manifest": {"format": 2}}, "format 1; use a newer companion"),
        ({"manifest": {"digests": {}}}, "format 1"),
        ({"manifest": {"digests": {"../../etc/passwd": "x"}}}, "expected a backup"),
        ({"manifest": {"made_at": "never"}}, "expected a backup"),
    ],
)
def test_backup_that_does_not_hold_what_it_says_is_refused(here, played, changes, words):
    file = keep(here)
    rewritten(file, **changes)
    with pytest.raises(ConfigError, match=words):
        unpacked(file)


def test_database_that_is_no_journal_is_refused(here):
    with sqlite3.connect(here / "journal.sqlite") as other:
        other.execute("CREATE TABLE cheese (kind TEXT)")
    other.close()
    with pytest.raises(JournalError, match="expected a journal, got another database"):
        keep(here)
    assert not (here / "kept.zip").exists()


def test_damaged_journal_is_not_kept_as_if_it_were_whole(here, played):
    played.close()
    path = here / "journal.sqlite"
    path.write_bytes(path.read_bytes()[:5000] + b"\0" * 3000 + path.read_bytes()[8000:])
    with pytest.raises(CompanionError, match=r"journal\.sqlite"):
        keep(here)
    assert not (here / "kept.zip").exists()


def test_full_disk_leaves_what_was_there(here, played, mocker):
    keep(here)
    mocker.patch("pathlib.Path.write_bytes", side_effect=OSError(28, "No space left on device"))
    with pytest.raises(CompanionError, match="No space left"):
        backup.put(here / "companion.toml", b"new")
    assert (here / "companion.toml").read_text() == "[web]\nport = 8123\n"
