"""Puts the numbered reports of a receiver in order, each exactly once.

The line may lose, repeat, damage and swap what it carries. Every report has a number; every other
line says the number of the last report sent. What comes early is kept until the missing ones have
been asked for again, or until the link gives them up.
"""

from firmware import wire

KEPT = 64  # early reports kept while others are missing; further ones are asked for again


class InOrder:
    """The reports of one run of a receiver."""

    def __init__(self, next_number: int) -> None:
        self.next_number = next_number
        self.repeated = 0
        self.late = 0
        self.lost = 0
        self._known_number = next_number - 1
        self._early: dict[int, wire.Message] = {}

    @property
    def is_complete(self) -> bool:
        """True if nothing is missing that is known to have been sent."""
        return self.next_number > self._known_number

    def told_of(self, number: int) -> None:
        """Learn that the report of this number has been sent."""
        self._known_number = max(self._known_number, number)

    def take(self, report: wire.Message) -> list[wire.Message]:
        """Take in a report; return those which are now due, in order."""
        number = report.number
        if number < self.next_number or number in self._early:
            self.repeated += 1
            return []
        if number <= self._known_number:
            self.late += 1
        self.told_of(number)
        if len(self._early) < KEPT or number == self.next_number:
            self._early[number] = report
        return self._due()

    def give_up(self, upto_number: int) -> list[wire.Message]:
        """Go on without what is missing up to this number; return what is now due."""
        numbers = sorted(number for number in self._early if number <= upto_number)
        due = [self._early.pop(number) for number in numbers]
        self.lost += max(0, upto_number + 1 - self.next_number - len(due))
        self.next_number = max(self.next_number, upto_number + 1)
        self.told_of(upto_number)
        return due + self._due()

    def first_gap_end(self) -> int:
        """The last number of the first row of missing reports."""
        return min(self._early, default=self._known_number + 1) - 1

    def _due(self) -> list[wire.Message]:
        due = []
        while self.next_number in self._early:
            due.append(self._early.pop(self.next_number))
            self.next_number += 1
        return due
