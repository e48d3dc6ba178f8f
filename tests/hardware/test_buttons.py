import math
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.clock import RealClock
from hardware.buttons import BOUNCE_S, LONG_S, STABLE_S, ButtonPanel, Buttons, Contact, Press
from hardware.pins import AS_SHIPPED, choose_pins
from hardware.simulated_buttons import SimulatedFingers

SETTLED = 0.25


def play(contact: Contact, edges: list[tuple[float, bool]], until_s: float) -> list[Press]:
    presses, step_s = [], 0.002
    now_s = 0.0
    for at_s, is_closed in [*edges, (until_s, None)]:
        while now_s + step_s < at_s:
            now_s += step_s
            presses += contact.tick(now_s)
        now_s = at_s
        if is_closed is not None:
            presses += contact.edge(is_closed, at_s)
    return presses + contact.tick(until_s)


def kinds(presses: list[Press]) -> list[str]:
    return [press.kind for press in presses]


def test_press_is_timed_at_its_first_edge_and_told_when_believed() -> None:
    contact = Contact(2)
    assert contact.edge(True, 1.0) == []
    assert contact.uncertain_since_s == 1.0
    assert contact.tick(1.0 + STABLE_S) == [Press(2, 1.0, "down")]
    assert contact.uncertain_since_s == math.inf
    assert contact.edge(False, 1.15) == []
    assert contact.tick(1.15 + BOUNCE_S) == [Press(2, 1.0, "short")]
    assert contact.next_due_s() == math.inf


BURST = st.lists(st.floats(0.0001, 0.003), max_size=9)


@settings(max_examples=40)
@given(BURST, BURST, st.floats(0.02, 0.6))
def test_contact_that_bounces_is_one_press_at_its_first_edge(
    closing: list[float], opening: list[float], held_s: float
) -> None:
    edges, at_s, is_closed = [(1.0, True)], 1.0, True
    for gap_s in [*closing[: len(closing) // 2 * 2]]:
        at_s, is_closed = at_s + gap_s, not is_closed
        edges.append((at_s, is_closed))
    at_s += held_s
    edges.append((at_s, False))
    for gap_s in [*opening[: len(opening) // 2 * 2]]:
        at_s, is_closed = at_s + gap_s, not is_closed
        edges.append((at_s, not is_closed))
    presses = play(Contact(0), edges, at_s + SETTLED)
    assert kinds(presses) == ["down", "short"]
    assert {press.at_s for press in presses} == {1.0}


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0.0001, STABLE_S * 0.9), st.floats(0.05, 0.3)), max_size=8))
def test_sparks_are_glitches_and_no_presses(sparks: list[tuple[float, float]]) -> None:
    contact, edges, at_s = Contact(0), [], 0.1
    for lasts_s, pause_s in sparks:
        edges += [(at_s, True), (at_s + lasts_s, False)]
        at_s += lasts_s + pause_s
    assert play(contact, edges, at_s + SETTLED) == []
    assert contact.glitches == len(sparks)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(0.0001, 0.4), st.booleans()), max_size=40))
def test_any_contact_tells_presses_in_order_and_each_once(story: list[tuple[float, bool]]) -> None:
    at_s, edges = 0.0, []
    for gap_s, is_closed in story:
        at_s += gap_s
        edges.append((at_s, is_closed))
    presses = play(Contact(0), [*edges, (at_s + 0.01, False)], at_s + SETTLED)
    downs = [press.at_s for press in presses if press.kind == "down"]
    ends = [press.at_s for press in presses if press.kind != "down"]
    assert downs == ends == sorted(set(downs))


def test_button_that_is_held_is_a_long_press_and_no_short_one() -> None:
    contact = Contact(0)
    presses = play(contact, [(1.0, True), (1.0 + LONG_S + 0.5, False)], 4.0)
    assert [(press.kind, press.at_s) for press in presses] == [("down", 1.0), ("long", 1.0)]


def test_two_seats_do_not_disturb_each_other() -> None:
    panel = ButtonPanel(2)
    panel.edge(0, True, 1.0)
    panel.edge(1, True, 1.002)
    assert panel.known_until_s(1.003) < 1.0
    assert [press.seat for press in panel.tick(1.01)] == [0, 1]
    assert panel.known_until_s(1.01) == 1.01


def test_simulated_finger_bounces_and_the_panel_sees_one_press() -> None:
    fingers, presses = SimulatedFingers(3, seed=5), []
    for turn in range(40):
        fingers.press(turn % 3, float(turn))
        while (due_s := fingers.next_due_s()) < math.inf:
            presses += fingers.tick(due_s)
    assert [(p.seat, p.at_s) for p in presses if p.kind == "down"] == [
        (turn % 3, float(turn)) for turn in range(40)
    ]
    assert [p.kind for p in presses] == ["down", "short"] * 40
    assert fingers.panel.glitches == 0


# On gpiozero's mock pins, with real threads


class Heard:
    def __init__(self) -> None:
        self.presses: list[Press] = []
        self.known_s = [-math.inf]
        self._changed = threading.Condition()

    def take(self, presses: Sequence[Press], known_until_s: float) -> None:
        with self._changed:
            self.presses += presses
            self.known_s.append(known_until_s)
            self._changed.notify_all()

    def wait_for(self, fits: Any, limit_s: float = 10.0) -> bool:
        with self._changed:
            return bool(self._changed.wait_for(lambda: fits(self), limit_s))


def finger(pin: Any, seed: int, presses: int, moments: list[float]) -> None:
    """Press as real contacts do, in a thread of its own; note when each press began."""
    pause = threading.Event()
    for turn in range(presses):
        moments.append(time.monotonic())
        for bounce in range((seed + turn) % 4):
            pin.drive_low()
            pause.wait(0.0003 * (bounce + 1))
            pin.drive_high()
        pin.drive_low()
        pause.wait(0.08)
        for _ in range((seed + turn) % 3):
            pin.drive_high()
            pause.wait(0.0005)
            pin.drive_low()
        pin.drive_high()
        pause.wait(0.12)


def test_bouncing_contacts_of_all_seats_at_once_are_counted_and_timed_right() -> None:
    choice, clock, heard = choose_pins(real=False), RealClock(), Heard()
    with Buttons(choice, AS_SHIPPED.buttons, clock, heard.take):
        moments: list[list[float]] = [[] for _ in AS_SHIPPED.buttons]
        threads = [
            threading.Thread(target=finger, args=(choice.factory.pin(pin), seat, 4, moments[seat]))
            for seat, pin in enumerate(AS_SHIPPED.buttons)
        ]
        began_s = clock.now_s() - time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert heard.wait_for(lambda h: sum(p.kind == "short" for p in h.presses) == 20)
    for seat, began in enumerate(moments):
        downs = [p.at_s for p in heard.presses if p.kind == "down" and p.seat == seat]
        assert len(downs) == len(began) == 4
        late_s = sorted(d - (began_s + b) for d, b in zip(downs, began, strict=True))
        assert late_s[0] > -0.001
        assert late_s[1] < 0.05  # the machine may be busy, the edge is not late for that


def test_watermark_goes_on_while_nothing_happens_and_stops_before_an_uncertain_edge() -> None:
    choice, clock, heard = choose_pins(real=False), RealClock(), Heard()
    pin = choice.factory.pin(AS_SHIPPED.buttons[0])
    with Buttons(choice, AS_SHIPPED.buttons[:1], clock, heard.take):
        assert heard.wait_for(lambda h: len(h.known_s) > 4)
        pin.drive_low()
        assert heard.wait_for(lambda h: len(h.presses) == 1)
    [press] = heard.presses
    before = [known_s for known_s in heard.known_s if known_s < press.at_s]
    assert before
    assert heard.known_s == sorted(heard.known_s)


def test_close_gives_the_pins_back() -> None:
    choice = choose_pins(real=False)
    before = threading.active_count()
    for _ in range(2):
        buttons = Buttons(choice, (4, 7), RealClock(), lambda presses, known_s: None).start()
        buttons.close()
        buttons.close()
    assert threading.active_count() == before


def test_press_that_cannot_be_taken_is_logged_and_the_next_one_is_heard(
    caplog: pytest.LogCaptureFixture,
) -> None:
    choice, heard = choose_pins(real=False), Heard()
    pin, faults = choice.factory.pin(4), iter([OSError("full")])

    def take(presses: Sequence[Press], known_until_s: float) -> None:
        heard.take(presses, known_until_s)
        if presses and (fault := next(faults, None)):
            raise fault

    with Buttons(choice, (4,), RealClock(), take):
        pin.drive_low()
        assert heard.wait_for(lambda h: len(h.presses) == 1)
        pin.drive_high()
        assert heard.wait_for(lambda h: len(h.presses) == 2)
    assert "a press was lost" in caplog.text
