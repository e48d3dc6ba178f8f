"""What smart dice leave in doubt, the table is asked: was this die rolled with the others?"""

from companion.actions import Report
from companion.app import Companion
from companion.asking import Asked
from companion.sensing import DiceSensor
from companion.words import die_name, face_word, mark, say
from hardware.rolls import RollInDoubt

IN_DOUBT = mark(
    "{die} shows {face}, but was not felt to tumble. Was it rolled with the others, or put back?"
)
WAS_ROLLED, WAS_PUT_BACK = mark("it was rolled"), mark("it was put back")


class DiceQuestions:
    """Puts the doubts of one receiver to the table, and takes them back when they are settled."""

    def __init__(self, companion: Companion, sensor: DiceSensor) -> None:
        self._companion, self._sensor = companion, sensor
        self._open = ""

    def __call__(self, doubt: RollInDoubt | None) -> None:
        """A roll is in doubt, or (None) is not any more; in any thread."""
        if self._open in self._companion.questions:
            self._companion.settle(self._open)
        self._open = ""
        if doubt is not None:
            asked = self._about(doubt)
            self._open = asked.id
            self._companion.ask(asked)

    def _about(self, doubt: RollInDoubt) -> Asked:
        def answer(said: str) -> Report | None:
            return self._sensor.settle_doubt(doubt.die, was_rolled=said == WAS_ROLLED)

        return Asked(
            self._companion.next_question(),
            say(IN_DOUBT, die=die_name(doubt.die), face=face_word(doubt.face)),
            doubt.at_s,
            self._sensor.collector.source,
            (WAS_ROLLED, WAS_PUT_BACK),
            answer,
            (doubt.die, *doubt.faces),
        )
