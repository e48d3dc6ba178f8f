"""The names and sentences of Troll & Dragon: cues, headings, choices, refusals."""

from companion.offers import Refusal
from companion.steps import Cue

YOUR_TURN = Cue("your_turn", "turn", "Your turn")
TREASURE = Cue("treasure", "good", "Diamonds!")
KEY_DOOR = Cue("key_door", "good", "Key or door")
CAVERN = Cue("cavern", "good", "Into the cavern!")
TROLL_NEAR = Cue("troll_near", "hurry", "The Troll comes closer")
TROLL = Cue("troll", "bad", "The Troll!")
RACE = Cue("race", "hurry", "The race is on!")
GOLD = Cue("gold", "good", "Gold!")
DRAGON = Cue("dragon", "hurry", "Dragon!")
DRAGON_AWAKE = Cue("dragon_awake", "bad", "The Dragon is awake!")
PHOTO_FINISH = Cue("photo_finish", "hurry", "Photo finish!")
LEFT = Cue("left", "good", "Safe!")
SHARED = Cue("shared", "good", "Treasure shared")
ROOM_LOW = Cue("room_low", "hurry", "Little is left")
ROOM_EMPTY = Cue("room_empty", "hurry", "The room is empty")
REMINDER = Cue("reminder", "hurry", "Still there?")
WARNING = Cue("warning", "note", "Careful")
AUDIT = Cue("audit", "note", "Please count")
GAME_OVER = Cue("game_over", "over", "Game over")

CUES = (
    YOUR_TURN,
    TREASURE,
    KEY_DOOR,
    CAVERN,
    TROLL_NEAR,
    TROLL,
    RACE,
    GOLD,
    DRAGON,
    DRAGON_AWAKE,
    PHOTO_FINISH,
    LEFT,
    SHARED,
    ROOM_LOW,
    ROOM_EMPTY,
    REMINDER,
    WARNING,
    AUDIT,
    GAME_OVER,
)

PHASES = {
    "grotto": "The Diamond Grotto",
    "cavern": "The Treasure Cavern",
    "photo_finish": "Photo finish",
    "sharing": "Sharing the treasure",
    "over": "The game is over",
}

CHOICES = {
    "leave": "I'm leaving!",
    "set_aside": "Set aside",
    "claim": "Take the gold",
    "take": "Take",
}

TREASURES = {"diamonds": "diamonds", "gold": "gold"}

NOTHING_ROLLED = Refusal("nothing_rolled", "Roll first, then you may leave.")
NOTHING_TO_SET_ASIDE = Refusal("nothing_rolled", "Roll first, then you may set dice aside.")
MUST_ROLL_ALL_FOUR = Refusal("must_roll_all_four", "The first roll takes all four white dice.")
MUST_ROLL_ALL_FREE = Refusal("must_roll_all_free", "Roll every die that is not blocked.")
MUST_ROLL_BOTH = Refusal("must_roll_both", "Roll these dice together.")
DIE_BLOCKED = Refusal("die_blocked", "That die is blocked; it stays as it lies.")
NO_KEY_NO_DOOR = Refusal("no_key_no_door", "Only a key or a door can be set aside.")
CAVERN_SHUT = Refusal("cavern_shut", "The cavern is shut: it takes a key and a door to open it.")
RACE_NOT_STARTED = Refusal(
    "race_not_started", "The Dragon sleeps until the gold dice have been rolled in the cavern."
)
GROTTO_LEFT = Refusal("grotto_left", "The grotto lies behind you; its dice rest now.")
DRAGON_IS_AWAKE = Refusal("dragon_is_awake", "Stop! Both Dragon dice are up.")
NOTHING_TO_CLAIM = Refusal("nothing_to_claim", "The gold dice show nothing to take.")
