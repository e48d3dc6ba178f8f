"""Frames in, reports out: where dice lie, which face is up, when they came to rest.

Only this package knows OpenCV. It imports floor 0 of `companion` (actions, offers, dice, clock,
errors) and nothing else of the project.
"""

import os

# numpy's matrix products are as small as our pictures: threads that wait for one cost more than the
# product. It is asked for before numpy is there; whoever has set it otherwise keeps that.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
