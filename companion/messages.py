"""Collecting messages for translators: `make messages`, that is `python -m companion.messages`.

Every sentence is its own message id. Templates and scripts are read by Babel; Python by its syntax
tree, because the rules tell sentences in their own ways: `tell`, `Cue`, `Refusal`, `say`, `mark`,
labels of the view, dicts of names. What only data packs name (faces, cards, heroes) is asked of the
games. The catalogues lie in `web/translations`; they are compiled there, and what scripts of the
page say goes to `web/static/words` as JSON. Needs Babel, which is not needed for playing.
"""

import ast
import copy
import io
import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.doctor import SUBJECTS
from companion.games import GAMES
from companion.option_fields import option_rows
from companion.scripts import Game
from companion.table import COLOURS, Player
from hardware.pins import AS_SHIPPED, STRIP

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
TRANSLATIONS = WEB / "translations"
SCRIPTS = WEB / "static" / "words"
DEVICES = ("camera", "hardware")
LANGUAGES = ("de", "fr")
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)  # the same messages make the same file on any day

SAID_BY = {  # which arguments of which calls are sentences, counted from 0
    **dict.fromkeys(("_", "gettext", "mark", "word", "as_words", "stale"), (0,)),
    **dict.fromkeys(("say", "ngettext"), (0, 1)),
    **dict.fromkeys(("tell", "Told"), (1, 2)),
    **dict.fromkeys(("Refusal", "IllegalAction", "Asked", "source_row", "lose"), (1,)),
    **dict.fromkeys(("Zone", "Track", "DiceShown", "Pile", "Grid", "Counter"), (1,)),
    **dict.fromkeys(("Cue", "Refused", "section", "row", "spaces"), (2,)),
    "Card": (1, 3),
    "listed": (1,),
    "tell_what_is_left": (3,),
    "View": (0,),
    "CompanionError": (0,),
    "DieShown": (4,),
}
SAID_BY_DEVICES = {  # the same in the rooms of devices, where words like `Zone` mean other things
    **dict.fromkeys(("mark", "word"), (0,)),
    **dict.fromkeys(("say",), (0, 1)),
    "DiceFinding": (2, 3),
    "listed": (1,),
}
SAID_BY_DOCTOR = SAID_BY_DEVICES | {  # findings, and what to do about them
    **dict.fromkeys(("ok", "none"), (1,)),
    **dict.fromkeys(("note", "bad", "shape"), (1, 2)),
}
NO_BREAK = {  # spaces at signs that must neither begin a line nor end one
    "de": re.compile(r" (?=%)"),
    "fr": re.compile(r" (?=[:;?!»%])|(?<=«) "),
}
IN_TEMPLATES = {"_": None, "gettext": None, "ngettext": (1, 2)}
NAMED_IN = ("words.py", "show.py", "counts.py", "questions.py", "__init__.py", "doctor.py")
FOR_PROGRAMS = {"openapi.py", "openapi_news.py", "messages.py"}


class Message(NamedTuple):
    """A sentence, its plural where it counts, and where it stands."""

    sentence: str
    plural: str | None
    place: str


# --- Python ---------------------------------------------------------------------------------------


def in_python(path: Path) -> Iterator[Message]:
    """The sentences of one module."""
    tree = ast.parse(path.read_text("utf-8"))
    place = str(path.relative_to(ROOT))
    nodes = list(ast.walk(tree))
    for said in in_calls(nodes, constants(nodes), said_by(path)):
        yield Message(*said, place)
    for node in tree.body if path.name in NAMED_IN and said_by(path) is SAID_BY else ():
        if isinstance(node, ast.Assign | ast.AnnAssign) and is_upper(node):
            yield from (Message(text, None, place) for text in in_dicts(node.value))


def said_by(path: Path) -> dict[str, tuple[int, ...]]:
    """Which calls of a module say something: by the room in which it lies."""
    room = path.relative_to(ROOT).parts
    if room[0] in DEVICES:
        return SAID_BY_DEVICES
    return SAID_BY_DOCTOR if room[1] == "doctor" else SAID_BY


def in_calls(
    nodes: list[ast.AST], known: dict[str, list[str]], spoken: dict[str, tuple[int, ...]]
) -> Iterator[tuple[str, str | None]]:
    """Singular and plural of every call that says something."""
    for call in nodes:
        if not isinstance(call, ast.Call):
            continue
        at = spoken.get(name_of(call.func), ())
        texts = [texts_of(call.args[n], known) for n in at if n < len(call.args)]
        if name_of(call.func) in ("say", "tell", "ngettext", "Told") and len(texts) == 2:
            singular, plural = texts
            many = plural[0] if plural else None
            yield from ((one, many) for one in singular)
        else:
            yield from ((text, None) for found in texts for text in found)


def name_of(called: ast.expr) -> str:
    """The last word of what is called: `tell` of `table.tell`; of two, the first."""
    if isinstance(called, ast.IfExp):
        return name_of(called.body)
    return getattr(called, "attr", getattr(called, "id", ""))


def texts_of(node: ast.AST, known: dict[str, list[str]]) -> list[str]:
    """The sentences that an argument may be: written there, or given a name nearby."""
    match node:
        case ast.Constant(value=str(text)) if any(letter.isalpha() for letter in text):
            return [text] if " " in text or "_" not in text else []
        case ast.IfExp(body=body, orelse=other):
            return texts_of(body, known) + texts_of(other, known)
        case ast.Name(id=name):
            return known.get(name, [])
    return []


def constants(nodes: list[ast.AST]) -> dict[str, list[str]]:
    """What is assigned to which name, as far as it is written out."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            texts = found.setdefault(node.targets[0].id, [])
            texts += [text for text in texts_of(node.value, {}) if text not in texts]
    return found


def is_upper(node: ast.Assign | ast.AnnAssign) -> bool:
    """True for a constant of the module."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return isinstance(target, ast.Name) and target.id.isupper()


def in_dicts(value: ast.AST | None) -> Iterator[str]:
    """The texts of a dict of names."""
    if isinstance(value, ast.Dict):
        for text in value.values:
            if not isinstance(text, ast.Dict):
                yield from texts_of(text, {})


# --- templates, scripts, packs --------------------------------------------------------------------


def by_babel(path: Path, method: str) -> Iterator[Message]:
    """The sentences of a template or a script of the page."""
    place = str(path.relative_to(ROOT))
    source = io.BytesIO(path.read_bytes())
    options = {"trimmed": "true"} if "jinja" in method else {"template_string": "true"}
    for _, said, _, _ in extract(method, source, keywords=IN_TEMPLATES, options=options):
        singular, plural = said if isinstance(said, tuple) else (said, None)
        yield Message(singular, plural, place)


def in_pack(game: Game) -> Iterator[Message]:
    """What only the data pack of a game names: kinds and faces of dice, cards, heroes."""
    most = game.seats.stop - 1  # some dice lie there only for those who sit last
    seats = tuple(Player(f"p{n}", f"p{n}") for n in range(most))
    table: Any = game.setup(seats, game.options())
    said = [game.title]
    for die in table.dice:
        said += [die.kind, *die.faces, *(face.replace("_", " ") for face in die.faces)]
    said += [card.name for card in getattr(table, "cards", {}).values()]
    heroes = getattr(getattr(table, "pack", None), "heroes", {})
    for hero in heroes.values():
        said += [hero.name, hero.text]
    place = f"companion/games/{game.key}/pack.toml"
    for text in dict.fromkeys(said):
        if any(letter.isalpha() for letter in text):
            yield Message(text, None, place)


def in_options(game: Game) -> Iterator[Message]:
    """House rules of a game on the set-up page: labels, explanations, and what can be chosen."""
    place = f"companion/games/{game.key}"
    for row in option_rows(game, game.options()):
        values = (value.replace("_", " ") for value in row.get("values", ()))
        for text in (row["label"], row["unit"], row["words"], *values):
            if any(letter.isalpha() for letter in text):
                yield Message(text, None, place)


def on_lamps() -> Iterator[Message]:
    """What lamps, buzzer and voice are called; each numbered one is a message of its own."""
    lamps = (*AS_SHIPPED.lamps(), STRIP)
    for label in (*(lamp.label for lamp in lamps), "Buzzer", "Lamps", "Voice"):
        yield Message(label, None, "hardware/pins.py")


def of_the_doctor() -> Iterator[Message]:
    """What the doctor looks at, as headings."""
    for subject in SUBJECTS:
        yield Message(subject.capitalize(), None, "companion/doctor/__init__.py")


def collected() -> Iterator[Message]:
    """Every message of the project."""
    devices = (path for room in DEVICES for path in (ROOT / room).glob("*.py"))
    rooms = [*(ROOT / "companion").rglob("*.py"), *WEB.glob("*.py"), *devices]
    skipped = ("bench", "players", "messages.py")
    for path in sorted(rooms):
        if path.name not in FOR_PROGRAMS and not set(path.parts) & set(skipped):
            yield from in_python(path)
    for path in sorted(WEB.glob("templates/**/*.html")):
        yield from by_babel(path, "jinja2.ext:babel_extract")
    for path in sorted(WEB.glob("static/js/*.js")):
        yield from by_babel(path, "javascript")
    for game in GAMES.values():
        yield from in_pack(game)
        yield from in_options(game)
    yield from (Message(colour, None, "companion/table.py") for colour in COLOURS)
    yield from on_lamps()
    yield from of_the_doctor()


def template() -> Catalog:
    """All messages as a catalogue without translations."""
    catalog = Catalog(project="Companion", fuzzy=False, charset="utf-8")
    for message in collected():
        said: Any = (message.sentence, message.plural) if message.plural else message.sentence
        catalog.add(said, locations=[(message.place, 0)])
    return catalog


# --- catalogues -----------------------------------------------------------------------------------


def po_of(language: str) -> Path:
    """Where the translations of a language lie."""
    return TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    """The catalogue of a language as it lies there; an empty one where there is none."""
    path = po_of(language)
    if not path.exists():
        return Catalog(locale=language, project="Companion", charset="utf-8", fuzzy=False)
    with path.open("rb") as lines:
        return read_po(lines, locale=language)


def updated(language: str, every: Catalog) -> Catalog:
    """The catalogue of a language with all messages of `every`, and no others."""
    catalog = read(language)
    own = copy.deepcopy(every)  # `update` takes messages as they are, for whoever fills them in
    catalog.update(own, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    for message in catalog:
        if message.id:
            forms = [typeset(language, text) for text in forms_of(message)]
            message.string = forms[0] if isinstance(message.id, str) else tuple(forms)
    return catalog


def typeset(language: str, text: str) -> str:
    """A translation with spaces at which no line breaks, where its language wants them."""
    return NO_BREAK[language].sub("\u00a0", text)


def po_text(catalog: Catalog) -> bytes:
    """A catalogue as translators read it, the same for the same messages."""
    out = io.BytesIO()
    write_po(out, catalog, sort_output=True, width=100, omit_header=False, include_lineno=False)
    dated = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By')
    return b"".join(line for line in out.getvalue().splitlines(True) if not line.startswith(dated))


def mo_bytes(catalog: Catalog) -> bytes:
    """A catalogue as gettext reads it."""
    out = io.BytesIO()
    compiled = read_po(io.BytesIO(po_text(catalog)), locale=catalog.locale)
    compiled.creation_date = compiled.revision_date = UNDATED
    write_mo(out, compiled)
    return out.getvalue()


def for_scripts(catalog: Catalog) -> bytes:
    """What the scripts of the page say: a string by its message, or all its plural forms."""
    said = {}
    for message in catalog:
        used = any(place.endswith(".js") for place, _ in message.locations)
        if used and message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            said[key] = message.string if isinstance(message.id, str) else forms_of(message)
    return json.dumps(said, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def files_of(language: str, catalog: Catalog) -> dict[Path, bytes]:
    """Everything that is written for one language."""
    po = po_of(language)
    return {
        po: po_text(catalog),
        po.with_suffix(".mo"): mo_bytes(catalog),
        SCRIPTS / f"{language}.json": for_scripts(catalog),
    }


def forms_of(message: BabelMessage) -> list[str]:
    """The translation of a message; of one that counts, all its forms."""
    said = message.string
    return [said] if isinstance(said, str) else list(said or [""])


def missing(catalog: Catalog) -> list[str]:
    """Messages without a translation, or with a doubtful one."""
    found = []
    for message in catalog:
        if message.id and (message.fuzzy or not all(forms_of(message))):
            found.append(message.id if isinstance(message.id, str) else message.id[0])
    return found


def main() -> int:
    """Collect all messages, bring the catalogues up to date, and say what is missing."""
    every = template()
    gaps = 0
    for language in LANGUAGES:
        catalog = updated(language, every)
        for path, content in files_of(language, catalog).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        gone = missing(catalog)
        gaps += len(gone)
        print(f"{language}: {len(catalog)} messages, {len(gone)} without a translation")
        for sentence in gone:
            print(f"    {sentence}")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main())
