"""What a camera cannot read, the table is asked: in words, die by die."""

from collections.abc import Callable

from camera.watch import Question
from companion.actions import Report, Rolled
from companion.app import Companion
from companion.asking import Asked

WORDS = {
    "unreadable": "What does {dice} show?",
    "crooked": "{dice} lies crooked: throw it again, or say what it shows.",
    "too_few": "Not all dice lie there yet: {dice}. Throw what is missing, or enter the roll.",
    "turned": "{dice} was turned. If it counts, lay it as it was.",
}


class CameraQuestions:
    """Puts the questions of one camera to the table, and takes them back when they are settled."""

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._open: dict[str, str] = {}  # source: name of its question

    def __call__(self, source: str, question: Question | None) -> None:
        """A zone asks something, or (None) does not any more."""
        before = self._open.pop(source, None)
        if before is not None and before in self._companion.questions:
            self._companion.settle(before)
        if question is not None:
            self._put(source, question, question.names, dict(question.faces))

    def _put(
        self, source: str, question: Question, names: tuple[str, ...], known: dict[str, str]
    ) -> None:
        companion = self._companion
        answerable = question.reason in ("unreadable", "crooked") and len(names) > 0
        faces = self._faces(question, names) if answerable else ()
        asked = Asked(
            companion.next_question(),
            WORDS[question.reason].format(dice=", ".join(names[:1] if answerable else names)),
            question.at_s,
            source,
            faces,
            self._answer(source, question, names, known),
            names[:1] if answerable else (),
        )
        self._open[source] = asked.id
        companion.ask(asked, holds=question.reason == "unreadable")

    def _faces(self, question: Question, names: tuple[str, ...]) -> tuple[str, ...]:
        """The likeliest faces first, then the others of that die."""
        first = question.choices if names == question.names else ()
        every = self._companion.referee.table.dice[names[0]].faces
        return tuple(dict.fromkeys([face for face in first if face in every] + list(every)))

    def _answer(
        self, source: str, question: Question, names: tuple[str, ...], known: dict[str, str]
    ) -> Callable[[str], Report | None]:
        def answer(face: str) -> Report | None:
            faces = known | {names[0]: face}
            if len(names) > 1:
                self._put(source, question, names[1:], faces)
                return None
            return Report(Rolled(faces), at_s=question.at_s, source="table")

        return answer
