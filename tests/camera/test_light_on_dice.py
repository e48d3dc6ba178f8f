"""Light that gives one kind the colour of another: what blank dice are worth beside others."""

import cv2
import numpy as np
import pytest
from die_drawing import drawn_face

from camera.faces import CERTAIN, SURELY, FaceMatcher
from camera.patches import PATCH_PX

GREY, YELLOW = (150.0, 150.0, 150.0), (70.0, 150.0, 150.0)
LIKE_GREY = (150 / 70, 1.0, 1.0)  # a light in which yellow bodies look grey
TAUGHT = {"grey": GREY, "yellow": YELLOW}


def patch(face, body, light=1.0, noise=2.0, seed=0):
    """A face on a body of some colour, in some light."""
    whole = cv2.resize(drawn_face(face, body), (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(seed)
    seen = light * whole.astype(np.float32) + rng.normal(0, noise, whole.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def matcher():
    return FaceMatcher(
        {
            kind: {
                face: np.stack(
                    [patch(face, body, light, seed=n) for n, light in enumerate((1, 0.7))]
                )
                for face in (symbol, "blank")
            }
            for (kind, body), symbol in zip(TAUGHT.items(), ("star", "moon"), strict=True)
        }
    )


def lit(*dice, light=LIKE_GREY):
    return np.stack([patch(face, TAUGHT[kind], light, seed=9) for kind, face in dice])


def test_a_blank_die_alone_has_the_kind_that_its_colour_tells(matcher):
    (grey,) = matcher.match(lit(("grey", "blank"), light=0.9))
    assert (grey.kind, grey.face, grey.certainty >= SURELY) == ("grey", "blank", True)
    (other,) = matcher.match(lit(("yellow", "blank")))
    assert (other.kind, other.certainty >= SURELY) == ("grey", True)  # nothing tells of the light


def test_nobody_is_sure_of_a_blank_die_that_another_light_gives_the_colour_of_its_kind(matcher):
    star, moon, blank = matcher.match(
        lit(("grey", "star"), ("yellow", "moon"), ("yellow", "blank"))
    )
    assert [(star.kind, star.face), (moon.kind, moon.face)] == [
        ("grey", "star"),
        ("yellow", "moon"),
    ]
    assert min(star.certainty, moon.certainty) >= SURELY
    assert (blank.kind, blank.certainty < CERTAIN) == ("yellow", True)


def test_one_symbol_in_such_a_light_is_enough_to_ask(matcher):
    _, blank = matcher.match(lit(("yellow", "moon"), ("yellow", "blank")))
    assert (blank.face, blank.certainty < CERTAIN) == ("blank", True)


def test_blank_dice_stay_sure_beside_symbols_in_the_light_of_the_lessons(matcher):
    likes = matcher.match(
        lit(("grey", "star"), ("yellow", "moon"), ("yellow", "blank"), ("grey", "blank"), light=0.8)
    )
    assert [like.kind for like in likes] == ["grey", "yellow", "yellow", "grey"]
    assert min(like.certainty for like in likes) >= CERTAIN


def test_a_blank_die_that_a_lamp_lights_less_than_others_is_asked_about(matcher):
    blank = lit(("grey", "blank"), light=0.9)
    beside = lit(("yellow", "moon"), ("grey", "star"), light=(1.3, 1.0, 1.0))
    (alone,) = matcher.match(blank)
    *_, lit_less = matcher.match(np.concatenate([beside, blank]))
    assert alone.certainty >= SURELY
    assert (lit_less.kind, lit_less.certainty < CERTAIN) == ("grey", True)


@pytest.mark.parametrize("blue", [1.5, LIKE_GREY[0]])
def test_what_light_does_is_told_by_colours_as_they_were_seen(matcher, blue):
    dice, light = (("grey", "star"), ("yellow", "moon"), ("yellow", "blank")), (blue, 1.0, 1.0)
    seen = [like.colour for like in matcher.match(lit(*dice, light=light))]
    alone = [matcher.match(lit(one, light=light))[0].colour for one in dice]
    assert np.allclose(seen, alone, atol=1e-6)
