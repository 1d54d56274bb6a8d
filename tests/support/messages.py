"""The messages of the bot as Babel extracts them, with what it tells translators about each."""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.extract import extract_from_dir

import bot

BOT: Final = Path(bot.__file__).parent
_OF_DATA: Final = "privacy/"
_LONGEST_LABEL: Final = 3
_KEYWORDS: Final = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}


class Extracted(NamedTuple):
    """A message where it is written.

    Attributes:
        text: the message, or a singular with its plural.
        comment: what a translator is told about it.
    """

    file: str
    line: int
    text: str | tuple[str, ...]
    comment: str


def words(text: str) -> int:
    """How many words a text has, without numbers, signs and what stands in its placeholders."""
    return len(re.findall(r"\S*[A-Za-z]\S*", re.sub(r"\{[^}]*\}", "", text)))


def is_counted(message: Extracted) -> bool:
    """Whether it is of the words that players are told: neither a label nor about their data.

    A message of up to three words without a placeholder or a stop is the label of a button, of a
    list's option or of a page.
    """
    text = message.text if isinstance(message.text, str) else message.text[0]
    is_label = words(text) <= _LONGEST_LABEL and not re.search(r"[.?!:{*`]", text)
    return not is_label and not message.file.startswith(_OF_DATA)


@cache
def extracted() -> tuple[Extracted, ...]:
    """All messages."""
    found = extract_from_dir(
        str(BOT),
        [("**.py", "python")],
        keywords=_KEYWORDS,
        comment_tags=(":",),
        strip_comment_tags=True,
    )
    return tuple(
        Extracted(file, line, text, " ".join(comments)) for file, line, text, comments, _ in found
    )
