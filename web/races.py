"""Races' endpoints on the page: for their players, and for those who are in their channel."""

from typing import Final

from bot.games.model import Channel, Source
from bot.races.model import ROUNDS, Choosing, NoSuchRaceError, Race, Stage
from bot.races.web_words import race_data
from bot.refused import OutdatedError
from web.endpoints import Call, Data, Endpoint, channel_of, path_of, require_may_write


async def _here(call: Call) -> Channel:
    found = await channel_of(call)
    if found is None:
        raise NoSuchRaceError
    return found


async def view(call: Call) -> Data:
    races, here = call.services.races, await channel_of(call)
    seen, board = await races.see(call.player_id, call.game.id, here)
    best = [seat.player_id for _, seat in seen.podium]
    faces = await call.services.faces.named(call.player_id, best) if best else {}
    is_here = seen.race.channel == here
    return race_data(seen, call.player_id, board, is_here=is_here, faces=faces)


async def version(call: Call) -> int:
    return (await _found(call)).version


async def _found(call: Call) -> Race:
    """The race, which is mostly one that the player is in; others learn nothing."""
    races = call.services.races
    try:
        return await races.of(call.player_id, call.game.id, None)
    except NoSuchRaceError:
        return await races.of(call.player_id, call.game.id, await channel_of(call))


async def join(call: Call) -> Data:
    here = await _here(call)
    await require_may_write(call, here)
    await call.services.races.join(call.player_id, call.game.id, here)
    return await view(call)


async def start(call: Call) -> Data:
    await require_may_write(call, (await _found(call)).channel)
    await call.services.races.start(call.player_id, call.game.id)
    return await view(call)


async def open_race(call: Call) -> Data:
    """Open a race, or an evening, where the page was opened; return it."""
    here, rules = await channel_of(call), call.given["game"].rules(call.given.get("length"))
    rounds = call.given.get("rounds", 1)
    if here is None or rounds not in {1, *ROUNDS}:
        raise OutdatedError(what="a place, or a number of rounds")
    await require_may_write(call, here)
    opened = await call.services.races.open(call.player_id, here, rules, rounds, on_page=True)
    return race_data(opened, call.player_id, None, is_here=True)


async def again(call: Call) -> Data:
    """Open another race, or another evening, in the channel; return it."""
    races, here = call.services.races, await _here(call)
    like = await races.look(call.game.id, here)
    await require_may_write(call, here)
    opened = await races.open(call.player_id, here, like.rules, like.rounds, on_page=True)
    return race_data(opened, call.player_id, None, is_here=True)


async def off(call: Call) -> Data:
    """Call a race off, as its opener may before the first guess."""
    await _found(call)
    await call.services.races.call_off(call.player_id, call.game.id, is_manager=False)
    return await view(call)


async def guess(call: Call) -> Data:
    text, at, sure = call.given["text"], call.given["at"], call.given.get("sure", False)
    board = await call.services.races.guess(
        call.player_id, call.game.id, None, text, as_probe=sure, at=at
    )
    if board.race.stage is Stage.OVER:  # of which there is more to see
        return await view(call)
    return race_data(board.view, call.player_id, board, is_here=False)


_RACE: Final = path_of(Source.RACE)

ENDPOINTS: Final = (
    Endpoint("POST", "race", open_race, takes={"game": Choosing, "length?": int, "rounds?": int}),
    Endpoint("GET", _RACE, view),
    Endpoint("POST", f"{_RACE}/join", join, takes={"at": int}),
    Endpoint("POST", f"{_RACE}/start", start, takes={"at": int}),
    Endpoint("POST", f"{_RACE}/again", again, takes={"at": int}),
    Endpoint("POST", f"{_RACE}/off", off, takes={"at": int}),
    Endpoint("POST", f"{_RACE}/guess", guess, takes={"text": str, "at": int, "sure?": bool}),
)
