"""What is open in the channel where the page was opened, for whoever is there."""

from typing import Final

from bot.races.model import Choosing
from bot.races.pages import open_button, open_data
from web.endpoints import Call, Data, Endpoint, channel_of


async def view(call: Call) -> Data:
    """List what is open here; nothing in private, or where the player is no longer known."""
    here = await channel_of(call)
    if here is None:
        return {"here": False, "races": [], "games": {}}
    found = await call.services.races.seen_in(here)
    return {
        "here": True,
        "races": [open_data(race, call.player_id) for race in found],
        "games": {} if found else {game.value: open_button(game) for game in Choosing},
    }


ENDPOINTS: Final = (Endpoint("GET", "place", view),)
