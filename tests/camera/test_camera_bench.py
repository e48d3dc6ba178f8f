import csv
from collections import Counter

import cv2
import numpy as np
import pytest
from pip_drawing import DrawnDie, draw_dice

from camera.bench import bench_photos, is_tuned_on, labels_in, read_like_a_tutorial
from companion.errors import ConfigError, PictureError


@pytest.fixture
def photos(tmp_path):
    """Two groups of two pictures; the last label is wrong on purpose."""
    rng = np.random.default_rng(6)
    rows = []
    for name, faces, label in (
        ("felt/a.png", [5, 3], "3 5"),
        ("felt/b.png", [4], "4"),
        ("wood/c.png", [6, 2], "2 6"),
        ("wood/d.png", [5], "1"),
    ):
        dice = [DrawnDie(face, 100 + 150 * n, 120, 70, 25) for n, face in enumerate(faces)]
        (tmp_path / name).parent.mkdir(exist_ok=True)
        assert cv2.imwrite(str(tmp_path / name), draw_dice(rng, dice, (240, 400)))
        rows.append([name, label])
    with (tmp_path / "labels.csv").open("w", newline="") as lines:
        csv.writer(lines).writerows([["path", "faces"], *rows])
    return tmp_path


def test_figures_are_given_by_group_and_for_all(photos, monkeypatch):
    monkeypatch.setattr("camera.bench_speed.TIMES", 1)
    monkeypatch.setattr("camera.bench_speed.FULL_FRAMES", 16)
    seen = []
    figures = bench_photos(photos, lambda done, total: seen.append((done, total)), tables=1)
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert figures["felt_pictures"] == 2
    assert figures["felt_exact_rolls_share"] == 1.0
    assert figures["wood_exact_rolls_share"] == 0.5
    assert figures["all_exact_rolls_share"] == 0.75
    assert figures["all_dice_precision"] == figures["all_dice_recall"] == round(5 / 6, 4)
    assert figures["all_accepted_share"] == 1.0
    assert figures["all_certain_but_wrong_share"] == 0.25
    assert figures["all_median_ms"] > 0
    assert figures["eight_dice_720p_median_ms"] > 0
    assert figures["eight_dice_720p_known_median_ms"] > 0
    assert figures["watching_720p_busy_median_ms"] > figures["watching_720p_idle_median_ms"] > 0
    assert 20 < figures["watching_720p_peak_mb"] < 400
    assert figures["all_accepted_rolls"] == 4
    assert figures["all_certain_but_wrong_rolls"] == 1
    for group, readings, right in (("felt", 3, 3), ("wood", 3, 2), ("all", 6, 5)):
        counts, rights = _bins(figures, group)
        assert (len(counts), sum(counts)) == (10, readings)
        assert rights == pytest.approx(right, abs=0.001)
        assert 0 <= figures[f"baseline_{group}_exact_rolls_share"] <= 1
    unseen = sum(
        not is_tuned_on(name) for name in ("felt/a.png", "felt/b.png", "wood/c.png", "wood/d.png")
    )
    assert figures.get("unseen_pictures", 0) == unseen
    assert all(isinstance(value, int | float) for value in figures.values())


def _bins(figures, group):
    """Readings of each bin of certainty of a group, in the order given; how many were right."""
    names = [key[: -len("_readings")] for key in figures if key.startswith(f"{group}_certainty_")
             and key.endswith("_readings")]  # fmt: skip
    counts = [figures[f"{name}_readings"] for name in names]
    return counts, sum(
        count * figures.get(f"{name}_right_share", 0.0)
        for name, count in zip(names, counts, strict=True)
    )


def test_missing_labels_and_pictures_are_named(tmp_path, photos):
    with pytest.raises(ConfigError, match=r"labels\.csv: .+, got No such file .+path,faces first"):
        bench_photos(tmp_path / "nowhere")
    (photos / "wood" / "d.png").unlink()
    with pytest.raises(PictureError, match=r"d\.png"):
        bench_photos(photos)
    (photos / "labels.csv").write_text("name,value\na,1\n")
    with pytest.raises(ConfigError, match="columns path and faces"):
        bench_photos(photos)


@pytest.mark.parametrize(
    ("line", "got"),
    [("wood/c.png,1 x", "'x'"), ("wood/c.png,7", "'7'"), ('wood/c.png,"2,6"', "'2,6'"),
     ("wood/c.png,2,6", "'2,6'"), ("wood/c.png,25", "'25'")],
)  # fmt: skip
def test_face_that_no_die_has_is_named_with_its_line(photos, line, got):
    (photos / "labels.csv").write_text(f"path,faces\nfelt/a.png,3 5\n{line}\n")
    with pytest.raises(ConfigError) as refused:
        labels_in(photos)
    said = str(refused.value)
    assert said.startswith(f"{photos / 'labels.csv'} line 3: expected faces from 1 to 6")
    assert f"got {got}; write such as wood/c.png,2 3 5" in said


def test_labels_may_begin_with_the_mark_that_spreadsheets_write(photos):
    (photos / "labels.csv").write_text("path,faces\nfelt/a.png,3 5\n", encoding="utf-8-sig")
    assert labels_in(photos) == [("felt/a.png", Counter("35"))]


def test_picture_without_dice_is_labelled_without_faces(photos):
    (photos / "labels.csv").write_text("path,faces,source\nfelt/a.png,,me, too\nfelt/b.png\n")
    assert labels_in(photos) == [("felt/a.png", Counter()), ("felt/b.png", Counter())]


def test_the_tutorial_reads_clean_dice_but_nothing_that_is_absent():
    rng = np.random.default_rng(9)
    picture = draw_dice(rng, [DrawnDie(5, 120, 120, 90, 0)], (240, 320), grain=1.0)
    assert [face for face, _ in read_like_a_tutorial(picture)[0]] == ["5"]
    assert read_like_a_tutorial(np.full((60, 60, 3), 99, np.uint8)) == ([], True)
