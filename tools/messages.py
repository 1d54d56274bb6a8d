"""All messages of the bot as a template for translators: `python -m tools.messages FILE.pot`.

They are read from the syntax tree, since what pybabel finds within f-strings depends on the Python
that runs it.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import bot

BOT: Final = Path(bot.__file__).parent
_MARKS: Final = ("_", "N_", "gettext", "ngettext")
_COMMENT: Final = "#:"


class Extracted(NamedTuple):
    """A message where it is written.

    Attributes:
        line: the line of its text.
        text: the message, or a singular with its plural.
        comment: what a translator is told about it.
    """

    file: str
    line: int
    text: str | tuple[str, ...]
    comment: str


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
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    for line, _, name, args in sorted(calls, key=lambda call: call[:2]):
        texts = tuple(
            arg.value
            for arg in args[: 1 + (name == "ngettext")]
            if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        )
        if name in _MARKS and texts:
            text = texts if name == "ngettext" else texts[0]
            yield Extracted(file, args[0].lineno, text, _comment_above(lines, line))


def _comment_above(lines: list[str], line: int) -> str:
    """The last comment for translators in what is commented directly above a line."""
    comment: list[str] = []
    for above in reversed(lines[: line - 1]):
        if not above.lstrip().startswith("#"):
            break
        comment.insert(0, above.strip().removeprefix(_COMMENT).removeprefix("#").strip())
        if above.lstrip().startswith(_COMMENT):
            return " ".join(comment)
    return ""


def main(file: Path) -> None:
    catalogue = Catalog(project="focdle-bot")
    for found in extracted():
        comments = [found.comment] if found.comment else []
        catalogue.add(found.text, None, [(found.file, found.line)], auto_comments=comments)
    with file.open("wb") as template:
        write_po(template, catalogue)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
