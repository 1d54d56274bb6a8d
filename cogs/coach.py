"""Discord's side of the coach: pages of reviews."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.coach import review_words as words
from bot.coach.model import Review
from bot.coach.review_words import FIND_BUTTON
from bot.coach.reviews import AwaitedReview, mistakes
from bot.duels.model import DuelView
from bot.games.model import GameName, Role, Source
from bot.mastermind.model import MastermindGame, Stage
from bot.people.game import Cost
from bot.text.labels import BACK_BUTTON
from bot.text.language import say
from bot.text.tiles import Mood, Pegs, Tiles
from cogs.ui.pages import Page, button, line, notice, page, row
from cogs.ui.replies import Interaction, in_good_time, is_done_within, show, whisper
from cogs.ui.routes import Argument, By, Route, member_of, one_of, pressed

# Without a seat, the viewer's own guesses.
_SEAT: Final = Argument(
    "(?:m|[0-9]{1,4})",
    lambda text: None if text == "m" else int(text),
    lambda seat: "m" if seat is None else str(seat),
)
_SOURCE: Final = member_of(Source)
_GAME: Final = {"source": _SOURCE, "seat": _SEAT}

SEE: Final = Route("coach:see:{source}:{game:int}:{seat}:{number:int}", **_GAME)
"""Opens a page of a review in a new message."""
TURN: Final = Route(
    "coach:turn:{source}:{game:int}:{seat}:{number:int}:{details?}",
    details=one_of({"details": True}),
    **_GAME,
)
"""Shows a page of a review, or with `details` its figures, in place of the present page."""

FIND: Final = Route("coach:find:{source}:{game:int}:{turn:int}", source=_SOURCE)
"""Opens the lesson about one guess of a finished FoCdle; `turn` is 0-based."""

# A review that is ready sooner needs no progress message.
_SOON_SECONDS: Final = 0.7
_BETWEEN_WORDS_SECONDS: Final = 4.0
# Discord accepts an answer for fifteen minutes.
_LAST_WORD_SECONDS: Final = 14 * 60.0


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """What is shown of a review: its page `number`, or its figures if `is_detailed`."""

    number: int = 0
    is_detailed: bool = False


def coach_view(review: Review, number: int, pegs: Pegs, tiles: Tiles | None = None) -> Page:
    found = words.coach_page(review, pegs, number, tiles)
    return page(
        found.title,
        found.verdict,
        *(block for text in found.turns for block in (line(), text)),
        row(*_page_buttons(review, found.number, found.pages)),
        mood=_mood(review),
    )


def details_view(review: Review) -> Page:
    found = words.details(review)
    back = _coach_button(TURN, review.game, say(BACK_BUTTON))
    return page(found.title, found.text, row(back), mood=_mood(review))


def _mood(review: Review) -> Mood:
    return Mood.SOLVED if review.analysis.is_solved else Mood.LOST


def coach_of_mastermind(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    if game.stage is Stage.OVER and game.turns:
        yield coach_of(Source.MASTERMIND, game.id)


def coach_of_duel(view: DuelView) -> Iterator[ui.Button[Any]]:
    """Yield the coach's button for a finished duel, if anybody has guessed.

    It shows players the review of their own guesses first.
    """
    if view.duel.ending is not None and any(seat.turns for seat in view.seats):
        yield coach_of(Source.DUEL, view.duel.id)


def coach_of(source: Source, game_id: int) -> ui.Button[Any]:
    """Build the coach's button for a finished game; it shows players their own guesses first."""
    return _coach_button(SEE, GameName(source, game_id), say(words.COACH_BUTTON))


def _coach_button(
    route: Route, game: GameName, label: str, part: ReviewPart | None = None
) -> ui.Button[Any]:
    part = part or ReviewPart()
    facts = {"number": part.number, "details": part.is_detailed or None}
    return button(route(source=game.source, game=game.id, seat=game.seat, **facts), label)


@pressed(SEE, by=By.PLAYERS, cost=Cost.COACH)
async def see(
    interaction: Interaction, source: Source, game: int, seat: int | None, number: int
) -> None:
    """Show a page of a review in a new message, after a progress message if it takes long."""
    name = GameName(source, game, seat)
    reviews = interaction.client.services.coach.reviews
    if is_crowded := reviews.is_crowded:  # else Discord might give up before the database is free
        await whisper(interaction, notice(words.thinking(0)))
    async with _deleting_progress(interaction):
        awaited = await reviews.ask(interaction.user.id, name)
        work = asyncio.create_task(_page_of(interaction, name, awaited, ReviewPart(number)))
        if not is_crowded:
            if await is_done_within(work, _SOON_SECONDS):
                await whisper(interaction, work.result())
                return
            await whisper(interaction, notice(words.thinking(awaited.ahead)))
        await _show_when_done(interaction, awaited, work)


@pressed(TURN, by=By.PLAYERS, cost=Cost.COACH)
async def turn_page(
    interaction: Interaction,
    source: Source,
    game: int,
    seat: int | None,
    number: int,
    *,
    details: bool = False,
) -> None:
    name = GameName(source, game, seat)
    awaited = await interaction.client.services.coach.reviews.ask(interaction.user.id, name)
    found = _page_of(interaction, name, awaited, ReviewPart(number, details))
    await show(interaction, await in_good_time(interaction, found))


async def _page_of(
    interaction: Interaction, game: GameName, awaited: AwaitedReview, part: ReviewPart
) -> Page:
    """Build the page once the review is there.

    If it is not there shortly before Discord's limit, build a notice with a button to ask again.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORD_SECONDS):
            while (review := await awaited.within(_BETWEEN_WORDS_SECONDS)) is None:
                pass
            return _view(interaction, review, part)
    return notice(say(words.NOT_YET), [_coach_button(TURN, game, say(words.COACH_BUTTON), part)])


async def _show_when_done(
    interaction: Interaction, awaited: AwaitedReview, work: asyncio.Task[Page]
) -> None:
    """Update the progress message until the page is built, then replace it by the page."""
    ahead = awaited.ahead
    try:
        while not await is_done_within(work, _BETWEEN_WORDS_SECONDS):
            if awaited.ahead != ahead:
                ahead = awaited.ahead
                await interaction.edit_original_response(view=notice(words.thinking(ahead)))
        view = work.result()
    finally:
        work.cancel()
    await interaction.edit_original_response(view=view, attachments=view.files)


@asynccontextmanager
async def _deleting_progress(interaction: Interaction) -> AsyncGenerator[None]:
    """Delete the progress message on an error; the error has a message of its own."""
    try:
        yield
    except Exception:
        if interaction.response.is_done():
            with suppress(discord.HTTPException):
                await interaction.delete_original_response()
        raise


def _view(interaction: Interaction, review: Review, part: ReviewPart) -> Page:
    if part.is_detailed:
        return details_view(review)
    return coach_view(review, part.number, interaction.client.pegs, interaction.client.tiles)


def _page_buttons(review: Review, number: int, pages: int) -> Iterator[ui.Button[Any]]:
    """Yield buttons to a better guess, other pages, the other side, and the figures."""
    worst = mistakes(review.analysis) if review.has_lessons else ()
    if worst:
        custom_id = FIND(source=review.game.source, game=review.game.id, turn=worst[0])
        yield button(custom_id, say(FIND_BUTTON), discord.ButtonStyle.primary)
    if number > 0:
        yield _coach_button(TURN, review.game, say(words.EARLIER_BUTTON), ReviewPart(number - 1))
    if number < pages - 1:
        yield _coach_button(TURN, review.game, say(words.LATER_BUTTON), ReviewPart(number + 1))
    if review.other_seat is not None:
        other = GameName(review.game.source, review.game.id, review.other_seat)
        is_own = review.role is Role.OWN
        label = say(words.OTHER_SIDE_BUTTON) if is_own else say(words.OWN_SIDE_BUTTON)
        yield _coach_button(TURN, other, label)
    yield _coach_button(TURN, review.game, say(words.DETAILS_BUTTON), ReviewPart(is_detailed=True))
