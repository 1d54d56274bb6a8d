"""FoCdle's endpoints on the page: each asks the services for a player, and answers in JSON."""

from datetime import date
from typing import Final

from bot.clock import FIRST_DAY
from bot.coach import review_words as coach_words
from bot.coach.game import Lesson
from bot.coach.reviews import mistakes
from bot.focdle.ending_words import month_data, plain
from bot.focdle.model import Play
from bot.focdle.words import HARD_NOTES, play_data
from bot.games.model import Source
from bot.games.words import latest_hint
from bot.people.game import Cost
from bot.refused import MovedOnError, OutdatedError
from bot.text.language import say
from bot.text.markup import code
from engine.levels import Level
from web.endpoints import Call, Data, Endpoint, path_of, server_of
from web.home import finishers

_PATIENCE_SECONDS: Final = 2.0
"""How long a request waits for the review; then the page has to ask again."""


async def today(call: Call) -> Data:
    return await _shown(call, await call.services.daily.open(call.player_id, await server_of(call)))


async def open_puzzle(call: Call) -> Data:
    """Open the daily that a text names by its number or date."""
    server, puzzle = await server_of(call), call.given["puzzle"]
    return await _shown(call, await call.services.daily.open(call.player_id, server, puzzle=puzzle))


async def practice(call: Call) -> Data:
    length, level = call.given.get("length"), call.given.get("level")
    practices = call.services.practice
    server = await server_of(call)
    return await _shown(call, await practices.open(call.player_id, server, length, level))


async def archive(call: Call) -> Data:
    """List the dailies of a month such as `2026-11`, by default of the present one."""
    text, day = call.given.get("month"), None
    if text is not None:
        try:
            day = date.fromisoformat(f"{text}-01")
        except ValueError as error:
            raise OutdatedError(what="a month") from error
    today, found = await call.services.daily.month(call.player_id, await server_of(call), day)
    if day is not None and not FIRST_DAY <= day <= today:
        raise OutdatedError(what="a month")
    return month_data(day or today, today, found)


async def view(call: Call) -> Data:
    return await _shown(call, await call.services.daily.view(call.player_id, call.game.id))


async def version(call: Call) -> int:
    return (await call.services.daily.view(call.player_id, call.game.id)).version


async def complete(call: Call) -> Data:
    """Add the missing result to a typed row, so that the player sees the guess before making it."""
    daily, text = call.services.daily, call.given["text"]
    return {"row": await daily.complete(call.player_id, call.game.id, text)}


async def guess(call: Call) -> Data:
    text, at, sure = call.given["text"], call.given["at"], call.given.get("sure", False)
    daily, player, play_id = call.services.daily, call.player_id, call.game.id
    return await _shown(
        call, await daily.guess(player, play_id, text, as_probe=sure, at=at, posts=True)
    )


async def hint(call: Call) -> Data:
    """Take a hint, and say what it shows; the first one that costs something only if `sure`.

    Raise MovedOnError if the page shows an outdated board of the play.
    """
    play, hints = await _seen(call), call.services.coach.hints
    turns, taken, sure = len(play.game.turns), len(play.hints), call.given.get("sure", False)
    found = await hints.of_play(call.player_id, play.id, turns, taken, asks=not sure)
    notes = [latest_hint(each, code(each.symbol)) for each in found.hints[taken:]]
    return play_data(found) | {"noted": notes}


async def give_up(call: Call) -> Data:
    play = await _seen(call)
    return await _shown(call, await call.services.practice.give_up(call.player_id, play.id))


async def hard(call: Call) -> Data:
    """Turn the player's hard mode on or off, but only if the shown play has no guesses yet."""
    play, on = await _seen(call), call.given["on"]
    if play.game.turns:
        return await view(call)
    await call.services.preferences.set_hard_mode(call.player_id, on=on)
    return await view(call) | {"noted": [say(HARD_NOTES[on])]}


async def swap(call: Call) -> Data:
    """Open a practice of another length; the shown one is dismissed if it has no guesses."""
    server, length = await server_of(call), call.given["length"]
    practices = call.services.practice
    return play_data(await practices.swap(call.player_id, server, call.game.id, length))


async def verdict(call: Call) -> Data:
    """Return the coach's review of a game; of a play, if a guess was bad, with a lesson about it.

    If the review takes long, say instead that the page has to ask again.
    """
    name = call.game
    consultation = await call.services.coach.reviews.ask(call.player_id, name)
    review = await consultation.within(_PATIENCE_SECONDS)
    if review is None:
        return {"said": coach_words.thinking(consultation.ahead).splitlines(), "waits": True}
    worst, lessons = mistakes(review.analysis), call.services.coach.lessons
    told: Data = {
        "said": coach_words.verdict_line(review).splitlines(),
        "remarks": [remark.splitlines() for remark in coach_words.remarks(review)],
    }
    if not worst or name.source is not Source.PLAY:
        return told
    return {**told, "lesson": _lesson(await lessons.of(call.player_id, name, worst[0]))}


def _lesson(lesson: Lesson) -> Data:
    """The board as it was before a guess, and the question about a better one."""
    board = play_data(lesson.play)
    before = {name: board[name] for name in ("rows", "shown", "keys")}
    return {"turn": lesson.turn, "said": coach_words.question(lesson).splitlines(), **before}


async def better(call: Call) -> Data:
    """Compare a proposed guess with the one that was made at `turn`.

    If the player proposes none, show the best one. Then add the lesson that follows.
    """
    lessons, turn, text = call.services.coach.lessons, call.given["turn"], call.given.get("text")
    name = call.game
    if text is None:
        found = await lessons.best(call.player_id, name, turn)
    else:
        found = await lessons.answer(call.player_id, name, turn, text)
    told: Data = {"said": coach_words.answer(found).splitlines(), "done": found.is_done}
    if found.is_done and found.lesson.then is not None:
        told["then"] = _lesson(await lessons.of(call.player_id, name, found.lesson.then))
    return told


async def result(call: Call) -> str:
    """Write the result as text; refuse one that is not to be shared."""
    finished = await call.services.daily.result(call.player_id, call.game.id)
    if finished.game.is_given_up or finished.is_set:
        raise OutdatedError(what="a share")
    return plain(finished)


async def _shown(call: Call, play: Play) -> Data:
    """The play as data; at the end of today's with who else has finished."""
    data = play_data(play)
    if play.game.outcome is not None and play.puzzle is not None and play.is_today:
        data["finishers"] = await finishers(call, play.puzzle)
    return data


async def _seen(call: Call) -> Play:
    """The play, if the page shows its present version; else raise MovedOnError."""
    play = await call.services.daily.view(call.player_id, call.game.id)
    if play.version != call.given["at"]:
        raise MovedOnError
    return play


_PLAY: Final = path_of(Source.PLAY)

ENDPOINTS: Final = (
    Endpoint("POST", "today", today, Cost.HEAVY),
    Endpoint("POST", "open", open_puzzle, Cost.HEAVY, {"puzzle": str}),
    Endpoint("POST", "practice", practice, Cost.HEAVY, {"length?": int, "level?": Level}),
    Endpoint("GET", "archive", archive, takes={"month?": str}),
    Endpoint("GET", _PLAY, view),
    Endpoint("POST", f"{_PLAY}/complete", complete, Cost.LIGHT, {"text": str}),
    Endpoint("POST", f"{_PLAY}/guess", guess, Cost.LIGHT, {"text": str, "at": int, "sure?": bool}),
    Endpoint("POST", f"{_PLAY}/hint", hint, Cost.LIGHT, {"at": int, "sure?": bool}),
    Endpoint("POST", f"{_PLAY}/give_up", give_up, Cost.LIGHT, {"at": int}),
    Endpoint("POST", f"{_PLAY}/hard", hard, Cost.LIGHT, {"at": int, "on": bool}),
    Endpoint("POST", f"{_PLAY}/length", swap, Cost.HEAVY, {"length": int}),
    Endpoint("POST", f"{_PLAY}/better", better, Cost.COACH, {"turn": int, "text?": str}),
)
