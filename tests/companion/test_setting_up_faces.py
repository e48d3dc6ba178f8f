"""Lessons on the set-up page: simulated dice and tiles, a camera that is a folder, files."""

import time
from pathlib import Path

import pytest
from room import Play

from camera.dice_sets import load
from camera.enrol_dice import Teacher
from camera.pictures import save_picture
from camera.shown import has_moved, picture_from
from camera.source import Frame
from companion.config import CameraSettings, SquareSettings
from companion.errors import IllegalAction, PictureError
from companion.games import GAMES
from companion.lesson import MOST, Lesson
from companion.players import some_players
from companion.setting_up_faces import FaceBench, SimulatedHandOver
from companion.table_eyes import TableEyes

TROLL, KEY = ("white", "troll"), ("white", "key")
FACES = {"white": "troll diamond key door", "gold": "blank gold1 gold2", "red": "dragon blank"}


@pytest.fixture(scope="module")
def hand():
    return SimulatedHandOver("dice", Play().companion.referee.table)


@pytest.fixture
def bench(desk):
    bench = FaceBench(TableEyes(desk, CameraSettings(), SquareSettings(), True))
    yield bench
    bench.close()


def learnt(bench):
    """The lesson once everything was learnt."""
    until_s = time.monotonic() + 20.0
    while (lesson := bench.look()["lesson"])["learning"]:
        assert time.monotonic() < until_s, "it learns too long"
        time.sleep(0.01)
    return lesson


def row_of(lesson, face):
    return next(row for row in lesson["faces"] if (row["kind"], row["face"]) == face)


def test_simulated_dice_are_asked_for_taken_and_told_apart(bench):
    assert bench.look()["may_teach"] == ["dice"]
    lesson = bench.begin("dice")["lesson"]
    assert {f"{row['kind']} {row['face']}" for row in lesson["faces"]} == {
        f"{kind} {face}" for kind, faces in FACES.items() for face in faces.split()
    }
    assert (lesson["now"]["face"], lesson["now"]["number"], lesson["a_face"]) == ("troll", 1, 8)
    for face in (TROLL, KEY, TROLL):
        bench.take(*face)
    assert learnt(bench)["score"] is None  # of the key there is but one picture
    bench.take(*KEY)
    lesson = learnt(bench)
    assert (lesson["score"]["right"], lesson["score"]["pictures"]) == (4, 4)
    assert {tuple(face) for face in lesson["score"]["closest"]} == {TROLL, KEY}
    assert lesson["now"]["number"] == 3
    [first, second] = row_of(lesson, TROLL)["pictures"]
    assert bench.thumb(first).startswith(b"\xff\xd8\xff")
    bench.take_back(first)
    lesson = learnt(bench)
    assert row_of(lesson, TROLL)["pictures"] == [second]
    assert lesson["score"] is None
    with pytest.raises(IllegalAction, match="missing"):
        bench.save()
    assert bench.end()["lesson"] is None


def test_picture_of_another_face_is_marked_and_nothing_is_learnt_from_it(bench, hand, tmp_path):
    bench.begin("dice")
    save_picture(tmp_path / "key.png", hand.show(KEY))
    for face in (TROLL, TROLL, TROLL, KEY, KEY, KEY):
        bench.take(*face)
    assert row_of(learnt(bench), TROLL)["odd"] == []
    bench.bring(*TROLL, (tmp_path / "key.png").read_bytes())
    bench.take(*TROLL)
    lesson = learnt(bench)
    row = row_of(lesson, TROLL)
    assert row["odd"] == [row["pictures"][3]]
    assert (lesson["score"]["right"], lesson["score"]["pictures"]) == (7, 7)
    assert len(bench._lesson.looks().patches["white"]["troll"]) == 4
    bench.take_back(row["odd"][0])
    assert row_of(learnt(bench), TROLL)["odd"] == []


def test_lesson_learns_what_a_folder_with_the_same_pictures_would(bench, hand, tmp_path):
    """One die tells little of how the camera stands: all of them are measured together."""
    bench.begin("dice")
    teacher = Teacher(hand.empty())
    for number, face in enumerate((TROLL, KEY, TROLL, KEY)):
        picture = hand.show(face)
        assert teacher.show(*face, picture, str(number))
        save_picture(tmp_path / "one.png", picture)
        bench.bring(*face, (tmp_path / "one.png").read_bytes())
    assert bench._lesson.looks() == teacher.learnt([TROLL, KEY])


def test_next_face_is_asked_for_once_one_has_enough(bench, monkeypatch):
    bench.begin("dice")
    monkeypatch.setattr("companion.lesson.DiceSubject.a_face", 1)
    assert bench.take(*TROLL)["lesson"]["now"]["face"] == "diamond"
    assert bench.choose(*KEY)["lesson"]["now"]["face"] == "key"
    assert bench.take(*KEY)["lesson"]["now"]["face"] == "diamond"
    monkeypatch.setattr("companion.lesson.MOST", 1)
    with pytest.raises(IllegalAction, match="enough"):
        bench.take(*KEY)
    assert MOST >= 8


def test_what_cannot_be_taught_is_refused(bench, hand):
    for act in (lambda: bench.take(*TROLL), bench.save, lambda: bench.take_back("p1")):
        with pytest.raises(IllegalAction, match="no_lesson"):
            act()
    with pytest.raises(IllegalAction, match="nothing_to_teach"):
        bench.begin("tiles")
    bench.begin("dice")
    for act in (lambda: bench.take("white", "cow"), lambda: bench.choose("cow", "key")):
        with pytest.raises(IllegalAction, match="no_face"):
            act()
    with pytest.raises(IllegalAction, match="no_picture"):
        bench.thumb("p9")
    for data in (b"", b"GIF89a", b"\xff\xd8\xff broken"):
        with pytest.raises(IllegalAction, match="no_picture"):
            bench.bring(*TROLL, data)
    assert row_of(bench.look()["lesson"], TROLL)["pictures"] == []


def test_picture_without_one_die_alone_is_of_no_use(bench, hand, tmp_path):
    bench.begin("dice")
    empty = tmp_path / "empty.png"
    save_picture(empty, hand._tray.empty())
    with pytest.raises(IllegalAction, match="expected one die alone"):
        bench.bring(*TROLL, empty.read_bytes())
    one = tmp_path / "one.png"
    save_picture(one, hand.show(TROLL))
    bench.bring(*TROLL, one.read_bytes())
    assert len(row_of(bench.look()["lesson"], TROLL)["pictures"]) == 1


def test_real_dice_are_taken_once_they_lie_still_and_saved_where_enrol_saves_them(
    desk, hand, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.setting_up_faces.STILL_S", 0.03)
    monkeypatch.setattr("companion.setting_up_faces.LOOK_S", 0.005)
    monkeypatch.setattr("companion.setting_up_faces.WAIT_S", 0.3)
    eyes = TableEyes(desk, CameraSettings(device="camera"), SquareSettings(), False)
    bench = FaceBench(eyes)
    shown = [hand.show(KEY), hand.show(TROLL)]
    frames = iter(range(10**9))
    eyes.frame = lambda name: Frame(0.0, shown[next(frames) % len(shown)])
    bench.begin("dice")
    with pytest.raises(IllegalAction, match="moves"):
        bench.take(*TROLL)
    for kind, faces in FACES.items():
        for face in faces.split():
            shown[:] = [hand.show((kind, face))]
            bench.take(kind, face)
    with pytest.raises(IllegalAction, match="nothing_new"):
        bench.take("red", "blank")
    look = bench.save()
    assert (look["changed"], look["may_take_up"], look["lesson"]["saved"]) == (True, True, True)
    kept = load(Path("looks"))
    assert {kind: " ".join(one.faces) for kind, one in kept.kinds.items()} == FACES
    assert sum(len(found) for faces in kept.patches.values() for found in faces.values()) == 9
    bench.save()  # once more: what lay there before the lesson is what is kept
    assert not Path("looks/before").exists()
    bench.begin("dice")
    for kind, faces in FACES.items():
        for face in faces.split():
            shown[:] = [hand.show((kind, face))]
            bench.take(kind, face)
    for _ in range(2):
        bench.save()
        assert load(Path("looks/before")) == kept
    bench.take_up()
    assert desk.wanted["new"] is False
    bench.close()


def test_simulated_tiles_are_taught_several_in_a_picture(desk):
    game = GAMES["schatz_der_drachen"]
    table = game.table(tuple(some_players(2)))
    hand = SimulatedHandOver("tiles", table)
    subject = hand.subject()
    lesson = Lesson(subject)
    for face in [("tile", "back"), subject.faces[0], subject.faces[1]]:
        lesson.show(face, hand.show(face))
    until_s = time.monotonic() + 20.0
    while lesson.is_learning:
        assert time.monotonic() < until_s
        time.sleep(0.01)
    assert lesson.score["pictures"] >= 10  # five tiles in a picture
    assert lesson.score["share"] > 0.9
    assert ("tile", "back") not in lesson.missing
    lesson.close()


def test_picture_is_compared_beyond_the_noise_of_a_camera(hand):
    tray = hand._tray
    hand.show(KEY)
    quiet_s = tray.quiet_after_s() + 1.0
    assert not has_moved(tray.frame(quiet_s).pixels, tray.frame(quiet_s + 0.2).pixels)
    before = tray.frame(quiet_s).pixels
    assert has_moved(before, hand.show(TROLL))
    assert has_moved(before, before[::2, ::2])
    with pytest.raises(PictureError):
        picture_from(b"nothing")
