"""Zones set on the picture: of simulated trays, and of a camera that is a folder of pictures."""

import contextlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from room import Play

from camera.locks import load_values
from camera.pictures import load_picture, save_picture
from camera.simulated import SimulatedTray
from camera.simulated_square import SimulatedSquare
from camera.source import Frame
from camera.steady import SteadyCamera
from camera.train_tables import make_picture
from companion.actions import Report, Rolled
from companion.app import Companion
from companion.calibrating import empty_of
from companion.clock import RealClock
from companion.config import (
    CameraSettings,
    LearntZones,
    SquareSettings,
    ZoneSettings,
    load_config,
    load_zones,
)
from companion.errors import ConfigError, IllegalAction
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.referee import Referee
from companion.service import Setting, room_for
from companion.setting_up_zones import ZoneBench
from companion.simulated_tray import ZONES
from companion.table_eyes import TableEyes
from companion.zones_file import file_of, keep_zones

CORNERS = ((40.0, 30.0), (300.0, 30.0), (310.0, 200.0), (30.0, 200.0))


@pytest.fixture(scope="module")
def tray():
    dice = Play().companion.referee.table.dice
    return SimulatedTray(dice, ZONES["troll_and_dragon"], seed=1)


@pytest.fixture
def simulated(desk, tray, tmp_path):
    desk.room.tray = tray
    return ZoneBench(TableEyes(desk, CameraSettings(), SquareSettings(), True), tmp_path)


@pytest.fixture
def real(desk, tray, tmp_path, monkeypatch):
    """A camera that shows a folder of pictures, in a folder of settings."""
    monkeypatch.chdir(tmp_path)
    Path("pictures").mkdir()
    save_picture(Path("pictures/1.png"), tray.frame(0.0).pixels)
    camera = CameraSettings(device="pictures", die_px=30)
    return ZoneBench(TableEyes(desk, camera, SquareSettings(), False), tmp_path)


def zones_of(look, camera="trays"):
    row = next(row for row in look["cameras"] if row["camera"] == camera)
    return {zone["zone"]: zone for zone in row["zones"]}


def test_simulated_zone_is_set_shown_and_forgotten(simulated, tmp_path):
    look = simulated.look()
    assert list(zones_of(look)) == ["adventurer", "dragon"]
    assert look["cameras"][0]["width"] == 640
    there = zones_of(look)["dragon"]["corners"]
    look = simulated.set_zone("trays", "dragon", CORNERS, None, ())
    assert zones_of(look)["dragon"]["corners"] == [list(corner) for corner in CORNERS]
    assert zones_of(look)["dragon"]["may_drop"]
    assert zones_of(simulated.drop_zone("trays", "dragon"))["dragon"]["corners"] == there
    assert list(tmp_path.iterdir()) == []
    assert simulated.picture("trays").startswith(b"\xff\xd8\xff")
    for refused in (simulated.keep_empty, lambda camera: simulated.set_die_px(camera, 30)):
        with pytest.raises(IllegalAction, match="no_empty|no_die_px"):
            refused("trays")


def test_simulated_zone_counts_once_the_game_is_taken_up(simulated, desk):
    assert zones_of(simulated.look())["adventurer"]["dice"] == ["white", "gold"]
    assert not simulated.look()["may_take_up"]
    with pytest.raises(IllegalAction, match="every die in one zone"):
        simulated.set_zone("trays", "dragon", CORNERS, None, ["red", "gold"])
    look = simulated.set_zone("trays", "dragon", CORNERS, None, ["red"])
    assert (look["changed"], look["may_take_up"]) == (True, True)
    simulated.take_up()
    assert (desk.wanted["new"], desk.wanted["number"]) == (False, desk.companion.number)
    [(at, settings)] = desk.wanted["sets"].items()
    assert at == ("troll_and_dragon", "trays")
    assert settings.zones["dragon"].corners == CORNERS
    assert settings.zones["adventurer"].dice == ("white", "gold")
    simulated.drop_zone("trays", "dragon")
    assert desk.devices["sets"] == {}


def thrown_in(room, dice):
    """What the camera of a simulated room reads of dice that were thrown."""
    room.throw("ann", list(dice))
    for _ in range(400):
        room._sense()
        room.clock.move_to(room.clock.now_s() + 0.04)
    seen = [one for sighting in room.camera.sightings.values() for one in sighting.readings]
    return {one.name for one in seen if one.name in dice and one.certainty > 0.9}


def test_simulated_camera_reads_where_its_zones_were_set(simulated, desk):
    dice = ("white-1", "white-2", "white-3", "white-4")
    game, there = GAMES["troll_and_dragon"], zones_of(simulated.look())["adventurer"]
    setting = Setting(game, tuple(some_players(2)), game.options(), None, seed=4)
    away = zones_of(simulated.look())["dragon"]["corners"]  # nobody throws white dice there
    read = []
    for corners in (None, there["corners"], away):
        if corners is not None:
            simulated.set_zone("trays", "adventurer", corners, there["sides"], ["white", "gold"])
        sets = desk.devices.get("sets", {})
        companion = Play("ann", "bo").companion
        room = room_for(replace(setting, sets=sets), companion, companion.clock)
        read.append(thrown_in(room, dice))
        room.close()
    assert read[0] == read[1] == set(dice)
    assert not read[2]


@pytest.mark.parametrize(
    "corners",
    [
        ((40, 30), (40, 30), (40, 30), (40, 30)),
        ((40, 30), (300, 200), (300, 30), (40, 200)),  # crosses itself
        ((40, 30), (9000, 30), (310, 200), (30, 200)),  # outside the picture
    ],
)
def test_corners_that_go_round_no_tray_are_refused(simulated, corners):
    before = simulated.look()
    with pytest.raises(IllegalAction, match="bad_setup"):
        simulated.set_zone("trays", "dragon", corners, None, ())
    assert simulated.look() == before


def test_zones_of_a_real_camera_are_kept_beside_the_settings(real, desk, tmp_path):
    assert list(zones_of(real.look())) == ["tray"]
    look = real.set_zone("trays", "tray", CORNERS, None, ())
    assert (look["changed"], look["may_take_up"]) == (True, True)
    real.set_zone("trays", "dragon", ((330, 30), (600, 30), (600, 300), (330, 300)), None, ["red"])
    real.set_die_px("trays", 34)
    kept = load_config(None).camera
    assert kept.die_px == 34
    assert kept.zones["dragon"].dice == ("red",)
    assert kept.zones["tray"].corners == CORNERS
    assert desk.devices["camera"].zones == kept.zones
    real.take_up()
    assert desk.wanted["camera"].zones == kept.zones
    assert desk.wanted["new"] is False
    assert list(zones_of(real.drop_zone("trays", "dragon"))) == ["tray"]
    assert "dragon" not in load_zones(tmp_path / "zones.toml").zones


def test_what_does_not_fit_a_real_table_is_refused_and_not_kept(real, tmp_path):
    for dice in (["purple"], ["white", "white-1"]):
        zones = ("trays", "other", CORNERS, None, dice)
        if dice[0] == "white":
            real.set_zone("trays", "tray", CORNERS, None, ["white-1"])
        with pytest.raises(IllegalAction, match="bad_setup"):
            real.set_zone(*zones)
    for name in ("", "a b", "x" * 25, "é", "../x", 'a"b', "a\nb"):
        with pytest.raises(IllegalAction, match="Expected a name"):
            real.set_zone("trays", name, CORNERS, None, ())
    assert "other" not in load_zones(tmp_path / "zones.toml").zones
    with pytest.raises(IllegalAction, match="no_camera"):
        real.picture("square")
    with pytest.raises(IllegalAction, match="no_zone"):
        real.drop_zone("trays", "other")


def test_empty_trays_are_kept_as_the_camera_command_does(real):
    real.keep_empty("trays")
    assert load_picture(Path("empty.png")).shape == (360, 640, 3)
    assert not Path("empty.camera.toml").exists(), "nothing can be set at a folder of pictures"
    real.close()


def test_picture_of_trays_in_which_a_die_was_left_is_not_kept(real):
    rng = np.random.default_rng(7)
    made = make_picture(rng, count=3, side_px=70.0, ground="felt", light="even")
    save_picture(Path("pictures/1.png"), made.pixels)
    with pytest.raises(IllegalAction, match="expected a tray without dice, got one at"):
        real.keep_empty("trays")
    assert not Path("empty.png").exists()


class Eye:
    """A camera whose pictures are bright until it is held; some were under way by then."""

    UNDER_WAY = 4

    def __init__(self, clock):
        self.clock, self.controls, self.said = clock, self, "free"
        self.levels, self.taken = [220] * self.UNDER_WAY, 0

    def values(self):
        return {"exposure": 156.0, "focus": 30.0}

    def lock(self, values):
        self.said = values

    def free(self):
        self.said = "free"

    def read(self):
        self.taken += 1
        self.levels.append(220 if self.said == "free" else 90)
        pixels = np.full((36, 64, 3), self.levels.pop(0), np.uint8)
        pixels[0, 0] = self.taken % 250
        return Frame(self.clock.now_s(), pixels)

    def close(self):
        pass


@pytest.mark.parametrize("is_watched", [True, False])
def test_camera_is_locked_when_the_empty_trays_are_kept(real, desk, monkeypatch, is_watched):
    """The picture is one taken under that, however far behind whoever watches the camera is."""
    clock = RealClock()
    camera = SteadyCamera("trays", lambda: Eye(clock), clock)
    monkeypatch.setattr("companion.camera_command.opened_eye", lambda _device: Eye(clock))
    with camera if is_watched else contextlib.nullcontext():
        if is_watched:
            desk.room.trays = SimpleNamespace(camera=camera, newest=camera.frame(5.0))
        real.keep_empty("trays")
    assert load_values(Path("empty.camera.toml")) == {"exposure": 156.0, "focus": 30.0}
    kept = load_picture(Path("empty.png"))
    assert (kept.shape, kept[-1, -1, 0]) == ((36, 64, 3), 90)


def test_game_waits_while_trays_are_emptied_and_until_dice_lie_there_again(real, desk):
    shown = desk.companion.apart
    assert (real.look()["may_wait"], real.look()["game_waits"]) == (True, False)
    assert real.wait()["game_waits"]
    assert shown.row() == {"what": ["cameras"], "seen": 0}
    assert not real.go_on()["game_waits"]
    assert not shown.is_on
    assert real.keep_empty("trays")["game_waits"]  # nobody has let it wait before
    taken_away = Report(Rolled({"white-1": "key"}), source="camera:tray")
    assert shown.takes(taken_away, desk.companion.clock.now_s() + 1.0)
    real.take_up()
    assert not shown.is_on


def test_no_game_waits_for_a_simulated_camera_or_once_it_is_over(simulated, real, desk):
    assert not simulated.look()["may_wait"]
    with pytest.raises(IllegalAction, match="simulated"):
        simulated.wait()
    desk.companion.ended = True
    assert not real.keep_empty("trays")["may_wait"]
    assert not desk.companion.apart.is_on


def test_size_of_a_zone_is_told_once_the_size_of_dice_is_known(real):
    assert zones_of(real.look())["tray"]["size"] == [21.3, 12.0]
    real.eyes.camera = CameraSettings(device="pictures")
    assert zones_of(real.look())["tray"]["size"] is None


def test_dice_that_lie_there_tell_their_size_until_it_is_set(real, tray):
    """Nobody has to measure them by hand; what is set counts."""
    rest_s = tray.throw({"white-1": "key", "white-3": "troll"}, 0.0)
    save_picture(Path("pictures/1.png"), tray.frame(rest_s + 1).pixels)
    tray.take_out(["white-1", "white-3"], rest_s + 2)
    [row] = real.look()["cameras"]
    assert row["seen_die_px"] is None
    real.eyes.camera = CameraSettings(device="pictures")
    [row] = real.look()["cameras"]
    zone = tray.zones()["adventurer"]
    across_px = zone.corners[1][0] - zone.corners[0][0]
    assert row["seen_die_px"] == pytest.approx(across_px / zone.size_sides[0], rel=0.15)


def test_camera_that_gives_no_picture_says_why(desk, tmp_path):
    eyes = TableEyes(desk, CameraSettings(device=str(tmp_path / "none")), SquareSettings(), False)
    row = ZoneBench(eyes, tmp_path).look()["cameras"][0]
    assert row["trouble"]
    assert row["zones"] == []


def test_square_is_kept_where_calibrate_keeps_it(desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("pictures").mkdir()
    stage = SimulatedSquare(seed=3)
    save_picture(Path("pictures/1.png"), stage.empty())
    settings = SquareSettings(camera="pictures")
    bench = ZoneBench(TableEyes(desk, CameraSettings(), settings, False), tmp_path)
    corners = stage.zones()["square"].corners
    look = bench.set_zone("square", "square", corners, None, ())
    assert empty_of(Path("square.toml")).is_file()
    found = zones_of(look, "square")["square"]["corners"]
    assert found == [[round(x, 1), round(y, 1)] for x, y in corners]
    assert look["game_waits"]  # its tiles were taken away
    bench.close()
    with pytest.raises(IllegalAction, match="bad_setup"):
        bench.set_zone("square", "square", corners[::-1], None, ())


def test_zones_file_reads_back_as_it_was_written(tmp_path):
    zones = {
        "tray": ZoneSettings(CORNERS, sides=(8.0, 6.5), dice=("white", "gold-1")),
        "d-1": ZoneSettings(rectangle=(1.0, 2.0, 30.0, 40.0)),
    }
    learnt = LearntZones(34.5, zones)
    keep_zones(tmp_path / "zones.toml", learnt)
    assert load_zones(tmp_path / "zones.toml") == learnt
    assert load_zones(tmp_path / "none.toml") == LearntZones()
    assert "die_px" not in file_of(LearntZones())
    (tmp_path / "bad.toml").write_text("zones = 3")
    with pytest.raises(ConfigError, match="set the zones anew"):
        load_zones(tmp_path / "bad.toml")
    with pytest.raises(ConfigError, match="cannot be written"):
        keep_zones(tmp_path / "bad.toml" / "zones.toml", learnt)


def test_table_plays_without_a_camera_that_is_not_set_up_yet_and_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = GAMES["troll_and_dragon"]
    players = tuple(some_players(2))
    referee, clock = Referee(game, players), RealClock()
    companion = Companion(referee, Inbox(clock), clock, journal=None, number=1)
    camera = CameraSettings(device="pictures", zones={"a": ZoneSettings(corners=((0, 0), (9, 9)))})
    setting = Setting(game, players, game.options(), None, simulated=False, camera=camera)
    with pytest.raises(ConfigError, match="expected four"):
        room_for(setting, companion, clock)
    room = room_for(replace(setting, web=("127.0.0.1", 0)), companion, clock)
    [row] = room.sources()
    assert (row["name"], row["state"]) == ("camera:trays", "lost")
    assert "expected four" in row["detail"]
    room.close()
