"""The coach's page: opened from finished boards, worked out in turn, with its picture."""

import asyncio
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.base.text_board import Mood
from bot.presentation.coach import labels
from bot.presentation.coach.chart import chart_of, draw_chart
from bot.presentation.coach.page import coach_page
from bot.presentation.help import Topic
from bot.services.base.allowance import Cost
from bot.services.coach.model import GameName, Review, Role, Source
from bot.services.coach.reviews import Consultation
from bot.services.duels.model import DuelGame
from bot.services.mastermind.model import MastermindGame, Stage
from cogs.base.buttons import Press
from cogs.base.pages import ACCENTS, Notice, Page
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.help import HelpButton

_PICTURE: Final = "coach.png"
# What is there sooner needs no progress line.
_SOON_SECONDS: Final = 0.7
_BETWEEN_WORDS_SECONDS: Final = 4.0
# Discord takes an answer for fifteen minutes.
_LAST_WORD_SECONDS: Final = 14 * 60.0
_OWN: Final = "m"


class CoachView(Page):
    """One page about a game.

    Args:
        review: what was found.
        number: which page.
        pegs: how pegs are shown.
        picture: the chart, on the first page.
    """

    def __init__(
        self,
        review: Review,
        number: int,
        pegs: Pegs,
        picture: discord.File | None = None,
    ) -> None:
        super().__init__([picture] if picture else [])
        page = coach_page(review, pegs, number)
        mood = Mood.SOLVED if review.analysis.is_solved else Mood.LOST
        container = ui.Container[CoachView](accent_colour=ACCENTS[mood])
        container.add_item(ui.TextDisplay[CoachView](page.title))
        if page.summary:
            container.add_item(ui.TextDisplay[CoachView](page.summary))
        if picture is not None:
            gallery = ui.MediaGallery[CoachView]()
            gallery.add_item(media=picture, description=picture.description)
            container.add_item(gallery)
        for text in filter(None, (*page.turns, page.line)):
            container.add_item(ui.Separator[CoachView]())
            container.add_item(ui.TextDisplay[CoachView](text))
        row = ui.ActionRow[CoachView]()
        for button in _buttons(review, page.number, page.pages):
            row.add_item(button)
        container.add_item(row)
        self.add_item(container)


class CoachButton(
    Press, template=r"coach:(see|turn):(play|mastermind|duel):(\d+):([01m]):(\d{1,2})"
):
    """*Coach*, on a finished board; on its page, what leads to another one.

    Args:
        game: which game; without a seat, the own guesses.
        act: *see* it in a message of its own, or *turn* the page.
        number: which page.
        label: another label than *Coach*.
    """

    cost = Cost.COACH

    def __init__(
        self, game: GameName, act: str = "see", number: int = 0, label: str | None = None
    ) -> None:
        seat = _OWN if game.seat is None else game.seat
        super().__init__(
            f"coach:{act}:{game.source}:{game.id}:{seat}:{number}",
            label or say(labels.COACH_BUTTON),
        )
        self._game = game
        self._act = act
        self._number = number

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        seat = None if match[4] == _OWN else int(match[4])
        return cls(GameName(Source(match[2]), int(match[3]), seat), match[1], int(match[5]))

    async def press(self, interaction: Interaction) -> None:
        """Show the page when it is there, and until then how long that may take."""
        reviews = services_of(interaction).coach.reviews
        consultation = await reviews.ask(interaction.user.id, self._game)
        page = self._page(interaction, consultation)
        if self._act == "turn":
            await show(interaction, await in_good_time(interaction, page))
            return
        work = asyncio.create_task(page)
        if await _is_done_within(work, _SOON_SECONDS):
            await whisper(interaction, work.result())
        else:
            await _wait_and_show(interaction, consultation, work)

    async def _page(self, interaction: Interaction, consultation: Consultation) -> Page:
        """The page when it is ready, or one to come back from while Discord still takes it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORD_SECONDS):
                while (review := await consultation.within(_BETWEEN_WORDS_SECONDS)) is None:
                    pass
                return await _view(interaction, review, self._number)
        return Notice(say(labels.NOT_YET), [CoachButton(self._game, "turn", self._number)])


def coach_of_play(play_id: int) -> CoachButton:
    """The button of a FoCdle."""
    return CoachButton(GameName(Source.PLAY, play_id))


def coach_of_mastermind(game: MastermindGame) -> Iterator[CoachButton]:
    """The button of a Mastermind that is over, if anybody has guessed."""
    if game.stage is Stage.OVER and game.turns:
        yield CoachButton(GameName(Source.MASTERMIND, game.id))


def coach_of_duel(game: DuelGame) -> Iterator[CoachButton]:
    """The button of a duel that is over, if anybody has guessed; players see their own first."""
    if game.ending is not None and any(seat.turns for seat in game.seats):
        yield CoachButton(GameName(Source.DUEL, game.id))


async def _wait_and_show(
    interaction: Interaction, consultation: Consultation, work: asyncio.Task[Page]
) -> None:
    """Say that it takes a while, and put the page in place of that."""
    ahead = consultation.ahead
    await whisper(interaction, Notice(labels.thinking(ahead)))
    try:
        while not await _is_done_within(work, _BETWEEN_WORDS_SECONDS):
            if consultation.ahead != ahead:
                ahead = consultation.ahead
                await interaction.edit_original_response(view=Notice(labels.thinking(ahead)))
        view = work.result()
    except Exception:
        work.cancel()
        # What went wrong is told in a message of its own.
        with suppress(discord.HTTPException):
            await interaction.delete_original_response()
        raise
    await interaction.edit_original_response(view=view, attachments=view.files)


async def _is_done_within(work: asyncio.Task[Page], seconds: float) -> bool:
    done, _ = await asyncio.wait({work}, timeout=seconds)
    return bool(done)


async def _view(interaction: Interaction, review: Review, number: int) -> CoachView:
    """A page, the first one with its picture."""
    picture = None
    if number == 0:
        chart = chart_of(review)
        reviews = services_of(interaction).coach.reviews
        png = await reviews.in_thread(partial(draw_chart, chart))
        picture = discord.File(io.BytesIO(png), _PICTURE, description=chart.description)
    return CoachView(review, number, pegs_of(interaction), picture)


def _buttons(review: Review, number: int, pages: int) -> Iterator[Press]:
    if number > 0:
        yield CoachButton(review.game, "turn", number - 1, say(labels.EARLIER_BUTTON))
    if number < pages - 1:
        yield CoachButton(review.game, "turn", number + 1, say(labels.LATER_BUTTON))
    if review.other_seat is not None:
        other = GameName(review.game.source, review.game.id, review.other_seat)
        is_own = review.role is Role.OWN
        label = say(labels.OTHER_SIDE_BUTTON) if is_own else say(labels.OWN_SIDE_BUTTON)
        yield CoachButton(other, "turn", 0, label)
    yield HelpButton(Topic.COACH, say(labels.MEANING_BUTTON))
