"""Webhooks: messages of the feed, posted to addresses that a referee named, signed.

    Companion-Id: 3f2a-17            the message; the same again when a delivery is tried again
    Companion-Timestamp: 1700000000  when it was sent, seconds since 1970
    Companion-Signature: sha256=...  HMAC of `timestamp.body` with the secret of this webhook

Each webhook is a viewer of its own in a thread of its own, so that an address that does not answer
holds up neither the table nor another address. Whoever is too slow is dropped by the feed like any
viewer, and comes back with the last message that was delivered.
"""

import hashlib
import hmac
import http.client
import logging
import secrets
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, jsonify
from werkzeug.exceptions import NotFound

from companion.errors import ConfigError
from companion.field_words import reason
from companion.words import say
from web import asked
from web.bodies import body_as
from web.feed import KINDS, Feed, Message
from web.keys import write_privately
from web.refusals import Refused

LOG = logging.getLogger(__name__)
MOST = 10  # webhooks of one table
PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)  # between tries of one message
TIMEOUT_S = 5.0
LOOK_UP_S = 1.0


class Registered(msgspec.Struct, frozen=True):
    """One webhook as it is kept."""

    id: str
    url: str
    secret: str
    kinds: tuple[str, ...]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """What is signed for one address goes to no other."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect())


def signature(secret: str, stamp: str, body: bytes) -> str:
    """What a receiver compares with `Companion-Signature`."""
    digest = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={digest.hexdigest()}"


class Posting:
    """Delivers the messages of one webhook, in order, until it is closed."""

    def __init__(self, hook: Registered, feed: Feed, pauses_s: tuple[float, ...]) -> None:
        self.hook = hook
        self.delivered = 0
        self.failed = 0
        self._feed = feed
        self._pauses_s = pauses_s
        self._over = threading.Event()
        self._last = feed.last_id()
        self._thread = threading.Thread(target=self._run, name=f"hook-{hook.id}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Deliver nothing more; a delivery that runs may end."""
        self._over.set()

    def _run(self) -> None:
        while not self._over.is_set():
            viewer = self._feed.subscribe(self._last)
            try:
                self._follow(viewer.next_within)
            except StopIteration:
                self._over.wait(LOOK_UP_S)  # dropped, or the feed is closed
            finally:
                viewer.close()

    def _follow(self, next_within: Callable[[float], Message | None]) -> None:
        while not self._over.is_set():
            message = next_within(LOOK_UP_S)
            if message is None:
                continue
            if message.kind in self.hook.kinds:
                self._deliver(message)
            self._last = message.id or self._last

    def _deliver(self, message: Message) -> None:
        """Try until it is taken; after the last pause the message is given up and counted."""
        for pause_s in (*self._pauses_s, None):
            if self._post(message):
                self.delivered += 1
                return
            if pause_s is None or self._over.wait(pause_s):
                break
        self.failed += 1

    def _post(self, message: Message) -> bool:
        hook, stamp = self.hook, str(int(time.time()))
        body = b'{"kind":"%s","data":%s}' % (message.kind.encode(), message.body)
        headers = {
            "Content-Type": "application/json",
            "Companion-Id": message.id or "",
            "Companion-Timestamp": stamp,
            "Companion-Signature": signature(hook.secret, stamp, body),
        }
        asked_for = urllib.request.Request(hook.url, data=body, headers=headers, method="POST")
        try:
            with OPENER.open(asked_for, timeout=TIMEOUT_S) as reply:
                return 200 <= int(reply.status) < 300
        except (urllib.error.URLError, OSError, http.client.HTTPException, ValueError) as error:
            LOG.info("webhook %s: %s", hook.id, error)
            return False


class Webhooks:
    """The webhooks of one table; `path` None keeps them in memory."""

    def __init__(
        self, feed: Feed, path: Path | None = None, *, pauses_s: tuple[float, ...] = PAUSES_S
    ) -> None:
        self._feed = feed
        self._path = path
        self._pauses_s = pauses_s
        self._lock = threading.Lock()
        self._posting: dict[str, Posting] = {}
        for hook in read(path):
            self._posting[hook.id] = Posting(hook, feed, pauses_s)

    def rows(self) -> list[dict[str, Any]]:
        """All webhooks without their secrets, and how they fare."""
        with self._lock:
            return [
                {
                    "id": one.hook.id,
                    "url": one.hook.url,
                    "kinds": list(one.hook.kinds),
                    "delivered": one.delivered,
                    "failed": one.failed,
                }
                for one in self._posting.values()
            ]

    def add(self, url: str, kinds: list[str]) -> Registered:
        """Post messages of these kinds to an address; raises Refused."""
        check_hook(url, kinds)
        with self._lock:
            if len(self._posting) >= MOST:
                raise Refused(
                    422,
                    "too_many_webhooks",
                    say("There are {most} already; remove one first.", most=MOST),
                )
            hook = Registered(secrets.token_hex(8), url, secrets.token_hex(32), tuple(kinds))
            self._posting[hook.id] = Posting(hook, self._feed, self._pauses_s)
            self._save()
        return hook

    def remove(self, name: str) -> None:
        """Post nothing there any more; raises NotFound."""
        with self._lock:
            posting = self._posting.pop(name, None)
            if posting is None:
                raise NotFound(f"There is no webhook {name!r}.")
            posting.close()
            self._save()

    def close(self) -> None:
        """Deliver nothing more."""
        with self._lock:
            for posting in self._posting.values():
                posting.close()

    def _save(self) -> None:
        if self._path is not None:
            hooks = [posting.hook for posting in self._posting.values()]
            write_privately(self._path, msgspec.json.encode(hooks))


def check_hook(url: str, kinds: list[str]) -> None:
    """Raise Refused for an address that cannot be posted to, or for kinds that there are not."""
    try:
        address = urlsplit(url)
        fits = address.scheme in ("http", "https") and bool(address.hostname)
        fits = fits and address.username is None and address.port != 0
        fits = fits and url.isascii() and url.isprintable() and " " not in url
    except ValueError:
        fits = False
    if not fits:
        raise Refused(422, "bad_address", "url: expected http://HOST/... or https://HOST/...")
    if not kinds or not set(kinds) <= set(KINDS):
        raise Refused(
            422, "bad_kinds", say("kinds: expected some of {known}.", known=", ".join(KINDS))
        )


def read(path: Path | None) -> list[Registered]:
    """The webhooks of a file; ConfigError if it is damaged."""
    if path is None or not path.exists():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Registered])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(
            say(
                "{path}: expected webhooks, but {why}; delete the file and register them anew",
                path=path,
                why=reason(error),
            )
        ) from error


def serve_webhooks(app: Flask, hooks: Webhooks) -> None:
    """Let referees register and remove webhooks."""

    @app.get("/api/v1/webhooks")
    def api_webhooks() -> Response:
        return jsonify({"webhooks": hooks.rows()})

    @app.post("/api/v1/webhooks")
    def api_hook() -> tuple[Response, int]:
        wish = body_as(asked.Hook)
        return jsonify(msgspec.to_builtins(hooks.add(wish.url, list(wish.kinds)))), 201

    @app.delete("/api/v1/webhooks/<hook>")
    def api_unhook(hook: str) -> tuple[str, int]:
        hooks.remove(hook)
        return "", 204
