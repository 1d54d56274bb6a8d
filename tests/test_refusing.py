"""Reasons have facts, and tell none of them by themselves."""

import traceback

import pytest

from bot.duels.model import SecretRefusedError
from bot.services import Services
from tests.support.duels import ANN, accepted

TYPED = "90175"


async def test_an_error_about_a_refused_number_does_not_quote_it_in_its_traceback(
    services: Services,
) -> None:
    game = await accepted(services)
    with pytest.raises(SecretRefusedError) as refused:
        await services.duels.playing.set_secret(ANN, game.duel.id, TYPED)
    error = refused.value
    assert (error.text, error.view.duel.id) == (TYPED, game.duel.id)
    assert (str(error), repr(error)) == ("SecretRefusedError", "SecretRefusedError()")
    assert error.args == ()
    assert TYPED not in "".join(traceback.format_exception(error))
