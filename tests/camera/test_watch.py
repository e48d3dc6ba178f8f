"""Rolls are reported once, with the right names, and nothing else is."""

import copy
import random
from collections import Counter

import numpy as np
import pytest
from watched_table import FRAME_S, WHITE, Table, faces_of

from camera.dice_sets import DiceLooks
from camera.source import Frame
from camera.watch import ZoneWatcher
from camera.zone_drawing import draw_sighting
from companion.dice import DiceSet
from companion.errors import PictureError


@pytest.fixture(scope="module")
def quiet(grotto_dice: DiceSet, grotto_looks: DiceLooks) -> Table:
    return Table(grotto_dice, grotto_looks)


@pytest.fixture
def table(quiet: Table) -> Table:
    """A table of the test's own, at which nothing has happened."""
    return copy.deepcopy(quiet)


def test_roll_is_reported_once_with_the_time_of_rest(table: Table) -> None:
    table.expect(WHITE, 4)
    thrown = {"white-1": "troll", "white-2": "key", "white-3": "door", "white-4": "troll"}
    reports, rest_s = table.throw(thrown)
    assert len(reports) == 1
    assert sorted(faces_of(reports[0]).values()) == sorted(thrown.values())
    assert reports[0].source == "camera:adventurer"
    assert reports[0].certainty > 0.9
    assert reports[0].at_s is not None
    assert -0.005 < reports[0].at_s - rest_s <= FRAME_S + 0.001
    assert reports[0].within_s == pytest.approx(FRAME_S)
    assert table.wait(1.0) == []


def test_watermark_stays_before_the_rest_until_it_is_reported(table: Table) -> None:
    table.expect(WHITE, 1)
    [report], _ = table.throw({"white-1": "key"})
    last_s = -1.0
    for name, sighting in table.history:
        if name != "adventurer":
            continue
        if sighting.reports:
            assert last_s < report.at_s <= sighting.watermark_s
        assert last_s <= sighting.watermark_s
        last_s = sighting.watermark_s
    assert last_s == table.now_s
    states = {sighting.state for _, sighting in table.history}
    assert states == {"empty", "moving", "settling", "still"}


@pytest.mark.parametrize("seed", range(2))
def test_only_the_dice_that_were_rolled_again_are_reported(
    grotto_dice: DiceSet, grotto_looks: DiceLooks, seed: int
) -> None:
    table, chance = Table(grotto_dice, grotto_looks, seed), random.Random(seed)
    table.expect(WHITE, 4)
    table.throw({name: chance.choice(grotto_dice[name].faces) for name in WHITE})
    for _ in range(3):
        before, again = table.names(), chance.sample(WHITE, 2)
        table.expect(WHITE, 1)
        thrown = {name: chance.choice(grotto_dice[name].faces) for name in again}
        [report], _ = table.throw(thrown)
        assert Counter(faces_of(report).values()) == Counter(thrown.values())
        assert set(faces_of(report)) == set(again)
        kept = {name: face for name, face in before.items() if name not in again}
        assert kept.items() <= table.names().items()


def test_both_zones_are_read_when_dice_roll_at_the_same_time(table: Table) -> None:
    table.expect(WHITE, 2)
    table.expect(("red-1", "red-2"), 2, "dragon")
    table.tray.throw({"white-1": "key", "white-2": "door"}, table.now_s)
    reports, _ = table.throw({"red-1": "dragon", "red-2": "blank"})
    by_source = {report.source: sorted(faces_of(report).values()) for report in reports}
    assert by_source == {"camera:adventurer": ["door", "key"], "camera:dragon": ["blank", "dragon"]}
    assert len(reports) == 2


def test_die_that_shows_the_same_face_again_is_reported_once_more(table: Table) -> None:
    table.expect(WHITE, 1)
    for _ in range(3):
        reports, _ = table.throw({"white-1": "key"})
        assert [faces_of(report) for report in reports] == [{"white-1": "key"}]


def test_hand_that_passes_over_is_no_roll_and_changes_no_name(table: Table) -> None:
    table.expect(WHITE, 2)
    table.throw({"white-1": "key", "white-2": "troll"})
    before = table.names()
    table.expect(WHITE, 1)
    for _ in range(3):
        table.tray.reach_in("adventurer", table.now_s)
        assert table.wait_until_quiet() == []
    assert table.names() == before


def test_dice_that_are_taken_out_are_no_roll(table: Table) -> None:
    table.expect(WHITE, 2)
    table.throw({"white-1": "key", "white-2": "troll"})
    before = table.names()
    table.expect(WHITE, 1)
    table.tray.take_out(["white-1"], table.now_s)
    assert table.wait_until_quiet() == []
    assert table.names() == {"white-2": before["white-2"]}
    table.tray.take_out(["white-2"], table.now_s)
    assert table.wait_until_quiet() == []
    assert table.seen["adventurer"].state == "empty"


def test_die_that_is_pushed_aside_keeps_its_name_when_nobody_awaits_it(table: Table) -> None:
    table.expect(WHITE, 2)
    table.throw({"white-1": "key", "white-2": "troll"})
    before = table.names()
    table.expect((), 1)
    table.tray.move_aside(["white-1"], table.now_s)
    assert table.wait_until_quiet() == []
    assert table.names() == before


def test_throw_right_after_all_was_forgotten_is_reported(table: Table) -> None:
    table.expect(WHITE, 1)
    table.throw({"white-1": "key"})
    table.watchers["adventurer"].start_anew()
    assert table.wait_until_quiet() == []
    table.expect(WHITE, 1)
    reports, _ = table.throw({"white-2": "troll"})
    assert [list(faces_of(report).values()) for report in reports] == [["troll"]]


def test_nothing_is_reported_when_no_roll_is_awaited(table: Table) -> None:
    reports, _ = table.throw({"white-1": "key"})
    assert reports == []
    assert list(table.names().values()) == ["key"]


def test_dice_that_lie_there_at_the_start_were_not_rolled(
    grotto_dice: DiceSet, grotto_looks: DiceLooks
) -> None:
    table = Table(grotto_dice, grotto_looks)
    table.throw({"white-1": "key"})
    fresh = ZoneWatcher(
        table.tray.zones()["adventurer"], grotto_looks, grotto_dice, table.tray.empty()
    )
    fresh.expect(WHITE, 1)
    sightings = [fresh.see(table.tray.frame(table.now_s + n * FRAME_S)) for n in range(6)]
    assert [report for sighting in sightings for report in sighting.reports] == []
    assert [reading.face for reading in sightings[-1].readings] == ["key"]


def test_table_is_asked_for_the_missing_dice_and_they_join_the_roll(table: Table) -> None:
    table.expect(WHITE, 4)
    reports, _ = table.throw({"white-1": "key", "white-2": "troll", "white-3": "door"})
    assert reports == []
    question = table.seen["adventurer"].question
    assert question is not None
    assert (question.reason, len(question.names), len(question.faces)) == ("too_few", 1, 3)
    missing = question.names[0]
    [report], rest_s = table.throw({missing: "diamond"})
    assert sorted(faces_of(report).values()) == ["diamond", "door", "key", "troll"]
    assert report.at_s is not None
    assert report.at_s >= rest_s - 0.005


def test_roll_is_complete_when_fewer_dice_are_awaited_after_all(table: Table) -> None:
    table.expect(WHITE, 4)
    table.throw({"white-1": "key", "white-2": "troll"})
    table.expect(WHITE, 2)
    assert [sorted(faces_of(report).values()) for report in table.wait(0.2)] == [["key", "troll"]]


def test_table_is_asked_when_a_die_cannot_be_read_and_not_again_when_answered(
    table: Table,
) -> None:
    table.expect(WHITE, 2)
    reports, _ = table.throw({"white-1": "key", "white-2": "troll"}, crooked=["white-1"])
    assert reports == []
    question = table.seen["adventurer"].question
    assert question is not None
    assert question.reason in ("crooked", "unreadable")
    assert list(question.faces.values()) == ["troll"]
    assert set(question.choices) == {"troll", "diamond", "key", "door"}
    assert question.crop is not None
    assert min(question.crop.shape[:2]) > 20
    table.watchers["adventurer"].answered({question.names[0]: "key"})
    assert table.wait(0.5) == []
    assert table.seen["adventurer"].question is None
    table.tray.reach_in("adventurer", table.now_s)
    assert table.wait_until_quiet() == []
    assert table.names()[question.names[0]] == "key"


def test_wrong_answer_of_the_table_never_becomes_a_roll(table: Table) -> None:
    table.expect(WHITE, 2)
    table.throw({"white-1": "key", "white-2": "troll"}, crooked=["white-1"])
    table.watchers["adventurer"].answered({"white-1": "door", "white-2": "door"})
    table.expect(WHITE, 1)
    for _ in range(3):
        table.tray.reach_in("adventurer", table.now_s)
        assert table.wait_until_quiet() == []
    assert table.names() == {"white-1": "door", "white-2": "door"}


def test_dice_that_were_answered_before_they_were_seen_are_no_later_roll(table: Table) -> None:
    """Entered by hand while they moved: what is thrown next must not be mixed up with them."""
    table.expect(WHITE, 4)
    faces = {"white-1": "key", "white-2": "door", "white-3": "diamond", "white-4": "troll"}
    table.tray.throw(faces, table.now_s)
    assert table.wait(0.3) == []
    assert table.seen["adventurer"].state not in ("still", "empty")
    table.watchers["adventurer"].answered(faces)
    table.expect(WHITE[:3], 3)  # the troll is blocked
    assert table.wait_until_quiet() == []
    [report], _ = table.throw({"white-1": "key", "white-2": "diamond", "white-3": "diamond"})
    assert Counter(faces_of(report).values()) == Counter(key=1, diamond=2)


def test_table_is_asked_when_more_dice_are_thrown_than_it_awaits(table: Table) -> None:
    table.expect(WHITE[:2], 1)
    thrown = dict(zip(WHITE, ("troll", "key", "key", "door"), strict=True))
    assert table.throw(thrown)[0] == []
    question = table.seen["adventurer"].question
    assert question is not None
    assert (question.reason, set(question.names)) == ("too_many", set(WHITE[:2]))
    [report], _ = table.throw({"white-3": "diamond", "white-4": "troll"})
    assert set(faces_of(report)) == set(WHITE[:2])
    assert sorted(faces_of(report).values()) == ["diamond", "troll"]
    assert set(table.names()) == set(WHITE)


def test_dice_that_were_thrown_too_early_are_a_roll_once_all_are_awaited(table: Table) -> None:
    table.expect(WHITE[:3], 1)
    thrown = dict(zip(WHITE, ("troll", "key", "key", "door"), strict=True))
    _, rest_s = table.throw(thrown)
    table.expect(WHITE, 4)  # whose turn it was has passed
    [report] = table.wait(0.1)
    assert sorted(faces_of(report).values()) == sorted(thrown.values())
    assert report.at_s == pytest.approx(rest_s, abs=FRAME_S + 0.005)


def test_die_that_is_picked_up_from_an_open_roll_is_waited_for(table: Table) -> None:
    table.expect(WHITE, 1)
    table.throw({"white-1": "key", "white-2": "troll"}, crooked=["white-1"])
    question = table.seen["adventurer"].question
    assert question is not None
    [crooked] = set(question.names)
    table.tray.take_out([crooked], table.now_s)
    assert table.wait_until_quiet() == []
    question = table.seen["adventurer"].question
    assert question is not None
    assert (question.reason, question.names) == ("too_few", (crooked,))
    [report], _ = table.throw({crooked: "door"})
    assert faces_of(report)[crooked] == "door"
    assert sorted(faces_of(report).values()) == ["door", "troll"]


def test_dice_that_nobody_threw_are_reported_no_more(table: Table) -> None:
    table.expect(WHITE, 4)
    table.throw({"white-1": "key", "white-2": "troll"})
    table.watchers["adventurer"].no_roll()
    table.expect(WHITE, 1)
    assert table.wait(0.2) == []
    assert table.seen["adventurer"].question is None
    assert sorted(table.names().values()) == ["key", "troll"]


def test_camera_that_is_pushed_and_swings_back_makes_no_roll(table: Table) -> None:
    table.expect(WHITE, 4)
    table.throw(dict(zip(WHITE, ("troll", "key", "key", "door"), strict=True)))
    table.expect(WHITE, 1)
    watcher, before = table.watchers["adventurer"], table.names()
    still = table.tray.frame(table.now_s + FRAME_S).pixels
    for number in range(24):
        table.now_s += FRAME_S
        pixels = np.roll(still, 40, 1) if 3 < number < 16 else still
        sighting = watcher.see(Frame(table.now_s, pixels))
        assert sighting.reports == ()
    assert (sighting.state, sighting.question) == ("still", None)
    assert {reading.name: reading.face for reading in sighting.readings} == before


@pytest.mark.parametrize("unseen", [False, True])
def test_table_is_asked_when_a_die_that_seems_pushed_may_have_been_thrown_unseen(
    table: Table, unseen: bool
) -> None:
    table.expect(WHITE, 1)
    table.throw({"white-1": "key"})
    watcher, frame = table.watchers["adventurer"], table.tray.frame(table.now_s + FRAME_S)
    left, top, width, height = table.seen["adventurer"].readings[0].box
    die = frame.pixels[top - 3 : top + height + 3, left - 3 : left + width + 3]
    pixels = table.tray.empty().copy()
    aside = 3 * width if left < 160 else -3 * width
    for right, down in ((0, width // 3), (aside, 0)):  # one beside where it lay, and a new one
        rows = slice(top - 3 + down, top + height + 3 + down)
        pixels[rows, left - 3 + right : left + width + 3 + right] = die
    if unseen:
        watcher.unseen()
    sightings = [watcher.see(Frame(frame.at_s + n * FRAME_S, pixels)) for n in range(8)]
    assert len(sightings[-1].readings) == 2
    reports = [faces_of(report) for sighting in sightings for report in sighting.reports]
    assert reports == ([] if unseen else [{"white-2": "key"}])
    question = sightings[-1].question
    assert (question and question.reason) == ("too_many" if unseen else None)


def test_darker_light_is_no_roll(table: Table, grotto_looks: DiceLooks) -> None:
    table.expect(WHITE, 1)
    table.throw({"white-1": "key"})
    watcher, before = table.watchers["adventurer"], table.names()
    for number in range(8):
        frame = table.tray.frame(table.now_s + (number + 1) * FRAME_S)
        dimmed = (frame.pixels * 0.8).astype(np.uint8)
        sighting = watcher.see(frame._replace(pixels=dimmed))
        assert sighting.reports == ()
        assert sighting.state == "still"
    assert {reading.name: reading.face for reading in sighting.readings} == before


def test_frame_of_another_camera_is_refused(table: Table) -> None:
    frame = table.tray.frame(9.0)
    for pixels in (frame.pixels[:100], frame.pixels[..., 0], frame.pixels.astype(np.uint16)):
        with pytest.raises(PictureError, match="zone dragon: expected a picture"):
            table.watchers["dragon"].see(frame._replace(pixels=pixels))


def test_random_pictures_never_make_a_report(table: Table) -> None:
    table.expect(WHITE, 1)
    rng = np.random.default_rng(3)
    watcher = table.watchers["adventurer"]
    for picture in range(4):
        noise = rng.integers(0, 256, (360, 640, 3), dtype=np.uint8)
        for _ in range(8):
            table.now_s += FRAME_S
            sighting = watcher.see(table.tray.frame(table.now_s)._replace(pixels=noise))
            assert sighting.reports == (), picture


def test_what_was_seen_is_drawn_on_the_picture(table: Table) -> None:
    table.throw({"white-1": "key"})
    plain = table.tray.frame(table.now_s).pixels
    drawn = plain.copy()
    draw_sighting(drawn, table.seen["adventurer"])
    left, top, width, height = table.seen["adventurer"].readings[0].box
    assert (drawn != plain)[top : top + height + 1, left].any()
    renamed = [
        one._replace(face="größte Überraschung") for one in table.seen["adventurer"].readings
    ]
    again = plain.copy()
    draw_sighting(again, table.seen["adventurer"]._replace(readings=tuple(renamed)))
    assert (again == drawn).all()  # numbers, and no word that OpenCV would have to spell
    draw_sighting(again, table.seen["adventurer"], first=8)
    assert (again != drawn).any()
    draw_sighting(drawn, table.seen["adventurer"]._replace(state="moving", readings=()))
