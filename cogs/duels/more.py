"""*More* of a duel: what is seldom wanted, for its players and for who looks on."""

from bot.duels.model.errors import NotYourDuelError
from cogs.duels.pages import MORE, more_page
from cogs.ui.replies import Interaction, services_of, whisper
from cogs.ui.routes import By, pressed


@pressed(MORE, by=By.ONLOOKERS)
async def show_more(interaction: Interaction, duel: int) -> None:
    """Show it in a private message of its own; the board stays."""
    game = await services_of(interaction).duels.playing.view(interaction.user.id, duel)
    seat = game.seat_of(interaction.user.id)
    is_seen = game.guild_id is not None and game.guild_id == interaction.guild_id
    if seat is None and not is_seen:
        raise NotYourDuelError(player_ids=(game.challenger_id or 0,), guild_id=game.guild_id)
    await whisper(interaction, more_page(game, seat))
