"""How simulated people play Schatz der Drachen, and how chance has laid the tiles.

What a simulated person remembers lives in her own head: she watches every tile that is turned up,
keeps some of them in mind, and forgets a few from turn to turn.
"""

import random
from collections import Counter
from collections.abc import Sequence

from companion.games.schatz_der_drachen.pieces import (
    GUARD,
    KINDS,
    SETS,
    SPIDER,
    TREASURES,
    TreasureTable,
)
from companion.offers import Choose, Flip, Offer
from companion.players import Chance, Intent

FORGETS = 0.15  # share of what she knows that a person without any memory loses in every turn
THOUGHT_S = (0.6, 1.5)
WANDERS = 0.5  # how often a spider is moved when it may


# --- chance ---------------------------------------------------------------------------------------


def turn_up_tile(chance: Chance, table: TreasureTable, square: str) -> str:
    """The face of the tile that lies on a square, wherever it lay when all were shuffled."""
    if len(chance.hidden.get("tiles", ())) != len(table.squares):
        chance.hidden["tiles"] = shuffled(table, chance.rng)
    faces: dict[str, str] = chance.hidden["tiles"]
    return faces[table.tile_on(square)]


def shuffled(table: TreasureTable, rng: random.Random) -> dict[str, str]:
    """All tiles of the box in any order that fits what the table knows, as in a game taken up.

    By the square where each was laid. Nobody knows any more which of the collected tiles lay where.
    """
    lying = [tile for tile in table.tiles.values() if tile is not None]
    known = {tile: table.remembered[tile] for tile in lying if tile in table.remembered}
    left = Counter({kind: table.left(kind) for kind in KINDS}) - Counter(known.values())
    faces = list(left.elements())
    rng.shuffle(faces)
    collected = [kind for kind in KINDS for _ in range(table.collected(kind))]
    unknown = [tile for tile in lying if tile not in known]
    gone = [tile for tile in table.squares if tile not in lying]
    return known | dict(zip([*unknown, *gone], [*faces, *collected], strict=False))


# --- people ---------------------------------------------------------------------------------------


class TreasureHunter:
    """A person with a memory from 0 (none) to 1 (perfect); None is what the options say."""

    def __init__(self, memory: float | None = None) -> None:
        self.memory = memory
        self.known: dict[str, str] = {}
        self._seen: tuple[int, str, str] | None = None
        self._turn = ""

    def seated(self) -> "TreasureHunter":
        """Another one of the same kind, with a head of her own."""
        return TreasureHunter(self.memory)

    def watch(self, table: TreasureTable, rng: random.Random) -> None:
        """Look at the table: keep in mind what was turned up, forget a little every turn."""
        memory = table.options.memory if self.memory is None else self.memory
        if table.active != self._turn:
            self._turn = table.active
            forgets = FORGETS * (1 - memory)
            self.known = {t: face for t, face in self.known.items() if rng.random() >= forgets}
        if table.latest is not None and table.latest != self._seen:
            self._seen = table.latest
            _, tile, face = table.latest
            if rng.random() < memory:
                self.known[tile] = face

    def __call__(
        self, table: TreasureTable, player: str, offers: Sequence[Offer], rng: random.Random
    ) -> Intent | None:
        """Choose among the offers of `player`; None where others have to say something first."""
        choices = {offer.choice: offer for offer in offers if isinstance(offer, Choose)}
        flips = [offer for offer in offers if isinstance(offer, Flip)]
        delay_s = rng.uniform(*THOUGHT_S)
        for choice in ("move_spider", "move_dragon"):
            if choice in choices:
                to = rng.choice(choices[choice].values) if rng.random() < WANDERS else "stay"
                return Intent(choices[choice], value=to, delay_s=delay_s)
        if "keep" in choices:
            return Intent(choices["keep"], value=rng.choice(choices["keep"].values))
        if "take" in choices:
            return Intent(choices["take"], delay_s=delay_s)
        square = self.next_tile(table, flips[0].squares, rng) if flips else None
        if square is None and "stop" in choices:
            return Intent(choices["stop"], delay_s=delay_s)
        if not flips:
            return None
        return Intent(flips[0], value=square or rng.choice(flips[0].squares), delay_s=delay_s)

    def next_tile(
        self, table: TreasureTable, squares: Sequence[str], rng: random.Random
    ) -> str | None:
        """The square of the tile to turn up next, or None when it is better to stop."""
        up = Counter(table.up.values())
        known = {s: self.known[t] for s in squares if (t := table.tiles[s]) in self.known}
        safe = self.safe_tile(up, known)
        if safe is not None:
            return safe
        unknown = [square for square in squares if square not in known]
        gain = worth(up)
        if not unknown:
            return None
        if gain and not dares(table, up, Counter(known.values()), gain):
            return None
        return rng.choice(unknown)

    def safe_tile(self, up: Counter[str], known: dict[str, str]) -> str | None:
        """A tile that she remembers and that brings something for sure."""
        counts = Counter(known.values())
        wanted = ["ring"] if counts["ring"] else []
        sets = [] if up[GUARD] else [k for k in TREASURES if completes(up, counts, k)]
        dragons = counts[GUARD] if not any(up[kind] for kind in TREASURES) else 0
        best = max(sets, key=lambda kind: SETS[kind], default=None)
        if best is not None and SETS[best] >= dragons:
            wanted.append(best)
        elif dragons:
            wanted.append(GUARD)
        return next((s for kind in wanted for s, face in known.items() if face == kind), None)


def completes(up: Counter[str], known: Counter[str], kind: str) -> bool:
    """True if the next set of a kind can be completed from memory."""
    return known[kind] >= SETS[kind] - up[kind] % SETS[kind]


def worth(up: Counter[str]) -> int:
    """How many tiles a stop would bring now."""
    return sum(up[kind] // size * size for kind, size in SETS.items())


def dares(table: TreasureTable, up: Counter[str], known: Counter[str], gain: int) -> bool:
    """True if an unknown tile promises more than it puts at risk."""
    unseen = {kind: max(0, table.left(kind) - up[kind] - known[kind]) for kind in KINDS}
    total = sum(unseen.values())
    if not total:
        return False
    treasure_up = any(up[kind] for kind in TREASURES)
    ends = unseen[SPIDER] + (unseen[GUARD] if treasure_up else 0)
    ends += sum(unseen[kind] for kind in TREASURES) if up[GUARD] else 0
    brings = unseen["ring"] + (0 if treasure_up else unseen[GUARD])
    if not up[GUARD]:
        brings += sum(
            unseen[kind] * SETS[kind]
            for kind in TREASURES
            if up[kind] % SETS[kind] == SETS[kind] - 1
        )
    return brings > ends * gain
