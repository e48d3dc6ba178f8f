"""What the screens show of Roll for Adventure: four territories, enemies, vortexes, hero boards."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.games.roll_for_adventure import words
from companion.games.roll_for_adventure.cards import ENOUGH
from companion.games.roll_for_adventure.pack import FACES, TERRITORIES, IceLine
from companion.view import Card, Component, Counter, DiceShown, DieShown, Track, View, Zone
from companion.words import say, word

if TYPE_CHECKING:
    from companion.games.roll_for_adventure.pieces import AdventureTable

SPACE = "#cfc8b8"  # where a die may lie and none does
PLACEHOLDER = " (placeholder)"
INVENTED_BOARDS = {"desert": "desert_b", "forest": "forest_b", "ice": "ice_b"}


def show(table: "AdventureTable") -> View:
    """Lay out the whole table."""
    heading = words.PHASES[table.phase]
    if table.question:
        question = words.question_name(table.question)
        heading = say("{heading} {question}", heading=word(heading), question=question)
    zones = [adventure(table), hand(table), *(territory(table, t) for t in TERRITORIES)]
    boards = (hero_board(table, seat) for seat in table.seats)
    vortexes = (oblivion(table), resurrection(table))
    return View("Roll for Adventure", heading, (*zones, *vortexes, *boards))


# --- pieces ---------------------------------------------------------------------------------------


def counter(table: "AdventureTable", name: str, value: int, icon: str = "") -> Counter:
    """One count; whether it can be set by hand is the counter's own matter."""
    return Counter(name, table.label(name), value, icon, name not in ("deck", "hand"))


def die(table: "AdventureTable", name: str, status: str, where: str = "") -> DieShown:
    """One die, in its player's colour."""
    colour, face = table.colour_of[name], table.shows[name]
    said = word(colour)
    if face:
        said = say("{colour} {face}", colour=word(colour), face=face)
    label = say("{place}: {what}", place=where, what=said) if where else said
    return DieShown(name, colour, face, status, label, table.dice[name].colour)


def row(
    table: "AdventureTable", name: str, label: str, dice: Iterable[str], status: str
) -> DiceShown:
    """Dice that lie together."""
    return DiceShown(name, label, tuple(die(table, one, status) for one in dice))


def spaces(table: "AdventureTable", name: str, label: str, places: Iterable[str]) -> DiceShown:
    """Spaces for one die each, with the dice on them; the others are drawn as free."""
    shown: list[DieShown] = []
    for place in places:
        whole, _, inner = words.place_name(place).partition(", ")
        where = word((inner or whole).capitalize())
        lying = table.at(place)
        shown += [die(table, one, "placed", where) for one in lying]
        if not lying:
            shown.append(
                DieShown(place, "space", None, "empty", say("{place}: free", place=where), SPACE)
            )
    return DiceShown(name, label, tuple(shown))


def free_spaces(name: str, numbers: range) -> list[DieShown]:
    """Spaces of a section on which nothing lies."""
    return [DieShown(f"{name}.{n}", "space", None, "empty", "Free", SPACE) for n in numbers]


def section(
    table: "AdventureTable", name: str, label: str, dice: Iterable[str], size: int
) -> DiceShown:
    """Dice of a section, and its free spaces; which space a die lies on does not matter."""
    shown = [die(table, one, "placed") for one in dice]
    shown += free_spaces(name, range(len(shown) + 1, size + 1))
    return DiceShown(name, label, tuple(shown))


def marked(label: str, mark: str) -> str:
    """A label with the mark of what was invented, or as it is."""
    return say("{label} (placeholder)", label=label) if mark else label


def invented(table: "AdventureTable", entry: str) -> str:
    """A mark for what was not read off the real box."""
    return PLACEHOLDER if table.pack.is_placeholder(entry) else ""


# --- zones ----------------------------------------------------------------------------------------


def adventure(table: "AdventureTable") -> Zone:
    """The adventure board with its stones, the enemy deck, and enemies beside the board."""
    parts: list[Component] = [
        Track("stones", "Power stones", table.stones, table.stones_needed, mood="good"),
        counter(table, "deck", len(table.deck), "card"),
        *enemies(table, "side"),
    ]
    if table.revealed:
        revealed = table.cards[table.revealed]
        mark = str(revealed.rank or "")
        parts.append(Card("revealed", revealed.name, mark, "Just revealed", revealed.effect))
    lit = table.phase in ("reveal", "attack", "defeat")
    return Zone("adventure", "Adventure board", tuple(parts), lit=lit)


def hand(table: "AdventureTable") -> Zone:
    """The dice of the present roll, and the territory die."""
    waiting = "free" if table.waits else "aside"
    parts: list[Component] = [row(table, "hand", "Dice in hand", table.at("hand"), waiting)]
    spec, face = table.dice["territory"], table.territory_die
    said = words.TITLE.get(face or "", (face or "not rolled yet").capitalize())
    large = DieShown("territory", spec.kind, face, "free", said, spec.colour)
    mark = invented(table, "dice.territory")
    parts.append(DiceShown("territory", marked(word("Territory die"), mark), (large,)))
    lit = table.phase in ("roll", "place", "use", "pay", "territory")
    return Zone("hand", say("{player}'s turn", player=table.name), tuple(parts), lit=lit)


def territory(table: "AdventureTable", name: str) -> Zone:
    """One territory: its damage, its places, its enemies."""
    side = table.sides[name]
    mark = invented(table, INVENTED_BOARDS[name]) if side == "b" and name in INVENTED_BOARDS else ""
    holes = invented(table, f"damage_to_lose.{name}")
    skull = Track(
        f"damage.{name}",
        marked(word("Damage"), holes),
        min(table.damage[name], table.holes(name)),
        table.holes(name),
        pawn="skull",
        beyond=min(table.permanent[name], table.pack.holes(name)),
    )
    parts: list[Component] = [skull]
    if table.permanent[name]:
        parts.append(counter(table, f"permanent.{name}", table.permanent[name], "skull"))
    parts += PARTS[name, side](table)
    parts += enemies(table, name)
    title = say("{territory} {side}", territory=word(words.TITLE[name]), side=side.upper())
    lit = table.question.split("-")[0].split(".")[0] == name
    return Zone(name, marked(title, mark), tuple(parts), lit=lit)


def desert_a(table: "AdventureTable") -> list[Component]:
    """Three sections, the last of which devours."""
    first, second, third = (table.at(f"desert-{n}") for n in (1, 2, 3))
    return [
        section(table, "desert-1", "Section 1", first, 3),
        section(table, "desert-2", "Section 2", second, 3),
        row(table, "desert-3", "Section 3, devoured", third, "blocked"),
    ]


def desert_b(table: "AdventureTable") -> list[Component]:
    """All spaces, and the chains over them."""
    lines = table.pack.desert_b.lines
    chains = [
        Track(
            f"chain.{i}",
            say(
                "Chain {chain} (closed): spaces {spaces}"
                if table.chain_done[i]
                else "Chain {chain}: spaces {spaces}",
                chain=i + 1,
                spaces=", ".join(map(str, line)),
            ),
            sum(bool(table.at(f"desert-b-{space}")) for space in line),
            len(line),
            mood="good",
        )
        for i, line in enumerate(lines)
    ]
    return [spaces(table, "desert-b", "Spaces for 1s", table.pack.desert_b.places), *chains]


def fortress(table: "AdventureTable") -> list[Component]:
    """Three sections, and the barriers before them."""
    parts: list[Component] = []
    side = table.sides["fortress"]
    for number, standing in table.barriers.items():
        place = f"fortress-{number}"
        size = 5 - standing if side == "b" else 4 * standing
        parts.append(
            section(
                table, place, say("Section for {number}s", number=number), table.at(place), size
            )
        )
        parts.append(counter(table, f"barriers.{number}", standing, "barrier"))
    return parts


def forest_a(table: "AdventureTable") -> list[Component]:
    """The path up to the boundary."""
    path = table.at("forest")
    ends: str = word("Path: done")
    if table.forest_boundary:
        ends = say("Path, {lying} of {size}", lying=len(path), size=table.forest_boundary)
    return [section(table, "forest", ends, path, table.forest_boundary)]


def forest_b(table: "AdventureTable") -> list[Component]:
    """The arch: sixes from the left, fives from the right, and the values between the spaces."""
    arch = table.pack.forest_b
    gaps = " ".join(map(str, arch.gap_values))
    sixes, fives = table.showing("forest", "6"), table.showing("forest", "5")
    lying = len(sixes) + len(fives)
    arched = "Arch, {lying} of {size}; boundary values {values}"
    label = say(arched, lying=lying, size=arch.spaces, values=gaps)
    shown = [die(table, one, "placed") for one in sixes]
    shown += free_spaces("forest", range(lying + 1, arch.spaces + 1))
    shown += [die(table, one, "placed") for one in fives]
    meet: str = word("Boundary")
    if lying == arch.spaces:
        meet = say("Boundary: a {value}", value=arch.gap_values[len(sixes) - 1])
    return [
        DiceShown("forest", label, tuple(shown)),
        spaces(table, "forest.boundary", meet, ["forest-boundary"]),
    ]


def ice_a(table: "AdventureTable") -> list[Component]:
    """A row of six numbers, and the bonus dice."""
    places = [f"ice-{n}" for n in FACES]
    return [spaces(table, "ice", "Row", places), bonus_dice(table)]


def ice_b(table: "AdventureTable") -> list[Component]:
    """A grid with rewards for its lines, and the bonus dice."""
    grid = table.pack.ice_b
    rows: list[Component] = [
        spaces(table, f"ice-row-{n}", say("Row {number}", number=n), places_of_row(grid.places, n))
        for n in range(1, grid.rows + 1)
    ]
    lines = [
        Track(
            f"line.{line.name}",
            line_label(line),
            sum(bool(table.at(f"ice-b-{cell}")) for cell in line.cells),
            len(line.cells),
            mood="good",
        )
        for line in grid.lines
    ]
    return [*rows, *lines, bonus_dice(table)]


def line_label(line: IceLine) -> str:
    """A line of the grid, and what it gives."""
    reward = word(words.REWARD[line.reward])
    return say("{line}: {reward}", line=words.line_name(line.name), reward=reward)


def places_of_row(places: tuple[str, ...], number: int) -> list[str]:
    """The places of one row of the grid."""
    return [place for place in places if place.startswith(f"ice-b-{number}-")]


PARTS = {
    ("desert", "a"): desert_a,
    ("desert", "b"): desert_b,
    ("fortress", "a"): fortress,
    ("fortress", "b"): fortress,
    ("forest", "a"): forest_a,
    ("forest", "b"): forest_b,
    ("ice", "a"): ice_a,
    ("ice", "b"): ice_b,
}


def bonus_dice(table: "AdventureTable") -> DiceShown:
    """The bonus dice that nobody has now."""
    return row(table, "bonus_pool", "Bonus dice", table.at("bonus_pool"), "aside")


def enemies(table: "AdventureTable", where: str) -> list[Component]:
    """Enemies on a territory or beside the board, with their ranks and the dice on them."""
    return [enemy(table, card_id) for card_id in table.enemies_on(where)]


def enemy(table: "AdventureTable", card_id: str) -> Card:
    """One enemy: its rank, the dice on it, and how much of its strength they reach."""
    card, place = table.cards[card_id], f"enemy-{card_id}"
    mark = invented(table, "phantom_ranks") if card.effect == "phantom" else ""
    rank = say("rank {rank}", rank=card.rank) if card.rank else word("no rank")
    dice = tuple(die(table, one, "placed") for one in table.at(place))
    total = min(table.total(place), ENOUGH)
    text = marked(say("{card}, {rank}", card=card_id, rank=rank), mark)
    return Card(place, card.name, str(card.rank or ""), text, card.effect, dice, total, ENOUGH)


def oblivion(table: "AdventureTable") -> Zone:
    """What is lost."""
    dice = row(table, "oblivion", "Lost dice", table.at("oblivion"), "blocked")
    return Zone("oblivion", "Vortex of Oblivion", (dice,), lit=table.phase == "free")


def resurrection(table: "AdventureTable") -> Zone:
    """What has been placed to bring it back."""
    total = min(table.total("resurrection"), 10)
    parts = (
        Track("resurrection", "Sum of the dice", total, 10, mood="good"),
        row(table, "resurrection.dice", "Dice on it", table.at("resurrection"), "placed"),
    )
    return Zone("resurrection", "Vortex of Resurrection", parts)


def hero_board(table: "AdventureTable", seat: str) -> Zone:
    """The dice that somebody can roll next, and the hero."""
    hero = table.heroes[seat]
    label = "Hero board" if hero.hook == "none" and not hero.placeholder else hero.name
    mark = PLACEHOLDER if hero.placeholder else ""
    dice = table.at(f"board.{seat}")
    part = row(table, f"board.{seat}", marked(word(label), mark), dice, "free")
    return Zone(f"board.{seat}", table.names[seat], (part,), seat, lit=seat == table.active)
