"""Lamps shine into the tray under the camera, and must not be taken for dice that move."""

import random
from itertools import pairwise

import pytest

from companion.actions import Chose, Report, Rolled
from companion.clock import SimulatedClock
from companion.games import GAMES
from companion.inbox import Inbox
from companion.offers import Roll
from companion.players import some_players
from companion.referee import Referee
from companion.simulated_tray import tray_and_camera
from companion.simulation import FRAME_S
from companion.steps import Cue, Step, Told
from hardware.alerts import Alerts
from hardware.cues import read_cues
from hardware.lamps import Lamps
from hardware.pins import choose_pins

WHITE = ("white-1", "white-2", "white-3", "white-4")
CUES = ("troll", "key_door", "race", "dragon_awake", "photo_finish", "left", "your_turn")
THROWS = 4


class Nobody:
    """Who is asked, and says nothing."""

    game_waits = False

    def __init__(self):
        self.questions = []
        self.learners, self.withdraws = {}, {}

    def __call__(self, source, question):
        if question is not None:
            self.questions.append(question.reason)

    def open_ones(self):
        return []

    def answer(self, question, face):
        """Nobody answers."""

    def witness(self, report, picture):
        return report


class TrayUnderLamps:
    """A simulated tray whose light follows the lamps, and alerts all the time."""

    def __init__(self, seed, *, shines, interlocked=True):
        game = GAMES["troll_and_dragon"]
        dice = Referee(game, some_players(2)).table.dice
        self.clock, self.rng = SimulatedClock(), random.Random(seed)
        self.inbox, self.nobody = Inbox(self.clock), Nobody()
        seen = frozenset(die.name for die in dice if not die.name.startswith("red"))
        self.tray, self.camera = tray_and_camera(
            game.key, dice, seen, self.inbox, self.nobody, seed
        )
        self.alerts = Alerts(Lamps(choose_pins(real=False)), read_cues(), self.clock)
        if interlocked:
            self.camera.reading = self.alerts.reading
        self.shines = shines
        self.told_s = 0.0
        self.light = []  # moment, light, whether dice moved or settled after that frame

    def throw(self, faces):
        self.camera.expect([Roll("ann", WHITE)])
        self.tray.throw(faces, self.clock.now_s())
        until_s = self.tray.quiet_after_s() + 0.6
        while self.clock.now_s() < until_s:
            self.clock.advance(FRAME_S)
            self.tell()
            self.tray.shine(self.alerts.light() if self.shines else (0.0, 0.0, 0.0))
            self.camera.see(self.tray.frame(self.clock.now_s()))
            self.light.append((self.clock.now_s(), self.alerts.light(), not self.camera.is_quiet))

    def tell(self):
        """An alert every so often, whatever the dice do."""
        now_s = self.clock.now_s()
        if now_s >= self.told_s:
            self.told_s = now_s + self.rng.uniform(0.1, 0.7)
            cue = Cue(self.rng.choice(CUES), "hurry", "!")
            self.alerts.show(Step(1, Report(Chose("ann", "leave")), (Told(cue, "!"),)))
        self.alerts.tick(now_s)

    def rolls(self):
        found = [r for r in self.inbox.waiting() if isinstance(r.action, Rolled)]
        return [(dict(r.action.faces), round(r.at_s, 3)) for r in found]


def thrown(seed, throws=THROWS, **given):
    table, rng = TrayUnderLamps(seed, **given), random.Random(f"{seed}/faces")
    table.throw({})
    faces = []
    for _ in range(throws):
        faces.append({die: rng.choice(["troll", "diamond", "key", "door"]) for die in WHITE})
        table.throw(faces[-1])
    table.alerts.close()
    return table, faces


@pytest.fixture(scope="module")
def lit():
    return thrown(1, shines=True)


def test_dice_are_read_at_the_same_moment_with_and_without_alerts(lit):
    (dark, faces), (table, _) = thrown(1, shines=False), lit
    thrown_faces = [sorted(one.values()) for one in faces]
    for one in (dark, table):
        assert [sorted(read.values()) for read, _ in one.rolls()] == thrown_faces
    assert [at_s for _, at_s in table.rolls()] == [at_s for _, at_s in dark.rolls()]
    assert table.nobody.questions == dark.nobody.questions == []
    lights = {light for _, light, _ in table.light}
    assert len(lights) > 3, "the alerts were to be seen"


def changes_while_dice_were_read(table):
    return sum(
        light != before
        for (_, before, was_busy), (_, light, is_busy) in pairwise(table.light)
        if was_busy and is_busy
    )


def test_light_on_the_tray_is_steady_while_dice_are_being_read(lit):
    assert changes_while_dice_were_read(lit[0]) == 0
    free, _ = thrown(1, throws=3, shines=True, interlocked=False)
    assert changes_while_dice_were_read(free) > 5, "without the interlock it would not be"
