"""The bot breaks a player's code, and the player answers its guesses."""

import re
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation import mastermind_defend as defend
from bot.presentation import mastermind_labels as words
from bot.presentation.help import Topic
from bot.presentation.pegs import Pegs
from bot.services.mastermind.game import MastermindGame, Stage
from bot.services.mastermind.setting import Setting
from cogs.ui.answers import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.ui.buttons import Press
from cogs.ui.help import HelpButton
from cogs.ui.mastermind import Items, MastermindPage, game_page, in_rows
from cogs.ui.mastermind_watch import SealButton, steps_page
from cogs.ui.selects import Pick
from engine import Score

_STYLES: Final = {
    "view": discord.ButtonStyle.primary,
    "again": discord.ButtonStyle.primary,
    "end": discord.ButtonStyle.danger,
}


async def show_defence(
    interaction: Interaction, result: Coroutine[Any, Any, MastermindGame], *, anew: bool = False
) -> None:
    """Show the board that the service comes back with, perhaps in a message of its own."""
    game = await in_good_time(interaction, result)
    page = defence_page(game, pegs_of(interaction))
    await (whisper if anew else show)(interaction, page)


def defence_page(game: MastermindGame, pegs: Pegs) -> MastermindPage:
    """The private board of who set the code, sealed or not."""
    if game.sealed:
        return steps_page(game, pegs)
    others: list[Press] = [HelpButton(Topic.MASTERMIND)]
    if game.stage is Stage.OVER:
        again = DefendButton("again", game.id)
        return game_page(game, pegs, [[again, *others]])
    rows: list[Items] = []
    others.insert(0, DefendButton("ask", game.id))
    if game.contradiction is not None:
        rows.append([CorrectPick(game)])
    elif game.guess is not None:
        what = "blacks" if game.blacks is None else "whites"
        rows += in_rows([AnswerButton(what, game.id, len(game.turns), n) for n in game.choices])
        others = [*_second_thoughts(game), *others]
    return game_page(game, pegs, [*rows, others])


def _second_thoughts(game: MastermindGame) -> Iterator[Press]:
    """What can be taken back, or chosen instead."""
    if game.blacks is not None:
        yield DefendButton("back", game.id, len(game.turns))
    if game.turns:
        yield DefendButton("choose", game.id)
    elif game.blacks is None:
        yield SealButton(game.rules, words.seal_button(), game.id)


def _correction_page(
    game: MastermindGame, turn: int, blacks: int | None, pegs: Pegs
) -> MastermindPage:
    """Asks how a guess should have been answered: blacks, then whites."""
    answers = game.rules.answers(game.turns[turn].guess)
    if blacks is None:
        choices = sorted({answer.bulls for answer in answers})
    else:
        choices = sorted(answer.cows for answer in answers if answer.bulls == blacks)
    at_turn = len(game.turns)
    buttons = [CorrectButton(game.id, at_turn, turn, blacks, n) for n in choices]
    keep = DefendButton("view", game.id, label=words.keep_answer_button())
    board = defend.correction(game, turn, blacks, pegs)
    return MastermindPage(board, [*in_rows(buttons), [keep]])


class DefendButton(Press, template=r"mm:d:(view|back|choose|ask|end|again):(\d+)(?::(\d+))?"):
    """What can be done with a game besides answering.

    Args:
        act: *view* the board, take the blacks *back*, *choose* an answer to correct, *ask*
            whether to end it, *end* it, play *again*.
        game_id: which game.
        at_turn: how many answered turns were seen, where that matters.
        label: another label than the usual.
    """

    def __init__(
        self, act: str, game_id: int, at_turn: int | None = None, label: str | None = None
    ) -> None:
        custom_id = f"mm:d:{act}:{game_id}"
        if at_turn is not None:
            custom_id += f":{at_turn}"
        style = _STYLES.get(act, discord.ButtonStyle.secondary)
        super().__init__(custom_id, label or words.defend_button(act), style)
        self._act = act
        self._game_id = game_id
        self._at_turn = at_turn or 0

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(match[1], int(match[2]), int(match[3] or 0))

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        defence, player = services_of(interaction).mastermind.defence, interaction.user.id
        if self._act == "back":
            await show_defence(interaction, defence.take_back(player, self._game_id, self._at_turn))
        elif self._act == "end":
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
        elif game.stage is Stage.OVER or game.sealed:
            await show(interaction, defence_page(game, pegs))
        elif self._act == "ask":
            answers = [
                DefendButton("end", game.id),
                DefendButton("view", game.id, label=words.keep_button()),
            ]
            await show(interaction, game_page(game, pegs, [answers], words.end_question()))
        else:
            keep = DefendButton("view", game.id, label=words.keep_answers_button())
            await show(interaction, game_page(game, pegs, [[CorrectPick(game)], [keep]]))


class AnswerButton(Press, template=r"mm:d:(blacks|whites):(\d+):(\d+):(\d+)"):
    """Answers how many key pegs of a colour the bot's guess gets.

    Args:
        what: *blacks* or *whites*.
        game_id: which game.
        at_turn: how many answered turns were seen.
        count: the answer.
    """

    def __init__(self, what: str, game_id: int, at_turn: int, count: int) -> None:
        super().__init__(
            f"mm:d:{what}:{game_id}:{at_turn}:{count}", str(count), discord.ButtonStyle.primary
        )
        self._what = what
        self._game_id = game_id
        self._at_turn = at_turn
        self._count = count

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a guess and an answer."""
        return cls(match[1], int(match[2]), int(match[3]), int(match[4]))

    async def press(self, interaction: Interaction) -> None:
        """Answer, unless that was done before."""
        defence = services_of(interaction).mastermind.defence
        answer = defence.blacks if self._what == "blacks" else defence.whites
        result = answer(interaction.user.id, self._game_id, self._at_turn, self._count)
        await show_defence(interaction, result)


class CorrectPick(Pick, template=r"mm:d:pick:(\d+)"):
    """The answers given so far, one of which is to be corrected."""

    def __init__(self, game: MastermindGame | None = None, game_id: int = 0) -> None:
        self._game_id = game_id if game is None else game.id
        options = [] if game is None else list(_options(game))
        super().__init__(
            ui.Select[Any](
                custom_id=f"mm:d:pick:{self._game_id}",
                placeholder=words.correct_placeholder(),
                options=options,
            )
        )

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list of a game."""
        return cls(game_id=int(match[1]))

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Ask how it should have been answered."""
        defence = services_of(interaction).mastermind.defence
        game = await in_good_time(interaction, defence.view(interaction.user.id, self._game_id))
        pegs, turn = pegs_of(interaction), int(values[0])
        if game.stage is Stage.OVER or turn >= len(game.turns):
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


class CorrectButton(Press, template=r"mm:d:fix:(\d+):(\d+):(\d+):(?:(\d+)-)?(\d+)"):
    """Corrects an answer: blacks first, then whites.

    Args:
        game_id: which game.
        at_turn: how many answered turns were seen.
        turn: which of them is corrected.
        blacks: the blacks, once they are given.
        count: the blacks, or else the whites.
    """

    def __init__(
        self, game_id: int, at_turn: int, turn: int, blacks: int | None, count: int
    ) -> None:
        answer = str(count) if blacks is None else f"{blacks}-{count}"
        super().__init__(
            f"mm:d:fix:{game_id}:{at_turn}:{turn}:{answer}", str(count), discord.ButtonStyle.primary
        )
        self._game_id = game_id
        self._at_turn = at_turn
        self._turn = turn
        self._blacks = blacks
        self._count = count

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of an answer."""
        blacks = None if match[4] is None else int(match[4])
        return cls(int(match[1]), int(match[2]), int(match[3]), blacks, int(match[5]))

    async def press(self, interaction: Interaction) -> None:
        """Ask for the whites, where there is a choice, or correct the answer."""
        defence, player = services_of(interaction).mastermind.defence, interaction.user.id
        game = await in_good_time(interaction, defence.view(player, self._game_id))
        is_stale = game.stage is Stage.OVER or len(game.turns) != self._at_turn
        if is_stale or self._turn >= len(game.turns):
            await show(interaction, defence_page(game, pegs_of(interaction)))
            return
        answer = Score(self._blacks or 0, self._count)
        if self._blacks is None:
            answers = game.rules.answers(game.turns[self._turn].guess)
            fitting = [found for found in answers if found.bulls == self._count]
            if len(fitting) != 1:
                pegs = pegs_of(interaction)
                await show(interaction, _correction_page(game, self._turn, self._count, pegs))
                return
            answer = fitting[0]
        corrected = defence.correct(player, self._game_id, self._at_turn, self._turn, answer)
        await show_defence(interaction, corrected)
