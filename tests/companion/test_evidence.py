"""Pictures of rolls: named by their reports, kept beside the journal, never too many."""

import cv2
import msgspec
import numpy as np
import pytest

from camera.pictures import load_picture
from companion import evidence
from companion.actions import Report, Rolled
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.evidence import Evidence, RollPictures, evidence_folder, rolls_beside
from companion.games import GAMES
from companion.inbox import Inbox
from companion.live_pictures import LivePictures, camera_rows
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.referee import Referee
from companion.simulation import SimulatedRoom

ROLL = Report(Rolled({"white-1": "key"}), at_s=12.345, source="camera:Tray one/../..")


@pytest.fixture
def rolls(tmp_path):
    return RollPictures(tmp_path / "table.rolls")


def at(moment_s):
    return msgspec.structs.replace(ROLL, at_s=moment_s)


def test_picture_is_called_after_moment_and_source(rolls):
    name = rolls.keep(3, ROLL, b"jpeg")
    assert name == "3/000012345-camera-tray-one.jpg"
    assert (rolls.folder / name).read_bytes() == b"jpeg"
    assert rolls.keep(3, ROLL, b"jpeg") == name


def test_report_without_moment_or_picture_names_none(rolls):
    assert rolls.keep(3, at(None), b"jpeg") is None
    assert rolls.keep(3, ROLL, None) is None
    assert not rolls.folder.exists()


def test_oldest_pictures_go_first(rolls, monkeypatch):
    monkeypatch.setattr(evidence, "MOST_PICTURES", 3)
    names = [rolls.keep(1, at(float(moment)), b"x") for moment in (5, 40, 300, 1000)]
    assert [f"1/{path.name}" for path in rolls.of(1)] == names[1:]


def test_pictures_go_with_their_game_and_oldest_games_first(rolls, monkeypatch):
    monkeypatch.setattr(evidence, "MOST_GAMES", 3)
    for game in range(1, 8):
        rolls.keep(game, ROLL, b"x")
    rolls.take_up(6, {1, 2, 3, 4, 5, 6}, anew=False)
    assert [game for game in range(1, 8) if rolls.of(game)] == [4, 5, 6]
    rolls.take_up(6, {4, 5, 6}, anew=True)  # another journal's game of that number
    assert [game for game in range(1, 8) if rolls.of(game)] == [4, 5]


def test_disk_that_is_full_costs_the_picture_and_nothing_else(rolls, caplog):
    rolls.folder.write_text("a file where a folder should be")
    assert rolls.keep(1, ROLL, b"x") is None
    assert rolls.keep(1, at(13.0), b"x") is None
    assert caplog.text.count("without pictures") == 1
    rolls.take_up(1, {1}, anew=True)


def test_pictures_lie_beside_the_journal_or_go_with_the_run(tmp_path):
    with evidence_folder(tmp_path / "table.sqlite") as kept:
        assert kept.rolls.folder == rolls_beside(tmp_path / "table.sqlite")
        assert kept.rolls.folder.parent == tmp_path
    with evidence_folder() as passing:
        name = passing.rolls.keep(1, ROLL, b"x")
        assert (passing.rolls.folder / name).exists()
    assert not passing.rolls.folder.exists()


def test_roll_that_a_camera_reads_leaves_its_picture(tmp_path):
    referee = Referee(GAMES["troll_and_dragon"], some_players(2))
    clock = SimulatedClock()
    inbox = Inbox(clock)
    kept = Evidence(tmp_path, RollPictures(tmp_path / "rolls"))
    companion = Companion(referee, inbox, clock, journal=None, number=7, evidence=kept)
    ask = CameraQuestions(companion)
    room = SimulatedRoom(referee, inbox, clock, ask, seed=4, speed=None)
    companion.begin(room)
    while not any(step.report.source == "camera:adventurer" for step in referee.history):
        if not companion.decide():
            room.advance(inbox.next_due_s(referee.offers))
        assert clock.now_s() < 60
    room.close()
    step = next(s for s in referee.history if s.report.source == "camera:adventurer")
    assert step.report.evidence is not None
    picture = load_picture(kept.rolls.folder / step.report.evidence)
    assert picture.std() > 20  # dice on a dark tray, not a plain wall
    assert 50 < max(picture.shape) <= 360
    sees_what_the_camera_sees(room)


def sees_what_the_camera_sees(room):
    """The live view of a camera is drawn anew only when it shows something else."""
    live, camera = LivePictures(), room.camera
    assert camera_rows(room) == [{"name": "camera", "label": "Camera, adventurer, dragon"}]
    first = live.newest(room, "camera", keeps_secrets=True)
    plain = camera._newest.pixels
    drawn = cv2.imdecode(np.frombuffer(first.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert drawn.shape == plain.shape
    assert np.abs(drawn.astype(int) - plain).max() > 90  # lines and numbers
    dice = [reading.name for seen in camera.live().seen for reading in seen.readings]
    assert [str(row).partition(":")[0] for row in first.legend] == dice  # in order of the numbers
    assert live.newest(room, "camera", keeps_secrets=True) is first
    camera.see(room.picture(first.at_s + 1.0))
    assert live.newest(room, "camera", keeps_secrets=True).at_s == first.at_s + 1.0
    camera.blind()
    assert live.newest(room, "camera", keeps_secrets=True) is None
    assert live.newest(room, "camera", keeps_secrets=False) is not None
    assert live.newest(room, "square", keeps_secrets=False) is None
    assert live.newest(None, "camera", keeps_secrets=False) is None
