"""How a camera that stands still looks at the floor of its tray, remembered from roll to roll.

One or two dice that lean look like any dice seen from the side: they tell a wrong slant. So the
upper faces of dice that lay flat in earlier pictures are kept, each with its place, and dice are
compared with all of them. A camera that was moved is noticed: several dice that agree with each
other and not with what is remembered replace it, and so do single ones that do so three times,
each time lying elsewhere.
"""

from collections.abc import Sequence

import numpy as np

from camera.pip_faces import Face
from camera.pip_planes import Floor, fits_floor, floor_under, lean_shares
from camera.pip_standing import ENOUGH, Scaled, off_plane, seen_floor
from camera.upright import turns_under

KEPT = 24  # faces that are remembered
LONELY = 3  # throws of few dice that must agree to say that the camera was moved
ELSEWHERE_SIDES = 0.5  # a die that lies farther away was thrown anew
MAY_LEAN = 0.45  # of what makes a die lean, from which it is asked about
LEANS, ASKEW = "cocked", "askew"


def flaws_on(floor: Floor | None, seen: Scaled, tops: Sequence[Face], side_px: float) -> list[str]:
    """Say which dice of a picture are cocked or may be, "" for those that lie flat.

    floor    what is known of it, if anything is.
    side_px  edge of the dice, seen from straight above.
    """
    off = off_plane(seen, tops, side_px, floor).tolist()
    return [LEANS if share > 1 else ASKEW if share > MAY_LEAN else "" for share in off]


class KnownFloor:
    """Remembers one camera's floor, for pictures of one size."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] = ()
        self._floor: Floor | None = None
        self._lonely: list[Sequence[Face]] = []

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which pictures stand upright, as far as is known."""
        if self._floor is None or len(self._floor.tops) < ENOUGH:
            return 0
        return turns_under(self._floor.normal)

    def under(self, tops: Sequence[Face], shape: tuple[int, ...]) -> Floor | None:
        """What is known of the floor under these upper faces in a picture (height, width).

        None as long as nothing is, or if they show that the camera was moved.
        """
        if self._floor is None or shape != self._shape:
            return None
        return self._floor if fits_floor(tops, shape, self._floor) else None

    def flaws(self, seen: Scaled, tops: Sequence[Face], side_px: float) -> list[str]:
        """Say which dice of a picture are cocked or may be, "" for those that lie flat."""
        return flaws_on(self.under(tops, seen.shape), seen, tops, side_px)

    def saw(
        self,
        seen: Scaled,
        flat: Sequence[Face],
        leaning: Sequence[Face],
        side_px: float,
    ) -> None:
        """Take note of dice in a picture: of their upper faces, and which of them lean.

        seen     the picture, and in which size the dice were found.
        side_px  edge of the dice, seen from straight above.
        """
        shape = seen.shape
        if self.under([*flat, *leaning], shape) is None:
            self._shape, self._floor, self._lonely = shape, None, []
        if leaning and not flat:
            flat = self._moved_under(leaning, side_px)
        known = () if self._floor is None else self._floor.tops
        new = [top for top in flat if _is_elsewhere(top, known, side_px)]
        if not new:
            return
        self._lonely = []
        before = _newest(self._floor, max(0, KEPT - len(new)))
        tops = [*(() if before is None else before.tops), *new]
        self._floor = seen_floor(seen, tops, side_px, before)

    def _moved_under(self, leaning: Sequence[Face], side_px: float) -> Sequence[Face]:
        """Say which dice lie flat after all, for the camera was moved; mostly none."""
        last = self._lonely[-1] if self._lonely else []
        if any(_is_elsewhere(top, last, side_px) for top in leaning):
            self._lonely = [*self._lonely[1 - LONELY :], leaning]
        pool = [top for tops in self._lonely for top in tops]
        if len(self._lonely) < LONELY:
            return []
        plane = floor_under(pool, self._shape)
        if (lean_shares(pool, plane) > 1).any():
            return []
        self._floor = None
        return leaning


def _newest(floor: Floor | None, count: int) -> Floor | None:
    if floor is None or count == 0:
        return None
    return floor._replace(tops=floor.tops[-count:], ways=floor.ways[-count:])


def _is_elsewhere(top: Face, others: Sequence[Face], side_px: float) -> bool:
    least_px = ELSEWHERE_SIDES * side_px
    return all(np.hypot(*(top.at - other.at)) > least_px for other in others)
