"""Attacks by pictures: what is sent in is decoded, written anew, and named by us."""

import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from lan_table import ORIGIN, LanTable, token

from camera.uploads import clean_picture
from web.uploads import LARGEST_PICTURE

ROOT = "/api/v1/pictures"


def picture(suffix: str = ".jpg") -> bytes:
    drawn = np.full((40, 60, 3), 90, np.uint8)
    drawn[10:20, 10:20] = (10, 200, 250)
    _, coded = cv2.imencode(suffix, drawn)
    return coded.tobytes()


@pytest.fixture
def lan(tmp_path: Path) -> LanTable:
    return LanTable(pictures=(tmp_path / "pictures", clean_picture))


@pytest.fixture
def referee(lan: LanTable) -> Any:
    return lan.referee()


def send(browser: Any, data: bytes, kind: str = "image/jpeg", path: str = ROOT) -> Any:
    headers = {**ORIGIN, "X-CSRF-Token": token(browser)}
    return browser.post(path, data=data, content_type=kind, headers=headers)


def test_picture_is_written_anew_under_a_name_of_ours(referee: Any, tmp_path: Path) -> None:
    hidden = picture() + b"<script>alert(1)</script> GPS 52.52 13.40"
    reply = send(referee, hidden)
    assert reply.status_code == 201
    (kept,) = (tmp_path / "pictures").iterdir()
    assert kept.name == reply.json["name"]
    assert b"script" not in kept.read_bytes()
    assert b"GPS" not in kept.read_bytes()
    assert kept.read_bytes().startswith(b"\x89PNG")
    assert kept.stat().st_mode & 0o777 == 0o600
    shown = referee.get(f"{ROOT}/{kept.name}")
    assert shown.mimetype == "image/png"
    assert cv2.imdecode(np.frombuffer(shown.data, np.uint8), 1).shape == (40, 60, 3)
    assert referee.get(ROOT).json == {"pictures": [kept.name]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a" + b"\0" * 99,
        b"<svg onload='alert(1)'/>",
        b"\x89PNG\r\n\x1a\n",
        picture()[:80],
        picture(".bmp"),
        picture(".tiff"),
    ],
)
def test_what_is_no_whole_picture_is_not_kept(referee: Any, tmp_path: Path, data: bytes) -> None:
    reply = send(referee, data, "image/png")
    assert (reply.status_code, reply.json["code"]) == (422, "no_picture")
    assert not (tmp_path / "pictures").exists()


def test_damaged_picture_is_not_kept(referee: Any, tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (60, 80, 3), np.uint8)
    whole = cv2.imencode(".jpg", noise)[1].tobytes()
    third = len(whole) // 3
    reply = send(referee, whole[:third] + bytes(third) + whole[2 * third :])
    assert (reply.status_code, reply.json["code"]) == (422, "no_picture")
    assert not (tmp_path / "pictures").exists()


def test_small_file_that_would_fill_the_memory_is_not_decoded(referee: Any, mocker: Any) -> None:
    decode = mocker.spy(cv2, "imdecode")
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    size = struct.pack(">I", len(head))
    bomb = b"\x89PNG\r\n\x1a\n" + size + chunk + struct.pack(">I", zlib.crc32(chunk))
    bomb += struct.pack(">I", 0) + b"IEND" + struct.pack(">I", zlib.crc32(b"IEND"))
    assert send(referee, bomb, "image/png").status_code == 422
    assert decode.call_count == 0


def test_picture_that_is_too_large_is_refused(referee: Any) -> None:
    reply = send(referee, b"\xff" * (LARGEST_PICTURE + 1))
    assert reply.status_code == 413


def test_large_body_goes_nowhere_else(referee: Any) -> None:
    assert send(referee, b"\xff" * 70_000, "image/jpeg", "/actions").status_code == 415
    assert send(referee, b"\xff" * 70_000, "application/json", "/actions").status_code == 413


@pytest.mark.parametrize(
    "name",
    ["../table.keys.json", "..%2ftable.keys.json", "%2e%2e/table.keys.json", "a.png", "x" * 300,
     "0" * 32 + ".png%00.txt", "0" * 32 + ".PNG"],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(referee: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "table.keys.json").write_text("secret")
    (tmp_path / "pictures" / "a.png").write_bytes(b"not ours")
    assert referee.get(f"{ROOT}/{name}").status_code in (404, 308)


def test_link_in_the_folder_is_not_followed(referee: Any, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "pictures" / ("0" * 32 + ".png")).symlink_to(tmp_path / "secret")
    assert referee.get(f"{ROOT}/{'0' * 32}.png").status_code == 404


def test_players_and_viewers_send_no_pictures(lan: LanTable, tmp_path: Path) -> None:
    for browser in (lan.viewer(), lan.player("ann")):
        assert send(browser, picture()).status_code == 403
    assert send(lan.stranger(), picture()).status_code in (401, 403)
    assert not (tmp_path / "pictures").exists()


def test_picture_is_thrown_away(referee: Any, tmp_path: Path) -> None:
    name = send(referee, picture(".png"), "image/png").json["name"]
    headers = {**ORIGIN, "X-CSRF-Token": token(referee)}
    assert referee.delete(f"{ROOT}/{name}", headers=headers).status_code == 204
    assert list((tmp_path / "pictures").iterdir()) == []
    assert referee.delete(f"{ROOT}/{name}", headers=headers).status_code == 404
