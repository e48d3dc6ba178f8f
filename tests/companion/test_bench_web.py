"""The benchmark of the dashboard, on a small room."""

import json

from click.testing import CliRunner

from companion.bench.web_viewers import gaps_in, read
from companion.cli import main
from web.native import GZIP_HEAD, deflated
from web.streams import RETRY


def test_everybody_hears_everything_when_a_few_follow():
    words = ["bench", "web", "--viewers", "4", "--seconds", "1", "--no-paint", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout_bytes.splitlines()[-1])
    assert all(isinstance(value, int | float) for value in figures.values())
    assert (figures["heard"], figures["gaps"]) == (4 * 10, 0)
    assert (figures["sleeper_heard"], figures["sleeper_gaps"]) == (10, 0)
    assert 0 < figures["publish_to_viewer_median_ms"] < figures["publish_to_viewer_most_ms"]
    assert 0 < figures["assets_kb"] < 300


def test_pieces_are_read_as_they_are_sent():
    text = b'id: b-7\nevent: table\ndata: {"told":[{"text":"stamp 3 1.5"}]}\n\n'
    assert read(GZIP_HEAD + deflated(RETRY)) == ((), "")
    assert read(deflated(text)) == read(text) == (((3, 1.5),), "b-7")


def test_gaps_are_counted_when_messages_are_missed_or_repeated():
    assert [gaps_in(heard) for heard in ([1, 2, 3], [1, 3], [1, 1, 2], [])] == [0, 1, 1, 0]
