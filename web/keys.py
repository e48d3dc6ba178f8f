"""The secrets of one installation: the table's link, seats, the referee's PIN, and wrong tries.

They lie in one file of the state folder that only its owner can read, and are written whole: after
a power cut there is the old file or the new one. Nothing here has a default that somebody could
know; what is not there yet is drawn from the system's random source.
"""

import hashlib
import hmac
import os
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.errors import ConfigError
from companion.words import say
from web.refusals import Refused

FREE_TRIES = 5  # wrong PINs before there is a pause
FIRST_PAUSE_S = 30.0  # then twice as long after each further one
LONGEST_PAUSE_S = 3600.0
FORGET_S = 24 * 3600.0  # after so long without a wrong try, counting begins anew


class Kept(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds. `wrong_at_s` is wall-clock time, because it outlives a restart."""

    secret: str
    link: str
    pin: str
    seats: dict[str, str] = {}
    wrong: int = 0
    wrong_at_s: float = 0.0


def drawn() -> Kept:
    """New secrets, none of which anybody knows."""
    pin = f"{secrets.randbelow(10**6):06}"
    return Kept(secrets.token_hex(32), secrets.token_urlsafe(16), pin)


class Keys:
    """Makes, keeps and checks the secrets; safe from any thread. `path` None keeps them in memory.

    Raises ConfigError for a file that is damaged.
    """

    def __init__(self, path: Path | None = None, now_s: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now_s = now_s
        self._lock = threading.RLock()
        self._kept = drawn() if path is None or not path.exists() else read(path)
        self._save()

    @property
    def secret(self) -> str:
        """Signs cookies."""
        return self._kept.secret

    @property
    def link(self) -> str:
        """Who has it may look."""
        return self._kept.link

    @property
    def pin(self) -> str:
        """Who knows it may be the referee; shown on the console only."""
        return self._kept.pin

    def seat(self, player: str) -> str:
        """Who has it may act for this player."""
        with self._lock:
            if player not in self._kept.seats:
                self.renew_seat(player)
            return self._kept.seats[player]

    def renew_link(self) -> None:
        """Let nobody look any more who joined by the link so far."""
        with self._lock:
            self._kept.link = secrets.token_urlsafe(16)
            self._save()

    def renew_seat(self, player: str) -> None:
        """Let nobody act for this player any more who was paired so far."""
        with self._lock:
            self._kept.seats[player] = secrets.token_urlsafe(16)
            self._save()

    def mark(self, token: str) -> str:
        """What a cookie may say about a secret: it can be compared, and not turned back."""
        digest = hmac.new(self.secret.encode(), token.encode(), hashlib.sha256)
        return digest.hexdigest()[:32]

    def seat_of(self, token: str) -> str | None:
        """The player whose seat this token pairs with, or None."""
        with self._lock:
            for player, known in self._kept.seats.items():
                if same(known, token):
                    return player
        return None

    def try_pin(self, pin: str) -> None:
        """Return if it is right; otherwise raise Refused with `wrong_pin` or `too_many_tries`.

        A try counts before it is looked at, so that neither a second request at the same moment nor
        a power cut makes it free.
        """
        with self._lock:
            left_s = self.pause_s()
            if left_s > 0:
                raise Refused(
                    429,
                    "too_many_tries",
                    say("Too many wrong PINs. Try again in {n} s.", n=int(left_s) + 1),
                    retry_after_s=int(left_s) + 1,
                )
            before, before_s = self._kept.wrong, self._kept.wrong_at_s
            now_s = self._now_s()
            forgotten = now_s - before_s > FORGET_S
            self._kept.wrong, self._kept.wrong_at_s = (0 if forgotten else before) + 1, now_s
            self._save()
            if not same(self.pin, pin):
                raise Refused(403, "wrong_pin", "That is not the PIN that the console shows.")
            self._kept.wrong, self._kept.wrong_at_s = 0, 0.0
            self._save()

    def pause_s(self) -> float:
        """How long no further PIN is looked at."""
        wrong = self._kept.wrong - FREE_TRIES
        if wrong < 0:
            return 0.0
        pause_s = min(FIRST_PAUSE_S * 2.0 ** min(wrong, 20), LONGEST_PAUSE_S)
        passed_s = max(0.0, self._now_s() - self._kept.wrong_at_s)  # a clock may go back
        return max(0.0, pause_s - passed_s)

    def _save(self) -> None:
        if self._path is not None:
            write_privately(self._path, msgspec.json.encode(self._kept))


def same(one: str, other: str) -> bool:
    """True for equal texts, in a time that tells nothing."""
    return hmac.compare_digest(one.encode(), other.encode())


def read(path: Path) -> Kept:
    """The secrets of a file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path}: expected the keys of this table, but {error}; delete the file to have new "
            "ones (everybody has to join again)"
        ) from error


def write_privately(path: Path, data: bytes) -> None:
    """Replace a file that only its owner may read; ConfigError where that cannot be done."""
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
