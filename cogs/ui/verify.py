"""*Verify*: a game's seals in full, and at its end their check, in private."""

from collections.abc import Iterator
from typing import Any, Final

from discord import ui

from bot.games.game.seals import Commitment
from bot.home.game.verifying import Verified
from bot.home.pages import seals as words
from bot.home.pages.help import Topic
from bot.text.language import say
from cogs.ui.help import help_button
from cogs.ui.pages import Page, button, page, row, spaced
from cogs.ui.replies import Interaction, services_of, whisper
from cogs.ui.routes import By, Route, pressed

VERIFY: Final = Route("verify:{source:play|mastermind|duel}:{game:int}")


def verified_page(verified: Verified) -> Page:
    """The seals to be noted; at the end what was hashed, its digest, and how to check that."""
    more = help_button(Topic.FAIRNESS, say(words.FAIRNESS_BUTTON))
    return page(*spaced(words.verification(verified)), row(more))


def verify_of(
    source: str, game_id: int, *commitments: Commitment | None
) -> Iterator[ui.Button[Any]]:
    """The button on a game's board, if there is a commitment."""
    if any(found is not None for found in commitments):
        yield button(VERIFY(source=source, game=game_id), say(words.VERIFY_BUTTON))


@pressed(VERIFY, by=By.ONLOOKERS)
async def verify(interaction: Interaction, source: str, game: int) -> None:
    """Show the seals or their check in a private message of its own; the board stays."""
    verifying, player_id = services_of(interaction).verifying, interaction.user.id
    if source == "play":
        verified = await verifying.play(player_id, game)
    elif source == "mastermind":
        verified = await verifying.mastermind(player_id, game, interaction.guild_id)
    else:
        verified = await verifying.duel(player_id, game, interaction.guild_id)
    await whisper(interaction, verified_page(verified))
