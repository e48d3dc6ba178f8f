"""A die that nobody saw at one rest, and that is seen later where it lay, was not rolled since."""

from watched_tray import WHITE, Blind, covered, faces_of, is_soon

from camera.seek import Seeker


def test_die_that_nobody_found_at_one_rest_was_not_rolled_at_the_next(watched):
    tray = watched(names=WHITE[:2])
    tray.oracle.misses = {"white-2": range(9999)}
    tray.live._seeker = Blind(lambda: tray.place_of("white-2"))
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.live._seeker, tray.oracle.misses = Seeker(), {}
    rest_s, [throw] = tray.throw({"white-1": "troll"})
    assert is_soon(throw, rest_s)
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["troll"], ["door"])


def test_die_that_was_hidden_while_another_was_rolled_is_not_rolled_when_it_is_seen_again(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.frame, whole = covered(tray, "white-2"), tray.frame
    tray.oracle.misses["white-2"] = range(9999)
    _, [throw] = tray.throw({"white-1": "troll"}, after_s=1.0)
    assert not throw.accepted
    tray.frame, tray.oracle.misses = whole, {}
    assert tray.run(1.0) == []
    _, [throw] = tray.throw({"white-1": "key"})
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["key"], ["door"])
