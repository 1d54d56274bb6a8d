"""The bot breaks a code blindly: one it drew, or one that a player has sealed."""

import re
from collections.abc import Coroutine, Mapping
from typing import Any, Final, Self

import discord

from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.help import Topic
from bot.presentation.mastermind import labels as words
from bot.services.base.allowance import Cost
from bot.services.mastermind.errors import CodeRefusedError, RankedGameError
from bot.services.mastermind.model import Kind, MastermindGame, Stage
from bot.services.mastermind.setting import Setting
from bot.services.mastermind.stepping import Stepping
from cogs.base.buttons import Press
from cogs.base.pages import BoardPage, Notice
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.help import HelpButton
from cogs.mastermind.boards import (
    SETTING,
    NewCodeForm,
    aftermath,
    game_page,
    read_setting,
    words_for,
    write_setting,
)
from cogs.mastermind.guess import MastermindEndButton
from engine import Mastermind

_LETTERS: Final = {Kind.DEFEND: "s", Kind.WATCH: "w"}
_KINDS: Final = {letter: kind for kind, letter in _LETTERS.items()}


async def show_steps(
    interaction: Interaction, result: Coroutine[Any, Any, MastermindGame], *, anew: bool = False
) -> None:
    """Show the board that the service comes back with, perhaps in a message of its own."""
    try:
        game = await in_good_time(interaction, result)
    except RankedGameError as error:
        await whisper(interaction, ranked_notice(error))
        return
    page = steps_page(game, pegs_of(interaction))
    await (whisper if anew else show)(interaction, page)


def ranked_notice(error: RankedGameError) -> Notice:
    """Why the bot does not guess now, and what can be done instead."""
    label = say(words.OPEN_RANKED_BUTTON)
    buttons: list[Press] = [MastermindEndButton(Kind.PLAY, "keep", error.game_id, label)]
    if error.is_sealable:
        buttons.append(SealButton(error.rules, say(words.SEAL_INSTEAD_BUTTON)))
    return Notice(words_for(error), buttons)


def steps_page(game: MastermindGame, pegs: Pegs) -> BoardPage:
    """The private board of who watches."""
    row: list[Press] = [*aftermath(game), HelpButton(Topic.MASTERMIND)]
    kind, at_turn = game.kind, len(game.turns)
    if game.stage is Stage.PLAYING:
        row = [
            StepButton(kind, "step", game.id, at_turn, style=discord.ButtonStyle.primary),
            StepButton(kind, "all", game.id),
            *row,
        ]
    elif kind is Kind.WATCH:
        row = [StepButton(kind, "again", game.id, style=discord.ButtonStyle.primary), *row]
    else:
        row = [SealButton(game.rules, say(words.SEAL_AGAIN_BUTTON)), *row]
    return game_page(game, pegs, [row])


class StepButton(Press, template=r"mm:([sw]):(view|step|all|again):(\d+)(?::(\d+))?"):
    """*Next*, *All*, *Watch again*; also opens the board from a list.

    Args:
        kind: whose code is broken.
        act: *view* the board, one *step*, *all* of them, watch *again*.
        game_id: which game.
        at_turn: for a step, how many turns were seen.
        options: of `Press`; a label among them, if it is not the usual one.
    """

    cost = Cost.HEAVY

    def __init__(
        self,
        kind: Kind,
        act: str,
        game_id: int,
        at_turn: int | None = None,
        *,
        label: str | None = None,
        **options: Any,
    ) -> None:
        custom_id = f"mm:{_LETTERS[kind]}:{act}:{game_id}"
        if at_turn is not None:
            custom_id += f":{at_turn}"
        super().__init__(custom_id, label or say(words.STEP_BUTTONS[act]), **options)
        self._kind = kind
        self._act = act
        self._game_id = game_id
        self._at_turn = at_turn or 0

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(_KINDS[match[1]], match[2], int(match[3]), int(match[4] or 0))

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        mastermind, player = services_of(interaction).mastermind, interaction.user.id
        service: Stepping = mastermind.watch if self._kind is Kind.WATCH else mastermind.defence
        if self._act == "step":
            await show_steps(interaction, service.step(player, self._game_id, self._at_turn))
        elif self._act == "all":
            await show_steps(interaction, service.finish(player, self._game_id))
        elif self._act == "again":
            seen = await mastermind.watch.view(player, self._game_id)
            opened = mastermind.watch.open(player, Setting.of(seen.rules))
            await show_steps(interaction, opened, anew=True)
        else:
            await show_steps(interaction, mastermind.watch.view(player, self._game_id))


class SealButton(Press, template=rf"mm:seal:({SETTING}):(\d+)"):
    """Opens the form for a code that the bot is to break blindly.

    Args:
        rules: what it is to be a code of.
        label: what the button says.
        replaced: the game that this is instead of, if it is still untouched; 0 for none.
    """

    def __init__(self, rules: Mastermind, label: str | None = None, replaced: int = 0) -> None:
        super().__init__(f"mm:seal:{write_setting(rules)}:{replaced}", label)
        self._rules = rules
        self._replaced = replaced

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a setting."""
        return cls(read_setting(match[1]).rules(), None, int(match[2]))

    async def press(self, interaction: Interaction) -> None:
        """Open it, unless the code could not be taken."""
        defence = services_of(interaction).mastermind.defence
        await defence.prepare(interaction.user.id, Setting.of(self._rules), self._replaced)
        await SealForm(self._rules, self._replaced).present(interaction)


class SealForm(NewCodeForm, template=rf"mm:form:seal:({SETTING}):(\d+)"):
    """Asks for a code that the bot is to break blindly."""

    def __init__(self, rules: Mastermind, replaced: int) -> None:
        custom_id = f"mm:form:seal:{write_setting(rules)}:{replaced}"
        super().__init__(custom_id, rules, words.sealed_form_text(rules))

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Seal it; a text that is no code can be mended."""
        defence = services_of(interaction).mastermind.defence
        setting, player, replaced = read_setting(match[1]), interaction.user.id, int(match[2])
        try:
            opened = defence.open_sealed(player, setting, cls.typed(values), replaced)
            game = await in_good_time(interaction, opened)
        except CodeRefusedError as error:
            retry = SealButton(error.rules, say(words.RETRY_BUTTON), replaced)
            await whisper(interaction, Notice(words_for(error), [retry]))
            return
        await (show if replaced else whisper)(interaction, steps_page(game, pegs_of(interaction)))
