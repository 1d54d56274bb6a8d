"""Discord's side of the coach: pages of reviews, and *Replay*."""

import asyncio
import dataclasses
import io
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.coach import review_pages as words
from bot.coach.model import Review, Role
from bot.coach.review_pages import COACH_BUTTON, DRAW_CHART, FIND_BUTTON, chart_of
from bot.coach.reviews import Consultation, Replay, costliest
from bot.duels.model import DuelView
from bot.games.model import GameName, Source
from bot.mastermind.model import MastermindGame, Stage
from bot.people.game import Cost
from bot.refused import Speech
from bot.text.labels import BACK_BUTTON
from bot.text.language import say
from bot.text.tiles import Mood, Pegs, Tiles
from cogs.ui.members import voice_here
from cogs.ui.pages import (
    Items,
    Page,
    button,
    in_language,
    line,
    notice,
    page,
    picture,
    row,
    text_page,
)
from cogs.ui.replies import (
    Interaction,
    drawn,
    in_good_time,
    is_too_late,
    pegs_of,
    server_of,
    services_of,
    show,
    tiles_of,
    whisper,
)
from cogs.ui.routes import Argument, By, Route, member_of, one_of, pressed
from cogs.ui.shares import channel_of, post_result

# Without a seat, the viewer's own guesses.
_GAME: Final = {
    "source": member_of(Source),
    "seat": one_of({"0": 0, "1": 1, "m": None}),
}

SEE: Final = Route("coach:see:{source}:{game:int}:{seat}:{number:int}", **_GAME)
"""Opens a page of a review in a new message."""
TURN: Final = Route(
    "coach:turn:{source}:{game:int}:{seat}:{number:int}:{details?}",
    details=one_of({"details": True}),
    **_GAME,
)
"""Shows a page of a review, or with `details` its figures, in place of the present page."""

FIND: Final = Route("coach:find:{play:int}:{turn:int}")
"""Opens the lesson about one guess of a finished FoCdle; `turn` is 0-based."""

_REPLAYED: Final = _GAME | {"source": Argument("(?:mastermind|duel)", Source)}

REPLAY: Final = Route("replay:open:{source}:{game:int}:{seat}", **_REPLAYED)
"""Opens a replay before its first guess."""
STEP: Final = Route("replay:turn:{player:int}:{source}:{game:int}:{seat}:{step:int}", **_REPLAYED)
"""Shows a player's replay after `step` guesses."""
SHOW: Final = Route("replay:show:{source}:{game:int}:{seat}", **_REPLAYED)
"""Posts a replay to the channel."""

_FORMER: Final = _GAME | {"source": Argument("play", Source)}
FORMER_REPLAYS: Final = (
    Route("replay:open:{source}:{game:int}:{seat}", **_FORMER),
    Route("replay:turn:{player:int}:{source}:{game:int}:{seat}:{step:int}", **_FORMER),
    Route("replay:show:{source}:{game:int}:{seat}", **_FORMER),
)
"""Buttons of replays of FoCdles, which old messages have; they lead to the coach."""


def replay_page(
    replay: Replay,
    step: int,
    pegs: Pegs,
    tiles: Tiles | None = None,
    more: Items = (),
    *,
    is_public: bool = False,
) -> Page:
    """Build a page of a replay after `step` guesses, or after all if there are fewer."""
    at = min(step, len(replay.steps))
    board = words.replay_board(replay, at, pegs, tiles)
    if is_public:
        board = dataclasses.replace(board, foot=words.whose_buttons(replay))
    return text_page(board, [_step_buttons(replay, at), more])


def _step_buttons(replay: Replay, step: int) -> Iterator[ui.Button[Any]]:
    last = len(replay.steps)
    styles = discord.ButtonStyle

    def to(at: int) -> str:
        game = replay.game
        return STEP(
            player=replay.player_id, source=game.source, game=game.id, seat=game.seat, step=at
        )

    yield button(to(max(step - 1, 0)), say(words.BACK_BUTTON), disabled=not step)
    if step < last:
        yield button(to(step + 1), say(words.NEXT_BUTTON), styles.primary)
    if step < last - 1:
        yield button(to(last), say(words.END_BUTTON))
    elif step == last > 1:  # from the first guess, Back leads to the start as well
        yield button(to(0), say(words.START_BUTTON))


@pressed(REPLAY, by=By.PLAYERS)
async def open_replay(
    interaction: Interaction, source: Source, game: int, seat: int | None
) -> None:
    """Show a replay privately to its player, before its first guess."""
    replays, name = services_of(interaction).coach.replays, GameName(source, game, seat)
    replay = await replays.of(interaction.user.id, name, server_of(interaction))
    await show(interaction, _private(interaction, replay, 0))


@pressed(STEP, by=By.ONLOOKERS)
async def turn_replay(
    interaction: Interaction, player: int, source: Source, game: int, seat: int | None, step: int
) -> None:
    """Turn a replay: in place if it is private or the presser's own, else in a private copy."""
    replays, name = services_of(interaction).coach.replays, GameName(source, game, seat)
    here, is_own = server_of(interaction), player == interaction.user.id
    if is_own:
        replay = await replays.of(player, name, here)
    else:
        replay = await replays.shown(player, name, here, channel_of(interaction))
    message = interaction.message
    if is_own and message is not None and not message.flags.ephemeral:
        try:
            await interaction.response.edit_message(view=_public(interaction, replay, step))
        except discord.NotFound as error:  # deleted meanwhile
            if is_too_late(error):
                raise
        else:
            return
    await show(interaction, _private(interaction, replay, step))


@pressed(SHOW, by=By.PLAYERS)
async def show_to_all(
    interaction: Interaction, source: Source, game: int, seat: int | None
) -> None:
    name = GameName(source, game, seat)
    replays = services_of(interaction).coach.replays
    replay = await replays.to_show(interaction.user.id, name, server_of(interaction))

    async def draw(_face: object) -> Page:
        return _public(interaction, replay, 0)

    await post_result(interaction, name, voice_here(interaction, Speech.GAME), draw)


def _public(interaction: Interaction, replay: Replay, step: int) -> Page:
    tag = str(interaction.guild_locale or interaction.locale)
    pegs, tiles = pegs_of(interaction), tiles_of(interaction)
    return in_language(tag, lambda: replay_page(replay, step, pegs, tiles, is_public=True))


def _private(interaction: Interaction, replay: Replay, step: int) -> Page:
    """Build a replay's private page; only its player can ask the coach and post it from there."""
    game, more = replay.game, list[ui.Button[Any]]()
    if replay.player_id == interaction.user.id:
        facts = {"source": game.source, "game": game.id, "seat": game.seat}
        more.append(button(TURN(number=0, **facts), say(COACH_BUTTON)))
        if replay.is_for_everybody:
            more.append(button(SHOW(**facts), say(words.SHOW_BUTTON)))
    return replay_page(replay, step, pegs_of(interaction), tiles_of(interaction), more)


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


def details_view(review: Review, pegs: Pegs, chart: discord.File) -> Page:
    found = words.details(review, pegs)
    back = _coach_button(TURN, review.game, say(BACK_BUTTON))
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
    return _coach_button(SEE, GameName(Source.PLAY, play_id), say(words.COACH_BUTTON))


def coach_of_mastermind(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    if game.stage is Stage.OVER and game.turns:
        yield _coach_button(SEE, GameName(Source.MASTERMIND, game.id), say(words.COACH_BUTTON))


def coach_of_duel(view: DuelView) -> Iterator[ui.Button[Any]]:
    """Yield the coach's button for a finished duel, if anybody has guessed.

    It shows players the review of their own guesses first.
    """
    if view.duel.ending is not None and any(seat.turns for seat in view.seats):
        yield _coach_button(SEE, GameName(Source.DUEL, view.duel.id), say(words.COACH_BUTTON))


def _coach_button(
    route: Route, game: GameName, label: str, look: ReviewPart | None = None
) -> ui.Button[Any]:
    look = look or ReviewPart()
    facts = {"number": look.number, "details": look.is_detailed or None}
    return button(route(source=game.source, game=game.id, seat=game.seat, **facts), label)


@pressed(SEE, by=By.PLAYERS, cost=Cost.COACH)
async def see(
    interaction: Interaction, source: Source, game: int, seat: int | None, number: int
) -> None:
    """Show a page of a review in a new message, after a progress message if it takes long."""
    name = GameName(source, game, seat)
    reviews = services_of(interaction).coach.reviews
    if is_crowded := reviews.is_crowded:  # else Discord might give up before the database is free
        await whisper(interaction, notice(words.thinking(0)))
    async with _deleting_progress(interaction):
        consultation = await reviews.ask(interaction.user.id, name)
        work = asyncio.create_task(_page_of(interaction, name, consultation, ReviewPart(number)))
        if not is_crowded:
            if await _is_done_within(work, _SOON_SECONDS):
                await whisper(interaction, work.result())
                return
            await whisper(interaction, notice(words.thinking(consultation.ahead)))
        await _show_when_done(interaction, consultation, work)


@pressed(TURN, *FORMER_REPLAYS, by=By.PLAYERS, cost=Cost.COACH)
async def turn_page(
    interaction: Interaction,
    source: Source,
    game: int,
    seat: int | None,
    number: int = 0,
    *,
    details: bool = False,
) -> None:
    name = GameName(source, game, seat)
    consultation = await services_of(interaction).coach.reviews.ask(interaction.user.id, name)
    found = _page_of(interaction, name, consultation, ReviewPart(number, details))
    await show(interaction, await in_good_time(interaction, found))


async def _page_of(
    interaction: Interaction, game: GameName, consultation: Consultation, look: ReviewPart
) -> Page:
    """Build the page once the review is there.

    If it is not there shortly before Discord's limit, build a notice with a button to ask again.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORD_SECONDS):
            while (review := await consultation.within(_BETWEEN_WORDS_SECONDS)) is None:
                pass
            return await _view(interaction, review, look)
    return notice(say(words.NOT_YET), [_coach_button(TURN, game, say(words.COACH_BUTTON), look)])


async def _show_when_done(
    interaction: Interaction, consultation: Consultation, work: asyncio.Task[Page]
) -> None:
    """Update the progress message until the page is built, then replace it by the page."""
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
async def _deleting_progress(interaction: Interaction) -> AsyncGenerator[None]:
    """Delete the progress message on an error; the error has a message of its own."""
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


async def _view(interaction: Interaction, review: Review, look: ReviewPart) -> Page:
    pegs = pegs_of(interaction)
    if not look.is_detailed:
        return coach_view(review, look.number, pegs, tiles_of(interaction))
    chart = chart_of(review)
    png = await drawn(interaction, review.breaker_id or interaction.user.id, DRAW_CHART, chart)
    file = discord.File(io.BytesIO(png), "coach.png", description=chart.description)
    return details_view(review, pegs, file)


def _page_buttons(review: Review, number: int, pages: int) -> Iterator[ui.Button[Any]]:
    """Yield buttons to a better guess, other pages, the other side, the replay, and the figures."""
    turn = costliest(review)
    if review.game.source is Source.PLAY and turn is not None:
        custom_id = FIND(play=review.game.id, turn=turn)
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
    if review.game.source is not Source.PLAY:
        game = review.game
        custom_id = REPLAY(source=game.source, game=game.id, seat=game.seat)
        yield button(custom_id, say(words.REPLAY_BUTTON))
    yield _coach_button(TURN, review.game, say(words.DETAILS_BUTTON), ReviewPart(is_detailed=True))
