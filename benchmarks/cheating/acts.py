"""What people do, honest or not: play a daily, a duel or a Mastermind to its end."""

from collections.abc import Awaitable, Iterator
from typing import Final

from benchmarks.cheating.month import HOME, Month, Person
from bot.services.base.errors import Refused
from bot.services.duels.model import DuelGame, Pace
from bot.services.duels.opening import Challenge
from bot.services.duels.options import Options
from bot.services.focdle.model import Play
from bot.services.mastermind.model import Kind, MastermindGame
from bot.services.mastermind.setting import Setting
from bot.services.privacy.players import CONFIRMATION
from engine import Code, is_consistent

_CHANNEL: Final = 1
_BAD_GUESS: Final = "rrrr"
_ROUNDS: Final = 3
"""Both guess so often before one of them wins."""


async def worked(act: Awaitable[object]) -> bool:
    """Whether the bot let somebody do something."""
    try:
        await act
    except Refused:
        return False
    return True


async def join(month: Month, person: Person, guild_id: int = HOME) -> None:
    """Be seen in a server."""
    members = month.services.standings.members
    await members.seen(person.id, person.name, guild_id=guild_id, guild_name=person.name)


async def play_daily(
    month: Month, person: Person, guesses: int, guild_id: int | None = HOME
) -> Play:
    """Solve the day's puzzle with so many guesses; with more than there are, lose it."""
    play = await month.services.daily.open(person.id, guild_id)
    for code in _wrong_equations(person, play, guesses - 1):
        if play.game.outcome is None:
            play = await month.services.daily.guess(person.id, play.id, code)
    if play.game.outcome is None:
        play = await month.services.daily.guess(person.id, play.id, play.game.secret)
    return play


def _wrong_equations(person: Person, play: Play, most: int) -> Iterator[str]:
    drawn: set[str] = {play.game.secret}
    while len(drawn) <= most:
        code = play.rules.draw(person.dice)
        if code not in drawn:
            drawn.add(code)
            yield code


async def begin_duel(month: Month, one: Person, other: Person) -> tuple[DuelGame, dict[int, Code]]:
    """Challenge, accept, and set both numbers: the duel, and what each has to find."""
    inviting, playing = month.services.duels.inviting, month.services.duels.playing
    options = Options()
    numbers = {person.id: options.rules().draw(person.dice) for person in (one, other)}
    challenge = Challenge(one.id, other.id, HOME, _CHANNEL)
    game = await inviting.challenge(challenge, options, numbers[one.id])
    await inviting.accept(other.id, game.id, Pace.RELAXED, game.terms)
    game = await playing.set_secret(other.id, game.id, numbers[other.id])
    return game, {one.id: numbers[other.id], other.id: numbers[one.id]}


async def play_duel(month: Month, winner: Person, loser: Person) -> None:
    """Play a duel that one of the two wins after some rounds."""
    game, targets = await begin_duel(month, loser, winner)
    wrong = (code for code in game.rules.codes() if code not in targets.values())
    while game.ending is None:
        mover = game.seats[game.to_move or 0].player_id or 0
        is_won = mover == winner.id and game.seats[game.to_move or 0].guesses >= _ROUNDS
        guess = targets[mover] if is_won else next(wrong)
        game = await month.services.duels.playing.guess(mover, game.id, guess)


async def resign_duel(month: Month, winner: Person, loser: Person) -> None:
    """Begin a duel that one of the two gives up at once."""
    game, _targets = await begin_duel(month, loser, winner)
    await month.services.duels.playing.resign(loser.id, game.id)


async def resign_duel_and_delete(month: Month, winner: Person, loser: Person) -> None:
    """The same, and the loser's data are deleted after it."""
    await resign_duel(month, winner, loser)
    await month.services.privacy.players.delete(loser.id, CONFIRMATION)


async def delete_in_duel(month: Month, winner: Person, loser: Person) -> None:
    """Begin a duel that one of the two leaves by deleting their data."""
    await begin_duel(month, loser, winner)
    await month.services.privacy.players.delete(loser.id, CONFIRMATION)


async def play_mastermind(month: Month, person: Person) -> MastermindGame:
    """Break a code at the standard setting, each time with a code that may be it."""
    solo = month.services.mastermind.solo
    game = await solo.open(person.id, Setting())
    codes = list(game.rules.codes())
    person.dice.shuffle(codes)
    while game.ending is None:
        guess = next(code for code in codes if is_consistent(game.rules, code, game.turns))
        game = await solo.guess(person.id, game.id, guess)
    return game


async def let_bot_guess(
    month: Month, player: Person, asker: Person, setting: Setting, *, begins: bool = False
) -> bool:
    """Break a code at the standard setting by what the bot guesses in a game beside it.

    Args:
        month: when.
        player: who breaks the code.
        asker: whose code the bot breaks: none, for it is told how near the player's guesses are.
        setting: of the game in which the bot guesses.
        begins: whether the player's first guess, a bad one, comes before that is opened.

    Returns:
        Whether the bot does; where it does not, what was begun is given up.
    """
    solo, defence = month.services.mastermind.solo, month.services.mastermind.defence
    game = await solo.open(player.id, Setting())
    if begins:
        game = await solo.guess(player.id, game.id, _BAD_GUESS)
        if game.ending is not None:  # luck
            return False
    helper = await _opened(month, asker, setting)
    if helper is None and begins:
        await solo.surrender(player.id, game.id)
    while game.ending is None and helper is not None and helper.question is not None:
        game = await solo.guess(player.id, game.id, helper.question.guess)
        answer = game.turns[-1].feedback
        helper = await defence.blacks(asker.id, helper.id, helper.question, answer.bulls)
        if helper.question is not None and helper.question.blacks is not None:
            helper = await defence.whites(asker.id, helper.id, helper.question, answer.cows)
    return helper is not None


async def _opened(month: Month, person: Person, setting: Setting) -> MastermindGame | None:
    """A game in which the bot guesses; if it is refused, one that is open all the same."""
    mastermind = month.services.mastermind
    try:
        return await mastermind.defence.open(person.id, setting)
    except Refused:
        for game in await mastermind.games.open_of(person.id):
            if game.kind is Kind.DEFEND and not game.sealed:
                return await mastermind.defence.view(person.id, game.id)
    return None
