from alert_desk import Desk, book_of

from hardware.cues import Alert, Manner, Tone
from hardware.melodies import MELODIES, STALE_S


def melody(*notes: str, priority: int = 10) -> Alert:
    return Alert(priority=priority, buzzer=tuple(Tone(note, 0.5) for note in notes))


def sounding(alerts: dict[str, Alert]) -> Desk:
    return Desk(book_of(alerts))


def test_sounds_queue_by_priority() -> None:
    desk = sounding({"a": melody("C4"), "b": melody("D4"), "c": melody("E4", priority=30)})
    desk.show(("a", "note"), ("b", "note"), ("c", "note"))
    heard = []
    for _ in range(4):
        heard.append(desk.lamp("buzzer")["note"])
        desk.wait(0.51)
    assert heard == ["E4", "C4", "D4", None]
    desk.alerts.close()


def test_dragon_breaks_off_what_sounds_below_it() -> None:
    desk = sounding({"turn": melody("C4", "D4", "E4"), "dragon": melody("A3", priority=70)})
    desk.show(("turn", "turn"))
    desk.wait(0.2)
    desk.show(("dragon", "hurry"))
    assert desk.lamp("buzzer")["note"] == "A3"
    desk.wait(0.6)
    assert desk.lamp("buzzer")["note"] is None
    desk.alerts.close()


def test_screens_are_told_the_whole_melody_while_it_plays_and_may_be_heard() -> None:
    desk = sounding({"turn": melody("C4", "D4"), "dragon": melody("A3", priority=70)})
    desk.show(("turn", "turn"))
    first = desk.lamp("buzzer")["melody"]
    assert (first["tones"][1], first["volume"]) == ({"note": "D4", "for_s": 0.5}, 1.0)
    desk.wait(0.6)
    assert desk.lamp("buzzer")["melody"] == first
    desk.show(("dragon", "hurry"))
    second = desk.lamp("buzzer")["melody"]
    assert [tone["note"] for tone in second["tones"]] == ["A3"]
    assert second["order"] != first["order"]
    desk.alerts.be(Manner(quiet=True))
    desk.wait(0.01)
    assert desk.lamp("buzzer")["melody"] is None
    desk.alerts.close()


def test_melody_that_waited_too_long_is_not_played() -> None:
    desk = sounding({"long": melody(*["C4"] * 5, priority=50), "late": melody("D4")})
    desk.show(("long", "note"), ("late", "note"))
    desk.wait(STALE_S + 0.6)
    assert desk.lamp("buzzer")["note"] is None
    desk.alerts.close()


def test_flood_of_cues_keeps_few_melodies() -> None:
    desk = sounding({"a": melody("C4")})
    for _ in range(100):
        desk.show(("a", "note"))
    assert len(desk.alerts._melodies) <= MELODIES
    desk.alerts.close()
