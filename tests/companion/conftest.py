"""Tables to play at, which are audited when a test is over."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.register_assert_rewrite("program", "recorded", "verbs")

from verbs import Troll  # noqa: E402  (after the line that makes its assertions speak)


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
