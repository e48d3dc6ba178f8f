"""Shares with 95 % intervals, after Wilson; how often readings are right, by their certainty."""

from collections.abc import Iterable

Figures = dict[str, float | int]
SURE = 0.985  # certainty that is printed as 0.99
BINS = 10  # of certainty, each from its tenth to just below the next, the last one up to 1.0
Z_95 = 1.96  # standard deviations on either side of a 95 % interval


def interval_95(hits: int, trials: int) -> tuple[float, float]:
    """Give the 95 % interval of a share, after Wilson (1927)."""
    if not trials:
        return 0.0, 1.0
    share, square = hits / trials, Z_95 * Z_95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z_95 * (share * (1 - share) / trials + square / (4 * trials**2)) ** 0.5
    half /= 1 + square / trials
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)


def share_figures(name: str, part: int, whole: int) -> Figures:
    """A share and its interval; 0 of 0 is no share, but has to be given as one: 0."""
    low, high = interval_95(part, whole)
    return {
        f"{name}_share": round(part / whole, 4) if whole else 0.0,
        f"{name}_low95_share": low,
        f"{name}_high95_share": high,
    }


def reliability(readings: Iterable[tuple[float, bool]]) -> Figures:
    """Count readings, given as certainty (0 to 1) and whether it was right, in ten bins.

    Every reading is in one bin, and every bin is given, in order; an empty one has no share.
    `surest` is no bin: it tells again of those in the last one that are given as 0.99 or more.
    """
    told = list(readings)
    bins: list[list[bool]] = [[] for _ in range(BINS)]
    for certainty, right in told:
        bins[min(int(certainty * BINS), BINS - 1)].append(right)
    figures: Figures = {}
    for number, rights in enumerate(bins):
        figures |= _bin(f"certainty_{number / BINS:.1f}", rights)
    return figures | _bin("surest", [right for certainty, right in told if certainty >= SURE])


def _bin(name: str, rights: list[bool]) -> Figures:
    counted: Figures = {f"{name}_readings": len(rights)}
    if rights:
        counted |= share_figures(f"{name}_right", sum(rights), len(rights))
    return counted
