"""Who may talk to the dashboard: its own pages, under a name that nobody else can own.

A browser can be made to talk to a machine at home by any page that it shows. Two checks stop
that. A write must come from a page of this very address (`Origin`), and the address itself must
be one that no stranger can register (`Host`): a stranger's name that suddenly points into the
house (DNS rebinding) would otherwise pass the first check.
"""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Flask, Response, request

from companion.words import mark, say
from web.refusals import Refused
from web.uploads import KINDS, LARGEST_PICTURE

LARGEST_BODY = 64 * 1024  # bytes; a correction with all its dice needs less than one of them
NOT_HERE = mark(
    "{name} is not a name of this table. Use its IP address or its name in the house (NAME.local)."
)
HOME_SUFFIXES = (".local", ".lan", ".home.arpa", ".internal", ".localhost")

UPLOADS = frozenset({"api_upload", "api_setup_upload"})  # endpoints that take pictures
UPLOAD_PATHS = frozenset({"/api/v1/pictures", "/api/v1/setup/faces/uploads"})  # theirs
FORMS = frozenset({"setup_form"})  # endpoints that take a page's own form, without scripts
FORM = "application/x-www-form-urlencoded"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
KEPT = "public, max-age=31536000, immutable"  # what never changes under its path: for a year


def guard(app: Flask, hosts: Iterable[str] = ()) -> None:
    """Check every request of `app`, and tell browsers to be strict.

    hosts  further names under which the dashboard may be reached, such as `games.example.org`.
    """
    known = frozenset(name.lower() for name in hosts)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY

    @app.before_request
    def check() -> None:
        if not is_home(host_name(request.host), known):
            raise Refused(
                403,
                "unknown_host",
                say(NOT_HERE, name=repr(request.host)),
            )
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            check_write()

    @app.after_request
    def be_strict(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint == "static" and response.status_code in (200, 304):
            response.headers["Cache-Control"] = KEPT  # its path names its version
        else:
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def check_write() -> None:
    """Let only JSON, and in few places pictures or a form, from a page of this address write."""
    origin = request.headers.get("Origin")
    same = origin is None or urlsplit(origin).netloc.lower() == request.host.lower()
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if not same or site not in ("same-origin", "none"):
        raise Refused(403, "other_origin", "Only pages of this table may change it.")
    if request.endpoint in UPLOADS and request.mimetype in KINDS:
        request.max_content_length = LARGEST_PICTURE
        return
    if request.endpoint in FORMS and request.mimetype == FORM:
        return  # it brings its token in a field
    if request.method == "DELETE" and not request.content_length:
        return
    if request.mimetype != "application/json":
        raise Refused(
            415,
            "not_json",
            say(
                "Expected application/json, got {mimetype!r}.",
                mimetype=request.mimetype or "no type",
            ),
        )


def host_name(host: str) -> str:
    """The name or address of a `Host` header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


def is_home(name: str, known: frozenset[str]) -> bool:
    """True for an address, a name without a domain, or one that only exists at home."""
    if name in known:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return bool(name) and ("." not in name or name.endswith(HOME_SUFFIXES))
    return True
