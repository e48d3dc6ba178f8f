from companion.calibration import FaceCalibration


def test_every_face_is_asked_for_once_and_found_on_its_side():
    asked = FaceCalibration(["troll", "diamond", "diamond", "key"])
    told = []
    for side in ("4", "2", "6", "1"):
        told.append(asked.asks)
        assert asked.shown(side) == ""
    assert asked.is_done
    assert asked.wanted == ""
    assert asked.sides == {"4": "troll", "2": "diamond", "6": "diamond", "1": "key"}
    assert "(1 of 2; another side each time)" in told[1]
    assert "(2 of 2; another side each time)" in told[2]
    assert told[3] == "Put the die down with the key up."


def test_side_that_was_shown_already_is_not_taken_twice():
    asked = FaceCalibration(["diamond", "diamond"])
    asked.shown("3")
    assert asked.shown("3") == "that is side 3, which you showed as the diamond already"
    assert asked.wanted == "diamond"
    assert asked.shown("5") == ""


def test_last_face_can_be_taken_back():
    asked = FaceCalibration(["troll", "key"])
    asked.take_back()
    asked.shown("1")
    asked.take_back()
    assert (asked.sides, asked.wanted) == ({}, "troll")
