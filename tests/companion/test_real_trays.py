"""Real trays of dice: the simulated tray's pictures, through a camera or a folder, into a game."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from real_table import (
    ADVENTURE,
    CROSSED,
    FRAME_S,
    LIMIT_S,
    THROWN,
    Driven,
    Table,
    enrolled,
    faces_seen,
    referee_of,
    settings_of,
    with_something_brown,
)

from camera.dice_sets import DiceLooks, load, save
from camera.enrolment import enrol_simulated
from camera.health import CameraTrouble
from camera.pictures import save_picture
from camera.replay import Replay, opened
from camera.simulated import SimulatedTray
from camera.source import Frame, PictureFolder
from camera.tray_pips import PipDice
from camera.tray_readers import KnownTrays, Reader
from companion.actions import Report, Rolled
from companion.asking import NO_ROLL
from companion.clock import RealClock, SimulatedClock
from companion.config import CameraSettings, ZoneSettings
from companion.errors import ConfigError, PictureError
from companion.inbox import Inbox
from companion.real_trays import RealTrays
from companion.simulated_tray import ZONES


@pytest.fixture(scope="module")
def tray_of() -> Callable[[], SimulatedTray]:
    dice = referee_of().table.dice
    return lambda: SimulatedTray(dice, ZONES["troll_and_dragon"], seed=5)


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory, tray_of) -> Path:
    """A folder with learnt dice, a picture of the empty trays, and those of one throw."""
    folder = tmp_path_factory.mktemp("trays")
    save(enrolled(tray_of()), folder / "looks")
    tray = tray_of()
    save_picture(folder / "empty.png", tray.empty())
    (folder / "pictures").mkdir()
    end_s = tray.throw(THROWN, 0.3) + 0.6
    for number in range(int(end_s / FRAME_S)):
        frame = tray.frame(number * FRAME_S)
        save_picture(folder / "pictures" / f"{frame.at_s:.3f}.png", frame.pixels)
    return folder


@pytest.fixture
def laid() -> Iterator[Callable[..., Any]]:
    tables: list[Table] = []

    def lay(kind: Any, *words: Any, **more: Any) -> Any:
        tables.append(kind(*words, **more))
        return tables[-1]

    yield lay
    for table in tables:
        lens = getattr(table, "lens", None)
        if lens is not None:
            lens.given.put(None)
        table.room.close()
        table.room.close()
        assert not table.trays.is_watching


def test_roll_in_a_folder_of_pictures_becomes_a_step_of_the_game(taught, tray_of, laid):
    settings = settings_of(taught, tray_of(), device=str(taught / "pictures"))
    table = laid(Table, settings, RealClock())
    table.until(lambda: table.referee.number)
    [report] = table.reports
    assert isinstance(report.action, Rolled)
    assert sorted(report.action.faces.values()) == sorted(THROWN.values())
    assert report.source == "camera:adventurer"
    assert report.certainty > 0.85
    table.until(lambda: "played to its end" in table.rows["camera:adventurer"]["detail"])


def test_roll_carries_the_time_at_which_the_dice_lay_still(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    assert table.rows["camera:adventurer"]["detail"] == "empty"
    rest_s = table.throws(THROWN)
    [report] = table.reports
    assert -0.005 < report.at_s - rest_s <= FRAME_S + 0.001
    assert report.within_s == pytest.approx(FRAME_S)
    row = table.rows["camera:adventurer"]
    assert (row["state"], row["detail"], row["moving"]) == ("ok", "still", False)
    assert row["dice"] == [*ZONES["troll_and_dragon"]["adventurer"]]


def test_die_that_lies_crooked_is_asked_about_with_its_picture(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    table.throws(THROWN, crooked=["white-1"])
    assert not table.reports
    [asked] = table.companion.questions.values()
    assert asked.source == "camera:adventurer"
    assert set(asked.faces) <= {"troll", "diamond", "key", "door", NO_ROLL}


def test_nobody_has_to_say_how_large_dice_are(taught, tray_of, laid):
    told = settings_of(taught, tray_of())
    zones = {name: msgspec.structs.replace(zone, sides=None) for name, zone in told.zones.items()}
    table = laid(Driven, msgspec.structs.replace(told, zones=zones, die_px=0), tray_of())
    table.goes_on(0.3)
    table.throws(THROWN)
    [report] = table.reports
    assert sorted(report.action.faces.values()) == sorted(THROWN.values())
    adventurer = table.trays.watchers[0]._view.zone
    assert adventurer.size_sides == pytest.approx(told.zones["adventurer"].sides, rel=0.04)


class AtTheEdge:
    """Reads what another reader does, and finds whatever shows a door cut off."""

    left_over: tuple[str, ...] = ()
    turns = 0

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def read(self, picture: Any, empty: Any) -> list[Any]:
        return [
            one._replace(doubt="cut", certainty=0.5) if one.face == "door" else one
            for one in self._reader.read(picture, empty)
        ]


def test_die_that_the_camera_sees_in_part_is_named_so_and_thrown_again(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    [watcher] = [one for one in table.trays.watchers if one.name == "adventurer"]
    watcher._live.reader = AtTheEdge(watcher._live.reader)
    table.throws(THROWN)
    assert not table.reports
    [asked] = table.companion.questions.values()
    [cut] = asked.dice
    assert str(asked.text).startswith(f"{cut} lies where the camera sees only a part of it")
    assert set(asked.faces) == {"troll", "diamond", "key", "door", NO_ROLL}
    table.throws({"white-3": "key"})  # which showed the door
    [report] = table.reports
    assert sorted(report.action.faces.values()) == ["diamond", "key", "key", "troll"]
    assert not table.companion.questions


def test_throw_of_more_dice_than_may_be_rolled_is_asked_about_and_can_be_no_roll(
    taught, tray_of, laid
):
    """One of them is blocked, and dice are alike: nobody can tell which the others are."""
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    table.throws(THROWN)
    table.throws({name: "diamond" for name in THROWN})
    [asked] = table.companion.questions.values()
    assert "none of them counts" in str(asked.text)
    assert asked.faces == (NO_ROLL,)
    table.companion.answer(asked.id, NO_ROLL)
    table.goes_on(0.2)
    assert not table.companion.questions
    assert len(table.reports) == 1
    free = table.referee.table.grotto.free
    table.throws({name: "key" for name in free})
    assert [set(report.action.faces.values()) for report in table.reports[1:]] == [{"key"}]


def test_die_that_nobody_saw_is_asked_about_when_more_dice_are_awaited(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    table.throws(THROWN)
    table.goes_on(table.tray.take_out(["white-3"], table.clock.now_s()) - table.clock.now_s() + 0.2)
    rest_s = table.tray.throw({"white-2": "key", "white-4": "key"}, table.clock.now_s())
    with_something_brown(table.tray, (290, 100), rest_s - 0.05)
    table.goes_on(table.tray.quiet_after_s() - table.clock.now_s() + 0.7)
    assert len(table.reports) == 1
    [asked] = table.companion.questions.values()
    assert asked.faces == ("troll", "diamond", "key", "door", NO_ROLL)
    table.companion.answer(asked.id, "diamond")
    table.goes_on(0.2)
    assert sorted(table.reports[1].action.faces.values()) == ["diamond", "key", "key"]


def test_answer_about_a_face_is_learnt_and_kept(taught, tray_of, laid, tmp_path):
    """Nobody has taught this set its doors: one is asked about, and read from then on."""
    looks = load(taught / "looks")
    faces = dict(looks.patches["white"])
    faces["door"] = np.full_like(faces["door"][:1], 128)  # a picture of nothing
    poor = DiceLooks(looks.kinds, {**looks.patches, "white": faces})
    save(poor, tmp_path / "looks")
    table = laid(Driven, settings_of(taught, tray_of(), looks=str(tmp_path / "looks")), tray_of())
    table.goes_on(0.2)
    table.throws(THROWN)
    [asked] = table.companion.questions.values()
    assert asked.faces
    frame = table.tray.frame(table.clock.now_s()).pixels
    watcher = table.trays.watchers[0]
    assert "door" not in faces_seen(watcher, frame)
    may_go_on, relearn = threading.Event(), watcher.relearn
    watcher.relearn = lambda learnt: may_go_on.wait(LIMIT_S) and relearn(learnt)
    table.companion.answer(asked.id, "door")
    table.decides()
    assert "door" not in faces_seen(watcher, frame), "the table does not wait for readers"
    [report] = table.reports
    assert sorted(report.action.faces.values()) == sorted(THROWN.values())
    kept = load(tmp_path / "looks").patches["white"]["door"]
    assert len(kept) == 2
    may_go_on.set()
    table.until(lambda: "door" in faces_seen(watcher, frame))
    table.goes_on(0.1)
    assert not list(tmp_path.glob("looks/.learning-*"))
    settings = settings_of(taught, tray_of(), looks=str(tmp_path / "looks"))
    again = laid(Driven, settings, tray_of())  # as after a restart
    again.goes_on(0.2)
    assert "door" in faces_seen(again.trays.watchers[0], frame)


def test_roll_that_was_tapped_is_not_reported_once_more(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    table.throws(THROWN, crooked=["white-1"])
    table.inbox.put(Report(Rolled(THROWN), at_s=table.clock.now_s(), source="web:ann"))
    table.decides()
    table.goes_on(0.6)
    assert [report.source for report in table.reports] == ["web:ann"]


def test_camera_that_comes_back_goes_on_reading(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.3)
    table.lens.is_there = False
    table.lens.given.put(None)
    table.until(lambda: table.rows["camera:dragon"]["state"] == "lost")
    assert "plugged in" in table.rows["camera:dragon"]["detail"]
    table.clock.advance(3.0)
    assert table.rows["camera:dragon"]["picture_age_s"] >= 3
    table.lens.is_there = True
    table.goes_on(0.3)
    assert table.rows["camera:dragon"]["state"] == "ok"
    assert table.lens.opened == 2
    table.throws(THROWN)
    assert len(table.reports) == 1


def test_picture_of_another_size_is_told_and_ends_nothing(taught, tray_of, laid):
    table = laid(Driven, settings_of(taught, tray_of()), tray_of())
    table.goes_on(0.2)
    table.clock.advance(FRAME_S)
    good = table.tray.frame(table.clock.now_s())
    table.lens.given.put(Frame(good.at_s, good.pixels[::2, ::2].copy()))
    table.until(lambda: table.trays.trouble)
    assert "expected a picture of 360 x 640" in table.rows["camera:dragon"]["detail"]
    table.goes_on(0.2)
    assert table.rows["camera:dragon"]["state"] == "ok"


def test_pip_dice_are_read_without_teaching(tmp_path, laid):
    dice = referee_of(ADVENTURE).table.dice
    names = [die.name for die in dice if die.kind != "territory"]
    tray = SimulatedTray(dice, {"tray": names}, seed=2)
    [zone] = tray.zones().values()
    zones = {"tray": ZoneSettings(corners=zone.corners, sides=zone.size_sides)}
    save_picture(tmp_path / "empty.png", tray.empty())
    settings = CameraSettings(
        "0", looks=str(tmp_path / "none"), empty=str(tmp_path / "empty.png"), zones=zones
    )
    table = laid(Driven, settings, tray, ADVENTURE)
    assert "territory" not in table.trays.zones["tray"]
    table.goes_on(0.2)
    [offer] = [o for o in table.referee.offers if type(o).__name__ == "Roll" and o.closed is None]
    thrown = dict(zip(offer.dice, "423151", strict=True))
    table.throws(thrown)
    [report] = table.reports
    assert isinstance(report.action, Rolled)
    by_kind = sorted((dice[name].kind, face) for name, face in thrown.items())
    assert sorted((dice[n].kind, f) for n, f in report.action.faces.items()) == by_kind


def test_another_game_knows_of_earlier_ones_how_a_tray_lies_whose_zone_stayed(
    taught, tray_of, laid
):
    known: KnownTrays = {}
    laid(Driven, settings_of(taught, tray_of()), tray_of(), known=known).goes_on(0.1)
    (adventurer, sort), (there, _) = known
    pips = PipDice()
    known[adventurer, PipDice] = pips  # of another game that was played between
    before = known[adventurer, sort]
    settings = settings_of(taught, tray_of())
    (x, y), *others = settings.zones["dragon"].corners
    moved = msgspec.structs.replace(settings.zones["dragon"], corners=((x + 1, y), *others))
    zones = {**settings.zones, "dragon": moved}
    other = laid(Driven, msgspec.structs.replace(settings, zones=zones), tray_of(), known=known)
    other.goes_on(0.1)
    assert known[adventurer, sort] is not before
    assert known[adventurer, sort].standing is before.standing
    assert known[adventurer, PipDice] is pips
    [here] = [zone for zone, _ in known if zone.name == "dragon" and zone != there]
    assert known[there, sort].standing is not known[here, sort].standing


def test_recording_that_is_opened_again_goes_on_where_it_was(taught, tmp_path):
    clock = SimulatedClock(40.0)
    opens = opened(str(taught / "pictures"), clock)
    assert isinstance(opens(), Replay)
    first = opens().read()
    clock.advance(1.0)
    second = opens().read()
    assert (first.at_s, second.at_s) == (40.0, pytest.approx(40.0 + FRAME_S))
    save_picture(tmp_path / "0.png", second.pixels)
    last = Replay(PictureFolder(tmp_path), "one picture", clock)
    last.read()
    with pytest.raises(CameraTrouble, match="played to its end"):
        last.read()


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"device": "webcam"}, ["[camera] device", "/dev/video0", "'webcam'"]),
        ({"looks": "nowhere"}, ["nowhere", "expected"]),
        ({"zones": {"a": ZoneSettings(dice=("blue",))}}, ["[camera.zones] a", "white", "'blue'"]),
        (
            {"zones": {z: ZoneSettings(dice=("red-1",)) for z in "ab"}},
            ["[camera.zones] b", "red-1 in a too"],
        ),
        (
            {"zones": {"a": ZoneSettings(corners=((0, 0), (9, 9)), sides=(9, 9))}},
            ["[camera.zones] a: corners: expected four"],
        ),
        (
            {"zones": {"a": ZoneSettings(rectangle=(0, 0, -9, 9), sides=(9, 9))}},
            ["[camera.zones] a: rectangle", "above 0"],
        ),
        (
            {"zones": {"a": ZoneSettings(corners=CROSSED, sides=(9, 9))}},
            ["[camera.zones] zone a", "going round"],
        ),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit_say_what_to_write(taught, tray_of, more, words):
    clock, settings = RealClock(), settings_of(taught, tray_of(), **more)
    with pytest.raises(ConfigError) as error:
        RealTrays(referee_of().table.dice, settings, Inbox(clock), clock, None)  # type: ignore[arg-type]
    for word in words:
        assert word in str(error.value)


def test_learnt_dice_that_lack_a_face_are_named(taught, tray_of, tmp_path):
    looks = enrol_simulated(referee_of().table.dice)
    fewer = {k: {f: p for f, p in v.items() if f != "key"} for k, v in looks.patches.items()}
    save(DiceLooks(looks.kinds, fewer), tmp_path / "looks")
    clock, settings = RealClock(), settings_of(taught, tray_of(), looks=str(tmp_path / "looks"))
    with pytest.raises(ConfigError, match="white dice with key, found"):
        RealTrays(referee_of().table.dice, settings, Inbox(clock), clock, None)  # type: ignore[arg-type]


def test_empty_picture_that_is_none_is_named(taught, tray_of, tmp_path):
    (tmp_path / "empty.png").write_text("no picture")
    clock, settings = RealClock(), settings_of(taught, tray_of(), empty=str(tmp_path / "empty.png"))
    with pytest.raises(PictureError, match=r"empty\.png"):
        RealTrays(referee_of().table.dice, settings, Inbox(clock), clock, None)  # type: ignore[arg-type]
