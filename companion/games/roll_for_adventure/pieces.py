"""The pieces of Roll for Adventure: dice and where they lie, tracks, tiles, and the table."""

from bisect import insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.dice import DiceSet, Die
from companion.games.roll_for_adventure import counts, words
from companion.games.roll_for_adventure.cards import MASTER, Card
from companion.games.roll_for_adventure.options import Options
from companion.games.roll_for_adventure.pack import FACES, PACK, TERRITORIES, Hero, Pack
from companion.games.roll_for_adventure.show import show
from companion.games.roll_for_adventure.sides import Side
from companion.table import Table
from companion.view import View
from companion.words import listed, word

COLOURS = ("red", "blue", "green", "yellow")  # of the seats, in order
BONUS = "grey"
TERRITORY_DIE = "territory"
DICE_OF_A_HERO = 5
BONUS_DICE = 4
ALLIES = {2: 4, 3: 3, 4: 0}  # ally dice that are played with, by number of players
HAND, OBLIVION, RESURRECTION, POOL = "hand", "oblivion", "resurrection", "bonus_pool"
FIRST_BOUNDARY, LAST_BOUNDARY = 6, 9
SECTIONS = ("2", "3", "4")  # of the fortress


def dice_set(players: int, pack: Pack) -> DiceSet:
    """Hero dice of every player, ally dice of the next colour, bonus dice, territory die."""
    numbers = {colour: DICE_OF_A_HERO for colour in COLOURS[:players]}
    if ALLIES[players]:
        numbers[COLOURS[players]] = ALLIES[players]
    numbers[BONUS] = BONUS_DICE
    dice = [
        Die(f"{kind}-{i}", kind, pack.dice[kind].faces, pack.dice[kind].colour)
        for kind, n in numbers.items()
        for i in range(1, n + 1)
    ]
    look = pack.dice[TERRITORY_DIE]
    return DiceSet.of([*dice, Die(TERRITORY_DIE, TERRITORY_DIE, look.faces, look.colour)])


@dataclass
class AdventureTable(Table):
    """The table of Roll for Adventure.

    lies     where each die lies: a place, `hand`, `board.ann`, `oblivion`, `bonus_pool`.
    shows    the face that is up where it counts, None elsewhere.
    rolls    how often the active player has rolled in this turn.
    waits    True from a roll until dice of it have been placed.
    spent    values of this roll that have been placed already, and where.
    """

    options: Options = field(default_factory=Options)
    pack: Pack = PACK
    sides: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Side] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    heroes: Mapping[str, Hero] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.colour_of = {die.name: die.kind for die in self.dice if die.kind != TERRITORY_DIE}
        self.colours = tuple(dict.fromkeys(self.colour_of.values()))  # in play, bonus dice last
        self.seat_of = dict(zip(COLOURS, self.seats, strict=False))
        self.ally = next((c for c in self.colours if c != BONUS and c not in self.seat_of), "")
        self.damage = dict.fromkeys(TERRITORIES, 0)
        self.permanent = dict.fromkeys(TERRITORIES, 0)
        self.stones, self.stones_needed = 0, self.pack.boards[self.options.board]
        self.full_barriers = 2 if self.sides["fortress"] == "b" else 1
        self.barriers = dict.fromkeys(SECTIONS, self.full_barriers)
        self.forest_boundary = FIRST_BOUNDARY
        self.chain_done = [False] * len(self.pack.desert_b.lines)
        self.deck = list(self.cards)
        self.enemies: list[str] = []  # face up, the oldest first
        self.discard: list[str] = []
        self.revealed = ""  # the card whose attack is being dealt with
        self.faces_of_places = {
            place: faces for t in TERRITORIES for place, faces in self.rules[t].faces(self).items()
        }
        self.faces_of_places[RESURRECTION] = FACES
        self.lies: dict[str, str] = {}
        self.on: dict[str, list[str]] = {}  # the same, by place
        self.shows: dict[str, str | None] = dict.fromkeys(self.colour_of)
        self.rolls, self.waits, self.spent = 0, False, dict[str, str]()
        self.used_ability, self.used_ability_in_roll = 0, 0
        self.territory_die: str | None = None
        self.question = ""  # which part of the table the decision is about
        self.deal_the_dice()
        self.phase = "roll"

    def deal_the_dice(self) -> None:
        """Five dice for each hero, ally dice in equal shares, bonus dice on the ice cave."""
        allies = [die for die, colour in self.colour_of.items() if colour == self.ally]
        share = len(allies) // len(self.seats)
        for die, colour in self.colour_of.items():
            if colour == BONUS:
                self.put([die], POOL)
            elif colour == self.ally:
                self.put([die], board_of(self.seats[allies.index(die) // share]))
            else:
                self.put([die], board_of(self.seat_of[colour]))

    # --- where dice lie ---------------------------------------------------------------------------

    def at(self, place: str) -> list[str]:
        """The dice on a place, in the order of their names."""
        return [*self.on.get(place, ())]

    def showing(self, place: str, face: str) -> list[str]:
        """The dice on a place that show a face."""
        return [die for die in self.on.get(place, ()) if self.shows[die] == face]

    def total(self, place: str) -> int:
        """The sum of what the dice on a place show."""
        return sum(int(self.shows[die] or 0) for die in self.at(place))

    def home(self, die: str) -> str:
        """Where a die returns: its owner's board; allies to whose turn it is; bonus dice away."""
        colour = self.colour_of[die]
        if colour == BONUS:
            return POOL
        return board_of(self.seat_of.get(colour, self.active))

    @property
    def to_roll(self) -> list[str]:
        """Dice that the active player rolls next: all on the board once, then what is left."""
        return self.at(HAND) if self.rolls else self.at(board_of(self.active))

    @property
    def in_hand(self) -> dict[str, int]:
        """How many dice in hand show each face that may still be placed, in order of the faces."""
        shown = [self.shows[die] for die in self.at(HAND)]
        return {f: shown.count(f) for f in FACES if f in shown and f not in self.spent}

    # --- dice on the move -------------------------------------------------------------------------

    def put(self, dice: Iterable[str], place: str) -> None:
        """Lay dice on a place, as they are."""
        for die in dice:
            if die in self.lies:
                self.on[self.lies[die]].remove(die)
            self.lies[die] = place
            insort(self.on.setdefault(place, []), die)

    def put_away(self, dice: Iterable[str], place: str | None = None) -> None:
        """Lay dice where no face counts: on a given place, or where they return."""
        for die in dice:
            self.put([die], place or self.home(die))
            self.shows[die] = None

    def give_back(self, dice: Iterable[str]) -> None:
        """Return dice to their owners, who do not roll them before their next turn."""
        dice = list(dice)
        self.put_away(dice)
        bonus = [die for die in dice if self.colour_of[die] == BONUS]
        if len(dice) > len(bonus):
            self.tell(
                words.DICE_RETURNED,
                "{n} die comes back; it rests until its owner's next turn.",
                "{n} dice come back; they rest until their owners' next turns.",
                n=len(dice) - len(bonus),
            )
        if bonus:
            self.tell(
                words.BONUS_RETURNED,
                "{n} bonus die has been used; put it back.",
                "{n} bonus dice have been used; put them back.",
                n=len(bonus),
            )

    def lose(self, dice: Iterable[str]) -> None:
        """An attack sucks dice into Oblivion, unless the hero's ability saves her own."""
        for die in dice:
            mine = self.seat_of.get(self.colour_of[die]) == self.active
            if mine and self.hero.hook == "ignore_own_loss" and self.may_use_ability:
                self.use_ability()
                self.give_back([die])
            else:
                self.sacrifice([die])

    def sacrifice(self, dice: Iterable[str]) -> None:
        """Dice go to Oblivion, and nothing saves them."""
        dice = list(dice)
        self.put_away(dice, OBLIVION)
        self.tell(
            words.DICE_LOST,
            "{n} die is lost to Oblivion ({colours}).",
            "{n} dice are lost to Oblivion ({colours}).",
            n=len(dice),
            colours=listed([word(self.colour_of[die]) for die in dice]) if dice else "",
        )

    # --- enemies ----------------------------------------------------------------------------------

    def reveal(self, card: str) -> Card:
        """Turn up the top card."""
        self.deck.remove(card)
        self.revealed = card
        return self.cards[card]

    def enemies_on(self, where: str) -> list[str]:
        """Enemies on a territory, or beside the adventure board (`side`), the oldest first."""
        return [card for card in self.enemies if self.cards[card].lies_on == where]

    def put_master_back(self) -> None:
        """The Master of Shadows is shuffled back into what is left of the deck."""
        order = list(self.cards)
        self.deck = sorted([*self.deck, MASTER], key=order.index)

    # --- damage -----------------------------------------------------------------------------------

    def holes(self, territory: str) -> int:
        """Steps of the skull, from the first hole to the last that is left, which loses."""
        return max(0, self.pack.holes(territory) - self.permanent[territory])

    # --- heroes -----------------------------------------------------------------------------------

    @property
    def may_use_ability(self) -> bool:
        """True while the active hero's ability is not used up."""
        match self.hero.limit:
            case "turn":
                return self.used_ability == 0
            case "roll":
                return self.used_ability_in_roll == 0
        return True

    def use_ability(self) -> None:
        """Count one use of the ability, and say so."""
        self.used_ability += 1
        self.used_ability_in_roll += 1
        used = "{player} uses the ability of the {hero}."
        self.tell(words.ABILITY, used, player=self.name, hero=word(self.hero.name))

    # --- what everybody can read off --------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the active player is called."""
        return self.names[self.active]

    @property
    def hero(self) -> Hero:
        """The active player's hero."""
        return self.heroes[self.active]

    @property
    def counters(self) -> dict[str, int]:
        """Stones, damage, dice by place and colour, tiles, and the deck's height."""
        return counts.counters(self)

    @property
    def signs(self) -> dict[str, int]:
        """Territories that fall at the next damage."""
        return {"last_holes": sum(self.holes(t) - self.damage[t] == 1 for t in TERRITORIES)}

    def adjust(self, counter: str, value: int) -> None:
        """Set a count by hand; dice move from and to the hero boards they would return to."""
        counts.adjust(self, counter, value)
        if self.phase == "ability":
            by_ability = "{player}'s ability: {counter} is {value}."
            label = self.label(counter)
            self.tell(words.ABILITY, by_ability, player=self.name, counter=label, value=value)
        if self.phase in ("roll", "place", "reveal"):
            self.phase = self.heading()

    def heading(self) -> str:
        """What is waited for in the dice phase of a turn."""
        if self.waits and self.in_hand:
            return "place"
        return "roll" if self.to_roll else "reveal"

    def label(self, counter: str) -> str:
        """What people call this count."""
        return counts.label(self, counter)

    def view(self) -> View:
        """The table as a screen shows it."""
        return show(self)


def board_of(seat: str) -> str:
    """The place of dice that lie on somebody's hero board."""
    return f"board.{seat}"
