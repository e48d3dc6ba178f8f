"""Why a roll of pip dice should not be relied on: what to ask the table about.

A roll is accepted when nothing here has anything to say: both readers agree on each die, each die
lies flat and whole in the picture, and nothing that looks like a die is left unread.
"""

from collections.abc import Iterable

import numpy as np

from camera.doubts import Doubt
from camera.pip_blobs import Floats, Marks, Pixels, Pyramid, look_up
from camera.pip_ellipses import Pips
from camera.pip_faces import AROUND, Face, usual_contrasts
from camera.pip_lattice import Bools, unlike
from camera.pip_shapes import inverses, median
from camera.pip_tops import apart_on_table
from camera.pip_votes import face_patches, votes

AGREED = 0.8  # the network's chance of a face from which it counts as the same reading
AGREED_FEW = 0.9  # the same for one or two marks, which many things have
DIE_LIKE = 0.5  # from which an unexplained place is a die that was not read
PLAIN = 0.4  # quality from which four pips or more are a face, whatever the network says
FRONTAL = 0.8  # from which a side face is seen so squarely that it may be an upper one
BODY_CONTRAST = 0.3  # least that a die stands out from the ground, in the contrast of its pips
MOST_LEFT_OVER = 12  # unexplained faces that are looked at again
MOST_BODIES = 6  # spots as large as dice that are looked at again
CROWDED = 0.93  # edges of a die between the middles of two that lie side by side, at least
BODY = 2.2  # lattice units from the middle of a face to where its die surely ends
OVER = 0.4  # lattice units that a die's corner may reach over the picture's edge
BEYOND = np.concatenate([3.0 * AROUND, 3.8 * AROUND])  # lattice units; a die's corner lies at 3.5
NEAR_PIP = 1.2 * AROUND
NEAR_AND_BEYOND = np.concatenate([NEAR_PIP, BEYOND])
SIDE_REACH = 0.95  # edges of a die from its top to its sides; 0.71 where both are seen well
BEYOND_SIDES = 1.15  # edges of a die from its top's middle to where its sides surely end
STRAY_SIZE = (0.7, 1.5)  # of marks that must be pips, in those of the read dice
STRAY_CONTRAST = (0.45, 2.0)
UPRIGHT, SLANTED = (0.35, 0.09), (0.6, 0.14)  # most difference of ellipses and unevenness of these
EDGED = 0.2  # share of directions in which something else must lie beyond a single pip's die
NAMES = ("none", "a 1", "a 2", "a 3", "a 4", "a 5", "a 6")
NONE_AT_ALL = "no dice"
CUT_BODY = "something like a die that the edge of the picture cuts"
MAY_BE = "a {} that may be {}"
FULL_PIPS = "pips that may be dice"
BY_SIGHT = "a {} whose pips are hard to see"
STRANGE = "something like a {} that may be none"
NO_UPPER = "something like a {} that is no upper face: does a die lean?"
STRAY_PIPS = "pips of a die that was not read"
ORPHAN = "a {} on the side of a die that was not read"
ONLY_CLOSELY = "dice that are seen only from close by: there may be more"
UNREAD_BODY = "something as large as a die that was not read"


def disagreements(tops: list[Face], chances: Floats) -> tuple[str, ...]:
    """Name the dice that the two readers read differently."""
    return tuple(
        Doubt(MAY_BE.format(top.value, NAMES[_rival(top.value, chance)]), top.at)
        for top, chance in zip(tops, chances, strict=True)
        if chance[top.value] < (AGREED if top.value > 2 else AGREED_FEW)
    )


def _rival(face: int, chances: Floats) -> int:
    others = chances.copy()
    others[face] = -1.0
    return int(others.argmax())


def cut_by_edge(tops: list[Face], shape: tuple[int, ...]) -> list[bool]:
    """Tell which dice, one at least, reach over the edge of a picture (height, width)."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * BODY
    at, axes = np.array([top.at for top in tops]), np.array([top.axes for top in tops])
    over = np.array([OVER * top.side_px / 5 for top in tops])[:, None, None]
    at = at[:, None] + corners @ axes.transpose(0, 2, 1)
    is_cut = (at < -over) | (at > np.array(shape[1::-1]) - 1 + over)
    cut: list[bool] = is_cut.any(axis=(1, 2)).tolist()
    return cut


def bodiless(pixels: Pixels, scale: float, tops: list[Face]) -> tuple[str, ...]:
    """Name few pips without the edge of a die around them: screws, buttons, prints, two 1s.

    pixels  the picture in colour: a red die on green cloth may be as bright as the cloth.
    scale   of the picture that the faces were found in.
    """
    ones = [top for top in tops if top.value <= 2]
    if not ones:
        return ()
    at, axes = np.array([one.at for one in ones]), np.array([one.axes for one in ones])
    least = np.array([max(0.2 * abs(one.contrast), 8.0) for one in ones])
    places = at[:, None] + NEAR_AND_BEYOND @ axes.transpose(0, 2, 1)
    seen = look_up(pixels, (places + 0.5) / scale - 0.5)
    near, beyond = seen[:, : len(NEAR_PIP)], seen[:, len(NEAR_PIP) :]
    ground = np.sort(near, axis=1)[:, len(NEAR_PIP) // 2, None]
    other = (np.abs(beyond - ground) > least[:, None, None]).any(axis=2)
    edged = other.reshape(len(ones), 2, -1).any(axis=1).mean(axis=1)
    return tuple(
        Doubt(f"a {one.value} without a die around it", one.at)
        for one, share in zip(ones, edged, strict=True)
        if share < EDGED
    )


def left_over(
    pyramid: Pyramid, tops: list[Face], sides: list[Face], others: list[Face], side_px: float
) -> tuple[str, ...]:
    """Name faces apart from all read dice that one of the readers takes for a die."""
    far = np.asarray((apart_on_table(sides + others, tops) > 0.6).all(axis=1))
    apart = [
        face
        for face, is_far in zip(sides + others, far, strict=True)
        if is_far and 0.5 < face.side_px / side_px < 2.0
    ]
    apart = sorted(apart, key=lambda face: -face.quality)[:MOST_LEFT_OVER]
    seen = _die_like(pyramid, np.array([face.at for face in apart]).reshape(-1, 2), side_px)
    plain = {id(face) for face in others + _like_tops(sides) if face.value >= 4}
    seen |= np.array([id(face) in plain and face.quality > PLAIN for face in apart], dtype=bool)
    return tuple(
        Doubt(NO_UPPER.format(face.value), face.at)
        for face, is_die in zip(apart, seen, strict=True)
        if is_die
    )


def crowded(tops: list[Face]) -> tuple[str, ...]:
    """Name dice of which two lie at one place: a side was taken for an upper face."""
    apart = apart_on_table(tops, tops) + np.eye(len(tops)) * CROWDED
    return tuple(
        Doubt(f"a {tops[row].value} and a {tops[other].value} together", tops[row].at)
        for row, other in np.argwhere(apart < CROWDED).tolist()
        if row < other
    )


def orphans(faces: list[Face], tops: list[Face], side_px: float) -> tuple[str, ...]:
    """Name clear sides that belong to no read die: the top of theirs was missed."""
    at = np.array([top.at for top in tops])
    return tuple(
        Doubt(ORPHAN.format(face.value), face.at)
        for face in faces
        if face.value >= 3
        and face.quality > PLAIN
        and 0.6 < face.side_px / side_px < 1.6
        and np.hypot(*(at - face.at).T).min() > SIDE_REACH * side_px
    )


def missed(doubts: Iterable[str]) -> tuple[str, ...]:
    """Pick the doubts that hardly any roll leaves of which every die was read."""
    surely = (STRAY_PIPS, *(ORPHAN.format(value) for value in range(3, 7)))
    return tuple(doubt for doubt in doubts if doubt in surely)


def may_lean(doubts: Iterable[str]) -> bool:
    """Tell whether something may be a die that leans."""
    leaning = {name.format(face) for name in (STRANGE, NO_UPPER) for face in range(1, 7)}
    return not leaning.isdisjoint(doubts)


def are_about_faces(doubts: Iterable[str]) -> bool:
    """Tell whether all doubts are about which of its faces a die shows that was read."""
    others = {MAY_BE.format(face, name) for face in range(1, 7) for name in NAMES[1:]}
    return others.union(BY_SIGHT.format(face) for face in range(1, 7)).issuperset(doubts)


def strays(pips: Pips, tops: list[Face], side_px: float, shape: tuple[int, ...]) -> tuple[str, ...]:
    """Look for what can only be pips, clean and like those of the dice, beside all read dice.

    One that lies as flat as the read ones is enough, or two that may be seen on a side.

    shape  of the picture (height, width): marks at its very edge may be anything.
    """
    radius, (_, large) = median([top.radius_px for top in tops]), pips.half_axes
    contrasts = pips.contrast[:, None] / usual_contrasts(tops)
    kin = _within(large / radius, STRAY_SIZE) & _within(contrasts, STRAY_CONTRAST).any(axis=1)
    own = np.array([top.at for top in tops])
    apart = np.hypot(*(pips.at[:, axis, None] - own[:, axis] for axis in (0, 1)))
    kin &= apart.min(axis=1) > BEYOND_SIDES * side_px
    inside = np.minimum(pips.at, np.array(shape[1::-1]) - 1 - pips.at).min(axis=1, initial=np.inf)
    kin &= inside > 1.5 * large
    if not kin.any():
        return ()
    pips, large = pips.take(kin), large[kin]
    units = pips.shape / large[:, None, None] ** 2
    shapes = np.array([top.unit_shape for top in tops])
    slant = unlike(units[:, None], shapes[None]).min(axis=1)
    flat, any_way = ((slant < s) & (pips.evenness < e) for s, e in (UPRIGHT, SLANTED))
    at = pips.at[any_way]
    near = np.linalg.norm(at[:, None] - at, axis=2) < side_px
    clear = np.concatenate([pips.at[flat], at[near.sum(axis=1) > 1]])
    return tuple(Doubt(STRAY_PIPS, place) for place in clear[:1])


def _within(values: Floats, limits: tuple[float, float]) -> Bools:
    return np.asarray((values > limits[0]) & (values < limits[1]))


def unread_bodies(
    pyramid: Pyramid, marks: Marks, tops: list[Face], side_px: float, *, least: float
) -> tuple[str, ...]:
    """Look for spots as large and as bright as dice: a die whose pips drown in glare or shade.

    least  chance that a die lies there from which it is a doubt; 0 asks nobody.
    """
    usual = usual_contrasts(tops)
    is_body = marks.contrast[:, None] > BODY_CONTRAST * np.abs(usual)
    is_body &= marks.sign[:, None] * usual < 0
    bodies = marks.take(np.flatnonzero(is_body.any(axis=1)))
    at, size = bodies.places(), bodies.sizes() / side_px
    at = at[(size > 0.3) & (size < 0.8)]
    at = at[beside(at, tops)][:MOST_BODIES]
    unread = at if least == 0 else at[_die_like(pyramid, at, side_px, least)]
    return tuple(Doubt(UNREAD_BODY, place) for place in unread[:1])


def _like_tops(sides: list[Face]) -> list[Face]:
    """Keep the sides that are seen almost from above: a die that touches another, perhaps."""
    return [face for face in sides if face.frontality > FRONTAL]


def beside(at: Floats, tops: list[Face]) -> Bools:
    """Tell which places (N, 2) lie outside the upper faces of all read dice."""
    back = inverses(np.array([top.axes for top in tops]))
    own = np.array([top.at for top in tops])
    x, y = (at[:, axis, None] - own[:, axis] for axis in (0, 1))
    across, along = (np.abs(back[:, row, 0] * x + back[:, row, 1] * y) for row in (0, 1))
    return np.asarray((np.maximum(across, along) > BODY).all(axis=1))


def _die_like(
    pyramid: Pyramid, places: Floats, side_px: float, least: Floats | float = DIE_LIKE
) -> Bools:
    """Ask the network whether upper faces lie at places (N, 2)."""
    if len(places) == 0:
        return np.zeros(0, dtype=bool)
    chances = votes(face_patches(pyramid.levels, places, side_px))
    return np.asarray(chances[:, 0] < 1 - least)
