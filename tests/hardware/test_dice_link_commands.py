"""Commands to dice: asked until they are answered, one at a time; faces are taught."""

import pytest
from dice_receiver import DICE, FACES, Receiver, linked

from firmware import wire
from hardware.dice_commands import ANSWER_S, NO_ANSWER, TRIES
from hardware.dice_link import DiceLink
from hardware.dice_messages import (
    DieLies,
    WiredDie,
)


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
