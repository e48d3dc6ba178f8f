import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pip_drawing import DrawnDie, draw_dice

from camera.pictures import load_picture, read_picture
from companion.errors import PictureError

FORMATS = [".jpg", ".png", ".bmp", ".webp", ".tiff"]


@pytest.fixture(scope="module")
def roll():
    rng = np.random.default_rng(1)
    return draw_dice(rng, [DrawnDie(5, 90, 100, 70, 15), DrawnDie(2, 220, 120, 70, 40)], (240, 320))


def saved(path, pixels, *settings):
    assert cv2.imwrite(str(path), pixels, list(settings))
    return path


@pytest.mark.parametrize("suffix", FORMATS)
def test_dice_are_read_in_every_format(tmp_path, roll, suffix):
    path = saved(tmp_path / f"roll{suffix}", roll)
    line = read_picture(path)
    assert line["picture"] == str(path)
    assert line["accepted"] is True
    assert [(die["kind"], die["face"]) for die in line["dice"]] == [("d6", "5"), ("d6", "2")]
    for die in line["dice"]:
        assert all(type(number) is int for number in die["box"])
        assert 0 < die["certainty"] <= 1


def test_the_picture_is_named_as_given(tmp_path, monkeypatch, roll):
    saved(tmp_path / "roll.png", roll)
    monkeypatch.chdir(tmp_path)
    assert read_picture("./roll.png")["picture"] == "./roll.png"


def test_grey_alpha_and_16_bits_become_bgr(tmp_path, roll):
    grey = cv2.cvtColor(roll, cv2.COLOR_BGR2GRAY)
    variants = {
        "grey": grey,
        "alpha": np.dstack([roll, np.full(roll.shape[:2], 255, np.uint8)]),
        "deep": roll.astype(np.uint16) * 257,
        "deep_grey": grey.astype(np.uint16) * 257,
    }
    for name, pixels in variants.items():
        path = saved(tmp_path / f"{name}.png", pixels)
        loaded = load_picture(path)
        assert loaded.shape == roll.shape
        assert loaded.dtype == np.uint8
        assert [die["face"] for die in read_picture(path)["dice"]] == ["5", "2"]


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.95])
def test_cut_files_are_errors(tmp_path, roll, suffix, share):
    whole = saved(tmp_path / f"whole{suffix}", roll).read_bytes()
    cut = tmp_path / f"cut{suffix}"
    cut.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(PictureError, match=cut.name):
        load_picture(cut)
    line = read_picture(cut)
    assert line["error"]
    assert (line["accepted"], line["dice"]) == (False, [])


def test_files_that_are_no_pictures_are_errors(tmp_path):
    (tmp_path / "note.jpg").write_text("five dice, all sixes")
    (tmp_path / "empty.png").write_bytes(b"")
    for name in ("note.jpg", "empty.png", "missing.png", ".", "nul\0byte"):
        with pytest.raises(PictureError):
            load_picture(tmp_path / name)
        assert read_picture(tmp_path / name)["error"]


def test_no_more_is_read_of_what_does_not_begin_as_a_picture():
    with pytest.raises(PictureError, match="got something else"):
        load_picture("/dev/zero")  # it never ends


def test_pictures_of_one_pixel_are_errors(tmp_path):
    path = saved(tmp_path / "dot.png", np.zeros((1, 1, 3), np.uint8))
    with pytest.raises(PictureError, match="at least 16 x 16"):
        load_picture(path)


def test_huge_pictures_are_refused_before_they_are_decoded(tmp_path, monkeypatch):
    header = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    path = tmp_path / "huge.png"
    path.write_bytes(_png_of([(b"IHDR", header), (b"IDAT", b""), (b"IEND", b"")]))
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    with pytest.raises(PictureError, match="100 million"):
        load_picture(path)


def test_huge_jpeg_and_webp_files_are_refused_by_what_they_say_of_themselves(tmp_path, roll):
    for name, mark, skip, form in (
        ("huge.jpg", b"\xff\xc0", 5, ">H"),
        ("huge.webp", b"\x9d\x01\x2a", 3, "<H"),
    ):
        lossy = (cv2.IMWRITE_WEBP_QUALITY, 80) if name.endswith("webp") else ()
        raw = bytearray(saved(tmp_path / name, roll, *lossy).read_bytes())
        at = raw.index(mark) + skip
        for side in (0, 2):
            struct.pack_into(form, raw, at + side, 16_000)
        (tmp_path / name).write_bytes(raw)
        with pytest.raises(PictureError, match="100 million pixels, got 16000 x 16000"):
            load_picture(tmp_path / name)


def test_a_picture_of_100_megapixels_gives_an_empty_reading(tmp_path):
    header = struct.pack(">IIBBBBB", 10_000, 10_000, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((1 + 10_000 // 8) * 10_000), 1)
    path = tmp_path / "large.png"
    path.write_bytes(_png_of([(b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")]))
    line = read_picture(path)
    assert line["doubts"] == ["no dice"]
    assert (line["accepted"], line["dice"]) == (False, [])


def _png_of(chunks):
    parts = [b"\x89PNG\r\n\x1a\n"]
    for kind, body in chunks:
        parts += [struct.pack(">I", len(body)), kind, body]
        parts.append(struct.pack(">I", zlib.crc32(kind + body)))
    return b"".join(parts)


@settings(max_examples=20)
@given(st.sampled_from(FORMATS), st.data())
def test_damaged_file_is_an_error_or_asked_about_or_read_as_it_was(
    tmp_path_factory, roll, suffix, data
):
    folder = tmp_path_factory.mktemp("damaged")
    whole = saved(folder / f"a{suffix}", roll).read_bytes()
    raw = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = folder / f"b{suffix}"
    path.write_bytes(raw)
    line = read_picture(path, expect=2)
    if "error" in line:
        assert line["error"].startswith(f"{path}: ")
        assert (line["accepted"], line["dice"]) == (False, [])
    elif line["accepted"]:
        assert len(line["dice"]) == 2
        assert suffix == ".webp" or [die["face"] for die in line["dice"]] == ["5", "2"]
    else:
        assert line["doubts"]
    if suffix == ".png":  # it alone has sums to check by
        assert ("error" in line) == (raw != whole)
