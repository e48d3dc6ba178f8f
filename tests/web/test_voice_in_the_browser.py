"""The voice of the page: one switch, and great moments that do not wait."""

from collections.abc import Iterator
from typing import Any

import pytest
from demo_desk import DemoDesk
from test_in_the_browser import Screen

from web.serve import WebServer

# A voice that notes what it is given, and goes on only when it is told to.
STAND_IN = """
const heard = [];
class Words { constructor(text) { this.text = text; } }
const voice = {
  now: null,
  speak(words) { heard.push("says " + words.text); this.now = words; },
  cancel() {
    if (!this.now) return;
    heard.push("breaks off " + this.now.text);
    const words = this.now;
    this.now = null;
    setTimeout(() => words.onerror?.({ error: "interrupted" }));
  },
  end() { const words = this.now; this.now = null; words.onend?.(); },
};
Object.defineProperty(window, "speechSynthesis", { value: voice });
window.SpeechSynthesisUtterance = Words;
window.heard = heard;
"""
# A sound card that notes what is put to it.
EARS = """
const sounded = [];
class Node { connect(other) { return other; } }
class Gain extends Node { constructor() { super(); this.gain = { setTargetAtTime() {} }; } }
class Tone extends Node {
  constructor(context, { frequency }) { super(); this.hertz = frequency; }
  start(atS) { sounded.push(Math.round(this.hertz) + " Hz at " + atS.toFixed(1)); }
  stop(atS) { if (atS === undefined) sounded.push("silence"); }
}
class Card { state = "suspended"; currentTime = 0; resume() { this.state = "running"; } }
Object.assign(window, { AudioContext: Card, OscillatorNode: Tone, GainNode: Gain, sounded });
"""


def buzzer(order: int | None, *notes: str) -> dict[str, Any]:
    tones = [{"note": note, "for_s": 0.1} for note in notes]
    melody = None if order is None else {"order": order, "tones": tones, "volume": 1.0}
    return {"name": "buzzer", "label": "Buzzer", "colour": "#ffffff", "level": 0, "melody": melody}


class Room:
    def __init__(self, screen: Screen, desk: DemoDesk) -> None:
        self.page, self.desk, self.button = screen.page, desk, screen.button("Sound")
        self.shown = 0

    def tell(self, family: str, title: str, text: str, cue: str = "some") -> None:
        self.desk.tell(cue, family, title, text)
        self.page.locator("#said").get_by_text(text).wait_for(state="attached")

    def heard(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.heard")
        return found

    def plays(self, row: dict[str, Any]) -> list[str]:
        """The table's buzzer plays this; what the screen has sounded once it has heard of it."""
        self.shown += 1
        label = f"Buzzer, heard {self.shown} times"
        self.desk.feed.publish("lamps", {"lamps": [{**row, "label": label}]}, None)
        self.page.locator(".lamp-label").get_by_text(label).wait_for(state="attached")
        found: list[str] = self.page.evaluate("window.sounded")
        return found

    def ends(self) -> None:
        self.page.evaluate("speechSynthesis.end()")


@pytest.fixture
def room(chromium: Any, server: WebServer, desk: DemoDesk) -> Iterator[Room]:
    screen = Screen(chromium, server.url, begins_with=STAND_IN + EARS)
    yield Room(screen, desk)
    screen.close()
    assert screen.complaints == []


def test_page_is_silent_until_its_switch_is_pressed_and_remembers(room: Room) -> None:
    room.tell("good", "Safe!", "Ann leaves.")
    assert room.heard() == []
    assert room.button.inner_text() == "Sound off"
    room.button.click()
    assert room.button.inner_text() == "Sound on"
    room.ends()
    room.tell("good", "Safe!", "Bo leaves.")
    assert room.heard() == ["says Sound on", "says Bo leaves."]
    room.page.reload()
    room.page.wait_for_selector(".connection[data-state=live]")
    assert room.button.inner_text() == "Sound on"
    room.button.click()
    room.tell("good", "Safe!", "Cy leaves.")
    assert room.heard() == []


def test_dragon_does_not_wait_behind_a_longer_sentence(room: Room) -> None:
    room.button.click()
    room.ends()
    room.tell("good", "Safe!", "Ann leaves with a very long list of treasure.")
    room.tell("turn", "Your turn", "Now it is Bo.")
    room.tell("hurry", "Dragon!", "The Dragon opens an eye.")
    assert room.heard()[-2:] == [
        "breaks off Ann leaves with a very long list of treasure.",
        "says Dragon!",
    ]
    room.ends()
    assert room.heard()[-1] == "says Now it is Bo."
    room.ends()
    assert len(room.heard()) == 5


def test_undo_is_silent_and_ends_what_was_being_said(room: Room) -> None:
    room.button.click()
    room.ends()
    room.tell("bad", "The Troll!", "The Troll grabs 3 diamonds.")
    room.tell("note", "Taken back", "Step 3 is taken back.", cue="undo")
    room.tell("note", "Rolled", "Four dice are rolled.")
    assert room.heard()[-2:] == ["says The Troll!", "breaks off The Troll!"]


def test_screen_plays_each_melody_of_the_table_once_where_its_sound_is_on(room: Room) -> None:
    assert room.plays(buzzer(1, "C5")) == []
    room.button.click()
    assert room.plays(buzzer(1, "C5")) == []  # it had begun before
    assert room.plays(buzzer(2, "A4", "-", "C#5")) == ["440 Hz at 0.0", "554 Hz at 0.2"]
    assert len(room.plays(buzzer(2, "A4", "-", "C#5"))) == 2
    assert len(room.plays(buzzer(None))) == 2
    assert room.plays(buzzer(3, "A3"))[2:] == ["silence", "silence", "220 Hz at 0.0"]
    room.tell("note", "Taken back", "Step 3 is taken back.", cue="undo")
    assert room.plays(buzzer(None))[-1] == "silence"
    room.desk.feed.publish("manner", {"quiet": True, "volume": 1.0}, None)
    room.page.get_by_text("quiet mode").wait_for()
    before = room.plays(buzzer(None))
    assert room.plays(buzzer(4, "A4")) == before
