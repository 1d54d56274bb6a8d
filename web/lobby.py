"""What is open in the channel where the page was opened, and the search for an opponent there."""

from functools import partial
from typing import Final

from bot.duels.board_words import (
    duel_data,
    new_seek_data,
    open_seek_data,
    own_seek_data,
    seek_data,
)
from bot.duels.challenges import Challenge
from bot.duels.model import (
    Duel,
    NoSuchSeekError,
    NotChallengerError,
    OpenSeekError,
    OwnSeekError,
)
from bot.duels.position import DuelOptions
from bot.duels.round_words import DUEL_NAME
from bot.duels.seeking import SeekView
from bot.duels.words import FIND_OPPONENT
from bot.games.model import Channel
from bot.races.model import ROUNDS, Choosing
from bot.races.web_words import open_data
from bot.races.words import game_name
from bot.refused import OutdatedError
from bot.text.language import say
from web.endpoints import Call, Data, Endpoint, channel_of, require_may_write


async def view(call: Call) -> Data:
    """List what is open here; nothing in private, or where the player is no longer known."""
    here = await channel_of(call)
    if here is None:
        return {"here": False, "races": [], "games": {}, "rounds": [], "seek": None, "ask": []}
    found = await call.services.races.seen_in(here)
    card = await call.services.duels.seeking.open_in(here)
    is_shown = card and (card.seek.message_id is not None or card.seek.player_id == call.player_id)
    return {
        "here": True,
        "races": [open_data(race, call.player_id) for race in found],
        "games": {} if found else {each.value: game_name(each.rules()) for each in Choosing},
        "rounds": [] if found else [1, *ROUNDS],
        "seek": open_seek_data(card, call.player_id) if card and is_shown else None,
        "ask": [] if card else [f"**{say(DUEL_NAME)}**", say(FIND_OPPONENT)],
    }


async def form(call: Call) -> Data:
    """Show a card or, for `seek-0`, what is to be typed by whoever asks the channel."""
    here, seek_id = await _here(call), _seek_of(call)
    if seek_id:
        return await _card(call, here, seek_id)
    try:
        await call.services.duels.seeking.prepare(call.player_id, here)
    except (OpenSeekError, OwnSeekError) as error:
        return await _card(call, here, error.seek_id)
    return new_seek_data(DuelOptions())


async def _card(call: Call, here: Channel, seek_id: int) -> Data:
    """Show a card to whoever waits for an opponent, or may accept it; once taken, the duel."""
    duels = call.services.duels
    own = await duels.seeking.own(call.player_id, seek_id)
    if isinstance(own, Duel):
        return duel_data(await duels.games.notebook(call.player_id, own.id))
    return own_seek_data(own) if own else seek_data(await _acceptable(call, here, seek_id))


async def _acceptable(call: Call, here: Channel, seek_id: int) -> SeekView:
    card = await call.services.duels.seeking.prepare_take(call.player_id, seek_id, here)
    if card.seek.message_id is None:
        raise NoSuchSeekError
    return card


async def play_bot(call: Call) -> Data:
    duels, challenge = call.services.duels, Challenge(call.player_id, None)
    begun = await duels.inviting.challenge(challenge, DuelOptions())
    return duel_data(await duels.games.notebook_of(call.player_id, begun))


async def _ask(call: Call, *, is_friendly: bool) -> Data:
    """Ask the channel for an opponent; return the card, or the one that is there."""
    here, options = await _here(call), DuelOptions(friendly=is_friendly)
    seeking, text = call.services.duels.seeking, call.given["text"]
    await require_may_write(call, here)
    try:
        return own_seek_data(await seeking.seek(call.player_id, here, options, text, on_page=True))
    except (OpenSeekError, OwnSeekError) as error:
        return await _card(call, here, error.seek_id)


async def accept(call: Call) -> Data:
    """Accept a card with a number; return the duel."""
    here, duels, text = await _here(call), call.services.duels, call.given["text"]
    card = await _acceptable(call, here, _seek_of(call))
    await require_may_write(call, here, card.seek.player_id)
    begun = await duels.seeking.take(call.player_id, _seek_of(call), here, text)
    return duel_data(await duels.games.notebook_of(call.player_id, begun))


async def withdraw(call: Call) -> Data:
    try:
        await call.services.duels.seeking.withdraw(call.player_id, _seek_of(call))
    except NotChallengerError:  # which says whose a card is, of another server, too
        raise NoSuchSeekError from None
    return {"place": ""}


async def _here(call: Call) -> Channel:
    here = await channel_of(call)
    if here is None:
        raise OutdatedError(what="a place")
    return here


def _seek_of(call: Call) -> int:
    return int(call.place.removeprefix("seek-"))


_SEEK: Final = r"{place:seek-[0-9]{1,18}}"
_NUMBER: Final = {"text": str, "at?": int}

ENDPOINTS: Final = (
    Endpoint("GET", "place", view),
    Endpoint("GET", _SEEK, form),
    Endpoint("POST", "seek-0/bot", play_bot, takes={"at?": int}),
    Endpoint("POST", "seek-0/rated", partial(_ask, is_friendly=False), takes=_NUMBER),
    Endpoint("POST", "seek-0/friendly", partial(_ask, is_friendly=True), takes=_NUMBER),
    Endpoint("POST", f"{_SEEK}/accept", accept, takes=_NUMBER),
    Endpoint("POST", f"{_SEEK}/withdraw", withdraw, takes={"at?": int}),
)
