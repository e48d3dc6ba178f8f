"""What can be wrong with a journal, in words that every screen can say in its viewer's language."""

from companion.errors import ConfigError, JournalError
from companion.words import Words, mark, say, word

OF_SQLITE = (  # what it says most often, in its own words; anything else stays English
    mark("attempt to write a readonly database"),
    mark("database disk image is malformed"),
    mark("database is locked"),
    mark("database or disk is full"),
    mark("disk I/O error"),
    mark("unable to open database file"),
)


def no_such_game(number: int) -> ConfigError:
    """A number that no game of this journal has."""
    return ConfigError(
        say("game: expected a number from the list of games, got {number}", number=number)
    )


def no_such_step(steps: int, game: int, asked: int) -> ConfigError:
    """A step that this game has not."""
    return ConfigError(
        say(
            "step: expected 0 to {steps} in game {game}, got {asked}",
            steps=steps,
            game=game,
            asked=asked,
        )
    )


def place(journal: str, game: int, step: int | None = None) -> Words:
    """A row of a journal."""
    if step is None:
        return say("journal {journal}, game {game}", journal=journal, game=game)
    return say("journal {journal}, game {game}, step {step}", journal=journal, game=game, step=step)


def rows_missing(where: str, step: int) -> JournalError:
    """A step is not there that must be, as later ones are."""
    return JournalError(
        say("{where}: expected step {step}; rows are missing", where=where, step=step)
    )


def refused_now(where: str, why: Exception) -> JournalError:
    """The rules of today do not accept what was accepted then."""
    return JournalError(say("{where}: the rules refuse it now: {why}", where=where, why=why))


def comes_out_differently(where: str, step: int) -> JournalError:
    """The digests disagree from this step on."""
    return JournalError(
        say(
            "{where}: the table comes out differently; go on from the step before with --up-to "
            "{before}, or begin another with --new",
            where=where,
            before=step - 1,
        )
    )


def alike_until(number: int, game: str, written: int, now: int | None, step: int) -> JournalError:
    """The rules have another revision, and another table from some step on."""
    return JournalError(
        say(
            "game {number}: expected {game} revision {written}, got revision {now}; it comes out "
            "alike up to step {step}: go on from there with --up-to, or begin another with --new",
            number=number,
            game=game,
            written=written,
            now=now,
            step=step,
        )
    )


def other_rules(number: int, game: str, written: int, now: int) -> JournalError:
    """The rules have another revision."""
    return JournalError(
        say(
            "game {number}: expected {game} revision {written}, got revision {now}; it cannot be "
            "shown by other rules",
            number=number,
            game=game,
            written=written,
            now=now,
        )
    )


def unknown_rules(number: int, game: str, written: int) -> JournalError:
    """Nobody knows the rules of this game."""
    return JournalError(
        say(
            "game {number}: expected {game} revision {written}, got none; it cannot be continued; "
            "begin another with --new",
            number=number,
            game=game,
            written=written,
        )
    )


def damaged_row(where: str, why: Exception) -> JournalError:
    """A row that cannot be read."""
    return JournalError(
        say(
            "{where}: the row is damaged: {why}; begin another game with --new, or another journal "
            "with --journal",
            where=where,
            why=why,
        )
    )


CANNOT = {
    "open": mark(
        "journal {where}: cannot open: {why}; check that the folder exists, is writable and has "
        "space left"
    ),
    "read": mark(
        "journal {where}: cannot read: {why}; check that the folder exists, is writable and has "
        "space left"
    ),
    "write": mark(
        "journal {where}: cannot write: {why}; check that the folder exists, is writable and has "
        "space left"
    ),
}


def cannot(verb: str, where: str, why: object) -> JournalError:
    """The file cannot be opened, read, or written."""
    return JournalError(say(CANNOT[verb], where=where, why=word(str(why))))
