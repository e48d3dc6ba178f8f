import random
from binascii import crc32
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import wire
from hardware.dice_commands import ANSWER_S, NO_ANSWER, TRIES
from hardware.dice_health import STRANGERS
from hardware.dice_link import ASK_AGAIN_S, ASKS, DiceLink
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMoved,
    DieSettled,
    Greeting,
    LinesLost,
    Message,
    Watermark,
    WiredDie,
)
from hardware.noise import LineNoise

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


def test_roll_is_told_in_the_words_and_the_time_of_the_game() -> None:
    receiver = Receiver()
    link = linked(receiver, at_s=100.0)
    data = receiver.report("MOVE", "d-a", 1000) + receiver.report("FACE", "d-a", 1450, "1")
    data += receiver.report("CROOKED", "d-b", 1460) + receiver.beat(1500)
    assert link.receive_data(data, 101.5) == [
        DieMoved("red-1", 101.0, 0.015),
        DieSettled("red-1", "dragon", 101.45, 0.015),
        DieCrooked("red-2", 101.46, 0.015),
        Watermark(101.5),
    ]


def test_greeting_says_who_is_there_after_the_port_opened() -> None:
    link = DiceLink(DICE)
    link.connection_made(3.0)
    asked = wire.decode(link.data_to_send())
    assert (asked.kind, asked.die, asked.words[0]) == ("HELLO", "host", wire.PROTOCOL)
    assert link.data_to_send() == b""
    told = link.receive_data(Receiver().hello(), 3.0)
    assert told == [Greeting("rx-1", "0.1.0", 1, True)]


def test_greeting_is_repeated_until_it_is_answered() -> None:
    link = DiceLink(DICE)
    link.connection_made(0.0)
    link.data_to_send()
    asked = b""
    for tenth in range(1, 31):
        link.receive_data(b"", tenth / 10)
        asked += link.data_to_send()
    assert asked.count(b"HELLO") == 3


@given(st.lists(st.integers(1, 40), max_size=40))
def test_cuts_between_the_calls_do_not_matter(sizes: list[int]) -> None:
    receiver = Receiver()
    lines = [receiver.hello(), receiver.report("MOVE", "d-a", 10), receiver.beat(20)]
    lines += [receiver.report("FACE", "d-a", 400, "2"), receiver.beat(420)]
    data = b"".join(lines)
    whole, cut = DiceLink(DICE), DiceLink(DICE)
    expected = whole.receive_data(data, 1.0)
    told, at = [], 0
    for size in [*sizes, len(data)]:
        told += cut.receive_data(data[at : at + size], 1.0)
        at += size
    assert told == expected
    assert cut.counts == whole.counts


@given(st.binary(max_size=400), st.integers(1, 50))
def test_garbage_never_raises_and_never_becomes_a_report(garbage: bytes, size: int) -> None:
    link = linked(Receiver())
    told = []
    for at in range(0, len(garbage), size):
        told += link.receive_data(garbage[at : at + size], 1.0)
    assert told == []
    after = Receiver()
    assert link.receive_data(b"\n" + after.beat(1000), 1.0) == [Watermark(1.0)]


def test_endless_line_takes_no_memory_and_counts_once() -> None:
    link = linked(Receiver())
    for _ in range(1000):
        link.receive_data(b"\xff" * 1000, 1.0)
    assert len(link._buffer) <= wire.MAX_LINE
    assert link.counts.damaged == 1
    link.receive_data(b"the rest of it\n", 1.0)
    assert (link.counts.damaged, link.counts.foreign) == (1, 0)


def test_chatter_of_another_device_is_told_from_damage() -> None:
    receiver = Receiver()
    link = linked(receiver)
    good = receiver.report("FACE", "d-a", 400, "1")
    assert of_dice(link.receive_data(b"ESP-ROM:esp32c3-api1\r\n" + good[:-5] + b"\n", 1.0)) == []
    assert (link.counts.foreign, link.counts.damaged) == (1, 1)


def test_port_that_echoes_our_own_words_is_no_receiver() -> None:
    link = DiceLink(DICE)
    link.connection_made(0.0)
    assert link.receive_data(link.data_to_send(), 0.0) == []
    assert link.greeting is None
    assert link.counts.foreign == 1


def test_lost_report_is_noticed_at_the_next_heartbeat_and_asked_for() -> None:
    receiver = Receiver()
    link = linked(receiver)
    receiver.report("FACE", "d-a", 400, "1")  # never arrives
    assert link.receive_data(receiver.beat(450), 0.45) == []  # nor does the watermark pass it
    told = link.receive_data(receiver.answers(link.data_to_send(), 460), 0.46)
    assert of_dice(told) == [DieSettled("red-1", "dragon", 0.4, 0.015)]
    assert Watermark(0.45) in told
    assert (link.counts.recovered, link.counts.lost) == (1, 0)


def test_swapped_reports_are_told_in_order_without_asking() -> None:
    receiver = Receiver()
    link = linked(receiver)
    move, face = receiver.report("MOVE", "d-a", 10), receiver.report("FACE", "d-a", 400, "1")
    told = link.receive_data(face + move, 0.5)
    assert [type(one) for one in told] == [DieMoved, DieSettled]
    assert (link.counts.reordered, link.counts.asked) == (1, 0)


def test_repeated_report_is_told_once() -> None:
    receiver = Receiver()
    link = linked(receiver)
    face = receiver.report("FACE", "d-a", 400, "1")
    assert len(link.receive_data(face + face, 0.5)) == 1
    assert link.receive_data(face, 0.6) == []
    assert link.counts.repeated == 2


def test_gap_that_nobody_fills_is_given_up_and_said() -> None:
    receiver = Receiver()
    link = linked(receiver)
    receiver.report("MOVE", "d-a", 10)
    face = receiver.report("FACE", "d-b", 400, "2")
    told = link.receive_data(face, 0.5)
    for again in range(1, ASKS + 1):
        assert told == []
        told = link.receive_data(b"", 0.5 + again * (ASK_AGAIN_S + 0.001))
    assert link.data_to_send().count(b"AGAIN") == ASKS
    assert isinstance(told[0], LinesLost)
    assert told[1:] == [DieSettled("red-2", "blank", 0.4, 0.015)]
    assert link.counts.lost == 1
    assert link.receive_data(receiver.beat(1200), 1.2) == [Watermark(1.2)]


def test_receiver_that_has_forgotten_a_report_is_not_asked_again() -> None:
    receiver = Receiver()
    link = linked(receiver)
    receiver.report("MOVE", "d-a", 10)
    link.receive_data(receiver.beat(50), 0.05)
    told = link.receive_data(receiver.say("GONE", 60, 1), 0.06)
    assert told == [LinesLost(1, "1 lines never arrived"), Watermark(0.05)]


def test_restart_of_the_receiver_is_noticed_without_its_hello() -> None:
    old, new = Receiver("aaaa"), Receiver("bbbb")
    link = linked(old)
    link.receive_data(old.report("MOVE", "d-a", 5000), 5.0)
    first = new.report("FACE", "d-a", 100, "2")  # its HELLO was lost
    told = link.receive_data(first + new.beat(120), 6.12)
    assert isinstance(told[0], LinesLost)
    assert [type(one) for one in told[1:]] == [DieSettled, Watermark]
    assert told[1].at_s == pytest.approx(6.1, abs=0.025)  # type: ignore[union-attr]
    assert link.receive_data(old.report("FACE", "d-a", 5400, "1"), 6.2) == []
    assert link.counts.restarts == 1


def test_reports_of_a_short_break_come_after_it() -> None:
    receiver = Receiver()
    link = linked(receiver)
    link.receive_data(receiver.report("MOVE", "d-a", 1000), 1.0)
    receiver.report("FACE", "d-a", 1500, "1")
    link.connection_made(9.0)
    link.receive_data(receiver.answers(link.data_to_send(), 9000), 9.0)
    told = link.receive_data(receiver.answers(link.data_to_send(), 9001), 9.001)
    assert of_dice(told) == [DieSettled("red-1", "dragon", 1.5, 0.015)]


def test_companion_that_comes_late_does_not_ask_for_the_past() -> None:
    receiver = Receiver()
    for at_ms in range(100, 1000, 100):
        receiver.report("MOVE", "d-a", at_ms)
    link = linked(receiver)
    assert link.receive_data(receiver.report("MOVE", "d-b", 1100), 1.1) != []
    assert b"AGAIN" not in link.data_to_send()


def test_wrong_version_is_said_and_the_rest_passed_over() -> None:
    receiver = Receiver(version=2)
    link = DiceLink(DICE)
    assert link.receive_data(receiver.hello(), 0.0) == [Greeting("rx-1", "0.1.0", 2, False)]
    assert link.receive_data(receiver.report("FACE", "d-a", 400, "1"), 0.5) == []
    assert link.counts.wrong_version == 1


def test_unknown_dice_and_faces_are_counted() -> None:
    receiver = Receiver()
    link = linked(receiver)
    assert link.receive_data(receiver.report("FACE", "someone", 400, "1"), 0.5) == []
    told = link.receive_data(receiver.report("FACE", "d-a", 500, "7"), 0.6)
    assert told == [DieCrooked("red-1", 0.5, 0.015)]
    assert link.counts.unknown == 2
    assert {one.die: one.reports for one in link.health("", "connected").dice}["someone"] == 1


def test_whole_line_of_an_unknown_kind_is_another_version_and_no_damage() -> None:
    link = linked(Receiver())
    body = b"GLOW d-a 7f3a:0 100 blue"
    link.receive_data(body + b" *%08x\n" % crc32(body), 0.5)
    assert (link.counts.wrong_version, link.counts.damaged) == (1, 0)


def test_die_in_a_hand_is_told_as_held() -> None:
    receiver = Receiver()
    link = linked(receiver)
    data = receiver.report("MOVE", "d-a", 100) + receiver.report("HELD", "d-a", 400)
    told = link.receive_data(data, 0.5)
    assert told == [DieMoved("red-1", 0.1, 0.015), DieHeld("red-1", 0.4, 0.015)]


def test_word_that_a_die_has_learnt_is_its_face_and_a_number_is_always_a_code() -> None:
    assert WiredDie("red-1", FACES).face("dragon") == "dragon"
    turned = WiredDie("blue-1", {"1": "3", "3": "1"})
    assert (turned.face("3"), turned.face("1"), turned.face("2")) == ("1", "3", None)


def test_greeting_is_repeated_after_a_loss_so_that_faces_are_told_anew() -> None:
    receiver = Receiver()
    link = linked(receiver)
    receiver.report("MOVE", "d-a", 10)
    link.receive_data(receiver.beat(50), 0.05)
    link.data_to_send()
    link.receive_data(receiver.say("GONE", 60, 1), 0.06)
    assert b"HELLO" in link.data_to_send()


def test_health_shows_each_die_as_it_was_heard_last() -> None:
    receiver = Receiver()
    link = linked(receiver)
    data = receiver.report("FACE", "d-a", 400, "1") + receiver.report("MOVE", "d-b", 410)
    data += receiver.report("LIES", "stranger", 420, "4")
    for kind, *words in (("BATTERY", 12, 3500), ("SIGNAL", 90, 7), ("ABOUT", "0.2.0", "d6", 6)):
        data += wire.encode(kind, "d-a", receiver.run, 3, 430, *words)
    data += wire.encode("ASLEEP", "stranger", receiver.run, 3, 440)
    link.receive_data(data, 0.5)
    health = link.health("/dev/rx", "connected")
    one, two, stranger = health.dice
    assert (one.name, one.motion, one.face, one.code) == ("red-1", "lying", "dragon", "1")
    assert (one.battery_percent, one.signal_dbm, one.lost) == (12, -90, 7)
    assert (one.firmware, one.shape, one.sides, one.heard_at_s) == ("0.2.0", "d6", 6, 0.5)
    assert (two.name, two.motion) == ("red-2", "moving")
    assert (stranger.name, stranger.motion, stranger.face) == ("", "asleep", "4")
    told = " ".join(health.troubles())
    assert "battery is at 12 %" in told
    assert "signal is weak (-90 dBm)" in told
    assert "stranger: nobody has said" in told


def test_chatter_of_another_device_becomes_a_trouble_when_it_does_not_end() -> None:
    link = linked(Receiver())
    link.receive_data(b"rst:0x1 (POWERON)\r\n" * 20, 0.5)
    assert link.health("", "connected").troubles() == []
    link.receive_data(b"$GPGGA,092750.000*76\r\n" * 20, 0.6)
    assert "40 lines of another device" in link.health("", "connected").troubles()[0]


def test_health_is_a_copy_that_does_not_change_any_more() -> None:
    receiver = Receiver()
    link = linked(receiver)
    before = link.health("", "connected")
    link.receive_data(receiver.report("FACE", "d-a", 400, "1"), 0.5)
    assert before.dice[0].motion == "unheard"
    assert before.counts.lines < link.counts.lines


def test_strangers_are_remembered_up_to_a_bound() -> None:
    receiver = Receiver()
    link = linked(receiver)
    data = b"".join(receiver.report("LIES", f"die-{n}", 100 + n, "1") for n in range(200))
    link.receive_data(data, 1.0)
    assert link.counts.unknown == 200
    assert len(link.health("", "connected").dice) == STRANGERS + len(DICE)


def commanded(link: DiceLink) -> list[wire.Message]:
    lines = [wire.decode(line) for line in link.data_to_send().splitlines()]
    return [line for line in lines if line.kind in wire.COMMANDS]


def test_command_is_asked_again_until_it_is_answered() -> None:
    receiver = Receiver()
    link = linked(receiver)
    asked = link.ask("BLINK", "d-a")
    link.receive_data(b"", 0.1)
    (first,) = commanded(link)
    assert (first.kind, first.words) == ("BLINK", ("d-a",))
    link.receive_data(b"", 0.1 + ANSWER_S)
    (again,) = commanded(link)
    assert again.number > first.number
    link.receive_data(receiver.say("DONE", 1200, first.number), 1.2)  # an answer of the past
    assert asked.answer == ""
    link.receive_data(wire.encode("DONE", "d-a", "7f3a", 0, 1201, again.number), 1.21)
    assert asked.is_done
    assert asked.wait(0)
    link.receive_data(b"", 9.0)
    assert commanded(link) == []


def test_command_that_nobody_answers_ends_and_says_so() -> None:
    link = linked(Receiver())
    asked = link.ask("VERSION", "d-a")
    for second in range(TRIES + 2):
        link.receive_data(b"", 1.0 + second * ANSWER_S)
    assert len(commanded(link)) == TRIES
    assert asked.answer == NO_ANSWER
    assert "does not answer" in asked.why


def test_refusal_comes_with_its_reason() -> None:
    link = linked(Receiver())
    asked = link.ask("SHOWN", "d-a", 3)
    link.receive_data(b"", 0.1)
    (line,) = commanded(link)
    link.receive_data(wire.encode("REFUSED", "d-a", "7f3a", 0, 110, line.number, "moving"), 0.2)
    assert asked.answer == "moving"
    assert asked.why == wire.REASONS["moving"]


def test_one_die_is_asked_for_one_thing_at_a_time() -> None:
    link = linked(Receiver())
    link.ask("BLINK", "d-a")
    link.ask("VERSION", "d-a")
    link.ask("BLINK", "d-b")
    link.receive_data(b"", 0.1)
    first, other = commanded(link)
    assert [(one.kind, one.words) for one in (first, other)] == [
        ("BLINK", ("d-a",)),
        ("BLINK", ("d-b",)),
    ]
    link.receive_data(wire.encode("DONE", "d-a", "7f3a", 0, 110, first.number), 0.2)
    assert [one.kind for one in commanded(link)] == ["VERSION"]


def test_command_waits_for_the_receiver_and_outlives_a_break() -> None:
    receiver = Receiver()
    link = DiceLink(DICE)
    asked = link.ask("BLINK", "d-a")
    link.connection_made(0.0)
    link.receive_data(b"", 0.1)
    assert commanded(link) == []
    for at_s in (0.2, 5.0):
        link.receive_data(receiver.hello(int(at_s * 1000)), at_s)
        assert len(commanded(link)) == 1
        link.connection_made(at_s + 1)
    assert not asked.answer


def test_command_with_a_word_that_does_not_fit_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="expected 1 to 16 of"):
        linked(Receiver()).ask("NAME", "d-a", "Räuber")


def test_die_is_taught_its_faces_when_it_says_numbers() -> None:
    receiver = Receiver()
    link = DiceLink({"d-a": WiredDie("red-1", FACES)}, teaches=True)
    link.receive_data(receiver.hello(), 0.0)
    learnt: dict[int, str] = {}
    link.receive_data(receiver.report("LIES", "d-a", 10, "2"), 0.1)
    for tenth in range(2, 20):
        for line in commanded(link):
            learnt[line.words[1]] = line.words[2]
            done = wire.encode("DONE", "d-a", "7f3a", 1, tenth * 100, line.number)
            link.receive_data(done, tenth / 10)
    assert learnt == {int(code): face for code, face in FACES.items()}
    link.receive_data(receiver.report("LIES", "d-a", 2010, "2"), 2.1)  # it did not keep them
    assert commanded(link) == []


def test_numbers_are_not_taught() -> None:
    receiver = Receiver()
    link = DiceLink({"d-a": WiredDie("blue-1", {"1": "2", "2": "1"})}, teaches=True)
    link.receive_data(receiver.hello() + receiver.report("LIES", "d-a", 10, "2"), 0.0)
    link.receive_data(b"", 0.1)
    assert commanded(link) == []


def test_die_without_a_table_of_faces_says_words_itself() -> None:
    receiver = Receiver()
    link = DiceLink({"d-a": WiredDie("red-1")})
    link.receive_data(receiver.hello(), 0.0)
    told = link.receive_data(receiver.report("LIES", "d-a", 0, "dragon"), 0.0)
    assert [type(one) for one in told] == [DieLies]
    assert told[0].face == "dragon"  # type: ignore[union-attr]


def test_watermark_is_never_broken_when_the_clock_is_understood_better() -> None:
    receiver = Receiver()
    link = DiceLink(DICE)
    link.connection_made(0.0)
    told = link.receive_data(receiver.hello(0) + receiver.beat(0), 0.3)  # needed 300 ms
    mark = next(one for one in told if isinstance(one, Watermark))
    told = link.receive_data(receiver.report("MOVE", "d-a", 20) + receiver.beat(400), 0.4)
    moved = of_dice(told)[0]
    assert moved.at_s > mark.at_s  # type: ignore[union-attr]


def test_report_from_before_the_receiver_started_says_how_little_its_time_is_known() -> None:
    """A die keeps what nobody heard; the new receiver has no moment for it but its own start."""
    old, new = Receiver("aaaa"), Receiver("bbbb")
    link = linked(old)
    link.receive_data(old.beat(4000), 4.0)
    told = link.receive_data(new.hello(0) + new.report("FACE", "d-a", 0, "1"), 5.0)
    (settled,) = of_dice(told)
    assert isinstance(settled, DieSettled)
    assert settled.at_s - settled.within_s <= 4.001
    assert settled.at_s + settled.within_s >= 4.999


def test_throw_that_is_told_again_by_a_new_receiver_is_no_other_throw() -> None:
    """The die had not heard that its report came, and says it again."""
    old, new = Receiver("aaaa"), Receiver("bbbb")
    link = linked(old)
    data = old.report("MOVE", "d-a", 1000) + old.report("FACE", "d-a", 1500, "1")
    assert [type(one) for one in of_dice(link.receive_data(data, 1.5))] == [DieMoved, DieSettled]
    data = new.hello(0) + new.report("FACE", "d-a", 0, "1")
    assert [type(one) for one in of_dice(link.receive_data(data, 5.0))] == [DieLies]
    data = new.report("MOVE", "d-a", 900) + new.report("FACE", "d-a", 1500, "1")
    assert [type(one) for one in of_dice(link.receive_data(data, 6.5))] == [DieMoved, DieSettled]


def test_new_game_sets_the_time_back_without_harm() -> None:
    receiver = Receiver()
    link = linked(receiver, at_s=500.0)
    link.receive_data(receiver.beat(9000), 509.0)
    told = link.receive_data(receiver.beat(10_000), 0.0)
    assert told[-1].at_s == pytest.approx(0.0, abs=0.03)  # type: ignore[union-attr]
    told = link.receive_data(receiver.report("MOVE", "d-a", 10_500), 0.5)
    assert told[0].at_s == pytest.approx(0.5, abs=0.03)  # type: ignore[union-attr]


@st.composite
def bad_lines(draw: st.DrawFn) -> tuple[LineNoise, LineNoise, int]:
    share = st.floats(0, 0.25)
    shares = {k: draw(share) for k in ("damaged", "lost", "repeated", "swapped", "foreign")}
    seed = draw(st.integers(0, 2**32))
    return LineNoise(seed, **shares), LineNoise(seed + 1, **shares), seed


@given(bad_lines())
def test_no_damage_to_the_line_ever_makes_another_report(
    bad: tuple[LineNoise, LineNoise, int],
) -> None:
    there, back, seed = bad
    chance, receiver = random.Random(seed), Receiver()
    link = DiceLink(DICE)
    link.connection_made(0.0)
    sent: list[tuple[str, int]] = []
    told: list[Message] = []
    for at_ms in range(0, 3000, 25):
        asked = b"".join(there(line) for line in link.data_to_send().splitlines(True))
        lines = [
            line
            for one in asked.splitlines()
            if one.startswith((b"HELLO", b"PING", b"AGAIN")) and _is_good(one)
            for line in receiver.answers(one, at_ms).splitlines(True)
        ]
        if at_ms < 2000 and chance.random() < 0.3:
            face = chance.choice("123456")
            lines.append(receiver.report("FACE", "d-a", at_ms, face))
            sent.append((FACES[face], at_ms))
        lines.append(receiver.beat(at_ms))
        told += link.receive_data(b"".join(back(line) for line in lines), at_ms / 1000 + 0.004)
    settled = [one for one in told if isinstance(one, DieSettled)]
    for one in settled:
        true = [at_ms / 1000 for face, at_ms in sent if face == one.face]
        assert min(abs(one.at_s - at_s) for at_s in true) <= one.within_s + 0.001
    lost = sum(one.lost for one in told if isinstance(one, LinesLost))
    assert _is_subsequence([one.face for one in settled], [face for face, _ in sent])
    assert lost == link.counts.lost
    marks = [one.at_s for one in told if isinstance(one, Watermark)]
    assert marks == sorted(marks)


def _is_good(line: bytes) -> bool:
    try:
        wire.decode(line)
    except wire.WireError:
        return False
    return True


def _is_subsequence(some: list[str], of: list[str]) -> bool:
    rest = iter(of)
    return all(one in rest for one in some)
