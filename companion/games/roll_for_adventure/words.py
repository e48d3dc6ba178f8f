"""The names and sentences of Roll for Adventure: cues, headings, choices, refusals."""

import functools
from collections.abc import Mapping
from typing import Any

from companion.offers import Refusal
from companion.steps import Cue
from companion.words import listed, say, word

TERRITORY = {
    "desert": "the desert",
    "fortress": "the fortress",
    "forest": "the forest",
    "ice": "the ice cave",
}
SUBJECT = {
    "desert": "The desert",
    "fortress": "The fortress",
    "forest": "The forest",
    "ice": "The ice cave",
}
TITLE = {"desert": "Desert", "fortress": "Fortress", "forest": "Forest", "ice": "Ice cave"}

YOUR_TURN = Cue("your_turn", "turn", "Your turn")
ROLL_SETTLED = Cue("roll_settled", "note", "Rolled")
PLACED = Cue("placed", "note", "Placed")
SUBTASK = {
    "desert": Cue("subtask_desert", "good", "Desert: done!"),
    "fortress": Cue("subtask_fortress", "good", "Fortress: done!"),
    "forest": Cue("subtask_forest", "good", "Forest: done!"),
    "ice": Cue("subtask_ice", "good", "The ancestors answer"),
}
POWER_STONE = Cue("power_stone", "good", "A power stone!")
ICE_REWARD = Cue("ice_reward", "good", "A reward of the ice cave")
DICE_LOST = Cue("dice_lost", "bad", "Dice are lost to Oblivion")
DAMAGE = {
    "desert": Cue("damage_desert", "bad", "Damage to the desert"),
    "fortress": Cue("damage_fortress", "bad", "Damage to the fortress"),
    "forest": Cue("damage_forest", "bad", "Damage to the forest"),
    "ice": Cue("damage_ice", "bad", "Damage to the ice cave"),
}
PERMANENT = Cue("permanent_damage", "bad", "Permanent damage")
LAST_HOLE = Cue("last_hole", "hurry", "One hole is left")
HEALED = Cue("healed", "good", "Damage is healed")
ENEMY = Cue("enemy", "bad", "An enemy!")
ENEMY_AGAIN = Cue("enemy_again", "bad", "Enemies attack again")
DEFEATED = Cue("enemy_defeated", "good", "Enemy defeated!")
DRAGON = Cue("dragon", "bad", "The Dragon!")
PHANTOM = Cue("phantom", "bad", "The Phantom!")
GIANT = Cue("giant", "bad", "The Giant!")
MASTER = Cue("master", "bad", "The Master of Shadows!")
LUCKY = Cue("lucky", "good", "Lucky!")
TERRITORY_DIE = Cue("territory_die", "hurry", "Roll the territory die")
DICE_RETURNED = Cue("dice_returned", "note", "Dice come back: do not roll them this turn")
BONUS_RETURNED = Cue("bonus_returned", "note", "Put the bonus die back")
VORTEX = Cue("vortex", "hurry", "The vortex: this turn ends")
FREED = Cue("freed", "good", "Dice are freed")
ABILITY = Cue("ability", "note", "A hero's ability")
WON = Cue("won", "over", "The kingdom is saved!")
LOST = Cue("lost", "over", "The kingdom has fallen")

CUES = (
    YOUR_TURN,
    ROLL_SETTLED,
    PLACED,
    *SUBTASK.values(),
    POWER_STONE,
    ICE_REWARD,
    DICE_LOST,
    *DAMAGE.values(),
    PERMANENT,
    LAST_HOLE,
    HEALED,
    ENEMY,
    ENEMY_AGAIN,
    DEFEATED,
    DRAGON,
    PHANTOM,
    GIANT,
    MASTER,
    LUCKY,
    TERRITORY_DIE,
    DICE_RETURNED,
    BONUS_RETURNED,
    VORTEX,
    FREED,
    ABILITY,
    WON,
    LOST,
)

PHASES = {
    "roll": "Roll your dice",
    "place": "Place dice of one value",
    "use": "Which of these dice?",
    "keep": "Which die stays in the desert?",
    "take_back": "Take dice back, or leave them?",
    "claim": "Claim the ice cave's rewards?",
    "deny": "Who gets no bonus die?",
    "defeat": "Which enemy is defeated?",
    "heal": "Which territory is healed?",
    "free": "Which die is freed from Oblivion?",
    "pay": "Which die of the roll pays for it?",
    "ability": "A hero's ability, by hand",
    "reveal": "Reveal the top enemy card",
    "attack": "Which enemy attacks next?",
    "territory": "Roll the territory die",
    "lose": "Which die is lost?",
    "over": "The game is over",
}

CHOICES = {
    "place": "Place",
    "use": "Use",
    "keep": "Keep in the desert",
    "take_back": "Take back",
    "continue": "Leave the dice there",
    "claim": "Claim the rewards",
    "deny": "No bonus die for",
    "defeat": "Defeat",
    "heal": "Heal",
    "free": "Free from Oblivion",
    "pay": "Pay with",
    "ability": "Hero's ability",
    "done": "Done",
    "attack": "Attacks next",
    "lose": "Lose",
}

# --- why not --------------------------------------------------------------------------------------

ROLL_FIRST = Refusal("roll_first", "Roll first, then place dice.")
ROLL_ALL = Refusal("must_roll_all", "Roll all the dice that you have left, together.")
PLACE_FIRST = Refusal("place_first", "Place dice of one value before you roll the others again.")
RETURNED_REST = Refusal("returned_dice_rest", "Dice that came back rest until your next turn.")
DICE_LEFT = Refusal("dice_left", "Your turn cannot end while you have dice left to place.")
NO_DICE_LEFT = Refusal("no_dice_left", "No dice are left; reveal the top enemy card.")
DECIDE_FIRST = Refusal("decide_first", "Answer the question that lies on the table first.")
NO_TERRITORY_DIE = Refusal(
    "no_territory_die", "The territory die waits for a phantom, a giant or the Master of Shadows."
)
TERRITORY_DIE_FIRST = Refusal("territory_die_first", "The territory die is rolled first.")
CARD_IS_OUT = Refusal("card_is_out", "That card has been revealed already.")

NO_SUCH_PLACEMENT = Refusal(
    "no_such_placement",
    "Name a value that you rolled, how many of these dice, and a place that takes them.",
)
FACE_NOT_ROLLED = Refusal("face_not_rolled", "None of the dice in your hand shows that.")
NOT_SO_MANY = Refusal("not_so_many", "Fewer dice in your hand show that.")
NO_ROOM = Refusal("no_room", "So many dice have no space there; the others are rolled again.")
DESERT_TAKES_ONES = Refusal("desert_takes_ones", "The desert takes only 1s.")
DESERT_FULL = Refusal("desert_full", "Every space of the desert is taken.")
SPACE_TAKEN = Refusal("space_taken", "A die lies there already.")
DESERT_LATER = Refusal(
    "desert_later", "Dice come to that section only when the first one has been filled."
)
FORTRESS_SECTION = {
    "2": Refusal("fortress_takes_twos", "That section of the fortress takes only 2s."),
    "3": Refusal("fortress_takes_threes", "That section of the fortress takes only 3s."),
    "4": Refusal("fortress_takes_fours", "That section of the fortress takes only 4s."),
}
BARRIER_DOWN = {
    "2": Refusal("barrier_down", "The fortress takes no 2s until all three barriers are down."),
    "3": Refusal("barrier_down", "The fortress takes no 3s until all three barriers are down."),
    "4": Refusal("barrier_down", "The fortress takes no 4s until all three barriers are down."),
}
FORTRESS_FULL = Refusal("fortress_full", "Every space of that section is taken.")
FOREST_TAKES = Refusal("forest_takes_fives_and_sixes", "The forest takes only 5s and 6s.")
FOREST_DONE = Refusal("forest_exhausted", "The forest has no task left: all four are done.")
FOREST_FULL = Refusal("forest_full", "Every space of the path is taken.")
FOREST_NEEDS_OTHER = {
    "5": Refusal("forest_needs_a_six", "The last space must be a 6: the two paths have to meet."),
    "6": Refusal("forest_needs_a_five", "The last space must be a 5: the two paths have to meet."),
}
PATHS_DO_NOT_MEET = Refusal(
    "paths_do_not_meet", "The boundary can be set only when the two paths meet."
)
BOUNDARY_SHOWS = {
    str(n): Refusal("boundary_shows_other", sentence)
    for n, sentence in enumerate(
        (
            "The boundary shows a 1; only a 1 can be sacrificed there.",
            "The boundary shows a 2; only a 2 can be sacrificed there.",
            "The boundary shows a 3; only a 3 can be sacrificed there.",
            "The boundary shows a 4; only a 4 can be sacrificed there.",
            "The boundary shows a 5; only a 5 can be sacrificed there.",
            "The boundary shows a 6; only a 6 can be sacrificed there.",
        ),
        1,
    )
}
ICE_OTHER_NUMBER = Refusal("ice_other_number", "That space of the ice cave takes another number.")
ICE_NEIGHBOUR = Refusal(
    "ice_neighbour", "A die beside that space shows the same; only diagonally may they be equal."
)
ONE_DIE_A_ROLL = Refusal("one_die_a_roll", "The ice cave takes one die a roll.")
MASTER_UNBEATEN = Refusal("master_unbeaten", "The Master of Shadows can never be defeated.")
DISCARDED = Refusal("discarded", "That card has been discarded.")
OBLIVION_EMPTY = Refusal("oblivion_empty", "Nothing is lost to Oblivion that could be freed.")
NO_DESERT_CHAIN = Refusal("chain_is_closed", "Dice of a chain can be taken back only at once.")
NOTHING_TO_CLAIM = Refusal("nothing_to_claim", "The ice cave gives nothing for these dice yet.")
ABILITY_USED = Refusal("ability_used", "The ability has been used already.")
NO_ABILITY = Refusal("no_ability", "This hero has no ability that could be used.")
NOT_NOW = Refusal("ability_not_now", "There is nothing for the ability to do just now.")


@functools.lru_cache(1024)
def place_name(place: str) -> str:
    """What people call a place."""
    match place.split("-"):
        case ["desert", "b", space]:
            return say("desert, space {space}", space=space)
        case ["desert", section]:
            return say("desert, section {section}", section=section)
        case ["fortress", number]:
            return say("fortress, the {number}s", number=number)
        case ["forest"]:
            return word("forest path")
        case ["forest", "boundary"]:
            return word("forest boundary")
        case ["ice", "b", row, column]:
            return say("ice cave, row {row}, column {column}", row=row, column=column)
        case ["ice", number]:
            return say("ice cave, space {number}", number=number)
        case ["enemy", *card]:
            return say("enemy {card}", card="-".join(card))
        case ["resurrection"]:
            return word("Vortex of Resurrection")
        case ["hero"]:
            return word("hero's own space")
    return word(place.replace("_", " ").replace("-", " "))


def value_name(players: Mapping[str, str], cards: Mapping[str, str], value: Any) -> str:
    """What people call a value of a choice: a placement, a colour, an enemy, a player."""
    match value:
        case {"face": face, "count": count, "where": where}:
            places = where if isinstance(where, list) else [where]
            named = listed([enemy_name(cards, str(place)) for place in places], "{first}; {rest}")
            return say("{count} x {face}: {where}", count=count, face=face, where=named)
        case {"face": face, "to": to}:
            return say("{face} becomes {to}", face=face, to=to)
        case list():
            return listed([word(str(one)) for one in value], "{first} and {rest}")
        case str() if value in players:
            return players[value]
        case str() if value in TITLE:
            return TITLE[value]
        case str() if value in cards:
            return say("{enemy} ({card})", enemy=word(cards[value]), card=value)
        case str() if "-" in value:
            return place_name(value)
    return str(value)


def enemy_name(cards: Mapping[str, str], place: str) -> str:
    """The name of a place; of an enemy, the name on its card."""
    card = place.removeprefix("enemy-")
    if card in cards and card != place:
        return say("{enemy} ({card})", enemy=word(cards[card]), card=card)
    return place_name(place)


REWARD = {
    "bonus_dice": "two bonus dice",
    "defeat_enemy": "defeat an enemy",
    "free_die": "free a die from Oblivion",
    "skull_back_1": "skull one hole back",
    "skull_back_2": "skull two holes back",
}


def question_name(question: str) -> str:
    """The part of the table that a question is about."""
    place, _, face = question.partition(".")
    named = word(TITLE[place]) if place in TITLE else place_name(place)
    if face:
        return say("({place}, a {face})", place=named, face=face)
    return say("({place})", place=named)


BY_KIND = {"row": "row-{number}", "column": "column-{number}"}


def line_name(name: str) -> str:
    """What people call a line of the ice cave (`row-1`)."""
    kind, _, number = name.partition("-")
    return say(BY_KIND[kind], number=number) if kind in BY_KIND else word(name)
