"""Who reads the dice of a tray once they lie: learnt symbols, pips, or both in one tray.

All of them answer with the same readings, so that whoever waits for rest need not know which dice
are thrown. Dice with pips need no teaching: their face is read by camera/pips.py, their kind is the
nearest of the colours in the game's box.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from camera.calibrate import Zone
from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.faces import CERTAIN
from camera.halves import Halves, Picture
from camera.patches import cut_top
from camera.pip_anew import FROM_BOTH_SIDES
from camera.seek import Floats, Seeker
from camera.slant import Slant
from camera.standing import Standing
from camera.stills import DieReading, StillReader
from camera.top_faces import flat_part
from camera.tracks import apart
from camera.tray_pips import PipDice, has_pips
from companion.dice import Die


class Reader(Protocol):
    """Reads the dice of one picture."""

    @property
    def left_over(self) -> tuple[str, ...]:
        """What may be dice in the last picture that were not read, in words."""
        ...

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        ...

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture (H, W, 3) uint8 BGR; `empty` is the tray without dice, if known."""
        ...


KnownTrays = dict[tuple[Zone, type[Reader]], Reader]
"""Who read the dice of each sort in a zone: readers of one sort share how its tray lies."""


class SymbolDice:
    """Reads dice of a learnt set in one tray, whose camera stands still."""

    left_over: tuple[str, ...] = ()  # the empty tray tells it better

    def __init__(self, looks: DiceLooks, kinds: Iterable[str] | None, seeker: Seeker) -> None:
        self._reader = StillReader(looks, None if kinds is None else set(kinds), seeker)

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        return self._reader.upright.turns

    @property
    def standing(self) -> Standing:
        """How this camera looks at its tray."""
        return self._reader.standing

    def knows_with(self, other: "SymbolDice") -> None:
        """Share with another reader of the same tray what is known of it."""
        self._reader.standing = other._reader.standing
        self._reader.upright = other._reader.upright

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture."""
        return list(self._reader.dice(picture, empty=empty).readings)


class MixedDice:
    """Reads learnt dice and pip dice that lie in one tray: for each die whoever is surer."""

    left_over: tuple[str, ...] = ()  # symbols may look like the pips of a die that was not read

    def __init__(self, readers: Sequence[Reader]) -> None:
        self.readers = tuple(readers)

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        return max(reader.turns for reader in self.readers)

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture; where both are sure of one die, neither is."""
        found: list[DieReading] = []
        halves = Halves.of(picture)
        for reader in self.readers:
            for one in reader.read(halves, empty):
                near = (apart(one.corners, other.corners) < FROM_BOTH_SIDES for other in found)
                number = next((n for n, is_same in enumerate(near) if is_same), None)
                if number is None:
                    found.append(one)
                    continue
                rest, best = sorted((one, found[number]), key=lambda each: each.certainty)
                found[number] = _less(best, 1 - rest.certainty)
        return found


def _less(reading: DieReading, share: float) -> DieReading:
    certainty = reading.certainty * share
    doubt = reading.doubt or ("" if certainty >= CERTAIN else "unsure")
    return reading._replace(certainty=certainty, doubt=doubt)


def reader_for(
    looks: DiceLooks | None, dice: Iterable[Die] = (), seeker: Seeker | None = None
) -> Reader:
    """Whoever reads these dice: learnt ones by what was learnt, those with pips without.

    dice  those that may lie there; all that were learnt where none are given, and without
          anything learnt, pip dice of any colour.
    """
    listed, seeker = list(dice), seeker or Seeker()
    pips = [die for die in listed if has_pips(die)]
    readers: list[Reader] = []
    kinds = {die.kind for die in listed if not has_pips(die)} if listed else None
    if looks is not None and (kinds is None or kinds):
        readers.append(SymbolDice(looks, kinds, seeker))
    if pips or looks is None:
        readers.append(PipDice(pips, seeker))
    return readers[0] if len(readers) == 1 else MixedDice(readers)


def reader_again(
    before: Reader, looks: DiceLooks | None, dice: Iterable[Die], seeker: Seeker
) -> Reader:
    """Whoever reads these dice after something was learnt; what is known of the tray is kept."""
    reader = reader_for(looks, dice, seeker)
    share_tray(before, reader)
    return reader


def share_tray(one: Reader, other: Reader) -> None:
    """Let another reader of the same tray know what one knows, and will know, of how it lies."""
    for old in parts_of(one):
        for new in parts_of(other):
            if isinstance(old, SymbolDice) and isinstance(new, SymbolDice):
                new.knows_with(old)
            if isinstance(old, PipDice) and isinstance(new, PipDice):
                new.floor, new.leaning = old.floor, old.leaning


def tell_slant(reader: Reader, drawn: Sequence[Slant] | None) -> None:
    """Let a reader know how its camera looks at the tray, with each lens, if that is known."""
    for part in parts_of(reader):
        if isinstance(part, SymbolDice | PipDice):
            part.standing.drawn = drawn


def parts_of(reader: Reader) -> tuple[Reader, ...]:
    """Who reads the dice of each sort, where several do."""
    return reader.readers if isinstance(reader, MixedDice) else (reader,)


def face_patch(pixels: Pixels, corners: Floats) -> Pixels:
    """The upper side of a die as faces are learnt, so that an answer can be."""
    return cut_top(pixels, flat_part(corners))
