"""The interface in words that programs read: an OpenAPI 3.1 document, as data.

Bodies are the structs of `web/asked.py`, so that the document cannot promise another shape than is
checked. Whoever adds a path adds a line to `PATHS`; a test holds this against the routes.
"""

from typing import Any, NamedTuple

import msgspec

from web import asked, openapi_news, pairing, setup_bodies

VERSION = "1.0.0"
EVENTS = "/events"
REF = "#/components/schemas/{name}"
PROBLEM = {
    "description": "Why not, as problem details (RFC 9457). 409 brings the table as it is.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


class Path(NamedTuple):
    """One operation: its words, body, answer, and what stands in path and query."""

    method: str
    path: str
    summary: str
    answer: str = "Done"
    body: type | None = None
    query: tuple[tuple[str, dict[str, Any]], ...] = ()
    media: tuple[str, ...] = ("application/json",)
    status: str = "200"
    raw: bool = False


NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31}
KIND = {"type": "string", "enum": ["json", "csv"]}
PATHS = (
    Path("get", "/table", "The table as it lies, with its offers.", "Table"),
    Path("get", "/seats", "Who sits here, and who plays each seat.", "Seats"),
    Path("get", "/devices", "Sensors and lamps, and how they fare.", "Devices"),
    Path("get", "/health", "Whether the table works, and what is wrong.", "Health"),
    Path("get", EVENTS, "News as server-sent events; resumes after Last-Event-ID.",
         query=(("after", {"type": "string"}),), media=("text/event-stream",)),
    Path("post", "/actions", "Do what an offer allows; or undo, correct, adjust.",
         body=asked.Act),
    Path("post", "/rolls", "Enter a roll by hand.", body=asked.EnteredRoll),
    Path("post", "/throws", "Throw simulated dice.", body=asked.Throw),
    Path("post", "/answers", "Say what a die shows that a sensor asks about; or no roll.",
         body=asked.AnswerGiven),
    Path("post", "/undo", "Take back what was accepted last.", body=asked.Answers),
    Path("post", "/corrections", "Put another action in the place of a step's.",
         body=asked.Correction),
    Path("post", "/corrections/preview", "What a correction would change.", "Preview",
         body=asked.Correction),
    Path("post", "/adjustments", "Set a public count by hand.", body=asked.Adjustment),
    Path("get", "/manner", "How quiet and how loud the table is.", "Manner"),
    Path("put", "/manner", "Let the table be quiet or loud.", "Manner", body=asked.MannerWished),
    Path("post", "/pause", "Let the game stand still.", body=asked.Answers),
    Path("post", "/resume", "Go on.", body=asked.Answers),
    Path("put", "/seats/{player}", "Hand a seat to a person or to the simulated player.",
         body=asked.SeatPlayed),
    Path("post", "/seats/{player}/code", "Void the pairing code of a seat.", body=pairing.Code),
    Path("post", "/link", "Void the table's link.", body=pairing.Code),
    Path("get", "/steps", "What has happened in this game, as it may be shown.", "Steps",
         query=(("after", NUMBER), ("limit", {**NUMBER, "maximum": 500}))),
    Path("get", "/steps/{number}", "One step.", "StepShown"),
    Path("get", "/steps/{number}/alternatives", "What a choice or tile may really have been.",
         "Alternatives"),
    Path("get", "/games", "All games of the journal.", "Games"),
    Path("post", "/games", "Play again, or something else.", body=asked.NewGame),
    Path("post", "/games/current/end", "End this game before its end.", body=asked.Answers),
    Path("get", "/games/{number}", "A game with all its steps.", "Game"),
    Path("get", "/fairness", "How fair the dice of all games were, die by die.", "Fairness"),
    Path("get", "/games/{number}/export", "A game to take away.", "Game",
         query=(("as", KIND),), media=("application/json", "text/csv")),
    Path("get", "/session", "What this browser may do, and the token for its writes.", "Session"),
    Path("post", "/session", "Join by link, pair with a seat, or be the referee.", "Session",
         body=pairing.Credentials),
    Path("delete", "/session", "Forget what this browser was given.", status="204"),
    Path("get", "/webhooks", "Where messages are posted to.", "Hooks"),
    Path("post", "/webhooks", "Post messages to an address, signed.", "HookMade",
         body=asked.Hook, status="201"),
    Path("delete", "/webhooks/{hook}", "Post nothing there any more.", status="204"),
    Path("get", "/pictures", "Pictures that were sent in.", "Pictures"),
    Path("post", "/pictures", "Send a picture in; it is decoded and written anew.", "Picture",
         media=("image/jpeg", "image/png", "image/webp"), status="201", raw=True),
    Path("get", "/pictures/{name}", "A picture that was sent in.", media=("image/png",)),
    Path("delete", "/pictures/{name}", "Throw a picture away.", status="204"),
    Path("get", "/setup/games", "Games that can be set up, and those that were set aside.",
         "SetUpGames"),
    Path("get", "/setup/games/{game}", "What can be chosen for a game, with explanations.",
         "SetUpForm"),
    Path("post", "/setup/games/{number}/resume", "Go on with a game that was set aside.",
         body=setup_bodies.GameResumed),
    Path("post", "/setup/game", "Begin a game with these seats and house rules.",
         body=setup_bodies.GameSetUp),
    Path("get", "/setup/dice", "Receivers and smart dice as they are now.", "SetUpDice"),
    Path("post", "/setup/dice/take-up", "Go on with the game with the dice as they are mapped.",
         body=setup_bodies.Nothing),
    Path("post", "/setup/dice/go-on", "Let the game go on that waits while dice are shown.",
         "SetUpDice", body=setup_bodies.Nothing),
    Path("post", "/setup/dice/{die}/blink", "Let a die blink.", "SetUpDice",
         body=setup_bodies.Nothing),
    Path("put", "/setup/dice/{die}/name", "Give a die another id of its own.", "SetUpDice",
         body=setup_bodies.DieNamed),
    Path("put", "/setup/dice/{die}/plays", "Say which die of the game it plays.", "SetUpDice",
         body=setup_bodies.DieMapped),
    Path("post", "/setup/dice/{die}/calibration", "Ask for the faces of a die.", "SetUpDice",
         body=setup_bodies.DieCalibrated),
    Path("post", "/setup/dice/calibration/answer", "Answer what the calibration asks.",
         "SetUpDice", body=setup_bodies.CalibrationAnswer),
    Path("delete", "/setup/dice/calibration", "End the calibration.", "SetUpDice"),
    Path("get", "/setup/cameras", "Cameras, and where their zones lie.", "SetUpCameras"),
    Path("post", "/setup/cameras/wait", "Let the game wait while trays are emptied or moved.",
         "SetUpCameras", body=setup_bodies.Nothing),
    Path("post", "/setup/cameras/go-on", "Let the game go on that waits for them.",
         "SetUpCameras", body=setup_bodies.Nothing),
    Path("post", "/setup/cameras/take-up", "Go on with the game with the zones as they are set.",
         body=setup_bodies.Nothing),
    Path("get", "/setup/cameras/{camera}/picture", "What a camera sees.", media=("image/jpeg",)),
    Path("put", "/setup/cameras/{camera}", "Say how wide dice are in the picture.",
         "SetUpCameras", body=setup_bodies.CameraSet),
    Path("post", "/setup/cameras/{camera}/empty", "Keep the picture as that of the empty trays.",
         "SetUpCameras", body=setup_bodies.Nothing),
    Path("put", "/setup/cameras/{camera}/zones/{zone}", "Set where a zone lies.",
         "SetUpCameras", body=setup_bodies.ZoneSet),
    Path("delete", "/setup/cameras/{camera}/zones/{zone}",
         "Forget what was set here about a zone.", "SetUpCameras"),
    Path("get", "/setup/faces", "How far the lesson in dice or tiles is.", "SetUpFaces"),
    Path("post", "/setup/faces", "Begin a lesson; an earlier one is forgotten.", "SetUpFaces",
         body=setup_bodies.LessonBegun),
    Path("delete", "/setup/faces", "End the lesson.", "SetUpFaces"),
    Path("put", "/setup/faces/now", "Teach this face now.", "SetUpFaces",
         body=setup_bodies.FaceShown),
    Path("post", "/setup/faces/save", "Save what was learnt.", "SetUpFaces",
         body=setup_bodies.Nothing),
    Path("post", "/setup/faces/take-up", "Go on with the game, reading with what was learnt.",
         body=setup_bodies.Nothing),
    Path("post", "/setup/faces/go-on", "Let the game go on that waits while faces are shown.",
         "SetUpFaces", body=setup_bodies.Nothing),
    Path("post", "/setup/faces/pictures", "Take a picture once nothing moves, and learn it.",
         "SetUpFaces", body=setup_bodies.FaceShown),
    Path("post", "/setup/faces/uploads", "Send a picture of a face in, to be learnt.",
         "SetUpFaces", query=(("kind", {"type": "string"}), ("face", {"type": "string"})),
         media=("image/jpeg", "image/png", "image/webp"), raw=True),
    Path("get", "/setup/faces/pictures/{picture}", "A picture that was learnt.",
         media=("image/jpeg",)),
    Path("delete", "/setup/faces/pictures/{picture}", "Forget a picture.", "SetUpFaces"),
)  # fmt: skip


def things(**fields: dict[str, Any]) -> dict[str, Any]:
    """An object that has these fields, and may have others."""
    return {"type": "object", "properties": fields, "required": list(fields)}


TEXT: dict[str, Any] = {"type": "string"}
TRUTH: dict[str, Any] = {"type": "boolean"}
WHOLE: dict[str, Any] = {"type": "integer"}
ROWS: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
SHAPES: dict[str, Any] = {
    "Problem": things(type=TEXT, title=TEXT, status=WHOLE, detail=TEXT, code=TEXT, message=TEXT),
    "Done": {"type": "object"},
    "Table": things(game={"type": "object"}, step=WHOLE, offers=ROWS, players=ROWS, told=ROWS),
    "Seats": things(seats=ROWS),
    "Devices": things(sources=ROWS, lamps=ROWS, questions=ROWS),
    "Manner": things(quiet=TRUTH, volume={"type": "number"}),
    "Health": things(ok=TRUTH, troubles={"type": "array", "items": TEXT}),
    "Preview": things(changes={"type": "object"}),
    "StepShown": things(step=WHOLE, source=TEXT, action={"type": "object"}, what=TEXT, told=ROWS),
    "Alternatives": things(alternatives=ROWS),
    "Steps": things(steps={"type": "array", "items": {"$ref": REF.format(name="StepShown")}}),
    "Games": things(games=ROWS),
    "Game": things(game=WHOLE, key=TEXT, room=TEXT, history=ROWS),
    "Fairness": things(parts=ROWS, left_out=WHOLE),
    "Session": things(look=TRUTH, referee=TRUTH, csrf=TEXT, lan=TRUTH),
    "Hooks": things(webhooks=ROWS),
    "HookMade": things(id=TEXT, url=TEXT, secret=TEXT),
    "Pictures": things(pictures={"type": "array", "items": TEXT}),
    "Picture": things(name=TEXT),
    "SetUpGames": things(games=ROWS, set_aside=ROWS),
    "SetUpDice": things(
        simulated=TRUTH, receivers=ROWS, game_dice=ROWS, changed=TRUTH, game_waits=TRUTH
    ),
    "SetUpCameras": things(
        simulated=TRUTH, cameras=ROWS, changed=TRUTH, game_waits=TRUTH, may_wait=TRUTH
    ),
    "SetUpFaces": things(
        simulated=TRUTH, may_teach={"type": "array", "items": TEXT}, game_waits=TRUTH
    ),
    "SetUpForm": things(key=TEXT, title=TEXT, seats=ROWS, options=ROWS),
}


def document() -> dict[str, Any]:
    """The whole document."""
    bodies = sorted({path.body for path in PATHS if path.body}, key=lambda kind: kind.__name__)
    _, schemas = msgspec.json.schema_components(bodies, ref_template=REF)
    paths: dict[str, Any] = {}
    for path in PATHS:
        paths.setdefault(f"/api/v1{path.path}", {})[path.method] = operation(path)
    about = "A referee for real tables. Every write carries the step that its sender saw."
    return {
        "openapi": "3.1.0",
        "info": {"title": "Companion", "version": VERSION, "description": about},
        "paths": paths,
        "webhooks": openapi_news.webhooks(),
        "components": {
            "schemas": {**schemas, **SHAPES, **openapi_news.schemas()},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def operation(path: Path) -> dict[str, Any]:
    """One operation as OpenAPI has it."""
    fields: dict[str, Any] = {"summary": path.summary, "responses": answers(path)}
    if path.path == EVENTS:
        fields |= {"description": openapi_news.in_words(), "x-messages": openapi_news.messages()}
    parameters = [parameter("path", name) for name in names_in(path.path)]
    parameters += [parameter("query", name, schema) for name, schema in path.query]
    if parameters:
        fields["parameters"] = parameters
    if path.body is not None:
        schema = {"$ref": REF.format(name=path.body.__name__)}
        body = {"application/json": {"schema": schema}}
        fields["requestBody"] = {"required": True, "content": body}
    elif path.raw:
        fields["requestBody"] = {"required": True, "content": {kind: {} for kind in path.media}}
    return fields


def answers(path: Path) -> dict[str, Any]:
    """What comes back: what was asked for, or a problem."""
    good: dict[str, Any] = {"description": "As asked."}
    if path.status != "204":
        kinds = ("application/json",) if path.raw else path.media
        good["content"] = {
            kind: {"schema": {"$ref": REF.format(name=path.answer)}}
            if kind == "application/json"
            else {"schema": {"type": "string"}}
            for kind in kinds
        }
    return {path.status: good, "default": PROBLEM}


def parameter(place: str, name: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    """A parameter in the path or in the query."""
    kind = schema or ({**NUMBER} if name == "number" else {"type": "string", "minLength": 1})
    return {"name": name, "in": place, "required": place == "path", "schema": kind}


def names_in(path: str) -> list[str]:
    """The names in braces."""
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]
