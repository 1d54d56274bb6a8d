"""Commands within sentences: in code style, and clickable once Discord has told their ids."""

import re
from collections.abc import Mapping
from typing import Final

CommandIds = Mapping[str, int]
"""The ids of commands, by their names as they are typed: ``mastermind play`` has its group's."""

# A command as our sentences write it; one with options is to be read, not to be clicked.
_IN_CODE: Final = re.compile(r"`/([a-z]+(?: [a-z]+)?)`")


def clickable(text: str, ids: CommandIds) -> str:
    """A text in which the commands with known ids can be clicked."""

    def mentioned(found: re.Match[str]) -> str:
        name = found[1]
        return f"</{name}:{ids[name]}>" if name in ids else found[0]

    return _IN_CODE.sub(mentioned, text)
