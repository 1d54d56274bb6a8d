"""Reasons have facts, and tell none of them by themselves."""

import traceback

import pytest

from bot.duels.model import NumberRefusedError
from bot.services import Services
from tests.support.duels import BEN, invited

TYPED = "90175"


async def test_an_error_about_a_refused_number_does_not_quote_it_in_its_traceback(
    services: Services,
) -> None:
    game = await invited(services)
    with pytest.raises(NumberRefusedError) as refused:
        await services.duels.inviting.accept(BEN, game.duel.id, 0, TYPED)
    error = refused.value
    assert (error.text, error.rules) == (TYPED, game.duel.rules)
    assert (str(error), repr(error)) == ("NumberRefusedError", "NumberRefusedError()")
    assert error.args == ()
    assert TYPED not in "".join(traceback.format_exception(error))
