"""Duels' endpoints on the page, for their players."""

from typing import Final

from bot.duels.board_words import duel_data, watched_data
from bot.duels.model import DuelView, NotYourDuelError, State
from bot.duels.moves import Notebook, Playing
from bot.duels.round_words import plain
from bot.games.model import Channel, Source
from bot.refused import MovedOnError
from web.endpoints import Call, Data, Endpoint, channel_of, path_of, require_may_write


async def view(call: Call) -> Data:
    try:
        notebook = await call.services.duels.games.notebook(call.player_id, call.game.id)
    except NotYourDuelError as error:
        return watched_data(await _watched(call, error))
    return await _shown(call, notebook)


async def _shown(call: Call, notebook: Notebook) -> Data:
    rematch = None
    if notebook.view.duel.state is State.OVER:
        rematch = await call.services.duels.inviting.rematch_of(call.player_id, call.game.id)
    return duel_data(notebook, rematch)


async def version(call: Call) -> int:
    try:
        seen = await call.services.duels.games.of(call.player_id, call.game.id)
    except NotYourDuelError as error:
        seen = await _watched(call, error)
    return seen.duel.version


async def secret(call: Call) -> Data:
    """Accept a challenge with a number, or set one for the bot to find."""
    seen, text = await _seen(call), call.given["text"]
    if seen.duel.state is State.INVITED:
        await require_may_write(call, _place(seen))
        inviting = call.services.duels.inviting
        await inviting.accept(call.player_id, seen.duel.id, seen.duel.terms, text)
    else:
        await _playing(call).set_secret(call.player_id, seen.duel.id, text)
    return await view(call)


async def guess(call: Call) -> Data:
    text, at = call.given["text"], call.given["at"]
    made = await _playing(call).guess(call.player_id, call.game.id, text, at=at)
    return await _shown(call, await call.services.duels.games.notebook_of(call.player_id, made))


async def draw(call: Call) -> Data:
    """Offer a draw, or accept the one that is offered."""
    seen = await _seen(call)
    offered_by, seat = seen.duel.draw_offered_by, seen.duel.seat_of(call.player_id)
    act = _playing(call).offer_draw if offered_by in {None, seat} else _playing(call).accept_draw
    await act(call.player_id, seen.duel.id)
    return await view(call)


async def decline(call: Call) -> Data:
    """Decline a challenge or a draw, or take one's own back."""
    seen, inviting = await _seen(call), call.services.duels.inviting
    act = _playing(call).decline_draw
    if seen.duel.state is State.INVITED:
        is_own = seen.duel.challenger_id == call.player_id
        act = inviting.withdraw if is_own else inviting.decline
    await act(call.player_id, seen.duel.id)
    return await view(call)


async def resign(call: Call) -> Data:
    """Resign or, before the first guess, call the duel off."""
    seen, playing = await _seen(call), _playing(call)
    act = playing.call_off if seen.duel.can_be_called_off else playing.resign
    await act(call.player_id, seen.duel.id)
    return await view(call)


async def rematch(call: Call) -> Data:
    """Ask for a rematch, with a number if the opponent is not the bot; return the new duel."""
    seen, duels, text = await _seen(call), call.services.duels, call.given.get("text", "")
    if await duels.inviting.prepare_rematch(call.player_id, seen.duel.id) is None:
        others = [each for each in seen.duel.player_ids if each != call.player_id]
        if others:
            await require_may_write(call, _place(seen), *others)
    asked = await duels.inviting.rematch(call.player_id, seen.duel.id, text, on_page=True)
    return duel_data(await duels.games.notebook_of(call.player_id, asked))


async def result(call: Call) -> str:
    finished = await call.services.duels.games.result(call.player_id, call.game.id)
    return plain(finished, call.player_id)


async def _watched(call: Call, otherwise: NotYourDuelError) -> DuelView:
    """The duel, for those who are in its channel and do not play it; else the error is raised."""
    seen = await _playing(call).view(call.player_id, call.game.id)
    place = _place(seen)
    if place is None or place != await channel_of(call):
        raise otherwise
    return seen


def _place(seen: DuelView) -> Channel | None:
    return Channel.of(seen.duel.guild_id, seen.duel.channel_id)


def _playing(call: Call) -> Playing:
    return call.services.duels.playing


async def _seen(call: Call) -> DuelView:
    """The player's duel, if the page shows its present version; else raise MovedOnError."""
    seen = await call.services.duels.games.of(call.player_id, call.game.id)
    if seen.duel.version != call.given["at"]:
        raise MovedOnError
    return seen


_DUEL: Final = path_of(Source.DUEL)

ENDPOINTS: Final = (
    Endpoint("GET", _DUEL, view),
    Endpoint("POST", f"{_DUEL}/secret", secret, takes={"text": str, "at": int}),
    Endpoint("POST", f"{_DUEL}/guess", guess, takes={"text": str, "at": int}),
    Endpoint("POST", f"{_DUEL}/draw", draw, takes={"at": int}),
    Endpoint("POST", f"{_DUEL}/decline", decline, takes={"at": int}),
    Endpoint("POST", f"{_DUEL}/resign", resign, takes={"at": int}),
    Endpoint("POST", f"{_DUEL}/rematch", rematch, takes={"at": int, "text?": str}),
)
