"""A simulated Discord that copies payloads quickly.

SimCord copies each payload several times, so that nobody changes what somebody else has: value by
value, in Python. That was a twelfth of the time of all stories.
"""

import copy
import pickle
from types import SimpleNamespace
from typing import Any, Final

from simcord import components, gateway, results
from simcord.http import router

_NAMING_IT: Final = (components, results)
_NAMING_ITS_MODULE: Final = (gateway, router)


def copied(value: Any) -> Any:
    """A copy that shares nothing with what is copied."""
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))  # noqa: S301 - written here


def copy_quickly() -> None:
    """Let SimCord copy so from now on."""
    for module in _NAMING_IT:
        assert vars(module)["deepcopy"] is copy.deepcopy
        vars(module)["deepcopy"] = copied
    for module in _NAMING_ITS_MODULE:
        assert vars(module)["copy"] is copy
        vars(module)["copy"] = SimpleNamespace(deepcopy=copied)
