import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alert_desk import SHIPPED, Desk, step

from companion.actions import Report, Undo
from companion.steps import Step
from hardware import voice as voice_module
from hardware.cues import Manner
from hardware.voice import PROGRAM, WAITING, Voice, find_voice

STAND_IN = """#!/bin/sh
text=$(cat)
echo "begins $text" >> "{log}"
case "$text" in
  *long*) exec sleep 60 ;;
  *fails*) exit 3 ;;
esac
echo "ends $text" >> "{log}"
"""


def soon(fits: Callable[[], bool], limit_s: float = 15.0) -> bool:
    until_s, pause = time.monotonic() + limit_s, threading.Event()
    while not fits():
        if time.monotonic() > until_s:
            return False
        pause.wait(0.005)
    return True


class Ears:
    """What a stand-in for espeak-ng wrote down instead of saying it."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "heard"
        self.log.touch()
        program = folder / PROGRAM
        program.write_text(STAND_IN.format(log=self.log))
        program.chmod(0o755)
        self.folder = folder

    @property
    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def ears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ears:
    ears = Ears(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return ears


@pytest.fixture
def voice(ears: Ears) -> Iterator[Voice]:
    voice = find_voice()
    assert voice is not None
    yield voice
    voice.close()


def test_sentences_are_said_one_after_the_other(ears: Ears, voice: Voice) -> None:
    voice.say("One", 10)
    voice.say("Two", 10)
    assert soon(lambda: voice.said == 2)
    assert ears.lines == ["begins One", "ends One", "begins Two", "ends Two"]


def test_dragon_does_not_wait_behind_a_longer_sentence(ears: Ears, voice: Voice) -> None:
    voice.say("A long sentence about treasure", 50)
    assert soon(lambda: len(ears.lines) == 1)
    voice.say("Dragon!", 70)
    assert soon(lambda: "ends Dragon!" in ears.lines)
    assert ears.lines[1:] == ["begins Dragon!", "ends Dragon!"]
    assert voice.broken_off == 1
    assert soon(lambda: voice.said == 1)


def test_lower_and_equal_priorities_wait_their_turn(ears: Ears, voice: Voice) -> None:
    voice.say("A long one", 50)
    assert soon(lambda: len(ears.lines) == 1)
    voice.say("low", 10)
    voice.say("equal", 50)
    voice.say("high", 51)
    assert soon(lambda: voice.said == 3)
    assert [line for line in ears.lines if line.startswith("ends")] == [
        *["ends high", "ends equal", "ends low"]
    ]


def test_text_is_no_command_line(ears: Ears, voice: Voice) -> None:
    for text in ("--help", "$(touch nowhere); `true`", "ünï ✓"):
        voice.say(text, 1)
        assert soon(lambda text=text: f"ends {text}" in ears.lines)


def test_sentence_that_has_waited_too_long_is_not_said(
    ears: Ears, voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice.say("A long one", 50)
    assert soon(lambda: len(ears.lines) == 1)
    voice.say("late", 10)
    monkeypatch.setattr(voice_module, "STALE_S", -1.0)
    voice.say("high", 60)
    assert soon(lambda: not voice._waiting)
    assert not any("late" in line for line in ears.lines)


def test_flood_of_sentences_keeps_the_highest(ears: Ears, voice: Voice) -> None:
    voice.say("A long one", 99)
    assert soon(lambda: len(ears.lines) == 1)
    for number in range(50):
        voice.say(f"sentence {number}", number)
    with voice._changed:
        assert [priority for priority, _, _ in voice._waiting] == [49, 48, 47, 46][:WAITING]


def test_hush_and_close_are_silent_at_once(ears: Ears, voice: Voice) -> None:
    voice.say("A long one", 50)
    voice.say("another", 50)
    assert soon(lambda: len(ears.lines) == 1)
    voice.hush()
    assert soon(lambda: voice._speaking is None)
    voice.say("A long farewell", 50)
    assert soon(lambda: len(ears.lines) == 2)
    voice.close()
    voice.close()
    voice.say("too late", 99)
    assert not voice._thread.is_alive()
    assert ears.lines == ["begins A long one", "begins A long farewell"]


def test_program_that_fails_is_shown_and_tried_again(
    ears: Ears, voice: Voice, caplog: pytest.LogCaptureFixture
) -> None:
    voice.say("this fails", 10)
    assert soon(lambda: voice.state == "lost")
    assert "ended with 3" in voice.why
    voice.say("this does not", 10)
    assert soon(lambda: voice.state == "ok")
    assert "the voice fails" in caplog.text


def test_program_that_hangs_is_ended(
    ears: Ears, voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice_module, "LONGEST_S", 0.05)
    voice.say("A long one", 10)
    assert soon(lambda: "longer than" in voice.why)


def test_program_that_has_gone_is_no_failure_of_the_table(tmp_path: Path) -> None:
    with Voice(str(tmp_path / "nothing")) as voice:
        voice.say("hello", 10)
        assert soon(lambda: voice.state == "lost")


def test_machine_without_the_program_has_no_voice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_voice() is None


class Notes:
    def __init__(self) -> None:
        self.said: list[tuple[str, int] | str] = []

    def say(self, text: str, priority: int) -> None:
        self.said.append((text, priority))

    def hush(self) -> None:
        self.said.append("hush")

    def close(self) -> None:
        self.said.append("close")


def test_alerts_say_titles_sentences_or_nothing_as_the_table_of_cues_has_it() -> None:
    notes = Notes()
    desk = Desk(voice=notes)
    desk.show(("dragon", "hurry"), ("treasure", "good"), ("roll_settled", "note"))
    assert notes.said == [
        ("dragon", SHIPPED.cues["dragon"].priority),
        ("It happened.", SHIPPED.cues["treasure"].priority),
    ]
    desk.alerts.show(Step(2, Report(Undo()), step(("undo", "note")).told))
    assert notes.said[2:] == ["hush"]
    desk.alerts.be(Manner(quiet=True))
    desk.show(("dragon", "hurry"))
    desk.alerts.be(Manner(mute=("dragon",)))
    desk.show(("dragon", "hurry"))
    assert notes.said[3:] == ["hush"]
    desk.alerts.close()
    assert notes.said[-1] == "close"


def test_real_voice_makes_sound_of_a_word(tmp_path: Path) -> None:
    """Into a file: the machine that runs the tests may have no loudspeaker."""
    real = shutil.which(PROGRAM)
    if real is None:
        required = os.environ.get("COMPANION_REQUIRE_TOOLS") == "1"
        (pytest.fail if required else pytest.skip)("needs espeak-ng (apt install espeak-ng)")
    program, sound = tmp_path / "into-a-file", tmp_path / "said.wav"
    program.write_text(f'#!/bin/sh\nexec {real} "$@" -w {sound}\n')
    program.chmod(0o755)
    with Voice(str(program)) as voice:
        voice.say("The Dragon is awake!", 50)
        assert soon(lambda: voice.said == 1)
    assert voice.state == "ok"
    assert sound.stat().st_size > 10_000
