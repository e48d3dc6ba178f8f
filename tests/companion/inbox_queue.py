"""An inbox on a simulated clock, with the verbs of sensors and people."""

from verbs import GOLD, RED, WHITE

from companion.actions import Chose, Report, Rolled
from companion.clock import SimulatedClock
from companion.inbox import Inbox, Passed
from companion.offers import Choose, Roll, Wait

LEAVE = Choose("ann", "leave")
SHOUT = Choose("ann", "leave", overtakes=True)
GROTTO = [Roll("ann", WHITE), Choose("ann", "set_aside", values=WHITE), LEAVE]
RACE = [Roll("ann", GOLD, at_least=2), Roll("bo", RED, at_least=2), Choose("ann", "claim"), SHOUT]
DICE = {"white": WHITE, "gold": GOLD, "red": RED}


class Queue:
    """An inbox with three sensors, and what people and dice do to it."""

    def __init__(self, offers=RACE, start_s=0.0):
        self.clock = SimulatedClock(start_s)
        self.inbox = Inbox(self.clock)
        self.offers = list(offers)
        self.decided_s = 0.0
        for name, dice in DICE.items():
            self.inbox.add_source(name, dice)

    def roll(self, source, at_s, dice=None):
        faces = dict.fromkeys(dice or DICE[source], "blank")
        return self.inbox.put(Report(Rolled(faces), at_s=at_s, source=source))

    def say(self, choice, at_s, player="ann", value=None):
        report = Report(Chose(player, choice, value), at_s=at_s, source=f"web:{player}")
        return self.inbox.put(report)

    def live(self, *sources, until_s=None):
        """These sensors (all by default) have reported everything up to now."""
        for name in sources or DICE:
            self.inbox.heard(name, self.clock.now_s() if until_s is None else until_s)

    def take(self):
        """Decide everything that is due, in order."""
        taken = []
        while (due := self.inbox.take(self.offers, self.decided_s)) is not None:
            taken.append(due)
            if isinstance(due, Passed):
                self.offers = [offer for offer in self.offers if not isinstance(offer, Wait)]
        return taken
