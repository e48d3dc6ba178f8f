import threading
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.feed import Feed, Message, Viewer


def table(feed: Feed, step: int) -> None:
    feed.publish("table", {"told": [{"text": str(step)}], "snapshot": {"step": step}}, step)


def waiting(viewer: Viewer) -> list[Message]:
    """Everything that is there now."""
    messages = []
    while (message := viewer.next_within(0)) is not None:
        messages.append(message)
    return messages


def steps(messages: list[Message]) -> list[int]:
    return [msgspec.json.decode(m.body)["snapshot"]["step"] for m in messages if m.kind == "table"]


def test_new_viewer_gets_the_whole_table_first_and_no_old_words() -> None:
    feed = Feed(boot="b")
    table(feed, 1)
    table(feed, 2)
    (first,) = waiting(feed.subscribe(None))
    assert first.kind == "table"
    assert first.id == "b-2"
    assert msgspec.json.decode(first.body) == {
        "told": [],
        "refused": None,
        "snapshot": {"step": 2},
    }


def test_viewer_resumes_after_its_last_id_without_a_gap() -> None:
    feed = Feed(boot="b")
    for step in range(1, 8):
        table(feed, step)
    messages = waiting(feed.subscribe("b-3"))
    assert steps(messages) == [4, 5, 6, 7]
    assert [m.id for m in messages] == ["b-4", "b-5", "b-6", "b-7"]


def test_past_that_must_not_be_told_again_is_forgotten() -> None:
    feed = Feed(boot="b")
    for step in range(1, 4):
        feed.publish("table", {"snapshot": {"step": step}}, step, keeps_past=False)
    assert steps(waiting(feed.subscribe("b-1"))) == [3]
    assert steps(waiting(feed.subscribe("b-2"))) == [3]


def test_viewer_who_has_seen_all_gets_nothing_again() -> None:
    feed = Feed(boot="b")
    table(feed, 1)
    assert waiting(feed.subscribe(feed.last_id())) == []


@pytest.mark.parametrize(
    "last_id",
    ["other-2", "b-1", "b-99", "b-", "b", "-3", "b--3", "b-³", "b-" + "9" * 5000, "b-2.0", "\x00"],
)
def test_unknown_or_forgotten_id_gets_the_whole_table(last_id: str) -> None:
    feed = Feed(boot="b", keep=3)
    for step in range(1, 8):
        table(feed, step)
    messages = waiting(feed.subscribe(last_id))
    assert steps(messages) == [7]
    assert messages[0].id == "b-7"


def test_slow_viewer_is_dropped_and_resumes_without_a_gap() -> None:
    feed = Feed(boot="b", lag=5)
    viewer = feed.subscribe(None)
    for step in range(1, 4):
        table(feed, step)
    seen = waiting(viewer)
    for step in range(4, 10):
        table(feed, step)
    with pytest.raises(StopIteration):
        viewer.next_within(0)
    assert (feed.dropped, feed.viewers) == (1, 0)
    again = waiting(feed.subscribe(seen[-1].id))
    assert steps([*seen, *again]) == list(range(1, 10))


def test_resuming_viewer_may_read_a_long_backlog() -> None:
    feed = Feed(boot="b", lag=5)
    for step in range(1, 101):
        table(feed, step)
    viewer = feed.subscribe("b-10")
    table(feed, 101)
    assert steps(waiting(viewer)) == list(range(11, 102))
    assert feed.dropped == 0


def test_lossy_news_keep_only_the_newest_of_each_kind() -> None:
    feed = Feed()
    viewer = feed.subscribe(None)
    for level in (0.1, 0.5, 0.9):
        feed.publish("lamps", {"lamps": [level]}, None)
    feed.publish("sensing", {"zones": []}, None)
    assert [(m.kind, m.body, m.id) for m in waiting(viewer)] == [
        ("lamps", b'{"lamps":[0.9]}', None),
        ("sensing", b'{"zones":[]}', None),
    ]
    assert [m.kind for m in waiting(feed.subscribe(None))] == ["lamps", "sensing"]


def test_what_was_published_does_not_change_with_its_dict() -> None:
    feed = Feed()
    viewer = feed.subscribe(None)
    data = {"snapshot": {"step": 1}, "told": []}
    feed.publish("table", data, 1)
    data["snapshot"]["step"] = 2
    assert steps(waiting(viewer)) == [1]


def test_publish_never_raises_and_counts_what_is_no_json() -> None:
    feed = Feed()
    endless: dict[str, Any] = {}
    endless["again"] = endless
    feed.publish("table", endless, 1)
    feed.publish("lamps", {"lamps": object()}, None)
    assert feed.lost == 1
    assert feed.last_id().endswith("-0")


def test_close_ends_waiting_viewers_and_later_ones() -> None:
    feed = Feed()
    viewer = feed.subscribe(None)
    ended = threading.Thread(target=lambda: list(viewer))
    ended.start()
    feed.close()
    ended.join(5)
    assert not ended.is_alive()
    assert list(feed.subscribe(None)) == []
    feed.publish("lamps", {}, None)
    assert feed.viewers == 0


def test_every_viewer_sees_every_step_when_many_threads_publish() -> None:
    feed = Feed(keep=1000, lag=1000)
    viewers = [feed.subscribe(None) for _ in range(5)]
    got: list[list[str]] = [[] for _ in viewers]

    def read(viewer: Viewer, into: list[str]) -> None:
        for message in viewer:
            into.append(str(message.id))
            if len(into) == 200:
                return

    readers = [threading.Thread(target=read, args=pair) for pair in zip(viewers, got, strict=True)]
    writers = [
        threading.Thread(target=lambda: [table(feed, n) for n in range(50)]) for _ in range(4)
    ]
    for thread in (*readers, *writers):
        thread.start()
    for thread in (*readers, *writers):
        thread.join(10)
    assert all(ids == [f"{feed.boot}-{n}" for n in range(1, 201)] for ids in got)


@given(
    reads=st.lists(st.integers(0, 6), min_size=1, max_size=40),
    keep=st.integers(1, 12),
    lag=st.integers(1, 8),
)
def test_whoever_comes_back_misses_nothing_or_is_told_anew(
    reads: list[int], keep: int, lag: int
) -> None:
    feed, step = Feed(boot="b", keep=keep, lag=lag), 0
    last_id, seen = None, 0
    for published in reads:
        viewer = feed.subscribe(last_id)
        for _ in range(published):
            step += 1
            table(feed, step)
        while True:
            try:
                message = viewer.next_within(0)
            except StopIteration:
                break
            if message is None:
                break
            (now,) = steps([message])
            told = msgspec.json.decode(message.body)["told"]
            assert now == seen + 1 if told else now >= seen
            last_id, seen = message.id, now
        viewer.close()
    assert feed.viewers == 0
