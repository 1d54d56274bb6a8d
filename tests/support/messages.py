"""How many words players are told."""

import re
from typing import Final

from tools.messages import Extracted

_OF_DATA: Final = "privacy/"
_LONGEST_LABEL: Final = 3


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
