"""The settings file: everything has a default, and every mistake is answered with what to write."""

import io

import pytest
from rich.console import Console

from companion.actions import Report, Rolled
from companion.config import (
    Config,
    default_journal,
    game_named,
    load_config,
    player_key,
    players_named,
)
from companion.errors import ConfigError
from companion.games import GAMES
from companion.journal import Journal
from companion.protocol import checked_options
from companion.records import print_games, print_replay
from companion.referee import Referee
from companion.snapshot import told_rows
from companion.table import Player
from companion.telling import Teller
from web.feed import Feed


@pytest.fixture
def load(tmp_path):
    """Load settings from a text."""
    path = tmp_path / "companion.toml"

    def load_text(text):
        path.write_text(text, encoding="utf-8")
        return load_config(path)

    load_text.path = path
    return load_text


def test_everything_has_a_default_when_there_is_no_file(load):
    config = load_config(None)
    assert config == Config() == load("")
    assert config.table.game in GAMES
    assert len(config.table.players) in GAMES[config.table.game].seats
    assert (config.web.host, config.web.port) == ("127.0.0.1", 8000)


def test_what_the_file_says_holds_and_the_rest_stays_as_it_is(load):
    config = load(
        """
        [table]
        players = ["Ann", "Bo"]
        [games.troll_and_dragon]
        end_mode = "both"
        [dice]
        port = "/dev/ttyACM0"
        [web]
        port = 0
        """
    )
    assert config.table.players == ("Ann", "Bo")
    assert config.table.game == "troll_and_dragon"
    assert config.games == {"troll_and_dragon": {"end_mode": "both"}}
    assert (config.dice.port, config.web.port, config.web.host) == ("/dev/ttyACM0", 0, "127.0.0.1")


MISTAKES = {
    "colour = 1": (
        "top level",
        "`colour`",
        "table, dice, square, camera, alerts, pins, web, games",
    ),
    "[table]\ncolour = 1": ("[table]", "`colour`", "game, players"),
    "[web]\nprot = 80": ("[web]", "`prot`", "host, port"),
    "[table]\ngame = 3": ("[table] game", "expected text in quotes", "got a whole number"),
    '[table]\ngame = "chess"': ("expected one of", "troll_and_dragon", "'chess'"),
    '[table]\nplayers = "Ann"': ("[table] players", "expected a list in brackets", "got text"),
    '[table]\nplayers = ["Ann", 3]': ("[table] players[1]", "expected text", "got a whole number"),
    "[web]\nport = 70000": ("[web] port", "expected a whole number up to 65535"),
    "[web]\nport = -1": ("[web] port", "expected a whole number from 0 on"),
    '[web]\nannounce = "Our Table"': ("[web] announce", "a-z, 0-9 and -", "'Our Table'"),
    '[web]\nport = "80"': ("[web] port", "expected a whole number", "got text in quotes"),
    "[dice.names]\nd1 = 1": ("[dice] names", "expected text in quotes"),
    "games = 3": ("[games]", "expected a table of settings"),
    "[games]\nx = 1": ("[games]", "expected a table of settings"),
    "[games.chess]": ("expected one of", "troll_and_dragon", "'chess'"),
    '[games.troll_and_dragon]\nend_mode = "never"': ("[games.troll_and_dragon]", "end_mode"),
    "[games.troll_and_dragon]\nspeed = 1": ("[games.troll_and_dragon]", "`speed`", "end_mode"),
    "[games.troll_and_dragon]\ntie_window_s = -1": ("tie_window_s", "from 0 on"),
    "[games.troll_and_dragon]\ntie_window_s = nan": ("tie_window_s", "from 0 on"),
    "[table\nx = 1": ("expected TOML", "line 1"),
    "x =": ("expected TOML",),
}


@pytest.mark.parametrize("text", MISTAKES, ids=MISTAKES)
def test_mistake_is_answered_with_file_place_and_what_to_write(load, text):
    with pytest.raises(ConfigError) as error:
        load(text)
    assert str(error.value).startswith(f"{load.path}: ")
    for words in MISTAKES[text]:
        assert words in str(error.value)


def test_file_that_is_not_text_is_refused(load):
    load.path.write_bytes(b"\xff\xfe[table]")
    with pytest.raises(ConfigError, match="expected TOML"):
        load_config(load.path)


def test_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read: No such file"):
        load_config(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)


# --- dice faces -----------------------------------------------------------------------------------


def seated(config, *players):
    game = game_named(config.table.game)
    options = checked_options(game.options, config.games[game.key])
    return Referee(game, players_named(players or config.table.players), options)


def test_owner_can_type_in_the_faces_of_their_own_dice(load):
    config = load(
        """
        [games.troll_and_dragon.dice]
        white = ["troll", "diamond", "diamond", "diamond", "key", "door"]
        red-2 = ["dragon", "dragon", "blank", "blank", "blank", "blank"]
        """
    )
    dice = seated(config).table.dice
    assert dice["white-3"].faces == ("troll", "diamond", "diamond", "diamond", "key", "door")
    assert dice["red-2"].faces.count("dragon") == 2
    assert dice["red-1"].faces.count("dragon") != 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('white = ["troll"]', ("dice.white-1: expected six faces out of", "got troll")),
        ('white = ["ogre", "ogre", "ogre", "ogre", "ogre", "ogre"]', ("six faces out of", "ogre")),
        ("white = []", ("six faces out of", "got none")),
        ('green = ["troll"]', ("expected one of", "white-1", "got 'green'")),
    ],
)
def test_faces_that_do_not_fit_are_answered_with_those_that_do(load, line, words):
    config = load(f"[games.troll_and_dragon.dice]\n{line}")
    with pytest.raises(ConfigError) as error:
        seated(config)
    for word in words:
        assert word in str(error.value)


def test_first_player_is_named_by_key(load):
    config = load('[games.troll_and_dragon]\nfirst_player = "bo"')
    assert seated(config).table.active == "bo"
    with pytest.raises(ConfigError, match="first_player: expected one of cy, di, got 'bo'"):
        seated(config, "Cy", "Di")


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Ann", "ann"),
        ("Zoë M.", "zoe-m"),
        ("  Bo  ", "bo"),
        ("R2_D2", "r2_d2"),
        ("Jean-Luc", "jean-luc"),
        ("O'Neill & Sons", "o-neill-sons"),
        ("../../etc", "etc"),
        ("pack.ann.gold", "pack-ann-gold"),
        ("[bold]Al[/bold]", "bold-al-bold"),
        ("Grandma 👵", "grandma"),
    ],
)
def test_key_is_made_from_the_name(name, key):
    assert player_key(name) == key
    assert players_named((name,)) == [Player(key, name.strip())]


def test_name_in_other_letters_gets_a_key_by_its_place():
    players = players_named(("Ann", "Анна", "花子"))
    assert players == [Player("ann", "Ann"), Player("player-2", "Анна"), Player("player-3", "花子")]
    Referee(GAMES["troll_and_dragon"], players)


@pytest.mark.parametrize("name", ["", "   ", "!?", "👵", "-"])
def test_name_without_letters_or_digits_is_refused(name):
    with pytest.raises(ConfigError, match="expected names with letters or digits"):
        players_named(("Ann", name))


@pytest.mark.parametrize("names", [("Ann", "ann"), ("Zoë", "Zoe"), ("Ann", "Ann ")])
def test_names_that_cannot_be_told_apart_are_refused(names):
    with pytest.raises(ConfigError, match="expected different names"):
        players_named(names)


def test_strange_names_survive_a_whole_step():
    """Names are values: braces and brackets in them are shown, not obeyed."""
    players = players_named(("{n}", "[/b]x", "%s"))
    referee = Referee(GAMES["troll_and_dragon"], players)
    assert referee.opening[0].text == "{n}, it is your turn."


def test_strange_names_are_printed_as_they_are_written(tmp_path):
    path, said = tmp_path / "journal.sqlite", io.StringIO()
    journal, console = Journal(path), Console(file=said, width=200)
    referee = Referee(GAMES["troll_and_dragon"], players_named(("[/b]x", "[red]Bo[/red]")))
    number = journal.begin(referee)
    faces = dict.fromkeys(("white-1", "white-2", "white-3", "white-4"), "diamond")
    step = referee.apply(Report(Rolled(faces), source="[dim]"))
    journal.append(number, step, referee)
    journal.close()
    print_games(path, console, as_json=False)
    print_replay(path, None, console, as_json=False)
    Teller(Feed(), console, quiet=False).publish(
        "table", {"told": told_rows(step.told, 1), "refused": {"message": "[/]"}}, 1
    )
    for words in ("[/b]x, [red]Bo[/red]", "[/b]x finds 4 diamonds.", "[dim]", "[/]"):
        assert words in said.getvalue()


def test_console_says_once_what_is_lost_and_when_it_is_back():
    said = io.StringIO()
    teller = Teller(Feed(), Console(file=said), quiet=False)
    for state, detail in (
        ("ok", "still"),
        ("lost", "it is gone"),
        ("lost", "it is gone"),
        ("ok", ""),
    ):
        row = {"label": "Camera, tray", "state": state, "detail": detail}
        teller.publish("sensing", {"sources": [row]}, None)
    lines = [line.strip() for line in said.getvalue().splitlines()]
    assert lines == ["Camera, tray: it is gone", "Camera, tray: it is back"]


def test_unknown_game_is_answered_with_the_games_there_are():
    with pytest.raises(ConfigError, match=r"expected one of troll_and_dragon.*, got 'chess'"):
        game_named("chess")


def test_journal_lies_in_the_data_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_journal() == tmp_path / "companion" / "journal.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert str(default_journal()) == "/home/ann/.local/share/companion/journal.sqlite"
