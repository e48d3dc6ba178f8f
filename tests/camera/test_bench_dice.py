"""A folder of labelled symbol dice is measured whole: stills, halves of set-ups, clips."""

import csv

import cv2
import pytest
from click.testing import CliRunner
from die_drawing import box_of, cube, floor, scene, teach_cubes

from camera.bench_dice import (
    Seen,
    bench_dice,
    figures_of,
    is_in,
    judged,
    labels_in,
    overlap,
    paired,
)
from companion.cli import main
from companion.errors import ConfigError, PictureError

ROLLS = (
    ("felt", ("sun", "moon"), ("sun", "moon")),
    ("felt", ("star",), ("star",)),
    ("wood", ("moon", "star"), ("moon", "sun")),  # labelled wrongly on purpose
)
PLACES = ((-2.0, -1.0), (1.5, 0.8))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three rolls in two set-ups, and how they were taught."""
    folder = tmp_path_factory.mktemp("dice")
    teach_cubes(folder / "enrol")
    (folder / "rolls").mkdir()
    rows = []
    for number, (tray, lies, told) in enumerate(ROLLS):
        dice = [cube(face, at, 20 + 31 * number) for face, at in zip(lies, PLACES, strict=False)]
        boxes = [":".join(map(str, box_of(die))) for die in dice]
        path = f"rolls/{number}.png"
        cv2.imwrite(str(folder / path), scene(dice, 8 if tray == "wood" else 0))
        labels = [f"white:{face}:{box}" for face, box in zip(told, boxes, strict=True)]
        rows.append([path, ";".join(labels), "day", tray, "20"])
    _write(folder / "labels.csv", rows)
    _write(folder / "enrol" / "labels.csv", [["enrol/x.png", "", "day", "felt", "20"]])
    return folder


def _write(listing, rows):
    with listing.open("w", newline="") as lines:
        csv.writer(lines).writerows([["path", "dice", "light", "tray", "angle"], *rows])


def test_figures_are_given_for_each_set_up(folder):
    seen = []
    figures = bench_dice(folder, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (15, 15)
    assert figures["all_pictures"] == 3
    assert figures["enrolment_pictures"] == 2
    assert figures["learnt_pictures"] == 12
    assert figures["all_dice"] == 5
    assert figures["enrolment_exact_rolls_share"] == 1.0
    assert figures["elsewhere_exact_rolls_share"] == figures["tray_wood_exact_rolls_share"] == 0.0
    assert figures["all_dice_recall_share"] == figures["all_dice_precision_share"] == 0.8
    assert figures["all_dice_recall_low95_share"] < 0.8 < figures["all_dice_recall_high95_share"]
    assert figures["all_accepted_with_count_share"] <= figures["all_accepted_share"]
    assert figures["tray_felt_certain_but_wrong_dice_share"] == 0.0
    binned = [figures[f"certainty_{tenth / 10:.1f}_readings"] for tenth in range(10)]
    assert sum(binned) == 5
    assert sum("certainty_" in key and key.endswith("_readings") for key in figures) == 10
    assert 0.0 <= figures["baseline_all_exact_rolls_share"] <= 1.0
    assert all(isinstance(value, int | float) for value in figures.values())


def test_reader_that_sees_more_dice_than_lie_there_is_measured_too(folder):
    many = [Seen("white", "sun", 1.0, (9 * n, 300, 8, 8), True) for n in range(20)]
    outcome = judged(lambda pixels: (many, True), None, labels_in(folder)[0].dice)
    assert figures_of([outcome])["certain_but_wrong_dice_share"] == 1.0


def test_rolls_of_which_something_wrong_is_taken_unasked_are_counted(folder):
    dice = labels_in(folder)[0].dice
    right = [Seen("white", die.face, 1.0, die.box, True) for die in dice]
    wrong = right[0]._replace(face="star")
    unsure = wrong._replace(is_sure=False)
    looks = (
        (right, True),
        ([wrong, right[1]], False),  # certain, though the picture is asked about
        ([unsure, right[1]], False),
        (right[:1], True),  # a die overlooked
        (right[:1], False),
    )
    outcomes = [judged(lambda pixels, told=told: told, None, dice) for told in looks]
    assert [outcome.certain_but_wrong for outcome in outcomes] == [False, True, False, True, False]
    figures = figures_of(outcomes)
    assert figures["certain_but_wrong_rolls"] == 2
    assert figures["certain_but_wrong_rolls_share"] == 0.4
    assert figures["certain_but_wrong_rolls_high95_share"] > 0.4


def test_halves_keep_set_ups_whole_and_share_out_all(folder):
    setups = {one.setup for one in labels_in(folder)} | {f"tray {n}" for n in range(20)}
    even, odd = ({s for s in setups if is_in(part, s)} for part in ("even", "odd"))
    assert even | odd == setups
    assert not even & odd
    assert even
    assert odd
    with pytest.raises(ConfigError, match="--part"):
        is_in("half", "tray")


def test_boxes_are_paired_with_those_they_overlap_most():
    wanted = [(0, 0, 10, 10), (8, 0, 10, 10)]
    assert paired(wanted, [(7, 0, 10, 10), (1, 0, 10, 10), (50, 50, 5, 5)]) == {0: 1, 1: 0}
    assert overlap((0, 0, 2, 2), (5, 5, 2, 2)) == 0.0


def test_bad_labels_are_named(tmp_path):
    with pytest.raises(ConfigError, match=r"got No such file .+angle,dice,light,path,tray first"):
        labels_in(tmp_path)
    _write(tmp_path / "labels.csv", [["gone.png", "", "day", "felt", "0"]])
    with pytest.raises(PictureError, match="no such picture"):
        labels_in(tmp_path)
    cv2.imwrite(str(tmp_path / "gone.png"), floor())
    _write(tmp_path / "labels.csv", [["gone.png", "white:sun:1:2", "day", "felt", "0"]])
    with pytest.raises(ConfigError, match="kind:face:x:y:w:h"):
        labels_in(tmp_path)


def test_labels_may_begin_with_the_mark_that_spreadsheets_write(tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), floor())
    listed = "path,dice,light,tray,angle\na.png,,day,felt,0\n"
    (tmp_path / "labels.csv").write_text(listed, encoding="utf-8-sig")
    assert [one.path for one in labels_in(tmp_path)] == ["a.png"]


def test_command_takes_one_folder_at_most(folder):
    asked = ["bench", "camera", "--photos", str(folder), "--dice", str(folder)]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 2
    assert "--photos DIR or --dice DIR" in done.output
