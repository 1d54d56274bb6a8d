"""Players of a history: they guess as people who click twice, in two servers, on two devices."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from bot.clock import PuzzleName, SystemClock, number_of
from bot.focdle.plays import derive_secret
from engine import Focdle
from tests.history.record import Act, Outcome, Recorder
from tests.history.switchboard import PATIENCE_SECONDS, Switchboard
from tests.process.duelling import accept_form, challenge_form, duel_of, number_form
from tests.process.host import KEY
from tests.support.payloads import (
    COMMAND,
    FORM,
    PRESS,
    Payload,
    command,
    custom_ids,
    in_server,
    interaction,
    press,
    privately,
)
from tests.support.sessions import Answer

LENGTH: Final = 10
DIRECT: Final = 0
"""Where a player writes only to the bot."""

_TRIES: Final = 6
_TOLD: Final = 400
_THINKING_SECONDS: Final = 0.3
_DISCONNECTED_SECONDS: Final = 0.5
_SOLVES: Final = 0.5
_RESIGNS: Final = 0.1
_OPTIONS: Final = ("4-equal-rated", "4-classic-friendly")
_NUMBERS: Final = [number for n in range(10_000) if len(set(number := f"{n:04}")) == 4]
# Nobody ever guesses what the other guesses, so that an answer tells whose guess it shows.
_HALVES: Final = [[code for code in _NUMBERS if int(code[0]) % 2 == side] for side in (0, 1)]
# What only stands in an answer by which a guess does not count.
_NOT_PLAYED: Final = ("is kept", "turn, not yours", "Nothing was lost")
# What leaves it open: the bot itself does not know.
_NOT_KNOWN: Final = ("Something broke", "can't reach my database", "can't save anything")


class Player:
    """Somebody in some servers, who acts in any of them and in direct messages.

    Args:
        number: the user's id.
        servers: where they are.
        discord: what passes on what they do.
        recorder: is told of it.
        dice: what they do by.
    """

    def __init__(
        self,
        number: int,
        servers: Sequence[int],
        discord: Switchboard,
        recorder: Recorder,
        dice: random.Random,
    ) -> None:
        self.number = number
        self.home = servers[0]
        self._places = [*servers, DIRECT]
        self._discord = discord
        self._recorder = recorder
        self._dice = dice

    def some_places(self) -> list[int]:
        """One place, or two for somebody who does it twice at once."""
        return self._dice.sample(self._places, self._dice.choice((1, 2, 2)))

    async def think(self) -> None:
        """Take a moment."""
        await asyncio.sleep(self._dice.uniform(0, 2 * _THINKING_SECONDS))

    async def act(
        self, kind: int, data: Payload, place: int, board: Payload | None = None
    ) -> Answer | None:
        """Do something somewhere; the answer, if it comes in time."""
        where = in_server(self.number, place) if place else privately(self.number)
        try:
            sent = await self._discord.session.send(interaction(kind, data, where, board))
        except (KeyError, OSError):  # Discord knows that nobody is there: it is not passed on
            await asyncio.sleep(_DISCONNECTED_SECONDS)
            return None
        with suppress(TimeoutError):
            return await sent.within(PATIENCE_SECONDS + 1)
        return None

    async def guess(
        self, game: str, code: str, kind: int, data: Payload, board: Payload | None = None
    ) -> list[Answer]:
        """Send a guess, perhaps twice at once, until it is answered; the answers."""
        for _ in range(_TRIES):
            places = self.some_places()
            answers = await asyncio.gather(
                *(self._guess_once(game, code, kind, data, place, board) for place in places)
            )
            found = [answer for answer in answers if answer is not None]
            if found and not all(outcome_of(code, answer) is Outcome.UNKNOWN for answer in found):
                return found
            await self.think()
        return []

    async def _guess_once(
        self, game: str, code: str, kind: int, data: Payload, place: int, board: Payload | None
    ) -> Answer | None:
        began, answer = monotonic(), None
        try:
            answer = await self.act(kind, data, place, board)
        finally:  # also of what nobody waits for any more
            outcome, told = outcome_of(code, answer), "" if answer is None else answer.text[:_TOLD]
            self._recorder.note(Act(game, self.number, code, began, monotonic(), outcome, told))
        return answer


def outcome_of(code: str, answer: Answer | None) -> Outcome:
    """What somebody knows who has read this answer to a guess."""
    if answer is None or any(words in answer.text for words in _NOT_KNOWN):
        return Outcome.UNKNOWN
    if code in answer.text and not any(words in answer.text for words in _NOT_PLAYED):
        return Outcome.PLAYED
    return Outcome.REFUSED


def _goes_on(answers: Sequence[Answer], button: str) -> bool:
    """Whether a board in one of the answers still has this button, or none tells."""
    ids = [i for answer in answers for i in custom_ids(answer.data)]
    return not ids or any(i.startswith(button) for i in ids)


async def play_dailies(player: Player, dice: random.Random) -> None:
    """Play today's FoCdle, and then of the archive what has not been played."""
    played: set[int] = set()
    clock = SystemClock()
    while True:
        today = number_of(clock.now().date())
        number = next((n for n in (today, *range(1, today)) if n not in played), None)
        if number is None:
            await player.think()
            continue
        played.add(number)
        await _play_daily(player, number, dice)


async def _play_daily(player: Player, number: int, dice: random.Random) -> None:
    rules = Focdle()
    codes = [rules.draw(dice) for _ in range(rules.max_guesses)]
    if dice.random() < _SOLVES:
        codes[dice.randrange(1, rules.max_guesses)] = derive_secret(
            KEY, PuzzleName(number=number, length=LENGTH)
        )
    for code in codes:
        data = command("focdle", {"guess": code, "puzzle": str(number)})
        answers = await player.guess(f"puzzle:{number}", code, COMMAND, data)
        if not _goes_on(answers, "fd:guess:"):
            return
        await player.think()


async def duel(pair: tuple[Player, Player], dice: random.Random) -> None:
    """Duel again and again."""
    while True:
        secrets = (dice.choice(_HALVES[1]), dice.choice(_HALVES[0]))
        board = await _begin(pair, secrets, dice)
        if board is not None:
            await _fight(pair, board, secrets, dice)
        await pair[0].think()


async def _begin(
    pair: tuple[Player, Player], secrets: tuple[str, str], dice: random.Random
) -> Payload | None:
    """A challenge that is taken; its board, or None if it did not come so far."""
    one, other = pair
    data = challenge_form(other.number, secrets[0], dice.choice(_OPTIONS))
    posted = await one.act(FORM, data, one.home)
    if posted is None or not any(i.startswith("du:accept:") for i in custom_ids(posted.message)):
        return None
    board = posted.message
    taken = accept_form(duel_of(board), secrets[1])
    for _ in range(_TRIES):
        if await other.act(FORM, taken, other.home, board) is not None:
            return board
    return None


async def _fight(
    pair: tuple[Player, Player], board: Payload, secrets: tuple[str, str], dice: random.Random
) -> None:
    """Guess until it is over; now and then somebody resigns."""
    number = duel_of(board)
    for _ in range(dice.randrange(2, 8)):
        for player, codes, secret in zip(pair, _HALVES, secrets[::-1], strict=True):
            code = secret if dice.random() < _RESIGNS else dice.choice(codes)
            data = number_form("guess", number, code)
            answers = await player.guess(f"duel:{number}", code, FORM, data, board)
            if any("du:rematch:" in i for a in answers for i in custom_ids(a.message)):
                return
            await player.think()
    player = dice.choice(pair)
    for _ in range(_TRIES):
        if await player.act(PRESS, press(f"du:resign:{number}"), player.home, board) is not None:
            break
        await player.think()
