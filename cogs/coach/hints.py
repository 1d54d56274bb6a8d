"""*Hint*: what it costs, and what it tells, in a private message beside the board."""

import re
from collections.abc import Iterator
from typing import Final, Self

from bot.model.hints import Hint, HintKind, hints_left, is_given
from bot.presentation.base import hints as words
from bot.presentation.base.language import say
from bot.services.base.allowance import Cost
from bot.services.coach.errors import HintOverError
from bot.services.focdle.model import Play
from bot.services.mastermind.model import MastermindGame, Stage
from cogs.base.buttons import Press
from cogs.base.pages import Notice
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper

_PLAY: Final = "p"
_MASTERMIND: Final = "m"
_ASK: Final = "ask"


class HintButton(Press, template=r"hint:([pm]):(ask|count|suggestion):(\d+):(\d{1,2})"):
    """*Hint*, and the hints that may be taken.

    Args:
        game: ``p`` for a FoCdle, ``m`` for a Mastermind.
        game_id: which one.
        turn: how many guesses its player sees.
        act: *ask* what it costs, or the hint.
        label: another label than *Hint*.
    """

    def __init__(
        self, game: str, game_id: int, turn: int, act: str = _ASK, label: str | None = None
    ) -> None:
        super().__init__(f"hint:{game}:{act}:{game_id}:{turn}", label or say(words.HINT_BUTTON))
        self._game = game
        self._game_id = game_id
        self._turn = turn
        self._act = act
        if act != _ASK:
            self.cost = Cost.COACH

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(match[1], int(match[3]), int(match[4]), match[2])

    async def press(self, interaction: Interaction) -> None:
        """Say what hints cost, or give one."""
        if self._act == _ASK:
            await whisper(interaction, await self._question(interaction))
        elif self._game == _PLAY:
            hints, kind = services_of(interaction).coach.hints, HintKind(self._act)
            take = hints.of_play(interaction.user.id, self._game_id, kind, self._turn)
            await show(interaction, _play_notice(await in_good_time(interaction, take)))
        else:
            hints, kind = services_of(interaction).coach.hints, HintKind(self._act)
            take = hints.of_mastermind(interaction.user.id, self._game_id, kind, self._turn)
            game = await in_good_time(interaction, take)
            await show(interaction, _mastermind_notice(game, interaction))

    async def _question(self, interaction: Interaction) -> Notice:
        services, player = services_of(interaction), interaction.user.id
        if self._game == _PLAY:
            play = await services.daily.view(player, self._game_id)
            if play.game.outcome is not None:
                raise HintOverError
            return _play_notice(play)
        game = await services.mastermind.solo.view(player, self._game_id)
        if game.stage is Stage.OVER:
            raise HintOverError
        return _mastermind_notice(game, interaction)


def hint_of_play(play: Play) -> HintButton:
    """The button of a FoCdle that goes on."""
    return HintButton(_PLAY, play.id, len(play.game.turns))


def hint_of_mastermind(game: MastermindGame) -> HintButton:
    """The button of a game in which a player breaks the bot's code."""
    return HintButton(_MASTERMIND, game.id, len(game.turns))


def _play_notice(play: Play) -> Notice:
    told, question = words.play_hints(play), words.play_question(play)
    return _notice(_PLAY, play.id, len(play.game.turns), play.hints, (told, question))


def _mastermind_notice(game: MastermindGame, interaction: Interaction) -> Notice:
    told = words.mastermind_hints(game, pegs_of(interaction))
    question = words.mastermind_question(game)
    return _notice(_MASTERMIND, game.id, len(game.turns), game.hints, (told, question))


def _notice(
    game: str, game_id: int, turn: int, hints: tuple[Hint, ...], texts: tuple[str, str]
) -> Notice:
    """What was told since the last guess, what another hint costs, and which there are."""
    told, question = texts
    choices = [
        HintButton(game, game_id, turn, kind, words.take_button(kind, left))
        for kind, left in _open(hints, turn)
    ]
    if not choices:
        question = words.no_more_hints(hints)
    return Notice("\n".join(filter(None, (told, question))), choices)


def _open(hints: tuple[Hint, ...], turn: int) -> Iterator[tuple[HintKind, int]]:
    """The kinds of hints that may be taken after so many guesses, and how many are left."""
    for kind in HintKind:
        left = hints_left(hints, kind)
        is_pointless = kind is HintKind.COUNT and not turn
        if left and not is_pointless and not is_given(hints, kind, turn):
            yield kind, left
