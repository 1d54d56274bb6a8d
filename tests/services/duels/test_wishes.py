"""What the next duel of two is to be, where they leave it open."""

from dataclasses import replace

import pytest

from bot.services.duels.inviting import Challenge
from bot.services.duels.model import Pace
from bot.services.duels.options import Options, Wishes
from bot.services.services import Services
from engine import Mode, Strength
from tests.support.duels import ANN, BEN, CHANNEL, GUILD, accepted, invited

pytestmark = pytest.mark.usefixtures("keys_watched")


async def test_what_is_left_open_is_as_it_was_the_last_time(services: Services) -> None:
    inviting = services.duels.inviting
    pair, bot = Challenge(ANN, BEN, GUILD, CHANNEL), Challenge(ANN, None)
    assert await inviting.prepare(pair, Wishes()) == Options(pace=Pace.RELAXED)
    chosen = Options(5, repeats=True, mode=Mode.RACE, pace=Pace.LIVE, rated=False)
    refused = await invited(services, chosen)
    await inviting.decline(BEN, refused.id)
    assert await inviting.prepare(bot, Wishes()) == Options(pace=Pace.RELAXED)
    await accepted(services, chosen, by=BEN, to=44)
    other = Challenge(BEN, 44, GUILD, CHANNEL)
    usual = await inviting.prepare(other, Wishes())
    assert usual == replace(chosen, mode=Mode.EQUAL_TURNS)  # there are no new races
    assert (await inviting.prepare(other, Wishes(mode=Mode.CLASSIC))).mode is Mode.CLASSIC
    # A classic duel is unrated in any case, and says nothing of the next one.
    await accepted(services, Options(mode=Mode.CLASSIC), by=BEN, to=44)
    usual = await inviting.prepare(other, Wishes())
    assert (usual.mode, usual.rated) == (Mode.CLASSIC, None)
    await inviting.challenge(bot, Options(digits=3, strength=Strength.CASUAL))
    usual = await inviting.prepare(bot, Wishes(digits=4))
    assert (usual.digits, usual.strength) == (4, Strength.CASUAL)
