"""The table as plain JSON for every screen: what lies there, what may happen, what was told.

Everything here is computed from public state by the deciding thread; screens only read it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.actions import Adjusted, Chose, Flipped, Report, Rolled, Waited
from companion.errors import IllegalAction
from companion.inbox import describe
from companion.odds import odds_of, reckons
from companion.offers import Choose, Flip, Offer, Roll
from companion.protocol import offer_fields, outcome_fields
from companion.referee import Referee
from companion.steps import Step, Told
from companion.words import die_name, listed, mark, message, say, spelled, word, word_of


def told_rows(told: Iterable[Told], step: int) -> list[dict[str, Any]]:
    """Sentences with the names that lamps, sounds and styles go by, and what they are made of."""
    return [
        {
            "cue": one.cue.name,
            "family": one.cue.family,
            "title": one.cue.title,
            "text": str(one.text),
            "message": message(one.sentence, one.plural, one.values),
            "step": step,
        }
        for one in told
    ]


def recent_rows(referee: Referee, count: int) -> list[dict[str, Any]]:
    """The latest sentences, oldest first, as far as they may still be said."""
    rows: list[dict[str, Any]] = []
    for step in reversed(referee.history):
        rows[:0] = told_rows(referee.public(step).told, step.number)
        if len(rows) >= count:
            return rows[-count:]
    return (told_rows(referee.opening, 0) + rows)[-count:]


def table_fields(referee: Referee, number: int) -> dict[str, Any]:
    """The public table: game, players, view, offers, outcome; `words` tells what texts mean."""
    table, game = referee.table, referee.game
    fields = {
        "game": {"key": game.key, "title": game.title, "number": number},
        "step": referee.number,
        "active": table.active,
        "phase": table.phase,
        "heading": game.phases.get(table.phase, table.phase),
        "view": table.view(),
        "offers": [offer_row(referee, offer) for offer in referee.offers],
        "faces": {die.name: list(dict.fromkeys(die.faces)) for die in table.dice},
        "outcome": outcome_fields(referee.outcome),
        "undoable": undoable_row(referee),
        "odds": odds_of(table) if reckons(table) else None,
    }
    plain, words = spelled(fields)
    return plain | {"words": words}


def offer_row(referee: Referee, offer: Offer) -> dict[str, Any]:
    """An offer with the words of its button."""
    row = offer_fields(offer, referee.since(offer))
    row["label"] = label_of(referee, offer)
    if isinstance(offer, Choose):
        row["button"] = offer.button
        labels = referee.game.labels
        row["value_labels"] = {
            key_of(value): labels(referee.table, offer.choice, value) for value in offer.values
        }
    if isinstance(offer, Flip) and offer.closed is None:
        row["face_labels"] = face_labels(referee, offer.faces)
    return row


def face_labels(referee: Referee, faces: Iterable[str]) -> dict[str, str]:
    """What people call faces of tiles and cards."""
    return {face: referee.game.labels(referee.table, "flip", face) for face in faces}


def key_of(value: Any) -> str:
    """A value as the key of a JSON object."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def label_of(referee: Referee, offer: Offer) -> str:
    """What the button of an offer says."""
    if isinstance(offer, Choose):
        return referee.game.choices.get(offer.choice, offer.choice.replace("_", " "))
    if isinstance(offer, Roll):
        kinds = dict.fromkeys(referee.table.dice[die].kind for die in offer.dice)
        count = len(offer.dice)
        named = listed([word(kind) for kind in kinds], "{first} and {rest}")
        return say("Roll {n} {kinds} die", "Roll {n} {kinds} dice", n=count, kinds=named)
    return mark("Turn one up") if offer.player else mark("Wait")


def step_row(referee: Referee, step: Step) -> dict[str, Any]:
    """One step of the history as it may be shown now."""
    shown = referee.public(step)
    report = shown.report
    return {
        "step": shown.number,
        "player": shown.player,
        "at_s": report.at_s,
        "within_s": report.within_s,
        "source": report.source,
        "certainty": report.certainty,
        "evidence": report.evidence,
        "action": msgspec.to_builtins(report.action),
        "what": describe_report(referee, report),
        "told": told_rows(shown.told, shown.number),
    }


def undoable_row(referee: Referee) -> dict[str, Any] | None:
    """Which step an undo would take back, in words."""
    number = referee.undoable
    if number is None:
        return None
    step = referee.public(referee.step(number))
    text = describe_report(referee, step.report)
    return {"step": number, "text": text, "by": who_may_undo(referee)}


def who_may_undo(referee: Referee) -> str | None:
    """Who chose or entered the table's last step, and may take it back without the referee."""
    number = referee.undoable
    if number is None or any(not isinstance(s.report.action, Waited)
                             for s in referee.history[number:]):  # fmt: skip
        return None
    report = referee.step(number).report
    if isinstance(report.action, Chose):
        return report.action.player
    way, _, player = report.source.partition(":")
    return player if way == "web" and player in referee.table.seats else None


def said_value(referee: Referee, chose: Chose) -> str:
    """What was chosen: what has parts as the button said it, a name as it is."""
    value = chose.value
    if isinstance(value, dict | list):
        return referee.game.labels(referee.table, chose.choice, value)
    if isinstance(value, str) and value in referee.table.dice:
        return say("({die})", die=die_name(value))
    return f"({referee.table.names.get(str(value), value)})"


def describe_report(referee: Referee, report: Report) -> str:
    """What happened, with names as people say them."""
    names, action = referee.table.names, report.action
    if isinstance(action, Chose):
        choice = referee.game.choices.get(action.choice, action.choice)
        player = names.get(action.player, action.player)
        if action.value is None:
            return say("{player}: {choice}", player=player, choice=word(choice))
        value = said_value(referee, action)
        return say("{player}: {choice} {value}", player=player, choice=word(choice), value=value)
    if isinstance(action, Flipped) and not referee.keeps_secrets:
        face = word_of(referee.game.labels(referee.table, "flip", action.face))
        return say("Turned up: {face}", face=face)
    if isinstance(action, Rolled):
        return say("Roll: {dice}", dice=describe(action))
    if isinstance(action, Adjusted) and action.counter in referee.table.counters:
        label = word_of(referee.table.label(action.counter))
        return say("{counter} set to {value}", counter=label, value=action.value)
    return describe(action)


# --- what may put a refusal right -----------------------------------------------------------------


def remedy_labels(referee: Referee, refusal: IllegalAction) -> dict[str, list[str]]:
    """Words for the remedies of a refusal, under the name that screens look for; {} without any."""
    remedies = refusal.details.get("remedies")
    if not remedies:
        return {}
    return {"remedy_labels": [remedy_label(referee, fields) for fields in remedies]}


def remedy_label(referee: Referee, fields: Mapping[str, Any]) -> str:
    """What a person says by sending this entry."""
    labels, table = referee.game.labels, referee.table
    match fields:
        case {"type": "flipped", "face": face}:
            return say("It shows: {face}", face=word_of(labels(table, "flip", face)))
        case {"type": "correct"}:
            return mark("It was read wrongly the first time")
        case {"type": "chose", "choice": choice}:
            return referee.game.choices.get(choice, choice)
    return str(fields.get("type", ""))
