"""Mastermind's endpoints on the page: one's own games, and challenges to oneself."""

from contextlib import suppress
from typing import Final

from bot.games.model import Channel, Source
from bot.games.words import latest_hint
from bot.mastermind.board_words import mastermind_data, plain
from bot.mastermind.game import Setting
from bot.mastermind.model import Kind, MastermindGame, NoSuchGameError
from bot.refused import MovedOnError
from bot.text.tiles import colour_name
from web.endpoints import Call, Data, Endpoint, path_of, require_may_write


async def view(call: Call) -> Data:
    return _shown(call, await _find(call))


async def begin(call: Call) -> Data:
    return _shown(call, await call.services.mastermind.solo.open(call.player_id, Setting()))


async def version(call: Call) -> int:
    return (await _find(call)).revision


async def guess(call: Call) -> Data:
    text, at, mastermind = call.given["text"], call.given["at"], call.services.mastermind
    player, game_id = call.player_id, call.game.id
    with suppress(NoSuchGameError):
        return _shown(call, await mastermind.solo.guess(player, game_id, text, at=at))
    return _shown(call, await mastermind.challenges.guess(player, game_id, text, at=at))


async def accept(call: Call) -> Data:
    """Accept a challenge at the setting that the page shows."""
    game, challenges = await _seen(call), call.services.mastermind.challenges
    await require_may_write(call, Channel.of(game.guild_id, game.channel_id))
    return _shown(call, await challenges.accept(call.player_id, game.id, Setting.of(game.rules)))


async def decline(call: Call) -> Data:
    game, challenges = await _seen(call), call.services.mastermind.challenges
    return _shown(call, await challenges.decline(call.player_id, game.id))


async def hint(call: Call) -> Data:
    """Take a hint, and say what it shows; the first one only if `sure`."""
    game, hints = await _seen(call), call.services.coach.hints
    turns, taken, sure = len(game.turns), len(game.hints), call.given.get("sure", False)
    found = await hints.of_mastermind(call.player_id, game.id, turns, taken, asks=not sure)
    notes = [latest_hint(each, colour_name(each.symbol)) for each in found.hints[taken:]]
    return _shown(call, found) | {"noted": notes}


async def give_up(call: Call) -> Data:
    """Give up a game, or resign a challenge."""
    game, mastermind = await _seen(call), call.services.mastermind
    if game.kind is Kind.PLAY:
        return _shown(call, await mastermind.solo.surrender(call.player_id, game.id))
    return _shown(call, await mastermind.challenges.resign(call.player_id, game.id))


async def change(call: Call) -> Data:
    """Begin a game at another setting in place of an untouched one."""
    given = {name: call.given[name] for name in _SETTING}
    setting = Setting(**given | {"repeats": bool(given["repeats"])})
    solo = call.services.mastermind.solo
    return _shown(call, await solo.change(call.player_id, call.game.id, setting))


async def again(call: Call) -> Data:
    """Begin another game at the same setting."""
    solo = call.services.mastermind.solo
    finished = await solo.view(call.player_id, call.game.id)
    return _shown(call, await solo.open(call.player_id, Setting.of(finished.rules)))


async def result(call: Call) -> str:
    return plain(await call.services.mastermind.solo.result(call.player_id, call.game.id))


async def _find(call: Call) -> MastermindGame:
    mastermind = call.services.mastermind
    with suppress(NoSuchGameError):
        return await mastermind.solo.view(call.player_id, call.game.id)
    return (await mastermind.challenges.look(call.player_id, call.game.id)).game


async def _seen(call: Call) -> MastermindGame:
    game = await _find(call)
    if game.revision != call.given["at"]:
        raise MovedOnError
    return game


def _shown(call: Call, game: MastermindGame) -> Data:
    return mastermind_data(game, call.player_id)


_GAME: Final = path_of(Source.MASTERMIND)
_SETTING: Final = ("pegs", "colours", "repeats", "guesses")

ENDPOINTS: Final = (
    Endpoint("POST", "mastermind", begin),
    Endpoint("GET", _GAME, view),
    Endpoint("POST", f"{_GAME}/guess", guess, takes={"text": str, "at": int}),
    Endpoint("POST", f"{_GAME}/accept", accept, takes={"at": int}),
    Endpoint("POST", f"{_GAME}/decline", decline, takes={"at": int}),
    Endpoint("POST", f"{_GAME}/hint", hint, takes={"at": int, "sure?": bool}),
    Endpoint("POST", f"{_GAME}/give_up", give_up, takes={"at": int}),
    Endpoint("POST", f"{_GAME}/change", change, takes=dict.fromkeys((*_SETTING, "at"), int)),
    Endpoint("POST", f"{_GAME}/again", again, takes={"at": int}),
)
