"""Faces whose keys are no words are told in words, in every language."""

from companion.actions import Rolled
from companion.inbox import describe
from companion.words import face_word, message_of


def test_keys_of_faces_are_told_as_people_say_them():
    roll = Rolled({"gold-1": "gold2", "gold-2": "gold1", "red-1": "dragon", "blue-1": "6"})
    assert describe(roll) == "gold-1 two nuggets, gold-2 one nugget, red-1 dragon, blue-1 6"
    assert face_word("set_aside") == "set aside"


def test_numbers_are_no_words_to_be_translated():
    assert message_of(face_word("6")) is None
    assert message_of(face_word("gold1")) == {"id": "one nugget", "plural": None, "values": {}}
