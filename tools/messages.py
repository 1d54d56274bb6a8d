"""Brings every catalogue up to date with the bot's messages: `python3 tasks.py messages`.

They are read from the syntax tree, since what pybabel finds within f-strings depends on the Python
that runs it.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import bot
from bot.text.language import CATALOGUES, DOMAIN

BOT: Final = Path(bot.__file__).parent
# An n takes a plural, too, and a p a context before.
_MARKS: Final = {"_", "N_", "gettext", "ngettext", "n_", "pgettext", "npgettext", "np_"}
_COMMENT: Final = "#:"
_NAMED: Final = re.compile(r"\*{1,2}([^*{}\n]+)\*{1,2}")
ARROWS: Final = "◀▶ …"
_CONSTANT: Final = re.compile(r"[A-Z_]+ = N_\(|    \"|\)$")


class Extracted(NamedTuple):
    """A message where it is written.

    Attributes:
        line: the line of its text.
        text: the message, or a singular with its plural.
        comment: what a translator is told about it.
        context: tells it from the same text with another meaning.
    """

    file: str
    line: int
    text: str | tuple[str, ...]
    comment: str
    context: str | None


@cache
def extracted() -> tuple[Extracted, ...]:
    """All messages, in the order of files and lines."""
    return tuple(found for path in sorted(BOT.rglob("*.py")) for found in _messages_of(path))


def _messages_of(path: Path) -> Iterator[Extracted]:
    source = path.read_text(encoding="utf-8")
    lines, file = source.splitlines(), path.relative_to(BOT).as_posix()
    calls = [
        (node.lineno, node.col_offset, node.func.id, node.args)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MARKS
    ]
    for line, _, name, args in sorted(calls, key=lambda call: call[:2]):
        is_told, is_counted = "p" in name, name.startswith("n")
        texts = [
            arg.value
            for arg in args[: 1 + is_told + is_counted]
            if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        if texts:
            context = texts.pop(0) if is_told else None
            text = tuple(texts) if is_counted else texts[0]
            comment = _comment_above(lines, line)
            yield Extracted(file, args[is_told].lineno, text, comment, context)


def _comment_above(lines: list[str], line: int) -> str:
    """The last comment for translators in what is commented directly above a line.

    A comment above constants without a type, line by line, is of each.
    """
    comment: list[str] = []
    for above in reversed(lines[: line - 1]):
        if not comment and _CONSTANT.match(above):
            continue
        if not above.lstrip().startswith("#"):
            break
        comment.insert(0, above.strip().removeprefix(_COMMENT).removeprefix("#").strip())
        if above.lstrip().startswith(_COMMENT):
            return " ".join(comment)
    return ""


@cache
def _labels() -> dict[str, str]:
    """All messages that a sentence may name, by what it calls them: without their arrows."""
    return {one.text.strip(ARROWS): one.text for one in extracted() if isinstance(one.text, str)}


def labels_named(message: Extracted) -> list[str]:
    """The labels that a sentence names, as in "Press *Keypad*" or "See *All settings*"."""
    texts = [message.text] if isinstance(message.text, str) else message.text
    names = dict.fromkeys(name for text in texts for name in _NAMED.findall(text))
    return [label for name in names if (label := _labels().get(name)) not in (None, *texts)]


def template() -> Catalog:
    """All messages, and what translators are told about them."""
    catalogue = Catalog()
    for found in extracted():
        comments = [found.comment] if found.comment else []
        comments += [
            f"Names the label “{label}”: as it is translated." for label in labels_named(found)
        ]
        catalogue.add(
            found.text,
            locations=[(found.file, found.line)],
            auto_comments=comments,
            context=found.context,
        )
    return catalogue


def main(begun: Sequence[str]) -> None:
    """Update all catalogues, and begin one for each of these locales."""
    for locale in sorted({*begun, *(path.name for path in CATALOGUES.iterdir())}):
        file = CATALOGUES / locale / "LC_MESSAGES" / f"{DOMAIN}.po"
        catalogue = Catalog(locale, header_comment=f"# {locale}", project="focdle-bot", fuzzy=False)
        if file.exists():
            with file.open("rb") as source:
                catalogue = read_po(source, locale)
        # A sentence that changed is to be translated anew: a guess would not be looked at.
        catalogue.update(template(), no_fuzzy_matching=True, update_creation_date=False)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as target:
            write_po(target, catalogue, width=0, ignore_obsolete=True, include_lineno=False)
        left = sum(not one.string or not all(one.string) for one in catalogue)
        sys.stdout.write(f"{locale}: {len(catalogue)} messages, {left} to translate\n")


if __name__ == "__main__":
    main(sys.argv[1:])
