"""How good a table of Roll for Adventure looks to somebody who looks over all of it.

The weights were found by an evolution strategy that let four people play some hundred thousand
games with all A sides; B sides use their likes. Only differences of a worth mean something.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.games.roll_for_adventure.pack import TERRITORIES
from companion.games.roll_for_adventure.pieces import OBLIVION, RESURRECTION
from companion.players.adventure_outlook import Outlook

STONE = 25.4
DAMAGE = (50.0, 11.3, 7.2, 2.0, 1.6)  # a step of the skull, with 1, 2 ... holes left before it
SECTION_1 = (0.0, 0.7, 1.6)  # dice in the desert's sections
SECTION_2 = (0.0, 1.5, 5.5)
BARRIERS = (0.0, 3.5, 3.6)  # barriers down
SECTION = (0.0, -0.3, -0.5, 0.5)  # dice in a section of the fortress
PATH, PATH_SQUARED = 2.1, 6.1  # times the part of a path, or of a task, that is done
ICE = (0.0, 0.4, 1.0, 2.1, 3.3, 5.6)
CHAIN = 2.5
ENEMY = {1: 2.0, 2: 1.2, 3: 0.7}  # lower ranks are commanded again more often
LOST = 0.7  # a die in Oblivion
FREEING = 0.12  # each pip on the Vortex of Resurrection, for each die in Oblivion
DEVOURED = 1.1
READY, LATER, NEXT_HAS_DICE = 1.0, 0.31, 0.8  # dice on boards, less for whose turn is far away
IN_HAND = 1.8
EXPOSED, UNMANNED = 0.64, 0.12  # what an attack that is expected costs, with dice and without


class Prospect(NamedTuple):
    """How one territory looks.

    worth    of what has been done there, less what damage has cost.
    dice     that an attack can reach, of which it takes so many `at_once`.
    step     what the next damage would cost.
    """

    worth: float
    dice: int
    at_once: int
    step: float


def worth(outlook: Outlook) -> float:
    """How good the table looks."""
    lost = outlook.count(OBLIVION)
    good = STONE * outlook.stones + IN_HAND * outlook.hand + worth_of_boards(outlook)
    good += sum(prospect(outlook, territory).worth for territory in TERRITORIES)
    good += FREEING * min(outlook.totals[RESURRECTION], 9) * min(lost, 8)
    ranks = (outlook.table.cards[card].rank for card in outlook.enemies)
    bad = sum(ENEMY.get(rank or 0, 1.0) for rank in ranks)
    bad += LOST * lost + DEVOURED * outlook.count("desert-3")
    return good - bad - worth_of_danger(outlook)


def prospect(outlook: Outlook, territory: str) -> Prospect:
    """How a territory looks; looked at once, until something changes there."""
    if territory not in outlook.seen:
        holes = outlook.table.holes(territory)
        left = max(0, holes - outlook.damage[territory])
        done = sum(DAMAGE[min(n, 5) - 1] for n in range(left + 1, holes + 1))
        progress = PROGRESS[territory, outlook.table.sides[territory]](outlook)
        step = DAMAGE[min(left, 5) - 1] if left else DAMAGE[0]
        outlook.seen[territory] = Prospect(progress - done, *exposed(outlook, territory), step)
    looks: Prospect = outlook.seen[territory]
    return looks


# --- what has been done ---------------------------------------------------------------------------


def progress_desert_a(outlook: Outlook) -> float:
    """Dice in both sections."""
    return (
        SECTION_1[min(outlook.count("desert-1"), 2)] + SECTION_2[min(outlook.count("desert-2"), 2)]
    )


def progress_desert_b(outlook: Outlook) -> float:
    """Chains that are closed, and parts of the others."""
    done_so_far = 0.0
    for done, line in zip(outlook.chains, outlook.table.pack.desert_b.lines, strict=True):
        part = sum(outlook.count(f"desert-b-{space}") > 0 for space in line) / len(line)
        done_so_far += CHAIN * (1.0 if done else 0.5 * part * part)
    return done_so_far


def progress_fortress_a(outlook: Outlook) -> float:
    """Barriers down, and dice before the others."""
    down = list(outlook.barriers.values()).count(0)
    return BARRIERS[min(down, 2)] + sum(
        SECTION[min(outlook.count(f"fortress-{section}"), 3)] for section in outlook.barriers
    )


def progress_fortress_b(outlook: Outlook) -> float:
    """Each section's part of twelve dice, as if it were a path."""
    done_so_far = 0.0
    for section, standing in outlook.barriers.items():
        part = ((0, 3, 7)[2 - standing] + outlook.count(f"fortress-{section}")) / 12
        done_so_far += PATH * part + PATH_SQUARED * part * part
    return done_so_far


def progress_forest_a(outlook: Outlook) -> float:
    """The part of the path that is done."""
    part = outlook.on_path / outlook.boundary if outlook.boundary else 0.0
    return PATH * part + PATH_SQUARED * part * part


def progress_forest_b(outlook: Outlook) -> float:
    """The part of the arch that is done."""
    part = outlook.on_path / (outlook.table.pack.forest_b.spaces + 1)
    return PATH * part + PATH_SQUARED * part * part


def progress_ice_a(outlook: Outlook) -> float:
    """Dice in the row."""
    return ICE[min(outlook.in_the_ice, 5)]


def progress_ice_b(outlook: Outlook) -> float:
    """Parts of the lines."""
    lines = outlook.table.pack.ice_b.lines
    parts = [sum(outlook.count(f"ice-b-{c}") for c in one.cells) / len(one.cells) for one in lines]
    return sum(part * part for part in parts)


PROGRESS: Mapping[tuple[str, str], Callable[[Outlook], float]] = {
    ("desert", "a"): progress_desert_a,
    ("desert", "b"): progress_desert_b,
    ("fortress", "a"): progress_fortress_a,
    ("fortress", "b"): progress_fortress_b,
    ("forest", "a"): progress_forest_a,
    ("forest", "b"): progress_forest_b,
    ("ice", "a"): progress_ice_a,
    ("ice", "b"): progress_ice_b,
}

# --- what will happen -----------------------------------------------------------------------------


def worth_of_boards(outlook: Outlook) -> float:
    """Dice that can be rolled soon."""
    at_once = NEXT_HAS_DICE if outlook.boards[0] else 0.0
    return at_once + sum(READY * (1 - LATER * turns) * n for turns, n in enumerate(outlook.boards))


def worth_of_danger(outlook: Outlook) -> float:
    """What the next attacks will cost."""
    cost = 0.0
    for territory, attacks in expected(outlook).items():
        _, dice, at_once, step = prospect(outlook, territory)
        held = max(1.0, dice / at_once) if dice else 0.0
        cost += UNMANNED * max(0.0, attacks - held) * step + EXPOSED * attacks * at_once
    return cost


def expected(outlook: Outlook) -> dict[str, float]:
    """Attacks on each territory when the next card is revealed."""
    attacks = dict(outlook.attacks)
    for card_id in outlook.enemies:
        card = outlook.table.cards[card_id]
        again = outlook.higher.get(card.rank or 0, outlook.higher[3])
        if card.effect == "territory":
            attacks[card.territory] += again
        elif card.effect == "phantom":
            for territory in TERRITORIES:
                attacks[territory] += again / 3
    return attacks


def exposed(outlook: Outlook, territory: str) -> tuple[int, int]:
    """Dice that an attack can reach, and how many of them one attack takes."""
    match territory, outlook.table.sides[territory]:
        case "desert", "a":
            dice = outlook.count("desert-1")
            return dice, min(dice, 1)
        case "desert", _:
            dice = sum(outlook.count(place) for place in outlook.table.pack.desert_b.places)
            return dice, min(dice, 2)
        case "fortress", _:
            sections = [outlook.count(f"fortress-{section}") for section in outlook.barriers]
            return sum(sections), sum(n > 0 for n in sections)
        case "forest", _:
            arms = outlook.count("forest.5"), outlook.count("forest.6")
            return sum(arms), sum(n > 0 for n in arms)
    return outlook.in_the_ice, min(outlook.in_the_ice, 1)
