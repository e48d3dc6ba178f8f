"""The house rules of Troll & Dragon, an owner's own dice, and counts that are set by hand."""

import pytest
from verbs import Troll

from companion.errors import ConfigError
from companion.games import GAMES

USUAL = {
    "white-1": ("troll", "troll", "diamond", "diamond", "key", "door"),
    "gold-1": ("blank", "blank", "blank", "blank", "gold1", "gold2"),
    "red-1": ("dragon", "blank", "blank", "blank", "blank", "blank"),
    "red-2": ("dragon", "dragon", "blank", "blank", "blank", "blank"),
}
MORE_DIAMONDS = ("troll", "diamond", "diamond", "diamond", "key", "door")


def wake(at):
    """Wake the Dragon with two diamonds and three nuggets in the adventurer's pouch."""
    at.enter("K O D D")
    at.golden("g2 g1")
    at.red("X X")


# --- sharing --------------------------------------------------------------------------------------


def test_everybody_picks_in_turn_when_treasure_is_shared_by_choice(seat):
    at = seat("ann", "bo", "cy", sharing="choose")
    wake(at)
    assert (at.phase, at.active) == ("sharing", "ann")
    assert at.treasure("pouch") == (2, 3)
    [offer] = at.referee.offers
    assert (offer.player, offer.choice, offer.values) == ("bo", "take", ("gold", "diamond"))
    with at.refused("not_your_turn"):
        at.choose("cy", "take", "gold")
    with at.refused("value_not_offered"):
        at.choose("bo", "take", "silver")
    at.choose("bo", "take", "diamond")
    at.choose("cy", "take", "gold")
    assert at.pack("bo") == (1, 0)
    assert at.choose("bo", "take", "diamond") == ["shared", "shared", "your_turn"]
    assert at.pack("bo") == (2, 1)
    assert at.pack("cy") == (0, 2)
    assert at.said.startswith("Bo takes gold: 1, diamonds: 2. Cy takes gold: 2, diamonds: 0.")
    assert at.pack("ann") == (0, 0)


def test_nobody_is_asked_when_there_is_nothing_to_choose(seat):
    at = seat("ann", "bo", "cy", sharing="choose")
    at.enter("K O D D")
    at.golden("g0 g0")
    at.red("X X")
    assert at.phase == "grotto"
    assert at.pack("bo") == (1, 0)
    assert at.pack("cy") == (1, 0)


def test_lone_opponent_is_not_asked_when_treasure_is_shared_by_choice(seat):
    at = seat("ann", "bo", sharing="choose")
    wake(at)
    assert at.pack("bo") == (2, 3)


def test_shares_are_told_rightly_when_a_pack_is_set_by_hand_meanwhile(seat):
    at = seat("ann", "bo", "cy", sharing="choose")
    at.adjust("pack.bo.gold", 9)
    wake(at)
    at.choose("bo", "take", "gold")
    at.adjust("pack.bo.gold", 0)
    at.choose("cy", "take", "gold")
    at.choose("bo", "take", "gold")
    assert "Bo takes gold: 2, diamonds: 1." in at.said


def test_sharing_goes_on_when_the_treasure_is_taken_away_by_hand(seat):
    at = seat("ann", "bo", "cy", sharing="choose")
    wake(at)
    at.adjust("pouch.gold", 0)
    [offer] = at.referee.offers
    assert offer.values == ("diamond",)
    at.adjust("pouch.diamonds", 0)
    [offer] = at.referee.offers
    assert offer.values == ("nothing",)
    assert at.choose("bo", "take", "nothing") == ["your_turn"]
    assert at.active == "bo"


@pytest.mark.parametrize(("cap", "taken"), [(0, 0), (1, 1), (3, 3), (100, 7)])
def test_lone_opponent_takes_as_much_as_the_cap_allows(seat, cap, taken):
    at = seat("ann", "bo", two_player_hand_cap=cap)
    at.adjust("supply.diamonds", 53)
    at.adjust("troll_hand.diamonds", 7)
    at.enter("K O T T")
    at.golden("g0 g0")
    at.red("X X")
    assert at.pack("bo") == (taken, 0)
    assert at.count("troll_hand.diamonds") == 7 - taken


def test_cap_does_not_bind_when_more_than_two_play(seat):
    at = seat("ann", "bo", "cy", two_player_hand_cap=0)
    at.adjust("supply.diamonds", 53)
    at.adjust("troll_hand.diamonds", 7)
    at.enter("K O T T")
    at.golden("g0 g0")
    at.red("X X")
    assert (at.pack("bo"), at.pack("cy")) == ((4, 0), (3, 0))


# --- who begins, and when it ends -----------------------------------------------------------------


def test_chosen_player_begins_when_the_option_names_one(seat):
    at = seat("ann", "bo", "cy", first_player="cy")
    assert at.active == "cy"
    at.white("D D T K")
    at.leave()
    assert at.active == "ann"


@pytest.mark.parametrize(
    ("mode", "room", "over"),
    [("either", "diamonds", True), ("either", "gold", True), ("both", "diamonds", False)],
)
def test_game_ends_after_the_turn_when_the_agreed_rooms_are_empty(seat, mode, room, over):
    at = seat("ann", "bo", end_mode=mode)
    at.adjust(f"supply.{room}", 0)
    at.white("T T T K")
    at.leave()
    assert (at.referee.outcome is not None) is over
    at.undo()
    at.adjust("supply.diamonds", 0)
    at.adjust("supply.gold", 0)
    at.leave()
    assert at.referee.outcome is not None


# --- dice -----------------------------------------------------------------------------------------


def test_dice_have_the_usual_faces_when_nothing_is_configured(at):
    dice = at.table.dice
    assert {name: dice[name].faces for name in USUAL} == USUAL
    kinds = {kind: [die.name for die in some] for kind, some in dice.kinds().items()}
    assert kinds == {
        "white": ["white-1", "white-2", "white-3", "white-4"],
        "gold": ["gold-1", "gold-2"],
        "red": ["red-1", "red-2"],
    }


def test_faces_follow_the_owner_when_a_kind_and_a_die_are_configured(seat):
    one_eye = ("dragon",) + ("blank",) * 5
    at = seat("ann", "bo", dice={"white": MORE_DIAMONDS, "red-2": one_eye})
    assert {at.table.dice[f"white-{i}"].faces for i in range(1, 5)} == {MORE_DIAMONDS}
    assert at.table.dice["red-1"].faces == at.table.dice["red-2"].faces == one_eye


def test_word_for_the_die_comes_first_when_its_kind_is_configured_too(seat):
    never = ("blank",) * 6
    at = seat("ann", "bo", dice={"red": ("dragon",) * 6, "red-1": never})
    assert at.table.dice["red-1"].faces == never
    assert at.table.dice["red-2"].faces == ("dragon",) * 6


def test_face_is_refused_when_the_owners_die_does_not_have_it(seat):
    at = seat("ann", "bo", dice={"red-1": ("blank",) * 6})
    at.enter()
    at.golden("g0 g0")
    with at.refused("unknown_face"):
        at.red("X -")
    at.red("- X")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dice": {"white": ("troll",) * 5}}, "expected six faces"),
        ({"dice": {"white": ()}}, "got none"),
        ({"dice": {"white": ("dragon",) * 6}}, "dice.white-1: expected six faces out of troll"),
        ({"dice": {"blue": ("blank",) * 6}}, "expected one of gold, gold-1"),
        ({"dice": {"red-3": ("blank",) * 6}}, "got 'red-3'"),
        ({"dice": ["troll"]}, "dice"),
        ({"end_mode": "never"}, "end_mode"),
        ({"reroll_policy": "none"}, "reroll_policy"),
        ({"tie_goes_to": "cat"}, "tie_goes_to"),
        ({"sharing": "fight"}, "sharing"),
        ({"tie_window_s": -0.1}, "tie_window_s"),
        ({"tie_window_s": 6}, "tie_window_s"),
        ({"tie_window_s": float("nan")}, "tie_window_s"),
        ({"cavern_timeout_s": -1}, "cavern_timeout_s"),
        ({"cavern_timeout_s": float("inf")}, "cavern_timeout_s"),
        ({"two_player_hand_cap": -1}, "two_player_hand_cap"),
        ({"auto_take_gold": "sometimes"}, "auto_take_gold"),
        ({"first_player": "zed"}, "first_player: expected one of ann, bo"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_option_is_refused_when_it_does_not_fit(options, words):
    with pytest.raises(ConfigError, match=words):
        Troll("ann", "bo", **options)


@pytest.mark.parametrize("policy", ["any_free", "all_free"])
def test_policy_is_kept_when_the_roll_is_offered(seat, policy):
    at = seat("ann", "bo", reroll_policy=policy)
    at.white("D D T K")
    [offer] = at.open_offers(type(at.referee.offers[0]))
    assert offer.at_least == {"any_free": 1, "all_free": 3}[policy]


# --- counts set by hand ---------------------------------------------------------------------------


def in_phase(phase):
    """A table at which this phase is on, and something is at risk."""
    at = Troll("ann", "bo", "cy", sharing="choose", auto_take_gold=False)
    if phase == "over":
        at.adjust("supply.diamonds", 0)
        at.white("T T T K")
        at.leave()
    elif phase == "grotto":
        at.white("D D T K")
    else:
        at.enter("K O D D", at_s=1.0)
        at.golden("g1 g0", at_s=2.0)
        at.choose("ann", "claim", at_s=3.0)
    if phase in ("photo_finish", "sharing"):
        at.red("X X", at_s=4.0)
    if phase == "sharing":
        at.wait(4.1)
    assert at.phase == phase
    return at


@pytest.mark.parametrize("phase", GAMES["troll_and_dragon"].phases)
def test_counts_can_be_set_by_hand_in_every_phase(phase):
    at = in_phase(phase)
    for counter in at.table.counters:
        if counter in ("grotto.blocked", "dragon.awake"):
            with at.refused("not_adjustable"):
                at.adjust(counter, 1)
            continue
        before, offers, value = at.count(counter), at.referee.offers, at.count(counter) + 4
        cues = at.adjust(counter, value)
        assert cues[0] == "adjusted"
        assert f"is {value} now; it was {before}" in at.said
        assert at.count(counter) == value
        assert at.referee.offers == offers
        at.adjust(counter, before)
        assert at.count(counter) == before
    at.audit()


def test_audit_tells_the_difference_when_the_sums_do_not_match_the_box(at):
    assert at.adjust("pack.ann.diamonds", 3) == ["adjusted", "audit"]
    assert "+3 diamonds" in at.said
    assert at.adjust("supply.diamonds", 57) == ["adjusted"]
    assert at.adjust("supply.gold", 48) == ["adjusted", "audit"]
    assert "-2 gold" in at.said


@pytest.mark.parametrize(
    ("counter", "value", "code"),
    [
        ("supply.silver", 1, "unknown_counter"),
        ("", 1, "unknown_counter"),
        ("pack.zed.gold", 1, "unknown_counter"),
        ("supply.gold", -1, "negative_count"),
        ("supply.gold", 2**53, "count_too_large"),
        ("dragon.awake", 0, "not_adjustable"),
        ("grotto.blocked", 4, "not_adjustable"),
    ],
)
def test_count_is_refused_when_it_is_unknown_negative_or_derived(at, counter, value, code):
    with at.refused(code):
        at.adjust(counter, value)


def test_gold_goes_back_to_the_cavern_when_the_troll_finds_it_in_the_pouch(at):
    """Only a person can have put it there by hand; his hand holds diamonds alone."""
    at.white("D T T T")
    at.adjust("pouch.gold", 2)
    at.roll("white-1 T")
    assert at.count("troll_hand.diamonds") == 1
    assert at.count("supply.gold") == 52


def test_adjusting_is_taken_back_when_it_is_undone(at):
    at.white("D D T K")
    at.adjust("pouch.diamonds", 20)
    at.diamonds -= 18
    at.undo()
    assert at.treasure("pouch") == (2, 0)
