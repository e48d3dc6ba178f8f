"""The names and sentences of Schatz der Drachen: cues, headings, choices, refusals."""

from companion.offers import Refusal
from companion.steps import Cue
from companion.words import listed

YOUR_TURN = Cue("your_turn", "turn", "Your turn")
TURNED_UP = Cue("turned_up", "note", "Turned up")
SET_COMPLETE = Cue("set_complete", "good", "A set!")
RING = Cue("ring", "good", "A ring!")
DRAGON = Cue("small_dragon", "hurry", "A small dragon")
CLASH = Cue("clash", "bad", "Dragon and treasure!")
SPIDER = Cue("spider", "bad", "The spider!")
SPIDER_COVERED = Cue("spider_covered", "note", "Covered again")
CLOSE_EYES = Cue("close_eyes", "note", "Close your eyes")
WHICH_STAYS = Cue("which_stays", "turn", "Which one stays?")
COLLECTED = Cue("collected", "good", "Collected")
NOTHING_COLLECTED = Cue("nothing_collected", "note", "Nothing collected")
ONLY_SPIDERS_LEFT = Cue("only_spiders_left", "hurry", "Only spiders are left")
ONE_AT_A_TIME = Cue("one_at_a_time", "bad", "One at a time!")
PLEASE_COVER = Cue("please_cover", "hurry", "Please cover")
TIME_IS_UP = Cue("time_is_up", "hurry", "Time is up")
SWAPPED = Cue("swapped", "note", "Tiles were mixed up")
AUDIT = Cue("audit", "note", "Please count")
SPIDER_BONUS = Cue("spider_bonus", "good", "The spiders!")
GAME_OVER = Cue("game_over", "over", "Game over")

CUES = (
    YOUR_TURN,
    TURNED_UP,
    SET_COMPLETE,
    RING,
    DRAGON,
    CLASH,
    SPIDER,
    SPIDER_COVERED,
    CLOSE_EYES,
    WHICH_STAYS,
    COLLECTED,
    NOTHING_COLLECTED,
    ONLY_SPIDERS_LEFT,
    ONE_AT_A_TIME,
    PLEASE_COVER,
    TIME_IS_UP,
    SWAPPED,
    AUDIT,
    SPIDER_BONUS,
    GAME_OVER,
)

PHASES = {
    "reveal": "Turn up one tile at a time",
    "collect": "Take what is complete",
    "spider": "Where does the spider go?",
    "dragon": "Where does the dragon go?",
    "over": "The game is over",
}

CHOICES = {
    "stop": "Stop",
    "keep": "This one stays",
    "take": "Take the tiles",
    "decline": "Leave a set",
    "move_spider": "Put the spider",
    "move_dragon": "Put the dragon",
    "covered": "All covered",
    "swapped": "Tiles were mixed up",
}

KINDS = {
    "ball": "Ball",
    "car": "Car",
    "doll": "Doll",
    "candlestick": "Candlestick",
    "chest": "Treasure chest",
    "ring": "Ring",
    "dragon": "Small dragon",
    "spider": "Spider",
}

PLURALS = {
    "ball": "Balls",
    "car": "Cars",
    "doll": "Dolls",
    "candlestick": "Candlesticks",
    "chest": "Treasure chests",
    "ring": "Rings",
    "dragon": "Small dragons",
    "spider": "Spiders",
}

IN_A_PILE = {
    "ball": "balls",
    "car": "cars",
    "doll": "dolls",
    "candlestick": "candlesticks",
    "chest": "treasure chests",
    "ring": "rings",
    "dragon": "small dragons",
    "spider": "spiders",
    "total": "tiles",
}

TIEBREAKS = {"shared": "shared", "dragons": "dragons", "chests": "chests"}

REVEAL_AT_LEAST_ONE = Refusal("reveal_at_least_one", "Turn up a tile first, then you may stop.")
ALREADY_UP = Refusal("already_face_up", "That tile lies face up already.")
NO_TILE_THERE = Refusal("no_tile_there", "No tile lies there any more.")
STOP_FIRST = Refusal("stop_first", "Stop first; then tiles are taken.")
NO_SPIDER_UP = Refusal("no_spider_up", "There is no spider to put anywhere.")
NO_DRAGON_UP = Refusal("no_dragon_up", "There is no dragon to put anywhere.")
TURN_IS_OVER = Refusal("turn_is_over", "This turn is over; no tile is turned up now.")
NOT_FREE = Refusal("not_free", "That place is not free.")
NO_SUCH_SQUARE = Refusal("no_such_square", "That place is not in the square.")


def in_words(order: tuple[str, ...], squares: tuple[str, ...]) -> str:
    """Squares in the order of the rows, so that it tells nothing about the turn."""
    first, *others = [f"({square})" for square in order if square in squares][::-1]
    return listed([*others[::-1], first], "{first} and {rest}")
