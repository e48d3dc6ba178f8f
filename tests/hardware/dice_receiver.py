"""A receiver of dice at the other end of a link, on a clock of its own."""

from collections.abc import Iterable

from firmware import wire
from hardware.dice_link import DiceLink
from hardware.dice_messages import (
    DieCrooked,
    DieLies,
    DieMoved,
    DieSettled,
    Message,
    WiredDie,
)

FACES = {"1": "dragon", "2": "blank", "3": "blank", "4": "blank", "5": "blank", "6": "blank"}
DICE = {"d-a": WiredDie("red-1", FACES), "d-b": WiredDie("red-2", FACES)}
DIE_MESSAGES = (DieMoved, DieSettled, DieLies, DieCrooked)


class Receiver:
    """The other end, in a few lines: numbers reports, keeps them, answers the host."""

    def __init__(self, run: str = "7f3a", version: int = wire.PROTOCOL) -> None:
        self.run, self.version = run, version
        self.reports: list[bytes] = []

    def report(self, kind: str, die: str, at_ms: int, *words: str) -> bytes:
        line = wire.encode(kind, die, self.run, len(self.reports) + 1, at_ms, *words)
        self.reports.append(line)
        return line

    def say(self, kind: str, at_ms: int, *words: object) -> bytes:
        return wire.encode(kind, "-", self.run, len(self.reports), at_ms, *words)

    def hello(self, at_ms: int = 0) -> bytes:
        return self.say("HELLO", at_ms, self.version, "0.1.0", "rx-1")

    def beat(self, at_ms: int) -> bytes:
        return self.say("BEAT", at_ms, at_ms)

    def answers(self, asked: bytes, at_ms: int) -> bytes:
        said = b""
        for line in asked.splitlines():
            message = wire.decode(line)
            if message.kind == "HELLO":
                said += self.hello(at_ms)
            elif message.kind == "PING":
                said += self.say("PONG", at_ms, message.number)
            elif message.kind == "AGAIN":
                said += b"".join(self.reports[message.words[0] - 1 :])
        return said


def linked(receiver: Receiver, at_s: float = 0.0) -> DiceLink:
    link = DiceLink(DICE)
    link.connection_made(at_s)
    link.receive_data(receiver.answers(link.data_to_send(), 0), at_s)
    link.receive_data(receiver.answers(link.data_to_send(), 0), at_s)
    assert link.is_synchronised
    return link


def of_dice(told: Iterable[Message]) -> list[Message]:
    return [message for message in told if isinstance(message, DIE_MESSAGES)]
