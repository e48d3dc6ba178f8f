"""A desk without a table behind it: enough of one to look at, tap on, and be refused by."""

import copy
import threading
from typing import Any

import msgspec

from companion.actions import Adjusted, Chose, Entry, Rolled, Undo
from companion.errors import IllegalAction, StaleTap
from companion.steps import FAMILIES
from companion.view import Counter, DiceShown, DieShown, Pile, Track, View, Zone
from web.feed import Feed

WHITE, GOLD, RED = "#f4f1e8", "#d9a520", "#b3202a"
GROTTO_FACES = ["troll", "troll", "diamond", "diamond", "key", "door"]
GOLD_FACES = ["blank", "blank", "blank", "blank", "gold1", "gold2"]
RED_FACES = ["dragon", "blank", "blank", "blank", "blank", "blank"]
FACES = {
    **{f"white-{n}": GROTTO_FACES for n in (1, 2, 3, 4)},
    **{f"gold-{n}": GOLD_FACES for n in (1, 2)},
    **{f"red-{n}": RED_FACES for n in (1, 2)},
}
LAMPS = [
    ("bar-1", "Troll 1", "#ff5a36"),
    ("bar-2", "Troll 2", "#ff5a36"),
    ("bar-3", "Troll 3", "#ff5a36"),
    ("bar-4", "Troll 4", "#ff5a36"),
    ("troll", "Troll", "#9be24a"),
    ("dragon", "Dragon", "#ff3b1f"),
    ("treasure", "Treasure", "#ffd23c"),
    ("turn", "Your turn", "#4fb4ff"),
    ("refused", "Refused", "#ff8ad0"),
]


def counter(name: str, label: str, value: int, icon: str) -> Counter:
    return Counter(name, label, value, icon)


def treasure(name: str, label: str, diamonds: int, gold: int) -> Pile:
    counters = (
        counter(f"{name}.diamonds", "diamonds", diamonds, "diamond"),
        counter(f"{name}.gold", "gold", gold, "gold"),
    )
    return Pile(name, label, counters, worth=diamonds + 3 * gold)


def die(name: str, face: str | None, status: str = "free", label: str = "") -> DieShown:
    kind = name.split("-")[0]
    colour = {"white": WHITE, "gold": GOLD, "red": RED}[kind]
    return DieShown(name, kind, face, status, label or (face or "not rolled").capitalize(), colour)


def zones(dice: dict[str, DieShown], lit: str, packs: dict[str, tuple[str, int, int]]) -> tuple:
    row = lambda kind: tuple(d for d in dice.values() if d.kind == kind)  # noqa: E731
    blocked = sum(d.status in ("blocked", "aside") for d in row("white"))
    supply = counter("supply.diamonds", "diamonds", 41, "diamond")
    gold = counter("supply.gold", "nuggets", 37, "gold")
    return (
        Zone(
            "grotto",
            "Diamond Grotto",
            (
                DiceShown("grotto", "White dice", row("white")),
                Pile("supply.diamonds", "Still in the grotto", (supply,)),
                Track("troll", "The Troll comes nearer:", blocked, 4),
            ),
            lit=lit == "grotto",
        ),
        Zone(
            "cavern",
            "Treasure Cavern",
            (
                DiceShown("cavern", "Gold dice", row("gold")),
                Pile("supply.gold", "Still in the cavern", (gold,)),
            ),
            lit=lit == "cavern",
        ),
        Zone(
            "dragon",
            "The sleeping Dragon",
            (DiceShown("dragon", "Red dice", row("red")),),
            lit=lit == "cavern",
        ),
        Zone(
            "pouch", "At risk", (treasure("pouch", "In the pouch", 3, 2 if lit == "cavern" else 0),)
        ),
        Zone(
            "troll",
            "Troll’s Hand",
            (
                Pile(
                    "troll_hand",
                    "Taken so far",
                    (counter("troll_hand.diamonds", "diamonds", 7, "diamond"),),
                ),
            ),
        ),
        *(
            Zone(
                f"pack.{key}", f"{name}’s pack", (treasure(f"pack.{key}", "Pack", d, g),), owner=key
            )
            for key, (name, d, g) in packs.items()
        ),
    )


GROTTO_DICE = {
    d.name: d
    for d in (
        die("white-1", "key", "aside", "Key, set aside"),
        die("white-2", "troll", "blocked", "Troll, blocked"),
        die("white-3", "door", "free", "Door"),
        die("white-4", "diamond", "free", "Diamond"),
        die("gold-1", None),
        die("gold-2", None),
        die("red-1", None),
        die("red-2", None),
    )
}
RACE_DICE = {
    d.name: d
    for d in (
        die("white-1", "key", "aside", "Key"),
        die("white-2", "troll", "blocked", "Troll"),
        die("white-3", "door", "aside", "Door"),
        die("white-4", "diamond", "free", "Diamond"),
        die("gold-1", "gold2", "free", "Two nuggets"),
        die("gold-2", "gold1", "free", "One nugget"),
        die("red-1", "dragon", "awake", "One eye open"),
        die("red-2", "blank", "free", "Blank"),
    )
}
TOLD = [
    ("turn", "turn", "Your turn", "Bo begins the turn."),
    ("treasure", "good", "Treasure!", "Bo finds 2 diamonds."),
    ("safe", "good", "Safe!", "Bo leaves with 2 diamonds."),
    ("turn", "turn", "Your turn", "Ann begins the turn."),
    ("troll_face", "hurry", "A Troll!", "A Troll blocks white-2."),
    ("treasure", "good", "Treasure!", "Ann finds 3 diamonds in the grotto."),
    ("aside", "note", "Set aside", "Ann sets the key on white-1 aside."),
]
PACKS = {"ann": ("Ann", 10, 5), "bo": ("Bo", 22, 1), "cy": ("Cyrano", 6, 3), "dee": ("Dee", 3, 0)}


class DemoDesk:
    """Answers like a table would; `throw` and `leave` move it on, everything else is refused."""

    def __init__(self, *, scene: str = "grotto", names: dict[str, str] | None = None) -> None:
        self.feed = Feed(boot="demo")
        self.asked: list[tuple[str, Any]] = []
        self.step = 12
        self.scene = scene
        self.names = names or {}
        self.people: set[str] = set()
        self.dice = dict(GROTTO_DICE if scene == "grotto" else RACE_DICE)
        self.packs = {k: (self.names.get(k, n), d, g) for k, (n, d, g) in PACKS.items()}
        self.told = [self._told(*t, step=5 + n) for n, t in enumerate(TOLD)]
        self.outcome: dict[str, Any] | None = None
        self.moving: list[str] = []
        self.questions: list[dict[str, Any]] = []
        self._lock = threading.RLock()
        if scene == "over":
            self._end()
        self.publish([])

    def _told(self, cue: str, family: str, title: str, text: str, *, step: int) -> dict[str, Any]:
        assert family in FAMILIES
        return {"cue": cue, "family": family, "title": title, "text": text, "step": step}

    def snapshot(self) -> dict[str, Any]:
        with self._lock:
            return copy.deepcopy(self._snapshot())

    def _snapshot(self) -> dict[str, Any]:
        lit = "" if self.outcome else ("grotto" if self.scene == "grotto" else "cavern")
        heading = {"grotto": "The Diamond Grotto", "race": "The Treasure Cavern"}
        view = View("Troll & Dragon", "", zones(self.dice, lit, self.packs))
        return {
            "game": {"key": "troll_and_dragon", "title": "Troll & Dragon", "number": 3},
            "step": self.step,
            "active": "ann",
            "phase": self.scene,
            "heading": heading.get(self.scene, "The game is over"),
            "players": [
                {"key": k, "name": n, "person": k in self.people, "score": d + 3 * g}
                for k, (n, d, g) in self.packs.items()
            ],
            "view": msgspec.json.decode(msgspec.json.encode(view)),
            "offers": [] if self.outcome else self._offers(),
            "faces": FACES,
            "told": self.told[-40:],
            "outcome": self.outcome,
            "lamps": self.lamps(0.9),
            "sources": [
                {"name": "camera:adventurer", "label": "Tray camera", "state": "ok", "detail": ""},
                {"name": "dice", "label": "Red dice", "state": "silent", "detail": "for 2 s"},
            ],
            "questions": self.questions,
            "simulated": True,
            "undoable": {"step": self.step, "text": "Ann set the key aside"},
            "moving": self.moving,
            "clock_s": 123.4,
        }

    def lamps(self, level: float) -> list[dict[str, Any]]:
        lit = {"bar-1", "bar-2", "turn"} if self.scene == "grotto" else {"dragon", "treasure"}
        return [
            {"name": n, "label": label, "colour": c, "level": level if n in lit else 0.0}
            for n, label, c in LAMPS
        ]

    def _offers(self) -> list[dict[str, Any]]:
        closed = {"code": "no_door", "message": "A door opens the cavern only beside a key."}
        if self.scene == "grotto":
            return [
                {
                    "type": "roll",
                    "player": "ann",
                    "dice": ["white-3", "white-4"],
                    "at_least": 1,
                    "since": 12,
                    "label": "Roll the dice",
                },
                {
                    "type": "choose",
                    "player": "ann",
                    "choice": "set_aside",
                    "values": ["white-3"],
                    "value_labels": {"white-3": "the door on white-3"},
                    "since": 12,
                    "label": "Set aside",
                },
                {
                    "type": "choose",
                    "player": "ann",
                    "choice": "leave",
                    "values": [],
                    "since": 12,
                    "label": "I’m leaving!",
                    "button": True,
                },
                {
                    "type": "choose",
                    "player": "ann",
                    "choice": "claim",
                    "values": [],
                    "since": 12,
                    "label": "Claim the gold",
                    "closed": closed,
                    "button": True,
                },
                {
                    "type": "roll",
                    "player": "ann",
                    "dice": ["gold-1", "gold-2"],
                    "at_least": 1,
                    "since": 12,
                    "label": "Roll 2 gold dice",
                    "closed": {"code": "cavern_shut", "message": "The cavern is shut."},
                },
            ]
        return [
            {
                "type": "roll",
                "player": "ann",
                "dice": ["gold-1", "gold-2"],
                "at_least": 2,
                "since": 11,
                "label": "Roll the gold dice",
            },
            {
                "type": "choose",
                "player": "ann",
                "choice": "leave",
                "values": [],
                "since": 10,
                "label": "I’m leaving!",
                "button": True,
                "overtakes": True,
            },
            {
                "type": "roll",
                "player": "bo",
                "dice": ["red-2"],
                "at_least": 1,
                "since": 12,
                "label": "Roll for the Dragon",
            },
            {"type": "wait", "until_s": 200.0},
        ]

    def publish(self, told: list[dict[str, Any]], refused: dict[str, Any] | None = None) -> None:
        data = {"told": told, "refused": refused, "snapshot": self.snapshot()}
        self.feed.publish("table", data, self.step)

    def tell(self, cue: str, family: str, title: str, text: str) -> None:
        with self._lock:
            self.step += 1
            told = self._told(cue, family, title, text, step=self.step)
            self.told.append(told)
            self.publish([told])

    def act(
        self, entry: Entry, *, step: int | None, player: str | None, arrived_s: float | None = None
    ) -> dict[str, Any]:
        with self._lock:
            self.asked.append(("act", (entry, step, player, arrived_s)))
            if step is not None and step < self.step - 3:
                raise StaleTap("stale_tap", "That offer has left the table.")
            match entry:
                case Chose(choice="leave"):
                    self.tell("safe", "good", "Safe!", f"{player} leaves with the treasure.")
                case Rolled(faces=faces):
                    self._show(faces)
                case Undo():
                    self.tell("undone", "note", "Taken back", "The last step is taken back.")
                case Adjusted():
                    raise IllegalAction("not_adjustable", "That is only derived.", counter="x")
                case _:
                    raise IllegalAction("not_offered", "That cannot be done now.")
            return {"step": self.step}

    def _show(self, faces: dict[str, str]) -> None:
        for name, face in faces.items():
            self.dice[name] = die(name, face)
        self.tell("rolled", "note", "Rolled", "Ann rolled " + ", ".join(faces.values()) + ".")

    def throw(self, player: str, dice: list[str], *, step: int | None) -> dict[str, Any]:
        self.asked.append(("throw", (player, dice, step)))
        if player not in self.packs:
            raise IllegalAction("not_offered", "Nobody of that name rolls now.")
        self._show({name: "diamond" if "white" in name else "blank" for name in dice})
        return {"step": self.step}

    def take_seat(self, player: str) -> dict[str, Any]:
        return self._seat(player, True)

    def leave_seat(self, player: str) -> dict[str, Any]:
        return self._seat(player, False)

    def _seat(self, player: str, person: bool) -> dict[str, Any]:
        if player not in self.packs:
            raise IllegalAction("unknown_player", f"Nobody here is called {player!r}.")
        (self.people.add if person else self.people.discard)(player)
        self.publish([])
        return {"player": player, "person": person}

    def new_game(self) -> dict[str, Any]:
        if self.outcome is None:
            raise IllegalAction("not_over", "This game is not over yet.")
        self.scene, self.outcome, self.dice = "grotto", None, dict(GROTTO_DICE)
        self.tell("turn", "turn", "Your turn", "Ann begins the turn.")
        return {"game": 4}

    def _end(self) -> None:
        self.outcome = {
            "winners": ["ann"],
            "scores": {k: d + 3 * g for k, (_, d, g) in self.packs.items()},
            "why": "Ann and Bo carry 25 each; Ann has more gold.",
        }

    def now_s(self) -> float:
        return 123.5
