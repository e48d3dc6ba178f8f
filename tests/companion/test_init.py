"""The settings file that `companion init` writes, and the table of keys that it is made of."""

import tomllib

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import init as asking
from companion.cli import main
from companion.config import Config, DiceSettings, TableSettings, load_config
from companion.config_keys import (
    KEYS,
    SECTIONS,
    comment,
    default_of,
    is_secret,
    names_of,
    option_words,
    written,
)
from companion.games import GAMES
from companion.init import aside, compose, found_cameras, found_ports


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(asking, "found_ports", lambda root: [])
    monkeypatch.setattr(asking, "found_cameras", lambda root: [])
    return tmp_path


def run(*words, answers=""):
    result = CliRunner().invoke(main, ["init", *words], input=answers)
    return result.exit_code, " ".join(result.output.split())


# --- the table of keys ----------------------------------------------------------------------------


def test_every_setting_is_in_the_table_of_keys_and_nothing_else_is():
    assert sorted(KEYS) == sorted(names_of())


def test_every_section_has_a_heading():
    assert set(SECTIONS) == set(Config.__struct_fields__)


@pytest.mark.parametrize("name", KEYS)
def test_example_of_every_key_is_accepted(here, name):
    path = here / "one.toml"
    path.write_text(f"{name} = {KEYS[name].example}\n", encoding="utf-8")
    value = load_config(path)
    for part in name.split("."):
        value = getattr(value, part)
    assert value != default_of(name), "an example shows something else than what holds anyway"


@pytest.mark.parametrize("name", KEYS)
def test_every_key_is_told_in_a_sentence(name):
    assert KEYS[name].doc[0].isupper()
    assert KEYS[name].doc.endswith((".", "!"))


@pytest.mark.parametrize("key", GAMES)
def test_every_house_rule_is_told(key):
    words = option_words(GAMES[key])
    assert set(words) == set(GAMES[key].options.__struct_fields__)
    assert all(words.values())


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("web.password", True),
        ("web.session_secret", True),
        ("web.pin", True),
        ("wifi.psk", True),
        ("web.port", False),
        ("dice.names", False),
        ("buttons.pins", False),
    ],
)
def test_what_sounds_like_a_secret_is_one(name, secret):
    assert is_secret(name) is secret


# --- writing --------------------------------------------------------------------------------------

PLAIN = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=40)
@given(PLAIN)
def test_values_are_written_as_toml_reads_them(value):
    assert tomllib.loads(f"x = {written(value)}") == {"x": value}


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"])))
def test_comment_is_one_whatever_it_says(text):
    assert tomllib.loads(comment(text)) == {}


@pytest.mark.parametrize("key", GAMES)
def test_file_of_defaults_gives_the_defaults(here, key):
    path = here / "companion.toml"
    text = compose(Config(table=TableSettings(game=key)))
    path.write_text(text, encoding="utf-8")
    assert load_config(path) == Config(table=TableSettings(game=key), games={key: {}})
    assert all(f"{option} = " in text for option in GAMES[key].options.__struct_fields__)


@pytest.mark.parametrize("key", GAMES)
def test_every_line_behind_a_comment_sign_fits_when_it_is_taken_away(here, key):
    lines = compose(Config(table=TableSettings(game=key))).splitlines()
    settings = [line for line in lines if is_setting(line)]
    assert len(settings) >= len(KEYS) - 2 + len(GAMES[key].options.__struct_fields__)
    path = here / "all.toml"
    path.write_text(
        "\n".join(line.removeprefix("# ") if is_setting(line) else line for line in lines)
    )
    assert load_config(path).table.game == key
    assert f"[games.{key}]" in lines


def is_setting(line):
    return line.startswith("# ") and line[2:].partition(" = ")[0].isidentifier()


def test_settings_come_back_as_they_were_given(here):
    config = Config(
        table=TableSettings("roll_for_adventure", ('Zoë \\ "M"', "花子")),
        dice=DiceSettings("/dev/ttyACM0", {"d1": "red-1", "d 2": "red-2"}),
        games={"roll_for_adventure": {"excess": "chain"}},
    )
    (here / "companion.toml").write_text(compose(config), encoding="utf-8")
    assert load_config(here / "companion.toml") == config


# --- asking ---------------------------------------------------------------------------------------


def test_nothing_is_asked_when_yes_is_said(here):
    assert run("--yes")[0] == 0
    assert load_config(here / "companion.toml").table == TableSettings()
    assert list(here.iterdir()) == [here / "companion.toml"]


def test_answers_are_written(here):
    status, said = run(answers="schatz_der_drachen\nAnn\nAnn,Bo\nn\n")
    assert status == 0
    assert "expected 2 to" in said
    config = load_config(here / "companion.toml")
    assert config.table == TableSettings("schatz_der_drachen", ("Ann", "Bo"))
    assert config.web.host == "127.0.0.1"


def test_receiver_that_was_found_is_asked_for_with_its_dice(here, monkeypatch):
    monkeypatch.setattr(asking, "found_ports", lambda root: ["/dev/serial/by-id/usb-x"])
    status, said = run(answers="troll_and_dragon\nAnn,Bo\ny\nd1=green\nd1=red-1, d2=red-2\ny\n")
    assert status == 0
    assert "got d1=green" in said
    config = load_config(here / "companion.toml")
    assert config.dice == DiceSettings("/dev/serial/by-id/usb-x", {"d1": "red-1", "d2": "red-2"})
    assert config.web.host == "0.0.0.0"


@pytest.mark.parametrize(
    ("game", "things", "key"),
    [
        ("roll_for_adventure", "dice", "camera.device"),
        ("schatz_der_drachen", "square of tiles", "square.camera"),
    ],
)
def test_camera_that_was_found_is_asked_for_and_written(here, monkeypatch, game, things, key):
    found = ["/dev/video0", "/dev/video2"]
    monkeypatch.setattr(asking, "found_cameras", lambda root: found)
    status, said = run(answers=f"{game}\nAnn,Bo\n/dev/video9\n/dev/video2\nn\n")
    assert status == 0
    assert f"Which camera looks at the {things}?" in said
    config = load_config(here / "companion.toml")
    section, name = key.split(".")
    assert getattr(getattr(config, section), name) == "/dev/video2"
    assert config.is_real


def test_devices_that_were_found_stand_in_the_file_though_nothing_was_asked(here, monkeypatch):
    monkeypatch.setattr(asking, "found_ports", lambda root: ["/dev/ttyACM3"])
    monkeypatch.setattr(asking, "found_cameras", lambda root: ["/dev/video7"])
    assert run("--yes")[0] == 0
    text = (here / "companion.toml").read_text()
    assert not load_config(here / "companion.toml").is_real
    for line in ('# port = "/dev/ttyACM3"', '# device = "/dev/video7"', '# camera = "/dev/video7"'):
        assert f"# {asking.FOUND}\n{line}\n" in text


def test_cameras_are_found_in_the_order_of_their_numbers(here):
    (here / "dev").mkdir()
    for number in (10, 2, 0):
        (here / f"dev/video{number}").touch()
    assert found_cameras(here)[-3:] == ["/dev/video0", "/dev/video2", "/dev/video10"]


def test_file_is_never_replaced_silently(here):
    path = here / "companion.toml"
    path.write_text("[web]\nport = 9\n")
    status, said = run("--yes")
    assert (status, path.read_text()) == (2, "[web]\nport = 9\n")
    assert "--replace" in said
    status, said = run(answers="n\n")
    assert (status, path.read_text()) == (2, "[web]\nport = 9\n")
    assert run("--yes", "--replace")[0] == 0
    assert (here / "companion.toml.1").read_text() == "[web]\nport = 9\n"
    assert aside(path).name == "companion.toml.2"


def test_file_that_cannot_be_written_is_named(here):
    (here / "file").write_text("")
    status, said = run("--yes", "--file", "file/companion.toml")
    assert status == 2
    assert "file/companion.toml: cannot be written" in said


def test_ports_with_names_that_stay_come_first(here):
    for name in ("dev/ttyACM0", "dev/serial/by-id/usb-b", "dev/serial/by-id/usb-a"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).touch()
    assert found_ports(here) == ["/dev/serial/by-id/usb-a", "/dev/serial/by-id/usb-b"]
    assert found_ports(here / "nowhere") == []


def test_defaults_are_what_the_struct_says():
    assert default_of("web.port") == Config().web.port
    assert msgspec.to_builtins(default_of("games")) == {}
