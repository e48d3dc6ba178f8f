"""The shipped twin of fingers on buttons: contacts that bounce as real ones do."""

import heapq
import math
import random

from hardware.buttons import ButtonPanel, Press

HELD_S = (0.08, 0.18)  # how long people hold a button
BOUNCES = 4  # at most, before a contact holds
BOUNCE_S = (0.0002, 0.0015)  # how long each lasts
SPARK_S = 0.001


class SimulatedFingers:
    """Fingers on the buttons of one table; the panel that feels them is the real one."""

    def __init__(self, seats: int, seed: int) -> None:
        self.panel = ButtonPanel(seats)
        self._rng = random.Random(f"{seed}/fingers")
        self._edges: list[tuple[float, int, bool]] = []  # a heap
        self._free_s = [-math.inf] * seats
        self.bounce_s = BOUNCE_S  # how long each bounce lasts
        self.is_dead = False  # pressing does nothing
        self._stuck = set[int]()

    def press(self, seat: int, at_s: float, for_s: float | None = None) -> float:
        """Press a button, as soon as the finger is free; return when it is released."""
        rng = self._rng
        if self.is_dead or seat in self._stuck:
            return at_s
        down_s = max(at_s, self._free_s[seat])
        up_s = down_s + (rng.uniform(*HELD_S) if for_s is None else for_s)
        self._bounce(seat, down_s, True)
        self._bounce(seat, up_s, False)
        self._free_s[seat] = up_s + 0.1
        return up_s

    def spark(self, seat: int, at_s: float) -> None:
        """Close a contact for a millisecond, as a loose cable does."""
        heapq.heappush(self._edges, (at_s, seat, True))
        heapq.heappush(self._edges, (at_s + SPARK_S, seat, False))

    def stick(self, seat: int, at_s: float) -> None:
        """Let a button stay down."""
        self._stuck.add(seat)
        heapq.heappush(self._edges, (max(at_s, self._free_s[seat]), seat, True))

    def let_go(self, seat: int, at_s: float) -> None:
        """Let it come up again."""
        self._stuck.discard(seat)
        heapq.heappush(self._edges, (max(at_s, self._free_s[seat]), seat, False))

    def next_due_s(self) -> float:
        """When something happens; infinite for never."""
        return min(self._edges[0][0] if self._edges else math.inf, self.panel.next_due_s())

    def tick(self, now_s: float) -> list[Press]:
        """What the panel has made, up to now, of what the fingers do."""
        presses: list[Press] = []
        while self._edges and self._edges[0][0] <= now_s:
            at_s, seat, is_closed = heapq.heappop(self._edges)
            presses += self.panel.edge(seat, is_closed, at_s)
        return presses + self.panel.tick(now_s)

    def _bounce(self, seat: int, at_s: float, is_closed: bool) -> None:
        """Edges of one contact: there and back a few times, until it stays."""
        for _ in range(self._rng.randint(0, BOUNCES)):
            heapq.heappush(self._edges, (at_s, seat, is_closed))
            back_s = at_s + self._rng.uniform(*self.bounce_s)
            heapq.heappush(self._edges, (back_s, seat, not is_closed))
            at_s += 2 * self.bounce_s[1]
        heapq.heappush(self._edges, (at_s, seat, is_closed))
