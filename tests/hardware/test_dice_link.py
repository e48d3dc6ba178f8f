""""""

from binascii import crc32

import pytest
from dice_receiver import DICE, FACES, Receiver, linked, of_dice
from hypothesis import given
from hypothesis import strategies as st

from firmware import wire
from hardware.dice_health import STRANGERS
from hardware.dice_link import ASK_AGAIN_S, ASKS, DiceLink
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieMoved,
    DieSettled,
    Greeting,
    LinesLost,
    Watermark,
    WiredDie,
)


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
