"""A real square of tiles: pictures of the simulated one, in a folder, read by the real room."""

from pathlib import Path
from typing import Any

import pytest

from camera.calibrate import save_zones
from camera.dice_sets import DiceLooks, load, save
from camera.pictures import save_picture
from camera.simulated_square import SimulatedSquare
from companion.actions import Flipped, Report
from companion.app import Companion
from companion.calibrating import empty_of
from companion.clock import RealClock
from companion.config import DiceSettings, SquareSettings
from companion.errors import ConfigError, PictureError
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.real_room import RealRoom
from companion.real_square import RealSquare
from companion.referee import Referee
from companion.simulated_square import enrolled

GAME = GAMES["schatz_der_drachen"]
LIMIT_S = 20.0


class QuickClock(RealClock):
    """Real time, ten times as fast: clips need not last as long as they show."""

    def now_s(self) -> float:
        return 10 * super().now_s()


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with square.toml, the empty square, learnt tiles, and pictures of two flips."""
    folder = tmp_path_factory.mktemp("square")
    tray = SimulatedSquare(seed=3, columns=6)
    save_zones([tray.zones()["square"]], folder / "square.toml")
    save_picture(empty_of(folder / "square.toml"), tray.empty())
    save(enrolled(), folder / "tiles")
    pictures = folder / "pictures"
    pictures.mkdir()
    end_s = tray.turn_up("1,2", "ring", 0.6)
    end_s = tray.turn_up("4,4", "car", end_s + 0.6) + 0.6
    for number in range(int(end_s * 25)):
        save_picture(pictures / f"{number / 25:.3f}.png", tray.frame(number / 25).pixels)
    return folder


class Table:
    """A table in a real room, with a camera over its square; decided in this thread."""

    def __init__(self, folder: Path, camera: str = "", tiles: str = "") -> None:
        self.referee = Referee(GAME, some_players(2), GAME.options(square="6x6", apart_s=0))
        self.clock = QuickClock()
        self.inbox = Inbox(self.clock)
        self.companion = Companion(
            self.referee, self.inbox, self.clock, journal=None, number=1, simulated=False
        )
        self.ask = CameraQuestions(self.companion)
        settings = SquareSettings(
            camera or str(folder / "pictures"),
            str(folder / "square.toml"),
            tiles or str(folder / "tiles"),
        )
        room = self.room = RealRoom(self.referee, self.inbox, self.clock, DiceSettings())
        room.square = RealSquare(
            self.referee.table, settings, self.inbox, self.clock, self.ask
        ).start()
        self.companion.begin(room)

    @property
    def row(self) -> dict[str, Any]:
        [row] = self.room.sources()
        return row

    def decides_until(self, steps: int) -> list[Report]:
        until_s = self.clock.now_s() + 10 * LIMIT_S
        while self.referee.number < steps:
            assert self.clock.now_s() < until_s, self.row
            if not self.companion.decide():
                self.room.advance(self.inbox.next_due_s(self.referee.offers))
        return [step.report for step in self.referee.history]


@pytest.fixture
def laid():
    tables: list[Table] = []

    def lay(*words: Any, **more: Any) -> Table:
        tables.append(Table(*words, **more))
        return tables[-1]

    yield lay
    for table in tables:
        table.room.close()
        table.room.close()


def test_tiles_on_the_table_are_read_from_a_source_as_in_the_simulated_room(taught, laid):
    reports = laid(taught).decides_until(2)
    assert [r.action for r in reports] == [Flipped("1,2", "ring"), Flipped("4,4", "car")]
    assert {r.source for r in reports} == {"camera:square"}
    assert 0 < reports[0].at_s < reports[1].at_s
    assert min(r.certainty for r in reports) > 0.85


def test_camera_is_lost_and_says_so_when_it_cannot_be_opened(taught, laid):
    table = laid(taught, camera="/dev/video63")
    until_s = table.clock.now_s() + 10 * LIMIT_S
    while table.row["state"] != "lost":
        assert table.clock.now_s() < until_s
        table.inbox.wait(0.01)
    assert "/dev/video63" in table.row["detail"]


def counts(looks: DiceLooks) -> dict[str, int]:
    """How many pictures of each face have been learnt."""
    return {face: len(found) for faces in looks.patches.values() for face, found in faces.items()}


def test_answer_is_kept_with_the_learnt_tiles(taught, laid, tmp_path):
    save(enrolled(), tmp_path / "tiles")
    table = laid(taught, tiles=str(tmp_path / "tiles"))
    table.decides_until(1)
    patch = next(iter(enrolled().patches.values()))
    table.ask.learners["camera:square"].learn("doll", next(iter(patch.values()))[0])
    count = {
        f: len(p) for faces in load(tmp_path / "tiles").patches.values() for f, p in faces.items()
    }
    before = {f: len(p) for faces in enrolled().patches.values() for f, p in faces.items()}
    assert count == before | {"doll": before["doll"] + 1}


def test_tile_that_was_tapped_is_not_reported_once_more(taught, laid):
    table = laid(taught)
    table.inbox.put(Report(Flipped("1,2", "ring"), at_s=0.0, source="web"))
    reports = table.decides_until(2)
    assert [r.source for r in reports] == ["web", "camera:square"]


@pytest.mark.parametrize(("name", "error"), [("square.toml", ConfigError), ("tiles", ConfigError)])
def test_what_is_missing_is_named(taught, tmp_path, name, error):
    table = Referee(GAME, some_players(2)).table
    clock = RealClock()
    files = {"square": str(taught / "square.toml"), "tiles": str(taught / "tiles")}
    files[name.partition(".")[0]] = str(tmp_path / name)
    with pytest.raises((error, PictureError), match=name.split(".")[0]):
        RealSquare(table, SquareSettings("0", **files), Inbox(clock), clock, None)  # type: ignore[arg-type]


def test_camera_of_no_such_name_is_refused(taught):
    clock = RealClock()
    table = Referee(GAME, some_players(2)).table
    settings = SquareSettings("webcam", str(taught / "square.toml"), str(taught / "tiles"))
    with pytest.raises(ConfigError, match=r"\[square\] camera: .*'webcam'"):
        RealSquare(table, settings, Inbox(clock), clock, CameraQuestions(None))  # type: ignore[arg-type]


def test_row_tells_how_the_camera_fares(taught, laid):
    table = laid(taught)
    table.decides_until(1)
    row = table.row
    assert row["name"] == "camera:square"
    assert row["camera"] in ("live", "silent", "over")
    assert row["picture_age_s"] >= 0
