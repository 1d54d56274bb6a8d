"""Every error of ours is as good in another process, or as a copy: with its facts and its text."""

import copy
import pickle
import pkgutil
from collections.abc import Iterator
from datetime import date, datetime
from enum import EnumType
from importlib import import_module
from types import FunctionType
from typing import get_type_hints

import bot
import cogs
import engine
from bot.address import Address
from bot.duels.model import DuelView
from bot.focdle.model import Play
from bot.hosting.findings import Finding, fine
from bot.mastermind.model import Kind, MastermindGame
from bot.refused import Refused
from engine import BullsAndCows, EngineError, Mastermind, NotationError, Problem
from tests.support.duel_boards import a_duel
from tests.support.mastermind_boards import a_game
from tests.support.plays import NOON, a_play

PACKAGES = (engine, bot, cogs)
FACTS: dict[object, object] = {
    int: 7,
    str: "25+4*12=73",
    bool: True,
    object: "●●○",
    date: NOON.date(),
    datetime: NOON,
    tuple[int, ...]: (7, 8),
    list[str]: ["Asia/Tokyo"],
    Address: Address("127.0.0.1", 9000),
    BullsAndCows: BullsAndCows(),
    DuelView: a_duel(),
    EngineError: NotationError(Problem.TOO_SHORT, 3, found=3, wanted=10),
    Finding: fine("All is well."),
    Mastermind: Mastermind(),
    MastermindGame: a_game(Kind.CHALLENGE, Mastermind(), 1),
    Play: a_play(10, 1),
}


def kinds(of: type[BaseException] = BaseException) -> Iterator[type[BaseException]]:
    """All that are declared by our packages, once these are loaded."""
    for kind in type.__subclasses__(of):
        if kind.__module__.partition(".")[0] in {package.__name__ for package in PACKAGES}:
            yield kind
        yield from kinds(kind)


def load_everything() -> None:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__") and ".migrations." not in module.name:
                import_module(module.name)


def a_fact(of: object) -> object:
    members: list[object] = list(of) if isinstance(of, EnumType) else []
    return members[-1] if members else FACTS.get(of, "something")


def raised(kind: type[BaseException]) -> BaseException:
    """An error with all the facts that its kind can have, and something told on its way."""
    if issubclass(kind, Refused):
        hints = get_type_hints(kind)
        del hints["sentence"]
        error: BaseException = kind(**{name: a_fact(of) for name, of in hints.items()})
    elif isinstance(kind.__init__, FunctionType):
        hints = get_type_hints(kind.__init__)
        del hints["return"]
        error = kind(**{name: a_fact(of) for name, of in hints.items()})
    else:
        error = kind("it is told in these words")
    error.add_note("seen on the way")
    return error


def told(error: object) -> object:
    """All that can be known of an error, as something that can be compared."""
    if not isinstance(error, BaseException):
        return error
    facts = {name: told(fact) for name, fact in vars(error).items()}
    return type(error), str(error), repr(error), facts


def test_a_copied_and_an_unpickled_error_equal_the_original() -> None:
    load_everything()
    errors = [raised(kind) for kind in sorted({*kinds()}, key=repr)]
    assert len(errors) > 150
    for error in errors:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            sent = pickle.dumps(error, protocol)
            assert told(pickle.loads(sent)) == told(error)  # noqa: S301 - our own
        assert told(copy.copy(error)) == told(error)
        assert told(copy.deepcopy(error)) == told(error)
