import numpy as np

from camera.pip_votes import PATCH_PX, votes
from camera.train_patches import joined, table_patches


def test_tables_are_cut_into_upper_faces_and_what_is_none():
    rng = np.random.default_rng(300)
    patches, labels = joined([table_patches(rng) for _ in range(4)])
    assert patches.shape == (len(labels), PATCH_PX, PATCH_PX)
    assert patches.dtype == np.uint8
    assert {0} < set(labels.tolist()) <= set(range(7))
    said = votes(patches).argmax(axis=1)
    assert (said == labels).mean() > 0.9, "the network has not seen these tables"
