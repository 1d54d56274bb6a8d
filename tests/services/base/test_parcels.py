"""What is kept for others makes up data, and calls what is in a list, whoever wrote it."""

import pickle
import subprocess
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest

from bot.presentation.base.language import in_this_language
from bot.services.base.errors import WorkshopFailedError
from bot.services.base.workshop.named import CALLED, Named, NotCalledError
from bot.services.base.workshop.parcels import (
    ForeignParcelError,
    answer,
    failure,
    pack,
    result,
    unpack,
)
from bot.services.base.workshop.places import ProcessPlace
from bot.services.coach.pars import PAR_OPENINGS
from bot.services.duels.listing import IS_OPTIMAL
from engine import BullsAndCows, Mastermind, Turn
from tests.support import forged

SHELL: Named[..., Any] = Named("subprocess", "getoutput")
STANDARD = BullsAndCows(digits=4)


class Mischief:
    """Data that does something as it is made up."""

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[str]]:
        return subprocess.getoutput, ("touch mischief",)


def test_work_is_what_it_was_and_comes_to_the_same() -> None:
    work = in_this_language(IS_OPTIMAL, STANDARD)
    assert result(answer(pack(work))) is work() is True
    red, secret = Mastermind().parse("RRGG"), Mastermind().parse("RGBY")
    turn = Turn(red, Mastermind().feedback(red, secret))
    assert unpack(pack({"turns": [turn]})) == {"turns": [turn]}


def test_an_error_is_raised_where_the_work_is_waited_for() -> None:
    openings: Any = PAR_OPENINGS
    wrong = partial(openings, "no length")
    with pytest.raises(TypeError, match="par_openings") as raised:
        result(answer(pack(wrong)))
    assert "Traceback" in raised.value.__notes__[0]
    with pytest.raises(WorkshopFailedError):
        result(failure(WorkshopFailedError()))


@pytest.mark.parametrize(
    "foreign",
    [
        Mischief(),
        partial(subprocess.getoutput, "touch mischief"),
        partial(subprocess.run, "true"),
        SHELL,
        partial(eval, "1"),
        partial(getattr, 1, "real"),
        ProcessPlace({}),
    ],
    ids=["reduce", "partial", "process", "named", "eval", "getattr", "place"],
)
def test_what_others_write_is_refused_and_done_by_nobody(foreign: object) -> None:
    with pytest.raises(ForeignParcelError):
        unpack(pickle.dumps(foreign))
    with pytest.raises(ForeignParcelError):
        result(answer(pickle.dumps(foreign)))


@pytest.mark.parametrize(
    "name",
    [
        ("subprocess", "getoutput"),
        ("bot.services.coach.analysing", "_hidden"),
        ("builtins", "exec"),
    ],
)
def test_only_what_is_in_the_list_is_called(name: tuple[str, str]) -> None:
    named: Named[..., Any] = Named(*name)
    with pytest.raises(NotCalledError):
        named()
    with pytest.raises(NotCalledError):
        pack(named)
    with pytest.raises(ForeignParcelError):
        result(answer(forged.called(name)))


def test_what_a_module_of_the_list_has_imported_is_not_in_the_list() -> None:
    modules = {module for module, _ in CALLED}
    there = {(module, name) for module in modules for name in vars(import_module(module))}
    assert there > CALLED
    called: set[tuple[str, str]] = set()
    for name in there:
        named: Named[..., Any] = Named(*name)
        try:
            called.add((named.found().__module__, named.name))
        except NotCalledError:
            continue
    assert called == CALLED


def test_a_function_that_is_given_another_name_is_not_called() -> None:
    with pytest.raises(NotCalledError):
        result(answer(forged.RENAMED))


@pytest.mark.parametrize(
    "answered",
    [
        pickle.dumps((True, IS_OPTIMAL)),
        forged.answer(forged.called((IS_OPTIMAL.module, IS_OPTIMAL.name), STANDARD)),
        forged.answer(pickle.dumps(partial(BullsAndCows, 4))),
        pickle.dumps((True, in_this_language(BullsAndCows, 4))),
    ],
    ids=["named", "called", "partial", "speaking"],
)
def test_an_answer_calls_nothing(answered: bytes) -> None:
    with pytest.raises(ForeignParcelError):
        result(answered)


@pytest.mark.parametrize(
    "said",
    [None, (), (True,), (False, 1), (False, (1, (), None)), (False, (Mastermind, (), None))],
)
def test_an_answer_that_has_another_shape_is_foreign(said: object) -> None:
    with pytest.raises(ForeignParcelError):
        result(pickle.dumps(said))


@pytest.mark.parametrize("damaged", [b"", b"nothing", pack({1: 2})[:-3]])
def test_damaged_bytes_are_foreign(damaged: bytes) -> None:
    with pytest.raises(ForeignParcelError):
        unpack(damaged)
