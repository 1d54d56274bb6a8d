"""The bot breaks a player's code, and the player answers its guesses."""

import re
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.help import Topic
from bot.presentation.mastermind import defend
from bot.presentation.mastermind import labels as words
from bot.services.base.allowance import Cost
from bot.services.mastermind.errors import RankedGameError
from bot.services.mastermind.model import MastermindGame, Question, Stage
from bot.services.mastermind.setting import Setting
from cogs.base.buttons import Press
from cogs.base.pages import BoardPage, Items
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.base.selects import Pick, chosen
from cogs.coach.page import coach_of_mastermind
from cogs.help import HelpButton
from cogs.mastermind.boards import MastermindButton, game_page, in_rows
from cogs.mastermind.watch import SealButton, ranked_notice, steps_page
from engine import COLOURS, Score

_STYLES: Final = {
    "view": discord.ButtonStyle.primary,
    "again": discord.ButtonStyle.primary,
    "end": discord.ButtonStyle.danger,
}

# The game; the guess that was seen, by its turn and its letters; the blacks seen, and a number.
_ANSWER: Final = (
    rf"(?P<game>\d+):(?P<turn>\d+):(?P<guess>[{COLOURS}]+):(?:(?P<blacks>\d+)-)?(?P<count>\d+)"
)


async def show_defence(
    interaction: Interaction, result: Coroutine[Any, Any, MastermindGame], *, anew: bool = False
) -> None:
    """Show the board that the service comes back with, perhaps in a message of its own."""
    try:
        game = await in_good_time(interaction, result)
    except RankedGameError as error:
        await whisper(interaction, ranked_notice(error))
        return
    page = defence_page(game, pegs_of(interaction))
    await (whisper if anew else show)(interaction, page)


def defence_page(game: MastermindGame, pegs: Pegs) -> BoardPage:
    """The private board of who set the code, sealed or not."""
    if game.sealed:
        return steps_page(game, pegs)
    others: list[Press] = [*coach_of_mastermind(game), HelpButton(Topic.MASTERMIND)]
    if game.stage is Stage.OVER:
        others.insert(0, DefendButton("again", game.id))
        if game.is_correctable:
            others.insert(1, DefendButton("choose", game.id))
        return game_page(game, pegs, [others])
    rows: list[Items] = []
    others.insert(0, DefendButton("ask", game.id))
    if game.contradiction is not None:
        rows.append([CorrectPick(game)])
    elif game.question is not None:
        rows += in_rows([MastermindAnswerButton(game.id, game.question, n) for n in game.choices])
        others = [*_second_thoughts(game), *others]
    return game_page(game, pegs, [*rows, others])


def _aside(game: MastermindGame, pegs: Pegs, rows: Iterable[Items], note: str = "") -> BoardPage:
    """The board with other buttons than those that answer."""
    return BoardPage(defend.defend_board(game, pegs, asking=False), rows, note)


def _second_thoughts(game: MastermindGame) -> Iterator[Press]:
    """What can be taken back, or chosen instead."""
    if game.question is not None and game.blacks is not None:
        yield BackButton(game.id, game.question)
    if game.turns:
        yield DefendButton("choose", game.id)
    elif game.blacks is None:
        yield SealButton(game.rules, say(words.SEAL_BUTTON), game.id)


def _correction_page(game: MastermindGame, turn: int, blacks: int | None, pegs: Pegs) -> BoardPage:
    """Asks how a guess should have been answered: blacks, then whites."""
    guess = game.turns[turn].guess
    choices = game.blacks_of(guess) if blacks is None else game.whites_with(guess, blacks)
    seen = Question(turn, guess, blacks)
    buttons = [CorrectButton(game.id, len(game.turns), seen, n) for n in choices]
    keep = DefendButton("view", game.id, label=say(words.KEEP_ANSWER_BUTTON))
    board = defend.correction(game, turn, blacks, pegs)
    return BoardPage(board, [*in_rows(buttons), [keep]])


def _can_end(game: MastermindGame) -> bool:
    return game.stage is Stage.PLAYING and not game.sealed


def _write(seen: Question, count: int) -> str:
    """A question and a number for an id; the guess is on its player's board, and no secret."""
    answer = str(count) if seen.blacks is None else f"{seen.blacks}-{count}"
    return f"{seen.turn}:{seen.guess}:{answer}"


def _read(match: re.Match[str]) -> Question:
    """The question that an id names."""
    blacks = match["blacks"]
    return Question(int(match["turn"]), match["guess"], None if blacks is None else int(blacks))


class DefendButton(MastermindButton, template=r"mm:d:(view|choose|ask|end|again):(\d+)"):
    """What can be done with a game besides answering.

    Args:
        act: *view* the board, *choose* an answer to correct, *ask* whether to end it, *end*
            it, play *again*.
        game_id: which game.
        label: another label than the usual.
    """

    cost = Cost.HEAVY

    letter = "d"

    def __init__(self, act: str, game_id: int, label: str | None = None) -> None:
        style = _STYLES.get(act, discord.ButtonStyle.secondary)
        super().__init__(act, game_id, label or say(words.DEFEND_BUTTONS[act]), style)

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        defence, player = services_of(interaction).mastermind.defence, interaction.user.id
        if self._act == "end":
            await show_defence(interaction, defence.give_up(player, self._game_id))
        elif self._act == "view":
            await show_defence(interaction, defence.view(player, self._game_id))
        else:
            game = await in_good_time(interaction, defence.view(player, self._game_id))
            await self._look(interaction, game)

    async def _look(self, interaction: Interaction, game: MastermindGame) -> None:
        """Do what changes nothing in this game."""
        pegs = pegs_of(interaction)
        if self._act == "again":
            opened = services_of(interaction).mastermind.defence.open(
                interaction.user.id, Setting.of(game.rules)
            )
            await show_defence(interaction, opened, anew=True)
        elif not (game.is_correctable if self._act == "choose" else _can_end(game)):
            await show(interaction, defence_page(game, pegs))
        elif self._act == "ask":
            answers = [
                DefendButton("end", game.id),
                DefendButton("view", game.id, label=say(words.KEEP_BUTTON)),
            ]
            await show(interaction, _aside(game, pegs, [answers], say(words.END_QUESTION)))
        else:
            keep = DefendButton("view", game.id, label=say(words.KEEP_ANSWERS_BUTTON))
            await show(interaction, _aside(game, pegs, [[CorrectPick(game)], [keep]]))


class MastermindAnswerButton(Press, template=rf"mm:d:(?:blacks|whites):{_ANSWER}"):
    """Answers how many key pegs of a colour the bot's guess gets: whites once blacks are given.

    Args:
        game_id: which game.
        seen: what its player is asked.
        count: the answer.
    """

    def __init__(self, game_id: int, seen: Question, count: int) -> None:
        what = "blacks" if seen.blacks is None else "whites"
        super().__init__(
            f"mm:d:{what}:{game_id}:{_write(seen, count)}", str(count), discord.ButtonStyle.primary
        )
        self._game_id = game_id
        self._seen = seen
        self._count = count

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a guess and an answer."""
        return cls(int(match["game"]), _read(match), int(match["count"]))

    async def press(self, interaction: Interaction) -> None:
        """Answer, unless that was done before or the bot has guessed otherwise since."""
        defence = services_of(interaction).mastermind.defence
        answer = defence.blacks if self._seen.blacks is None else defence.whites
        result = answer(interaction.user.id, self._game_id, self._seen, self._count)
        await show_defence(interaction, result)


class BackButton(Press, template=rf"mm:d:back:{_ANSWER}"):
    """*Change black*: forgets the blacks that were answered.

    Args:
        game_id: which game.
        seen: what its player is asked.
    """

    cost = Cost.HEAVY

    def __init__(self, game_id: int, seen: Question) -> None:
        super().__init__(
            f"mm:d:back:{game_id}:{_write(replace(seen, blacks=None), seen.blacks or 0)}",
            say(words.DEFEND_BUTTONS["back"]),
        )
        self._game_id = game_id
        self._seen = seen

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a guess and its blacks."""
        return cls(int(match["game"]), replace(_read(match), blacks=int(match["count"])))

    async def press(self, interaction: Interaction) -> None:
        """Forget them, unless something else was done since."""
        defence = services_of(interaction).mastermind.defence
        await show_defence(
            interaction, defence.take_back(interaction.user.id, self._game_id, self._seen)
        )


class CorrectPick(Pick, template=r"mm:d:pick:(\d+)"):
    """The answers given so far, one of which is to be corrected."""

    cost = Cost.HEAVY

    def __init__(self, game: MastermindGame | None = None, game_id: int = 0) -> None:
        self._game_id = game_id if game is None else game.id
        options = [] if game is None else list(_options(game))
        super().__init__(
            ui.Select[Any](
                custom_id=f"mm:d:pick:{self._game_id}",
                placeholder=say(words.CORRECT_PLACEHOLDER),
                options=options,
            )
        )

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list of a game."""
        return cls(game_id=int(match[1]))

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Ask how it should have been answered."""
        (value,) = chosen(values)
        defence = services_of(interaction).mastermind.defence
        game = await in_good_time(interaction, defence.view(interaction.user.id, self._game_id))
        pegs, turn = pegs_of(interaction), int(value)
        if not game.is_correctable or turn >= len(game.turns):
            await show(interaction, defence_page(game, pegs))
        else:
            await show(interaction, _correction_page(game, turn, None, pegs))


def _options(game: MastermindGame) -> Iterator[discord.SelectOption]:
    """All answers; where they contradict each other, first those that can be the mistake."""
    wrong = game.contradiction
    repairs, turns = (wrong.repairs, wrong.turns) if wrong else ((), ())
    indices = range(len(game.turns))
    for index in sorted(indices, key=lambda n: (n not in repairs, n not in turns, n)):
        turn = game.turns[index]
        describe = defend.repair_in_words if index in repairs else defend.answer_in_words
        yield discord.SelectOption(
            label=defend.turn_choice(index, turn),
            value=str(index),
            description=describe(turn.feedback),
        )


class CorrectButton(Press, template=rf"mm:d:fix:(?P<at>\d+):{_ANSWER}"):
    """Corrects an answer: blacks first, then whites.

    Args:
        game_id: which game.
        at_turn: how many answered turns were seen.
        seen: the guess whose answer is corrected; its blacks, once they are given.
        count: the blacks, or else the whites.
    """

    cost = Cost.HEAVY

    def __init__(self, game_id: int, at_turn: int, seen: Question, count: int) -> None:
        super().__init__(
            f"mm:d:fix:{at_turn}:{game_id}:{_write(seen, count)}",
            str(count),
            discord.ButtonStyle.primary,
        )
        self._game_id = game_id
        self._at_turn = at_turn
        self._seen = seen
        self._count = count

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of an answer."""
        return cls(int(match["game"]), int(match["at"]), _read(match), int(match["count"]))

    async def press(self, interaction: Interaction) -> None:
        """Ask for the whites, where there is a choice, or correct the answer."""
        defence, player = services_of(interaction).mastermind.defence, interaction.user.id
        game = await in_good_time(interaction, defence.view(player, self._game_id))
        pegs, seen = pegs_of(interaction), self._seen
        is_stale = not game.is_correctable or len(game.turns) != self._at_turn
        if is_stale or not any(
            (index, turn.guess) == (seen.turn, seen.guess) for index, turn in enumerate(game.turns)
        ):
            await show(interaction, defence_page(game, pegs))
            return
        answer = Score(seen.blacks or 0, self._count)
        if seen.blacks is None:
            whites = game.whites_with(game.turns[seen.turn].guess, self._count)
            if len(whites) != 1:
                await show(interaction, _correction_page(game, seen.turn, self._count, pegs))
                return
            answer = Score(self._count, whites[0])
        corrected = defence.correct(player, self._game_id, self._at_turn, seen, answer)
        await show_defence(interaction, corrected)
