"""Watch a square of tiles: frames in, flips out.

Frame by frame: does anything move? since when does everything lie still? Then, once: which squares
look different (tiles_find), what do their tiles show (symbols)? A flip is a tile that lay covered
and lies face up now. A tile that comes into a gap, or that is moved, is none; nor is a hand. Two
tiles at once are asked about: nobody can tell from a picture which came first.
What is covered again is forgotten: only its back is kept, and no picture of its face.
Sans-I/O: the only clock is that of the frames.
"""

from collections.abc import Collection, Mapping

from camera.calibrate import Pixels, Zone
from camera.dice_sets import DiceLooks
from camera.naming import Reading
from camera.settle import Phase
from camera.source import Frame
from camera.square import COLUMNS, Lattice, square_names, square_view
from camera.stillness import Stillness, Stir
from camera.symbols import FaceReader, cut_patch
from camera.tile_art import BACK
from camera.tiles_find import Laid, SquareFinder
from camera.watch import CERTAIN, Question, Sighting, box_of
from companion.actions import Flipped, Report

ASK_AFTER_S = 0.8  # a hand that rests on a tile is doubted as well, but does not stay so long
_LAY_COVERED = ("covered", "lifted")


class TileWatcher:
    """Reports the tiles of one square that are turned up.

    zone      where the square lies in the picture; its name is part of the source's.
    looks     how faces and back look; the back is the face `back`.
    empty     a picture of the square without tiles.
    columns   so many rows and columns.
    settle_s  so long must everything lie still.
    certain   certainty from which on a reading is reported.
    """

    def __init__(
        self,
        zone: Zone,
        looks: DiceLooks,
        empty: Pixels,
        *,
        columns: int = COLUMNS,
        settle_s: float = 0.1,
        certain: float = CERTAIN,
    ) -> None:
        self.name, self._certain = zone.name, certain
        self._view = square_view(zone)
        self._squares = square_names(columns)
        self._finder = SquareFinder(self._view, Lattice(zone, columns), empty)
        self._reader = FaceReader(looks.patches)
        self._stillness = Stillness(self._view, empty, settle_s)
        self._lies: dict[str, str] = {}  # empty before the first rest
        self._seen: dict[str, Reading] = {}  # every tile, as it was last read
        self._readings: dict[str, Reading] = {}  # the same at the last rest
        self._pending: dict[str, Reading] = {}  # turned up, and yet to be reported
        self._pending_at_s = self._pending_gap_s = 0.0
        self._question: Question | None = None
        self._is_to_judge = False
        self._expected: frozenset[str] = frozenset()

    @property
    def lies(self) -> dict[str, str]:
        """What was on each square at the last rest: `up`, `covered` or `empty`."""
        return {s: "empty" if lies == "lifted" else lies for s, lies in self._lies.items()}

    @property
    def up(self) -> tuple[str, ...]:
        """Squares whose tiles lay face up at the last rest, row by row: to be covered some time."""
        return tuple(square for square, lies in self._lies.items() if lies == "up")

    def expect(self, up: Collection[str]) -> None:
        """Say which tiles the table knows to be up: they are not reported when they turn up."""
        self._expected = frozenset(up)

    def answered(self, faces: Mapping[str, str]) -> None:
        """Take note that the table knows what these tiles show: they are not reported."""
        self._pending = {s: r for s, r in self._pending.items() if s not in faces}
        self._question, self._is_to_judge = None, bool(self._pending)

    def start_anew(self) -> None:
        """Forget how the tiles lay: those that are up at the next rest were up before."""
        self._lies, self._pending, self._question = {}, {}, None
        self._stillness.start_anew()

    def relearn(self, looks: DiceLooks) -> None:
        """Read with this from now on."""
        self._reader = FaceReader(looks.patches)

    def see(self, frame: Frame) -> Sighting:
        """Take in one frame; raise PictureError for one that is not this camera's."""
        self._view.check(frame.pixels)
        stir = self._stillness.see(frame)
        if stir.differs:
            self._question = None
        reports: tuple[Report, ...] = ()
        if stir.settled.is_due:
            reports = self._look(frame, stir)
        elif self._is_to_judge and stir.settled.phase is Phase.STILL:
            reports = self._judge(frame.pixels)
        return Sighting(
            reports,
            self._stillness.settler.watermark_s,
            str(self._stillness.settler.phase),
            tuple(self._readings[square] for square in self.up),
            self._question,
            self._view.zone.corners,
        )

    def _look(self, frame: Frame, stir: Stir) -> tuple[Report, ...]:
        """Find and read what lies here now that nothing moves, and judge it."""
        pixels = frame.pixels
        laid = self._finder.find(pixels)
        if not laid.is_clear:
            return ()  # a hand, or a thing: no rest as long as it lies here
        self._seen = self._read(pixels, laid)
        doubtful = {s for s, r in self._seen.items() if self._is_doubtful(s, r)}
        if doubtful and frame.at_s < stir.settled.since_s + ASK_AFTER_S:
            self._finder.forget(frozenset(doubtful))
            return ()  # perhaps the next frame is clearer
        turned = self._turned()
        self._readings = self._seen
        flips = self._settle()
        self._stillness.settler.declare(empty=not laid.bodies)
        if flips:
            self._pending_at_s, self._pending_gap_s = stir.settled.since_s, stir.gap_s
        self._pending = {s: self._readings[s] for s in (*self._pending, *flips) if self._is_up(s)}
        reports = self._judge(pixels)
        if turned and not reports and self._question is None:
            self._question = self._ask("turned", turned, (), pixels)
        return reports

    def _read(self, pixels: Pixels, laid: Laid) -> dict[str, Reading]:
        """Read the tiles that look different from before."""
        readings = {}
        for square in self._squares:
            body = laid.bodies.get(square)
            if body is None:
                continue
            if square in self._seen and square not in laid.fresh:
                readings[square] = self._seen[square]
                continue
            like = self._reader.read(self._view, pixels, body)
            faces = tuple(face for _, face, _ in like.choices if face != BACK)
            box = box_of(self._view, body)
            readings[square] = Reading(
                square, like.kind, like.face, like.certainty, body, box, faces
            )
        return readings

    def _is_up(self, square: str) -> bool:
        return square in self._readings and self._readings[square].face != BACK

    def _is_doubtful(self, square: str, reading: Reading) -> bool:
        """True for an uncertain reading that would change something."""
        was_up = self._lies.get(square) == "up" and square not in self._pending
        return reading.certainty < self._certain and was_up == (reading.face == BACK)

    def _settle(self) -> list[str]:
        """Note what lies where now; return the squares whose covered tiles are up."""
        before, self._lies = self._lies, {}
        flips = []
        for square in self._squares:
            was = before.get(square, "up")  # what is up at first sight was turned up before
            if square not in self._readings:
                self._lies[square] = "lifted" if was in _LAY_COVERED else "empty"
            else:
                self._lies[square] = "up" if self._is_up(square) else "covered"
            if self._is_up(square) and was in _LAY_COVERED:
                flips.append(square)
        return [square for square in flips if square not in self._expected]

    def _turned(self) -> tuple[str, ...]:
        """Tiles that were up and are up, and show another face than before."""
        return tuple(
            square
            for square, before in self._readings.items()
            if self._is_up(square)
            and square in self._seen
            and self._seen[square].face not in (BACK, before.face)
            and min(self._seen[square].certainty, before.certainty) >= self._certain
        )

    def _judge(self, pixels: Pixels) -> tuple[Report, ...]:
        """Report the tile that was turned up, or ask."""
        self._is_to_judge, self._question = False, None
        if not self._pending:
            return ()
        squares = tuple(self._pending)
        if len(squares) > 1:
            self._question = self._ask("at_once", squares, squares, pixels)
            return ()
        reading = self._pending[squares[0]]
        if reading.certainty < self._certain:
            self._question = self._ask("unreadable", squares, reading.choices, pixels)
            return ()
        self._pending = {}
        report = Report(
            Flipped(squares[0], reading.face),
            at_s=self._pending_at_s,
            within_s=self._pending_gap_s,
            source=f"camera:{self.name}",
            certainty=reading.certainty,
        )
        return (report,)

    def _ask(
        self, reason: str, squares: tuple[str, ...], choices: tuple[str, ...], pixels: Pixels
    ) -> Question:
        sure = {s: r.face for s, r in self._pending.items() if r.certainty >= self._certain}
        first = self._readings[squares[0]]
        picture = _alone(pixels, first.box) if len(squares) == 1 else None
        patch = cut_patch(self._view, pixels, first.body) if reason == "unreadable" else None
        return Question(reason, self._pending_at_s, squares, sure, choices, picture, patch)


def _alone(pixels: Pixels, box: tuple[int, int, int, int]) -> Pixels:
    """Cut out one tile and nothing of its neighbours: they are nobody's business."""
    left, top, width, height = box
    return pixels[max(0, top) : top + height, max(0, left) : left + width].copy()
