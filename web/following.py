"""The beginning of a stream: who follows, from where on, and in which form."""

from collections.abc import Callable

from flask import Response, request

from web.feed import Feed
from web.native import NATIVE, STREAM
from web.refusals import Refused
from web.streams import Form, Stream, Streams

PLAIN = Form("plain", lambda message, newest: message.body)


def stream_of(feed: Feed, streams: Streams, form: Form) -> Response:
    """Answer the request with the feed, resumed after `Last-Event-ID` (or `?after=`).

    Raises Refused with 503 where as many follow as can.
    """
    if not streams.enter():
        raise Refused(
            503, "too_many_screens", "As many screens follow as can; close one.", retry_after_s=5
        )
    after = request.headers.get("Last-Event-ID") or request.args.get("after")
    viewer = feed.subscribe(after)
    if request.environ.get(NATIVE):
        request.environ[STREAM] = viewer, form
        response = Response(mimetype="text/event-stream")
    else:
        is_gone: Callable[[], bool] = lambda: False  # noqa: E731
        texts = streams.texts(viewer, form.body, is_gone)
        response = Response(Stream(streams, viewer, texts), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response
