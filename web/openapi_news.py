"""The messages of `/api/v1/events` and of webhooks in words that programs read.

OpenAPI 3.1 knows no single messages of a stream. So each kind has a schema of its own among the
components, `x-messages` of the stream's operation says which kind has which, and `webhooks` says
what is posted. Whoever publishes another kind adds it to `KINDS` of `web/feed.py` and to `NEWS`.
"""

from typing import Any, NamedTuple

REF = "#/components/schemas/{name}"
BEAT = "beat"
SIGNED = {
    "Companion-Id": "Its id, the same when it is sent again; empty for what is not resumed.",
    "Companion-Timestamp": "When it was sent, in seconds since 1970.",
    "Companion-Signature": "`sha256=` and the HMAC of timestamp, a full stop, and the body.",
}


class News(NamedTuple):
    """One kind of message: its words, the name of its schema, the schema, and whether it resumes.

    resumes  True if each is numbered and sent again after `Last-Event-ID`; else the newest counts.
    """

    kind: str
    summary: str
    schema: str
    shape: dict[str, Any]
    resumes: bool = False


def thing(**fields: dict[str, Any]) -> dict[str, Any]:
    """An object that has these fields, and may have others."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def rows(**fields: dict[str, Any]) -> dict[str, Any]:
    """A list of such objects."""
    return {"type": "array", "items": thing(**fields)}


TEXT: dict[str, Any] = {"type": "string"}
TRUTH: dict[str, Any] = {"type": "boolean"}
WHOLE: dict[str, Any] = {"type": "integer"}
SHARE: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}
TOLD = rows(cue=TEXT, family=TEXT, title=TEXT, text=TEXT, step=WHOLE)
REFUSED = {"oneOf": [{"type": "null"}, thing(code=TEXT, message=TEXT, source=TEXT)]}
SOURCES = rows(name=TEXT, label=TEXT, state=TEXT, detail=TEXT)
STATES = {"enum": ["moving", "still"]}
NEWS = (
    News("table", "The table as it lies now, and what was told or refused.", "TableNews",
         thing(told=TOLD, refused=REFUSED, snapshot={"$ref": REF.format(name="Table")}), True),
    News("lamps", "How lamps and buzzer are now.", "LampsNews",
         thing(lamps=rows(name=TEXT, label=TEXT, colour=TEXT, level=SHARE))),
    News("sensing", "How sensors fare, and where dice roll just now.", "SensingNews",
         thing(zones=rows(name=TEXT, state=STATES), sources=SOURCES)),
    News("manner", "How quiet and how loud the table is from now on.", "MannerNews",
         thing(quiet=TRUTH, volume=SHARE)),
)  # fmt: skip
BEATS = News(BEAT, "The line is alive; nothing has happened for a while.", "BeatNews",
             {"type": "object", "maxProperties": 0})  # fmt: skip


def schemas() -> dict[str, Any]:
    """The shapes of the data of all messages, by the names of their schemas."""
    return {news.schema: news.shape | {"description": news.summary} for news in (*NEWS, BEATS)}


def messages() -> dict[str, Any]:
    """What may come on the stream, by the name of the event."""
    return {
        news.kind: {
            "summary": news.summary,
            "resumes": news.resumes,
            "data": {"$ref": REF.format(name=news.schema)},
        }
        for news in (*NEWS, BEATS)
    }


def in_words() -> str:
    """What the stream's operation says of its messages."""
    kinds = "\n".join(f"- `{news.kind}`: {news.summary}" for news in (*NEWS, BEATS))
    return f"Each event is named after its kind, and its data is JSON (`x-messages`).\n\n{kinds}"


def webhooks() -> dict[str, Any]:
    """What is posted to a webhook, by kind of message."""
    return {news.kind: {"post": posted(news)} for news in NEWS}


def posted(news: News) -> dict[str, Any]:
    """One delivery as OpenAPI has it."""
    body = thing(kind={"const": news.kind}, data={"$ref": REF.format(name=news.schema)})
    headers = [
        {"name": name, "in": "header", "required": True, "schema": TEXT, "description": words}
        for name, words in SIGNED.items()
    ]
    return {
        "summary": news.summary,
        "parameters": headers,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"2XX": {"description": "Taken; anything else is tried again."}},
    }
