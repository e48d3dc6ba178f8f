"""Tables to play at, which are audited when a test is over."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.register_assert_rewrite("faulty", "program", "real_table", "recorded", "room", "verbs")

from room import Play  # noqa: E402  (after the line that makes their assertions speak)
from verbs import Troll  # noqa: E402

from companion.app import Companion  # noqa: E402
from companion.house_desk import HouseDesk  # noqa: E402
from web.feed import Feed  # noqa: E402


@pytest.fixture
def seat() -> Iterator[Callable[..., Troll]]:
    """Seat adventurers for Troll & Dragon; at the end no piece may have appeared or vanished."""
    tables: list[Troll] = []

    def seated(*seats: str, **options: Any) -> Troll:
        tables.append(Troll(*seats, **options))
        return tables[-1]

    yield seated
    for table in tables:
        table.audit()


@pytest.fixture
def at(seat: Callable[..., Troll]) -> Troll:
    """Ann, Bo and Cy play by the usual rules."""
    return seat("ann", "bo", "cy")


@pytest.fixture
def desk() -> HouseDesk:
    """The desk of a table that no thread decides at: what is asked of it is answered at once."""
    play = Play()
    desk = HouseDesk(Feed())
    desk.journal = play.journal
    desk.serve(play.companion)
    play.companion.call = lambda ask, timeout_s=1.0: ask()
    desk.room = play.room
    return desk


@pytest.fixture
def quick_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strip of lamps that is asked ten times a second how it fares."""
    monkeypatch.setattr("hardware.wled.ASK_S", 0.1)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """All that screens are told while a test lasts: each text, with what it is made of."""
    seen: dict[str, Any] = {}

    def snapshot(companion: Companion) -> Any:
        shown = look(companion)
        for row in (*shown["sources"], *shown["questions"]):
            texts = [row.get(name) for name in ("label", "detail", "text", "title")]
            texts += [*row.get("troubles", ()), *row.get("remedy_labels", ())]
            seen.update((text, shown["words"]) for text in texts if text)
        if shown["journal_error"]:
            seen[shown["journal_error"]] = shown["words"]
        return shown

    look = Companion.snapshot
    monkeypatch.setattr(Companion, "snapshot", snapshot)
    return seen
