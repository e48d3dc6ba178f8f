import pytest

from companion.bench.dice_faults import Cable, Evening, Truth, run_schedules
from firmware import wire
from hardware.in_order import InOrder

SAMPLE = 100


def test_no_wrong_face_and_no_hang_in_a_sample_of_random_schedules():
    evenings = list(run_schedules(iter(range(SAMPLE))))
    assert [one.wrong for one in evenings if one.wrong] == []
    assert [seed for seed, one in enumerate(evenings) if one.hangs] == []
    counts = [one.link.counts for one in evenings]
    for fault in ("damaged", "foreign", "repeated", "reordered", "recovered", "lost", "restarts"):
        assert sum(getattr(one, fault) for one in counts) > 0, fault
    assert sum(one.faults for one in evenings) > SAMPLE
    assert sum(one.rolls for one in evenings) > SAMPLE


def test_no_wrong_face_and_no_hang_with_the_firmware_of_dice_and_receiver():
    evenings = list(run_schedules(iter(range(SAMPLE // 4)), firmware=True))
    assert [one.wrong for one in evenings if one.wrong] == []
    assert [seed for seed, one in enumerate(evenings) if one.hangs] == []
    assert sum(one.rolls for one in evenings) > SAMPLE // 4
    assert sum(one.link.counts.restarts for one in evenings) > 0


def test_die_keeps_what_a_receiver_without_power_did_not_hear():
    evening = Evening(15, firmware=True).run()  # power is lost while a die tumbles
    assert (evening.wrong, evening.hangs) == ([], False)


def test_schedule_is_the_same_from_the_same_seed():
    first, second = Evening(11).run(), Evening(11).run()
    assert first.link.counts == second.link.counts
    assert (first.rolls, first.now_s) == (second.rolls, second.now_s)


def wrong_in(*seeds: int) -> int:
    return sum(bool(one.wrong) for one in run_schedules(iter(seeds)))


def test_line_that_is_believed_without_its_sum_is_found_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wire, "_sum_of", lambda body: b"%08x" % 0)
    assert wrong_in(17, 193) > 0


def test_report_that_is_told_out_of_its_order_is_found_out(monkeypatch: pytest.MonkeyPatch):
    def take(order: InOrder, report: wire.Message) -> list[wire.Message]:
        order.next_number = max(order.next_number, report.number + 1)
        return [report]

    monkeypatch.setattr(InOrder, "take", take)
    assert wrong_in(4, 12, 19, 24) > 0


def test_receiver_that_forgets_its_host_is_greeted_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("hardware.dice_link.QUIET_S", float("inf"))
    assert any(one.hangs for one in run_schedules(iter((7, 14, 19))))


def test_truth_knows_throws_from_faces_that_were_put_there():
    truth = Truth()
    truth.lies("red-1", "face1", 1.0, thrown=True)
    assert not truth.is_right("red-1", "face2", 1.0, 0.0)
    assert not truth.is_right("red-1", "face1", 0.9, 0.01)
    assert truth.is_right("red-1", "face1", 1.0, 0.0)
    assert not truth.is_right("red-1", "face1", 1.0, 0.0)  # told once only
    truth.moves("red-1", 2.0)
    truth.lies("red-1", "face3", 2.5, thrown=False)
    assert not truth.is_right("red-1", "face3", 3.0, 0.0)


def test_nudged_die_still_lies_there_by_its_throw():
    truth = Truth()
    truth.lies("red-1", "face1", 1.0, thrown=True)
    truth.moves("red-1", 2.0)
    truth.lies("red-1", "face1", 2.5, thrown=False)
    assert not truth.is_right("red-1", "face1", 2.2, 0.01)
    assert truth.is_right("red-1", "face1", 3.0, 0.0)


def test_pulled_cable_loses_what_was_under_way_but_for_its_beginning():
    evening = Evening(3)
    cable = Cable(evening.chance, evening.back.noise)
    cable.is_bad = False
    for number in range(10):
        cable.send(b"%010d\n" % number, 0.0)
    data = cable.pull(0.0)
    assert list(cable.arrived(9.0)) == []
    whole = b"".join(b"%010d\n" % number for number in range(10))
    assert whole.startswith(data)
    assert len(data) < len(whole)
