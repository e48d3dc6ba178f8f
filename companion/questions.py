"""What a camera cannot read, the table is asked: in words, die by die or tile by tile."""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from camera.cutouts import as_small_jpeg
from camera.watch import Question
from companion.actions import Flipped, Report, Rolled
from companion.app import Companion
from companion.asking import JOURNAL, NO_ROLL, Asked
from companion.learning import Learner
from companion.offers import Flip
from companion.snapshot import face_labels
from companion.words import die_name, listed, say

WORDS = {
    "unreadable": "What does {dice} show?",
    "crooked": "{dice} lies crooked: throw it again, or say what it shows.",
    "cut": "{dice} lies where the camera sees only a part of it: throw it again, or say what it "
    "shows.",
    "too_few": "Not all dice lie there yet: {dice}. Throw what is missing, or enter the roll.",
    "too_many": "Nobody can tell which of these dice were rolled, so none of them counts. "
    "Throw again what may be rolled ({dice}), or enter the roll.",
    "turned": "{dice} was turned. If it counts, lay it as it was.",
}

TILE_WORDS = {
    "unreadable": "What does the tile at {squares} show?",
    "at_once": "One at a time! Which tile was turned up first: {squares}?",
    "turned": "The tile at {squares} shows something else than before. Were tiles mixed up?",
}


class CameraQuestions:
    """Puts the questions of one camera to the table, and takes them back when they are settled."""

    def __init__(self, companion: Companion) -> None:
        self.learners: dict[str, Learner] = {}
        self.withdraws: dict[str, Callable[[], None]] = {}
        self._companion = companion
        self._open: dict[str, str] = {}  # source: name of its question

    def __call__(self, source: str, question: Question | None) -> None:
        """A zone asks something, or (None) does not any more."""
        before = self._open.pop(source, None)
        if before is not None and before in self._companion.questions:
            self._companion.settle(before)
        if question is not None:
            is_tile = any(name not in self._companion.referee.table.dice for name in question.names)
            (self._put_tiles if is_tile else self._put)(
                source, question, question.names, dict(question.faces)
            )

    def open_ones(self) -> Sequence[Asked]:
        """The questions that wait for an answer; what the journal asks is not of the table."""
        return [one for one in list(self._companion.questions.values()) if one.id != JOURNAL]

    def answer(self, question: str, face: str) -> None:
        """Answer one, in the deciding thread."""
        self._companion.answer(question, face)

    @property
    def game_waits(self) -> bool:
        """True while the journal fails."""
        return self._companion.journal_error is not None

    def witness(self, report: Report, picture: Callable[[], bytes | None]) -> Report:
        """Keep the picture of a roll; return the report that names it."""
        evidence = self._companion.evidence
        if evidence is None or evidence.rolls is None:
            return report
        name = evidence.rolls.keep(self._companion.number, report, picture())
        return report if name is None else msgspec.structs.replace(report, evidence=name)

    def _learn(self, source: str, question: Question, face: str) -> None:
        """What the camera could not read, it can learn now."""
        learner = self.learners.get(source)
        if learner is not None and question.patch is not None:
            dice, name = self._companion.referee.table.dice, next(iter(question.names), "")
            learner.learn(face, question.patch, dice[name].kind if name in dice else None)

    def _put_tiles(
        self, source: str, question: Question, squares: tuple[str, ...], known: dict[str, str]
    ) -> None:
        """Ask about tiles: which of them was first, or what the only one shows."""
        several = question.reason == "at_once" and len(squares) > 1
        answers = squares if several else self._tile_faces(question)
        if question.reason == "turned":
            answers = ()

        def answer(said: str) -> Report | None:
            square, face = (said, known.get(said)) if several else (squares[0], said)
            if face is None:
                self._put_tiles(source, question, (square,), {})
                return None
            if not several:
                self._learn(source, question, face)
            return Report(Flipped(square, face), at_s=question.at_s, source="table")

        reason = "unreadable" if question.reason == "at_once" and not several else question.reason
        names = listed([f"({square})" for square in squares], "{first} or {rest}")
        text = say(TILE_WORDS[reason], squares=names)
        holds = reason != "turned"
        self._ask(source, question, text, answers, answer, squares, holds=holds)

    def _tile_faces(self, question: Question) -> tuple[str, ...]:
        """What a tile may show: the likeliest first, then all that the table knows of."""
        flips = [o for o in self._companion.referee.offers if isinstance(o, Flip)]
        known = [face for flip in flips for face in flip.faces]
        first = question.choices if question.reason == "unreadable" else ()
        return tuple(dict.fromkeys([f for f in first if f in known or not known] + known))

    def _put(
        self, source: str, question: Question, names: tuple[str, ...], known: dict[str, str]
    ) -> None:
        answerable = question.reason in ("unreadable", "crooked", "cut") and len(names) > 0
        faces = self._faces(question, names) if answerable else ()
        dice = [die_name(name) for name in (names[:1] if answerable else names)]
        text = say(WORDS[question.reason], dice=listed(dice or [""]))
        if source in self.withdraws:
            faces = (*faces, NO_ROLL)
        answer = self._answer(source, question, names, known)
        about = names[:1] if answerable else ()
        holds = question.reason == "unreadable"
        self._ask(source, question, text, faces, answer, about, holds=holds)

    def _ask(
        self,
        source: str,
        question: Question,
        text: str,
        answers: tuple[str, ...],
        answer: Callable[[str], Report | None],
        about: tuple[str, ...],
        *,
        holds: bool,
    ) -> None:
        name = self._companion.next_question()
        asked = Asked(name, text, question.at_s, source, answers, answer, about)
        referee = self._companion.referee
        said = [one for one in answers if one not in about and one != NO_ROLL]
        asked.names = face_labels(referee, said)
        if about[:1] == question.names[:1]:
            self._show(asked, question)
        self._open[source] = name
        self._companion.ask(asked, holds=holds)

    def _show(self, asked: Asked, question: Question) -> None:
        """Let screens show what the camera sees, until the question is settled."""
        evidence = self._companion.evidence
        if evidence is None or question.crop is None:
            return
        asked.picture = evidence.keep(question.crop)
        if asked.picture is not None:
            asked.settled = partial(evidence.drop, asked.picture)

    def _faces(self, question: Question, names: tuple[str, ...]) -> tuple[str, ...]:
        """The likeliest faces first, then the others of that die."""
        first = question.choices if names == question.names else ()
        every = self._companion.referee.table.dice[names[0]].faces
        return tuple(dict.fromkeys([face for face in first if face in every] + list(every)))

    def _answer(
        self, source: str, question: Question, names: tuple[str, ...], known: dict[str, str]
    ) -> Callable[[str], Report | None]:
        def answer(face: str) -> Report | None:
            if face == NO_ROLL:
                self.withdraws[source]()
                return None
            faces = known | {names[0]: face}
            if names == question.names:
                self._learn(source, question, face)
            if len(names) > 1:
                self._put(source, question, names[1:], faces)
                return None
            report = Report(Rolled(faces), at_s=question.at_s, source="table")
            crop = question.crop
            return report if crop is None else self.witness(report, partial(as_small_jpeg, crop))

        return answer
