"""The budget: how much a screen in play and a page may say and offer.

A screen joins by a line in `SCREENS`, a page by one in `PAGES`.
"""

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import pytest
from simcord import ResponseMessage

from engine.code_games import Mastermind
from engine.codes import Code
from tests.support import duel_stories as duels
from tests.support.budget import PAGE, SCREEN, counted, face, is_in_order, lists
from tests.support.mastermind_stories import opened, press, put, typed
from tests.support.meetings import publish_races
from tests.support.screen import seen
from tests.support.table import SECRET, Table

Draw = Callable[[Table], Awaitable[ResponseMessage]]

GUESSES: Final = ("12+34-5=41", "98-76+5=27", "99-88+9=20", "99-88+7=18", "10*10-9=91")


@pytest.fixture(autouse=True)
def nobody_guesses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes of Mastermind are drawn, and none is found by chance."""
    drawn = Mastermind.draw

    def draw(rules: Mastermind, dice: random.Random) -> Code:
        return Code("BPBY") if rules == Mastermind() else drawn(rules, dice)

    monkeypatch.setattr(Mastermind, "draw", draw)


async def daily(table: Table, *guesses: str) -> ResponseMessage:
    board = await table.focdle(table.ann)
    for guess in guesses:
        board = await table.guess(table.ann, board, guess)
    return board


async def practice(table: Table, *guesses: str) -> ResponseMessage:
    board = seen(await table.ann.slash(table.channel, "practice"))
    for guess in guesses:
        board = await table.guess(table.ann, board, guess)
    return board


async def play(table: Table, *guesses: str, row: str = "") -> ResponseMessage:
    board = await opened(table, table.ann, "play")
    for guess in guesses:
        board = await typed(table.ann, board, guess)
    return await put(table.ann, board, row)


async def unranked(table: Table) -> ResponseMessage:
    for code in ("RRRR", "RRRO"):
        await play(table, code)
    return await opened(table, table.ann, "play")


async def challenge(table: Table, *guesses: str, accept: bool = True) -> ResponseMessage:
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    board = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
    if accept:
        board = await press(table.ben, board, "Accept")
    for guess in guesses:
        board = await typed(table.ben, board, guess)
    return board


async def defend(table: Table, *answers: str) -> ResponseMessage:
    board = await opened(table, table.ann, "defend")
    for answer in answers:
        board = await press(table.ann, board, answer)
    return board


async def sealed(table: Table, steps: int = 0) -> ResponseMessage:
    board = await typed(table.ann, await defend(table), "GGRO", "Enter my code instead")
    for _ in range(steps):
        board = await press(table.ann, board, "Next")
    return board


async def dueling(table: Table, *guesses: str) -> ResponseMessage:
    board = await duels.playing(table)
    for guess in guesses:
        who, _other = duels.to_move(table, board)
        board = await duels.typed(who, board, guess)
    return board


async def dueled(table: Table) -> ResponseMessage:
    board = await dueling(table)
    for _ in range(2):
        first, second = duels.to_move(table, board)
        board = await duels.typed(first, board, duels.number_of(table, second))
    return board


async def notebook(table: Table) -> ResponseMessage:
    board = await dueling(table, *duels.WRONG[:2])
    return await press(table.ann, board, "Notebook")


async def dueling_the_bot(table: Table) -> ResponseMessage:
    board = await duels.typed(table.ann, await duels.with_bot(table), "4325", "Set my number")
    return await duels.typed(table.ann, board, "0123")


async def coached(table: Table, *presses: str) -> ResponseMessage:
    page = await daily(table, *GUESSES[:2], SECRET)
    for label in ("Coach", *presses):
        page = await press(table.ann, page, label)
    return page


async def given_up(table: Table) -> ResponseMessage:
    board = await play(table, "RROO", "GGGG")
    for label in ("More", "Give up", "Yes, give up"):
        board = await press(table.ann, board, label)
    return board


async def typed_command(table: Table, command: str) -> ResponseMessage:
    await table.focdle(table.ben, guess=GUESSES[0])
    return seen(await table.ann.slash(table.channel, command))


async def equation(table: Table, *, is_closed: bool = False) -> ResponseMessage:
    form = await table.ann.slash(table.channel, "equation")
    post = seen(await table.ann.submit_modal(form, {"equation": GUESSES[0]}))
    if is_closed:
        own = seen(await table.ben.click(post, label="Play"))
        await table.guess(table.ben, own, GUESSES[0])
        await press(table.ann, await press(table.ann, post, "More"), "Close")
    return post


async def race(table: Table, *, starts: bool = False) -> ResponseMessage:
    post = seen(await table.ann.slash(table.channel, "race", game="focdle"))
    if starts:
        await press(table.ben, post, "Join")
        await press(table.ann, post, "Start")
        table.clock.advance(seconds=3)
        await publish_races(table)
    return post


async def raced(table: Table, game: str) -> ResponseMessage:
    post = seen(await table.ann.slash(table.channel, "race", game=game))
    await press(table.ben, post, "Join")
    return await press(table.ann, post, "Start")


SCREENS: Final[dict[str, Draw]] = {
    "a set equation": equation,
    "a closed equation": partial(equation, is_closed=True),
    "a race's lobby": race,
    "a race": partial(race, starts=True),
    **{
        f"a race's board, {game}": partial(raced, game=game)
        for game in ("focdle", "mastermind", "bulls")
    },
    "a daily solved": lambda table: daily(table, *GUESSES[:2], SECRET),
    "a daily lost": lambda table: daily(table, *GUESSES, "11+11-9=13"),
    "Mastermind given up": given_up,
    "a duel's challenge": duels.challenge,
    "a duel": dueling,
    "a duel under way": lambda table: dueling(table, *duels.WRONG[:2]),
    "a duel's end": dueled,
    "a notebook": notebook,
    "a duel with the bot": duels.with_bot,
    "a duel with the bot under way": dueling_the_bot,
    "a better guess to find": lambda table: coached(table, "Find a better guess"),
    "a first daily": daily,
    "a refused guess": lambda table: daily(table, "12+34-5=4"),
    "a false equation": lambda table: daily(table, GUESSES[0], "12+34-5=42"),
    "a daily": lambda table: daily(table, *GUESSES[:3]),
    "the last guess of a daily": lambda table: daily(table, *GUESSES),
    "a daily guessed at once": lambda table: table.focdle(table.ann, guess=GUESSES[0]),
    "a practice": practice,
    "a practice under way": lambda table: practice(table, *GUESSES[:2]),
    "Mastermind": play,
    "Mastermind with a full row": lambda table: play(table, "RROO", row="RGBY"),
    "Mastermind without a colour right": lambda table: play(table, "RROO", "GGGG", "BBBB", "RRRR"),
    "Mastermind refused": lambda table: play(table, "RROO", "RRGx"),
    "Mastermind that is not ranked": unranked,
    "Mastermind at another setting": lambda table: opened(table, table.ann, "play", pegs=5),
    "a challenge": lambda table: challenge(table, accept=False),
    "a challenge accepted": challenge,
    "a challenge under way": lambda table: challenge(table, "RRGG", "YYYY"),
    "a code to defend": defend,
    "blacks answered": lambda table: defend(table, "1"),
    "a code half defended": lambda table: defend(table, "1", "1"),
    "answers that contradict": lambda table: defend(table, "0", "0", "0", "0"),
    "a sealed code": sealed,
    "the third guess at a sealed code": lambda table: sealed(table, 3),
}
FACES: Final = {"a duel's challenge": 6}  # two rows: answers, and what else there is
COMMANDS: Final = ("play", "preferences", "leaderboard", "stats")
PAGES: Final[dict[str, Draw]] = {
    **{name: partial(typed_command, command=name) for name in COMMANDS},
    "the coach": coached,
    "the coach's details": lambda table: coached(table, "Details"),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_every_screen_during_play_is_short(table: Table, name: str) -> None:
    board = await SCREENS[name](table)
    assert counted(board) <= SCREEN
    assert len(face(board)) <= FACES.get(name, 4)
    assert lists(board) <= 1
    assert is_in_order(face(board))


@pytest.mark.parametrize("name", PAGES)
async def test_pages_of_commands_and_of_the_coach_keep_to_the_word_budget(
    table: Table, name: str
) -> None:
    assert counted(await PAGES[name](table)) <= PAGE
