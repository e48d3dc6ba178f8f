"""The pieces of Troll & Dragon: options, dice, treasure, and the table on which they lie."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from companion.dice import DiceSet, Die
from companion.errors import ConfigError
from companion.games.troll_and_dragon import words
from companion.games.troll_and_dragon.show import show
from companion.table import Player, Table, not_adjustable
from companion.view import View
from companion.words import mark, say, word

PACK: Mapping[str, Any] = tomllib.loads(files(__package__).joinpath("pack.toml").read_text())
DIAMONDS: int = PACK["treasure"]["diamonds"]
GOLD: int = PACK["treasure"]["gold"]
DIAMOND_WORTH: int = PACK["worth"]["diamonds"]
GOLD_WORTH: int = PACK["worth"]["gold"]
OPENERS = ("key", "door")
NUGGETS = {"blank": 0, "gold1": 1, "gold2": 2}
LOW = 5  # pieces in a room from which on people hear that the end is near
WHITE, GOLDEN, RED = (tuple(PACK["dice"][kind]["names"]) for kind in ("white", "gold", "red"))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house rules of Troll & Dragon.

    end_mode             the game ends with one empty room (`either`) or two (`both`).
    reroll_policy        any of the free dice may be rolled again, or all of them must.
    tie_window_s         a "leave" so many seconds after the second Dragon is a photo finish.
    tie_goes_to          who wins a photo finish; `reroll` rolls that Dragon die once more.
    auto_take_gold       nuggets go to the pouch by themselves; otherwise they are claimed.
    sharing              dropped treasure is dealt gold first (`auto`), or everybody picks.
    two_player_hand_cap  diamonds that a lone opponent takes out of the Troll's hand, at most.
    cavern_timeout_s     remind an adventurer whose gold dice lay still for so long; 0 is never.
    first_player         key of who begins; empty for the player named first.
    dice                 faces by kind or die: {"white": ["troll", ...], "red-2": [...]}.
    """

    end_mode: Literal["either", "both"] = "either"
    reroll_policy: Literal["any_free", "all_free"] = "any_free"
    tie_window_s: Annotated[float, msgspec.Meta(ge=0, le=5)] = 0.1
    tie_goes_to: Literal["adventurer", "dragon", "reroll"] = "adventurer"
    auto_take_gold: bool = True
    sharing: Literal["auto", "choose"] = "auto"
    two_player_hand_cap: Annotated[int, msgspec.Meta(ge=0)] = 3
    cavern_timeout_s: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    first_player: str = ""
    dice: dict[str, tuple[str, ...]] = {}


def dice_set(overrides: Mapping[str, tuple[str, ...]]) -> DiceSet:
    """All eight dice, with an owner's faces where given; ConfigError for faces unheard of."""
    known = {name for spec in PACK["dice"].values() for name in spec["names"]} | set(PACK["dice"])
    for name in overrides:
        if name not in known:
            raise ConfigError(
                say(
                    "dice: expected one of {known}, got {name!r}",
                    known=", ".join(sorted(known)),
                    name=name,
                )
            )
    return DiceSet.of(
        Die(name, kind, faces_of(name, kind, overrides), spec["colour"])
        for kind, spec in PACK["dice"].items()
        for name in spec["names"]
    )


def faces_of(name: str, kind: str, overrides: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The six faces of one die: an owner's word for the die, for its kind, or the pack's."""
    usual = PACK["dice"][kind]["faces"]
    faces = overrides.get(name, overrides.get(kind, PACK["faces"].get(name, usual)))
    strange = [face for face in faces if face not in usual]
    if strange or len(faces) != 6:
        raise ConfigError(
            say(
                "dice.{name}: expected six faces out of {known}, got {faces}",
                name=name,
                known=", ".join(dict.fromkeys(usual)),
                faces=", ".join(faces) or "none",
            )
        )
    return tuple(faces)


class Treasure(msgspec.Struct):
    """Diamonds and gold nuggets in one place."""

    diamonds: int = 0
    gold: int = 0

    @property
    def worth(self) -> int:
        """Points at the end of the game."""
        return self.diamonds * DIAMOND_WORTH + self.gold * GOLD_WORTH


class Grotto(msgspec.Struct):
    """The four white dice of this turn: what they show, and which are blocked."""

    faces: dict[str, str] = {}
    blocked: dict[str, str] = {}  # die: "troll", "key" or "door"
    free: tuple[str, ...] = WHITE

    def block(self, die: str) -> None:
        """This die stays as it lies for the rest of the turn."""
        self.blocked[die] = self.faces[die]
        self.free = tuple([other for other in self.free if other != die])

    def keys_and_doors(self) -> tuple[str, ...]:
        """Free dice that show a key or a door."""
        faces = self.faces
        return tuple([die for die in self.free if faces[die] in OPENERS])

    def opens_the_cavern(self) -> bool:
        """True when a key and a door lie aside."""
        aside = self.blocked.values()
        return "key" in aside and "door" in aside


class Cavern(msgspec.Struct):
    """Gold and Dragon dice of this race."""

    faces: dict[str, str] = {}
    unclaimed: int = 0  # nuggets that the gold dice show and nobody has taken yet
    dragons: dict[str, str] = {}  # what each red die shows
    awake: list[str] = []
    roller: str = ""
    race_is_on: bool = False
    gold_at_s: float | None = None  # when the gold dice last came to rest
    reminded: bool = False

    @property
    def asleep(self) -> tuple[str, ...]:
        """Dragon dice that are still rolled."""
        return tuple([die for die in RED if die not in self.awake]) if self.awake else RED


@dataclass
class TrollTable(Table):
    """The table of Troll & Dragon."""

    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.supply = Treasure(DIAMONDS, GOLD)
        self.troll_hand = Treasure()
        self.pouch = Treasure()
        self.packs = {seat: Treasure() for seat in self.seats}
        self.grotto = Grotto()
        self.cavern = Cavern()
        self.phase = "grotto"

    @property
    def counters(self) -> dict[str, int]:
        """Treasure by place, and two counts that follow from the dice."""
        counts = {
            "supply.diamonds": self.supply.diamonds,
            "supply.gold": self.supply.gold,
            "troll_hand.diamonds": self.troll_hand.diamonds,
            "pouch.diamonds": self.pouch.diamonds,
            "pouch.gold": self.pouch.gold,
        }
        for seat, pack in self.packs.items():
            counts[f"pack.{seat}.diamonds"] = pack.diamonds
            counts[f"pack.{seat}.gold"] = pack.gold
        counts["grotto.blocked"] = len(self.grotto.blocked)
        counts["dragon.awake"] = len(self.cavern.awake)
        return counts

    @property
    def scores(self) -> dict[str, int]:
        """The worth of what is safe in the packs."""
        return {seat: pack.worth for seat, pack in self.packs.items()}

    def place_of(self, counter: str) -> Treasure | None:
        """The treasure that a counter counts; None where it is derived from dice."""
        match counter.split("."):
            case ["supply", _]:
                return self.supply
            case ["troll_hand", _]:
                return self.troll_hand
            case ["pouch", _]:
                return self.pouch
            case ["pack", seat, _]:
                return self.packs[seat]
        return None

    def adjust(self, counter: str, value: int) -> None:
        """Set one count of treasure; tell when the sums no longer match the box."""
        place = self.place_of(counter)
        if place is None:
            raise not_adjustable(counter)
        setattr(place, counter.rsplit(".", 1)[1], value)
        self.audit()

    def audit(self) -> None:
        """Tell how much more or less treasure lies on the table than came out of the box."""
        places = [self.supply, self.troll_hand, self.pouch, *self.packs.values()]
        for kind, of_the_box in (("diamonds", DIAMONDS), ("gold", GOLD)):
            n = sum(getattr(place, kind) for place in places) - of_the_box
            if n:
                self.tell(
                    words.AUDIT,
                    "Count again: the table has {surplus:+d} {kind} against the box.",
                    surplus=n,
                    kind=word(words.TREASURES[kind]),
                )

    def label(self, counter: str) -> str:
        """What people call this count."""
        match counter.split("."):
            case ["supply", "diamonds"]:
                return mark("Diamonds in the grotto")
            case ["supply", _]:
                return mark("Gold in the cavern")
            case ["troll_hand", _]:
                return mark("Diamonds in the Troll's hand")
            case ["pouch", kind]:
                return mark("Diamonds at risk") if kind == "diamonds" else mark("Gold at risk")
            case ["pack", seat, kind]:
                return say(
                    "{player}: {what}", player=self.names[seat], what=word(words.TREASURES[kind])
                )
            case ["grotto", _]:
                return mark("Blocked dice")
        return mark("Dragon dice awake")

    def view(self) -> View:
        """The table as a screen shows it."""
        return show(self)


def setup(players: tuple[Player, ...], options: Options) -> TrollTable:
    """Lay out all treasure and dice; the first player begins (rule book: setting up)."""
    table = TrollTable(players, dice_set(options.dice), options=options)
    if options.first_player:
        if options.first_player not in table.seats:
            raise ConfigError(
                say(
                    "first_player: expected one of {seats}, got {first_player!r}",
                    seats=", ".join(table.seats),
                    first_player=options.first_player,
                )
            )
        table.active = options.first_player
    return table
