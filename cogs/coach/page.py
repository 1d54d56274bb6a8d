"""The coach's page: opened from finished boards, worked out in turn; its picture is a detail."""

import asyncio
import io
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.coach.game.reviews import Consultation
from bot.coach.game.verdict import dearest
from bot.coach.model.insight import Review, Role
from bot.coach.pages import page as words
from bot.coach.pages.chart import DRAW_CHART, chart_of
from bot.coach.pages.lesson import FIND_BUTTON
from bot.duels.model.duel import DuelGame
from bot.games.model.games import GameName, Source
from bot.mastermind.model.game import MastermindGame, Stage
from bot.people.game.allowance import Cost
from bot.text.labels import BACK_BUTTON
from bot.text.language import say
from bot.text.pegs import Pegs
from bot.text.text_board import Mood
from bot.text.tiles import Tiles
from cogs.coach.replay import replay_button
from cogs.coach.routes import FIND, FORMER_REPLAYS, SEE, TURN
from cogs.ui.drawing import drawn
from cogs.ui.pages import Page, button, line, notice, page, picture, row
from cogs.ui.replies import Interaction, in_good_time, pegs_of, services_of, show, tiles_of, whisper
from cogs.ui.routes import By, Route, pressed

_PICTURE: Final = "coach.png"
# What is there sooner needs no progress line.
_SOON_SECONDS: Final = 0.7
_BETWEEN_WORDS_SECONDS: Final = 4.0
# Discord takes an answer for fifteen minutes.
_LAST_WORD_SECONDS: Final = 14 * 60.0


@dataclass(frozen=True, slots=True)
class Look:
    """What of a review is looked at.

    Attributes:
        number: which page, 0 for the first.
        is_detailed: whether its figures are looked at instead.
    """

    number: int = 0
    is_detailed: bool = False


def coach_view(review: Review, number: int, pegs: Pegs, tiles: Tiles | None = None) -> Page:
    """One page about a game.

    Args:
        review: what was found.
        number: which page, 0 for the first.
        pegs: how pegs are shown.
        tiles: the emojis to draw with; squares without them.
    """
    found = words.coach_page(review, pegs, number, tiles)
    return page(
        found.title,
        found.verdict,
        *(block for text in found.turns for block in (line(), text)),
        row(*_ways(review, found.number, found.pages), *_more(review)),
        mood=_mood(review),
    )


def details_view(review: Review, pegs: Pegs, chart: discord.File) -> Page:
    """The figures of a game, with their picture."""
    found = words.details(review, pegs)
    back = _button(TURN, review.game, say(BACK_BUTTON))
    texts = filter(None, (found.turns, found.line))
    return page(
        found.title,
        picture(chart),
        found.figures,
        *(block for text in texts for block in (line(), text)),
        row(back),
        mood=_mood(review),
        files=[chart],
    )


def _mood(review: Review) -> Mood:
    return Mood.SOLVED if review.analysis.is_solved else Mood.LOST


def coach_of_play(play_id: int) -> ui.Button[Any]:
    """The button of a FoCdle."""
    return _button(SEE, GameName(Source.PLAY, play_id), say(words.COACH_BUTTON))


def coach_of_mastermind(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """The button of a Mastermind that is over, if anybody has guessed."""
    if game.stage is Stage.OVER and game.turns:
        yield _button(SEE, GameName(Source.MASTERMIND, game.id), say(words.COACH_BUTTON))


def coach_of_duel(game: DuelGame) -> Iterator[ui.Button[Any]]:
    """The button of a duel that is over, if anybody has guessed; players see their own first."""
    if game.ending is not None and any(seat.turns for seat in game.seats):
        yield _button(SEE, GameName(Source.DUEL, game.id), say(words.COACH_BUTTON))


def _button(route: Route, game: GameName, label: str, look: Look | None = None) -> ui.Button[Any]:
    look = look or Look()
    facts = {"number": look.number, "details": look.is_detailed or None}
    return button(route(source=game.source, game=game.id, seat=game.seat, **facts), label)


@pressed(SEE, by=By.PLAYERS, cost=Cost.COACH)
async def see(
    interaction: Interaction, source: Source, game: int, seat: int | None, number: int
) -> None:
    """Show the page in a message of its own, and until then how long that may take."""
    name = GameName(source, game, seat)
    reviews = services_of(interaction).coach.reviews
    if is_crowded := reviews.is_crowded:  # else Discord might not wait until it is their turn
        await whisper(interaction, notice(words.thinking(0)))
    async with _taking_back(interaction):
        consultation = await reviews.ask(interaction.user.id, name)
        work = asyncio.create_task(_page_of(interaction, name, consultation, Look(number)))
        if not is_crowded:
            if await _is_done_within(work, _SOON_SECONDS):
                await whisper(interaction, work.result())
                return
            await whisper(interaction, notice(words.thinking(consultation.ahead)))
        await _show_when_done(interaction, consultation, work)


@pressed(TURN, *FORMER_REPLAYS, by=By.PLAYERS, cost=Cost.COACH)
async def turn(
    interaction: Interaction,
    source: Source,
    game: int,
    seat: int | None,
    number: int = 0,
    *,
    details: bool = False,
) -> None:
    """Show another page in place of this one."""
    name = GameName(source, game, seat)
    consultation = await services_of(interaction).coach.reviews.ask(interaction.user.id, name)
    found = _page_of(interaction, name, consultation, Look(number, details))
    await show(interaction, await in_good_time(interaction, found))


async def _page_of(
    interaction: Interaction, game: GameName, consultation: Consultation, look: Look
) -> Page:
    """The page when it is ready, or one to come back from while Discord still takes it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORD_SECONDS):
            while (review := await consultation.within(_BETWEEN_WORDS_SECONDS)) is None:
                pass
            return await _view(interaction, review, look)
    return notice(say(words.NOT_YET), [_button(TURN, game, say(words.COACH_BUTTON), look)])


async def _show_when_done(
    interaction: Interaction, consultation: Consultation, work: asyncio.Task[Page]
) -> None:
    """Say now and then how long it takes, and put the page in place of that."""
    ahead = consultation.ahead
    try:
        while not await _is_done_within(work, _BETWEEN_WORDS_SECONDS):
            if consultation.ahead != ahead:
                ahead = consultation.ahead
                await interaction.edit_original_response(view=notice(words.thinking(ahead)))
        view = work.result()
    finally:
        work.cancel()
    await interaction.edit_original_response(view=view, attachments=view.files)


@asynccontextmanager
async def _taking_back(interaction: Interaction) -> AsyncGenerator[None]:
    """Take away what was said so far where something goes wrong: that has its own message."""
    try:
        yield
    except Exception:
        if interaction.response.is_done():
            with suppress(discord.HTTPException):
                await interaction.delete_original_response()
        raise


async def _is_done_within(work: asyncio.Task[Page], seconds: float) -> bool:
    done, _ = await asyncio.wait({work}, timeout=seconds)
    return bool(done)


async def _view(interaction: Interaction, review: Review, look: Look) -> Page:
    """A page, or the figures with their picture."""
    pegs = pegs_of(interaction)
    if not look.is_detailed:
        return coach_view(review, look.number, pegs, tiles_of(interaction))
    chart = chart_of(review)
    png = await drawn(interaction, review.breaker_id or interaction.user.id, DRAW_CHART, chart)
    file = discord.File(io.BytesIO(png), _PICTURE, description=chart.description)
    return details_view(review, pegs, file)


def _ways(review: Review, number: int, pages: int) -> Iterator[ui.Button[Any]]:
    """To a better guess, to other pages, and to the other side."""
    turn = dearest(review)
    if review.game.source is Source.PLAY and turn is not None:
        custom_id = FIND(play=review.game.id, turn=turn)
        yield button(custom_id, say(FIND_BUTTON), discord.ButtonStyle.primary)
    if number > 0:
        yield _button(TURN, review.game, say(words.EARLIER_BUTTON), Look(number - 1))
    if number < pages - 1:
        yield _button(TURN, review.game, say(words.LATER_BUTTON), Look(number + 1))
    if review.other_seat is not None:
        other = GameName(review.game.source, review.game.id, review.other_seat)
        is_own = review.role is Role.OWN
        label = say(words.OTHER_SIDE_BUTTON) if is_own else say(words.OWN_SIDE_BUTTON)
        yield _button(TURN, other, label)


def _more(review: Review) -> Iterator[ui.Button[Any]]:
    """Other views of the same."""
    if review.game.source is not Source.PLAY:
        yield replay_button(review.game)
    yield _button(TURN, review.game, say(words.DETAILS_BUTTON), Look(is_detailed=True))
