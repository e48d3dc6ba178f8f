"""Faults of the camera, each alone."""

import pytest
from faulty import SEED, goes_on_rightly

from companion.bench.faults import Evening
from companion.faults import Fault, kinds

NOTICED_S = 2.0
pytestmark = pytest.mark.usefixtures("quick_strip")


@pytest.mark.parametrize("name", [n for n, kind in kinds().items() if kind.subject == "camera"])
def test_game_goes_on_rightly_and_the_table_is_told_when_the_camera_has_this_fault(name, told):
    goes_on_rightly(name, told)


@pytest.mark.parametrize(
    "name", ["camera-unplugged", "camera-busy", "camera-frozen", "camera-dark"]
)
def test_camera_that_fails_is_told_within_two_seconds_and_comes_back_by_itself(name, tmp_path):
    kind = kinds()[name]
    fault = Fault(name, 1.0, kind.amount or 0.0, 2.4)
    one = Evening([fault], tmp_path, seed=SEED)
    told_s = {True: [], False: []}
    with one.stack:
        one.companion.begin(one.room)
        while one.clock.now_s() < fault.at_s + fault.for_s + NOTICED_S:
            one.companion.go_round()
            rows = [r for r in one.listen() if r["name"].startswith("camera:")]
            is_lost = any(row["state"] == "lost" and kind.told in row["detail"] for row in rows)
            told_s[is_lost].append(one.clock.now_s())
    assert fault.at_s <= told_s[True][0] <= fault.at_s + NOTICED_S
    assert told_s[True][-1] <= fault.at_s + fault.for_s + NOTICED_S
    assert told_s[False][-1] >= fault.at_s + fault.for_s + NOTICED_S
