"""What the next duel of two is proposed to be."""

from dataclasses import replace

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.services import Services
from engine import Mode, Strength
from tests.support.duels import ANN, BEN, CHANNEL, GUILD, against_bot, invited, playing

pytestmark = pytest.mark.usefixtures("keys_watched")


async def test_a_challenge_proposes_the_last_terms_of_the_two_players(services: Services) -> None:
    inviting = services.duels.inviting
    pair = Challenge(ANN, BEN, GUILD, CHANNEL)
    assert await inviting.prepare(pair) == DuelOptions()
    chosen = DuelOptions(5, repeats=True, friendly=True)
    refused = await invited(services, chosen)
    assert await inviting.prepare(pair) == DuelOptions()  # it was not accepted
    await inviting.decline(BEN, refused.duel.id)
    await playing(services, chosen, by=BEN, to=44)
    other = Challenge(BEN, 44, GUILD, CHANNEL)
    usual = await inviting.prepare(other)
    assert usual == DuelOptions(5, repeats=True, friendly=True)
    assert await inviting.prepare(other, 3) == replace(usual, digits=3)
    await playing(services, DuelOptions(mode=Mode.CLASSIC), by=BEN, to=44)
    usual = await inviting.prepare(other)
    assert usual == DuelOptions(mode=Mode.CLASSIC)


async def test_a_new_duel_with_the_bot_is_casual_whatever_strength_was_chosen_last(
    services: Services,
) -> None:
    await against_bot(services, DuelOptions(digits=3, strength=Strength.PERFECT))
    bot = Challenge(ANN, None)
    assert await services.duels.inviting.prepare(bot) == DuelOptions()
    assert DuelOptions().strength is Strength.CASUAL
