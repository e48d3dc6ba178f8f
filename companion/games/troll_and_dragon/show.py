"""What the screens show of Troll & Dragon: two rooms, their dice, and everybody's pack."""

from typing import TYPE_CHECKING

from companion.games.troll_and_dragon import words
from companion.view import Counter, DiceShown, DieShown, Pile, Track, View, Zone
from companion.words import say, word

if TYPE_CHECKING:
    from companion.games.troll_and_dragon.pieces import TrollTable

FACE_NAMES = {
    "troll": "Troll",
    "diamond": "Diamond",
    "key": "Key",
    "door": "Door",
    "blank": "Blank",
    "gold1": "One nugget",
    "gold2": "Two nuggets",
    "dragon": "Dragon",
    None: "Not rolled yet",
}
LYING = {"blocked": "{face}, blocked", "aside": "{face}, set aside", "awake": "{face}, awake"}


def show(table: "TrollTable") -> View:
    """Lay out the whole table."""
    heading = words.PHASES[table.phase]
    packs = (pack(table, seat) for seat in table.seats)
    return View("Troll & Dragon", heading, (grotto(table), cavern(table), dragon(table), *packs))


def counter(table: "TrollTable", name: str, icon: str) -> Counter:
    """One count of treasure."""
    return Counter(name, table.label(name), table.counters[name], icon)


def die(table: "TrollTable", name: str, face: str | None, status: str) -> DieShown:
    """One die, with the words a person would use for it."""
    spec = table.dice[name]
    shown = word(FACE_NAMES[face])
    label = say(LYING[status], face=shown) if status in LYING else shown
    return DieShown(name, spec.kind, face, status, label, spec.colour)


def grotto(table: "TrollTable") -> Zone:
    """The white dice, the Troll's approach, and the diamonds that are left."""
    lying = table.grotto
    status = {name: "blocked" if why == "troll" else "aside" for name, why in lying.blocked.items()}
    dice = tuple(
        die(table, spec.name, lying.faces.get(spec.name), status.get(spec.name, "free"))
        for spec in table.dice.kinds()["white"]
    )
    parts = (
        counter(table, "supply.diamonds", "diamond"),
        DiceShown("white", "Grotto dice", dice),
        Track("troll", "The Troll comes closer", len(lying.blocked), len(dice)),
        counter(table, "troll_hand.diamonds", "diamond"),
    )
    return Zone("grotto", words.PHASES["grotto"], parts, lit=table.phase == "grotto")


def cavern(table: "TrollTable") -> Zone:
    """The gold dice, the gold that is left, and what the adventurer carries at risk."""
    dice = tuple(
        die(table, spec.name, table.cavern.faces.get(spec.name), "free")
        for spec in table.dice.kinds()["gold"]
    )
    at_risk = Pile(
        "pouch",
        say("{player} carries at risk", player=table.names[table.active]),
        (counter(table, "pouch.diamonds", "diamond"), counter(table, "pouch.gold", "gold")),
        table.pouch.worth,
    )
    parts = (counter(table, "supply.gold", "gold"), DiceShown("gold", "Cavern dice", dice), at_risk)
    return Zone("cavern", words.PHASES["cavern"], parts, lit=table.phase == "cavern")


def dragon(table: "TrollTable") -> Zone:
    """The red dice and how far the Dragon is from waking."""
    race = table.cavern
    dice = tuple(
        die(
            table,
            spec.name,
            race.dragons.get(spec.name),
            "awake" if spec.name in race.awake else "free",
        )  # fmt: skip
        for spec in table.dice.kinds()["red"]
    )
    parts = (
        DiceShown("red", "Dragon dice", dice),
        Track("dragon", "The Dragon wakes", len(race.awake), len(dice)),
    )
    lit = race.race_is_on or table.phase == "photo_finish"
    return Zone("dragon", "The Dragon", parts, lit=lit)


def pack(table: "TrollTable", seat: str) -> Zone:
    """What one adventurer has brought to safety."""
    counters = (
        counter(table, f"pack.{seat}.diamonds", "diamond"),
        counter(table, f"pack.{seat}.gold", "gold"),
    )
    pile = Pile(f"pack.{seat}", "Pack", counters, table.packs[seat].worth)
    return Zone(f"pack.{seat}", table.names[seat], (pile,), seat, lit=seat == table.active)
