"""What a die shows, by the votes of several frames in which it lay.

One look may be mistaken where a highlight, a codec or a corner that was found a little off changes
what is seen. A die counts as certain when at least two looks agree, most looks say so, and none is
certain of something else.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from camera.faces import CERTAIN
from camera.stills import DieReading

AGREE = 2  # so many looks must say the same
OFTEN_COCKED = 0.3  # share of looks that find a die leaning, from which it does
ODD = ("cocked", "cut")  # doubts of a die that does not show one face
IN_DOUBT = 0.5  # most that a die is worth of which looks differ


def counted(votes: Sequence[DieReading | None]) -> DieReading | None:
    """Give one reading for what was read of a die, look by look; None where nothing was.

    A look that saw no die in its place counts against it. The place is that of the last look.
    """
    seen = [vote for vote in votes if vote is not None]
    if not seen:
        return None
    odd = [vote for vote in seen if vote.doubt in ODD]
    if len(odd) >= OFTEN_COCKED * len(votes):
        return odd[-1]
    plain = [vote for vote in seen if vote.doubt not in ODD] or seen
    kind, face = _favourite(plain)
    mine = [vote for vote in plain if (vote.kind, vote.face) == (kind, face)]
    worth = [vote.certainty for vote in mine] + [0.0] * (len(votes) - len(mine))
    certainty = float(np.median(worth))
    others = [v for v in plain if (v.kind, v.face) != (kind, face) and v.certainty >= CERTAIN]
    if len(mine) < AGREE or others:
        certainty = min(certainty, IN_DOUBT)
    choices = tuple(dict.fromkeys((face, *(c for vote in plain for c in vote.choices))))
    doubt = "" if certainty >= CERTAIN else "unsure"
    return mine[-1]._replace(certainty=certainty, choices=choices, doubt=doubt)


def _favourite(votes: Sequence[DieReading]) -> tuple[str, str]:
    worth: Counter[tuple[str, str]] = Counter()
    for vote in votes:
        worth[vote.kind, vote.face] += vote.certainty + 1e-6  # type: ignore[assignment]
    return worth.most_common(1)[0][0]
