"""Attacks on the referee's PIN, and on the file that keeps it."""

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from lan_table import LanTable, keys_file, post

from companion.errors import ConfigError
from web.keys import FIRST_PAUSE_S, FREE_TRIES, LONGEST_PAUSE_S, Keys
from web.refusals import Refused


class Watch:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


def wrong_of(keys: Keys) -> str:
    return f"{(int(keys.pin) + 1) % 10**6:06}"


def tried(keys: Keys, pin: str) -> str:
    try:
        keys.try_pin(pin)
    except Refused as refusal:
        return refusal.code
    return "in"


def test_there_is_no_default_pin(tmp_path: Path) -> None:
    pins = {Keys().pin for _ in range(20)}
    assert len(pins) > 15
    assert all(len(pin) == 6 and pin.isdigit() for pin in pins)
    assert len({Keys().secret for _ in range(5)} | {Keys().link for _ in range(5)}) == 10


def test_guessing_is_stopped_after_a_few_tries_even_with_the_right_one(watch: Watch) -> None:
    keys = Keys(None, watch)
    assert [tried(keys, wrong_of(keys)) for _ in range(FREE_TRIES)] == ["wrong_pin"] * FREE_TRIES
    assert tried(keys, keys.pin) == "too_many_tries"
    watch.now += FIRST_PAUSE_S + 1
    assert tried(keys, keys.pin) == "in"
    assert tried(keys, wrong_of(keys)) == "wrong_pin"


def test_pauses_double_up_to_an_hour(watch: Watch) -> None:
    keys = Keys(None, watch)
    pauses = []
    for _ in range(FREE_TRIES + 10):
        watch.now += keys.pause_s()
        tried(keys, wrong_of(keys))
        pauses.append(keys.pause_s())
    assert pauses[FREE_TRIES - 1 : FREE_TRIES + 2] == [30.0, 60.0, 120.0]
    assert max(pauses) == LONGEST_PAUSE_S


def test_restart_does_not_make_tries_free_again(tmp_path: Path, watch: Watch) -> None:
    path = keys_file(tmp_path)
    keys = Keys(path, watch)
    for _ in range(FREE_TRIES):
        tried(keys, wrong_of(keys))
        keys = Keys(path, watch)
    assert tried(keys, keys.pin) == "too_many_tries"


def test_try_counts_before_it_is_looked_at(tmp_path: Path, watch: Watch, mocker: Any) -> None:
    path = keys_file(tmp_path)
    keys = Keys(path, watch)
    mocker.patch("web.keys.same", side_effect=RuntimeError("the power fails"))
    with pytest.raises(RuntimeError):
        keys.try_pin(wrong_of(keys))
    mocker.stopall()
    again = Keys(path, watch)
    for _ in range(FREE_TRIES - 1):
        tried(again, wrong_of(again))
    assert tried(again, again.pin) == "too_many_tries"


def test_tries_at_the_same_moment_all_count(watch: Watch) -> None:
    keys, said = Keys(None, watch), []
    wrong = wrong_of(keys)
    threads = [threading.Thread(target=lambda: said.append(tried(keys, wrong))) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said.count("wrong_pin") == FREE_TRIES


def test_clock_that_goes_back_locks_nobody_out_for_longer(watch: Watch) -> None:
    keys = Keys(None, watch)
    for _ in range(FREE_TRIES):
        tried(keys, wrong_of(keys))
    watch.now -= 10 * 365 * 24 * 3600.0
    assert keys.pause_s() <= FIRST_PAUSE_S


def test_right_pin_begins_the_count_anew(watch: Watch) -> None:
    keys = Keys(None, watch)
    for _ in range(3):
        for _ in range(FREE_TRIES - 1):
            tried(keys, wrong_of(keys))
        assert tried(keys, keys.pin) == "in"


def test_guesses_over_the_web_are_refused_with_a_time_to_wait() -> None:
    lan = LanTable()
    viewer = lan.viewer()
    codes = [
        post(viewer, "/api/v1/session", {"pin": wrong_of(lan.keys)}).json["code"]
        for _ in range(FREE_TRIES)
    ]
    assert codes == ["wrong_pin"] * FREE_TRIES
    reply = post(viewer, "/api/v1/session", {"pin": lan.keys.pin})
    assert (reply.status_code, reply.json["code"]) == (429, "too_many_tries")
    assert 0 < int(reply.headers["Retry-After"]) <= 31
    assert viewer.get("/pairing").status_code == 403


def test_stranger_may_not_even_guess() -> None:
    lan = LanTable()
    for _ in range(FREE_TRIES + 3):
        reply = post(lan.stranger(), "/api/v1/session", {"pin": wrong_of(lan.keys)})
        assert (reply.status_code, reply.json["code"]) == (401, "needs_link")
    assert tried(lan.keys, lan.keys.pin) == "in"


def test_keys_are_read_by_their_owner_only(tmp_path: Path) -> None:
    path = keys_file(tmp_path)
    before = os.umask(0)
    try:
        keys = Keys(path)
        path.chmod(0o644)
        keys.renew_seat("ann")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_keys_do_not_follow_a_link_that_was_laid_for_them(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = keys_file(tmp_path)
    path.with_name(f"{path.name}.part").symlink_to(victim)
    Keys(path)
    assert victim.read_text() == "precious"


def test_damaged_keys_say_what_to_do(tmp_path: Path) -> None:
    path = keys_file(tmp_path)
    path.write_bytes(b'{"secret": 1}')
    with pytest.raises(ConfigError, match="delete the file"):
        Keys(path)


def test_keys_survive_a_restart(tmp_path: Path) -> None:
    path = keys_file(tmp_path)
    one = Keys(path)
    seat = one.seat("ann")
    two = Keys(path)
    assert (two.link, two.pin, two.secret, two.seat("ann")) == (one.link, one.pin, one.secret, seat)
