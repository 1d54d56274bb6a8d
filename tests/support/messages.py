"""How many words players are told."""

import re
from typing import Final

from tools.messages import Extracted

LIMIT: Final = re.compile(r"at most (\d+) characters")
_OF_DATA: Final = "privacy/"
_OF_COMMANDS: Final = "What Discord lists"
"""With what the comment above a command's or an option's description begins."""
_LONGEST_LABEL: Final = 3


def words(text: str) -> int:
    """How many words a text has, without numbers, signs and what stands in its placeholders."""
    return len(re.findall(r"\S*[A-Za-z]\S*", re.sub(r"\{[^}]*\}", "", text)))


def is_counted(message: Extracted) -> bool:
    """Whether it is of the words that players are told: neither a label, nor about their data,
    nor in Discord's list of commands.

    A message of up to three words without a placeholder or a stop is the label of a button, of a
    list's option or of a page.
    """
    text = message.text if isinstance(message.text, str) else message.text[0]
    is_label = words(text) <= _LONGEST_LABEL and not re.search(r"[.?!:{*`]", text)
    is_elsewhere = message.file.startswith(_OF_DATA) or message.comment.startswith(_OF_COMMANDS)
    return not is_label and not is_elsewhere
