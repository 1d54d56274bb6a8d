"""The FoCdle board, its buttons and its form."""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.model.dailies import PuzzleName
from bot.presentation.agenda import Door
from bot.presentation.base.labels import EDIT_BUTTON
from bot.presentation.base.language import say
from bot.presentation.base.tiles import Palette, Tiles
from bot.presentation.focdle import board as boards
from bot.presentation.focdle import labels
from bot.presentation.focdle.reminders import REMIND_BUTTON
from bot.presentation.help import Topic
from bot.presentation.refusals import refusal
from bot.services.base.allowance import Cost
from bot.services.focdle.errors import GuessRefusedError, NotYourPlayError
from bot.services.focdle.model import Play
from cogs.base.forms import Form, field
from cogs.base.pages import Items, Page, button, chosen, gap, page, picture, row, spaced
from cogs.base.replies import (
    Attempt,
    Interaction,
    server_of,
    services_of,
    show,
    tiles_of,
    whisper,
)
from cogs.base.routes import Argument, Route, kept_text, picked, pressed, submitted
from cogs.coach.hints import SUGGESTED_EQUATION, hint_of_play
from cogs.coach.page import coach_of_play
from cogs.doors import HEAVY_DOOR
from cogs.focdle.pictures import pictures_of
from cogs.focdle.running import share_by_itself
from cogs.focdle.sharing import OPEN, OPEN_FROM_POST, PRACTICE, ways_to_share
from cogs.help import help_button
from cogs.verify import verify_of
from engine import ContradictionError, FalseEquationError, Outcome
from engine.focdle import LONGEST, SHORTEST

GUESS: Final = Route("fd:guess:{play:int}")
EDIT: Final = Route("fd:edit:{play:int}:{draft}")
SEND: Final = Route("fd:send:{play:int}:{draft}")
LENGTH: Final = Route("fd:length:{play:int}")
PROBE: Final = Route("fd:probe:{play:int}:{guess}", guess=Argument("[0-9+*%=-]+"))
ASK: Final = Route("fd:ask:{play:int}")
GIVE_UP: Final = Route("fd:end:{play:int}")
KEEP: Final = Route("fd:keep:{play:int}")
REMIND: Final = Route("remind:on:{number:int}")
FORM: Final = Route("fd:form:{play:int}:{player:int}")

_PICTURE: Final = "board.png"
_MOST_IN_A_ROW: Final = 5


async def show_board(
    interaction: Interaction, play: Play, refused: GuessRefusedError | None = None
) -> None:
    """Show a play's board, and why a guess was refused; one that has just ended is shared."""
    await show(interaction, await draw_board(interaction, play, refused))
    await share_by_itself(interaction, play)


async def draw_board(
    interaction: Interaction,
    play: Play,
    refused: GuessRefusedError | None = None,
    *,
    asks: bool = False,
) -> Page:
    """A play's board, with its rows as a picture where they would wrap on a phone."""
    drawn = None
    tiles = tiles_of(interaction)
    if boards.is_drawn(play, tiles):
        png = await pictures_of(interaction.client).find(play.game, Palette(play.palette))
        drawn = discord.File(
            io.BytesIO(png), _PICTURE, description=boards.picture_description(play)
        )
    return focdle_page(play, tiles, drawn, refused, asks=asks)


def focdle_page(
    play: Play,
    tiles: Tiles | None = None,
    drawn: discord.File | None = None,
    refused: GuessRefusedError | None = None,
    *,
    asks: bool = False,
) -> Page:
    """A player's private board.

    Args:
        play: the play.
        tiles: the emojis to draw with; squares without them.
        drawn: the rows, where they are drawn as a picture.
        refused: why a guess was not played, if one was not.
        asks: whether its player is asked, in place of the buttons, if it is to be given up.
    """
    board = boards.board(play, tiles, drawn=drawn is not None)
    words = "" if refused is None else refusal(refused) or ""
    if asks:
        words = say(labels.GIVE_UP_QUESTION)
    texts = spaced([board.rows, board.keyboard, board.status, words])
    rows = [] if drawn is None else [gap(), picture(drawn)]
    return page(
        board.title,
        *rows,
        gap(),
        *texts,
        *(row(*items) for items in (_answers(play) if asks else _rows(play, refused))),
        mood=board.mood,
        files=[drawn] if drawn else [],
    )


def _rows(play: Play, refused: GuessRefusedError | None) -> list[Items]:
    """The buttons and lists, row by row."""
    verify = list(verify_of("play", play.id, play.commitment))
    if play.game.outcome is not None:
        return _end_rows(play, verify)
    guesses = list(_ways_on(play, refused))
    guesses[0].style = discord.ButtonStyle.primary
    others = [hint_of_play(play), *_way_out(play), help_button(Topic.FOCDLE), *verify]
    is_fresh = refused is None and not play.game.turns
    if is_fresh and play.is_learning and play.puzzle:
        warm_up = button(PRACTICE(length=SHORTEST), say(labels.WARM_UP_BUTTON))
        others = [help_button(Topic.FOCDLE), warm_up, hint_of_play(play), *verify]
    is_one_row = len(guesses) + len(others) <= _MOST_IN_A_ROW
    rows: list[Items] = [[*guesses, *others]] if is_one_row else [guesses, others]
    if is_fresh and play.puzzle is None:
        rows.append([_lengths(play)])
    return rows


def _lengths(play: Play) -> ui.Select[Any]:
    """The lengths of a practice that is untouched, with its own."""
    options = [
        discord.SelectOption(
            label=labels.length_choice(length),
            value=str(length),
            description=labels.length_example(length),
            default=length == play.rules.length,
        )
        for length in range(SHORTEST, LONGEST + 1)
    ]
    return ui.Select[Any](custom_id=LENGTH(play=play.id), options=options)


def _way_out(play: Play) -> Iterator[ui.Button[Any]]:
    """What asks whether to give up; a daily has no such thing."""
    if play.puzzle is None and play.game.turns:
        yield button(ASK(play=play.id), say(labels.GIVE_UP_BUTTON))


def _answers(play: Play) -> list[Items]:
    yes = button(GIVE_UP(play=play.id), say(labels.YES_GIVE_UP_BUTTON), discord.ButtonStyle.danger)
    keep = button(KEEP(play=play.id), say(labels.KEEP_BUTTON), discord.ButtonStyle.primary)
    return [[yes, keep]]


def _end_rows(play: Play, verify: list[ui.Button[Any]]) -> list[Items]:
    """What can be done with a play that is over: shown, followed by another one, looked at."""
    first = [*ways_to_share(play), *_ways_from_end(play)]
    looks = [coach_of_play(play.id), *_reminder(play), *verify]
    is_one_row = len(first) + len(looks) <= _MOST_IN_A_ROW
    return [[*first, *looks]] if is_one_row else [first, looks]


def _reminder(play: Play) -> Iterator[ui.Button[Any]]:
    """What asks for reminders, where there is a streak and they are not on."""
    if play.puzzle is not None and play.is_remindable:
        yield button(REMIND(number=play.puzzle.number), say(REMIND_BUTTON))


def _ways_from_end(play: Play) -> Iterator[ui.Button[Any]]:
    """What to play next; the likeliest comes first, and stands out."""
    length, styles = play.rules.length, iter([discord.ButtonStyle.primary])

    def way(custom_id: str, label: str) -> ui.Button[Any]:
        return button(custom_id, label, next(styles, discord.ButtonStyle.secondary))

    if play.is_today_left:
        yield way(HEAVY_DOOR(door=Door.TODAY.value), say(labels.TODAY_BUTTON))
    if play.puzzle is None:
        # A longer one for who has solved this, a shorter one for who has not.
        if play.game.outcome is Outcome.SOLVED:
            other = length + 1 if length < LONGEST else SHORTEST
        else:
            other = length - 1 if length > SHORTEST else SHORTEST + 1
        yield way(PRACTICE(length=length), say(labels.NEXT_BUTTON))
        yield way(PRACTICE(length=other), labels.length_button(other))
    elif not play.is_today_left:
        yield way(PRACTICE(length=length), say(labels.PRACTICE_BUTTON))


def _ways_on(play: Play, refused: GuessRefusedError | None) -> Iterator[ui.Button[Any]]:
    """How to guess: what was refused mended, or after all, or another; what costs nothing first."""
    if refused is not None:
        cause = refused.cause
        if draft := kept_text(refused.text):
            yield button(EDIT(play=play.id, draft=draft), say(EDIT_BUTTON))
        if isinstance(cause, FalseEquationError | ContradictionError) and not play.rules.hard:
            yield button(PROBE(play=play.id, guess=cause.guess), say(labels.ANYWAY_BUTTON))
    yield button(GUESS(play=play.id), say(labels.GUESS_BUTTON))


def guess_form(play: Play, tiles: Tiles | None = None, draft: str = "") -> Form:
    """Asks for a guess. It sets no minimum length: our own sentence says what is missing."""
    return Form(
        FORM(play=play.id, player=play.player_id),
        boards.form_title(play),
        boards.form_reminder(play, tiles),
        field(
            "guess",
            say(boards.FORM_LABEL),
            boards.form_description(play),
            placeholder=boards.example(play.rules.length),
            draft=draft,
        ),
    )


@pressed(GUESS, EDIT)
async def ask_for_guess(interaction: Interaction, play: int, draft: str = "") -> None:
    """Open the form, with a refused guess in it, or show the board if the game has ended."""
    found = await services_of(interaction).daily.view(interaction.user.id, play)
    if found.game.outcome is None:
        await guess_form(found, tiles_of(interaction), draft).present(interaction)
    else:
        await show_board(interaction, found)


def _send_again(values: Mapping[str, str], play: int, player: int) -> Attempt | None:
    """What sends the guess of a form, of which only its player's own message tells."""
    del player  # whose play it is, is looked up
    draft = kept_text(values.get("guess", ""))
    return Attempt(SEND(play=play, draft=draft), draft) if draft else None


@submitted(FORM, cost=Cost.FREE, again=_send_again)
async def guess_as_typed(
    interaction: Interaction, values: Mapping[str, str], play: int, player: int
) -> None:
    """Play what was typed."""
    if player != interaction.user.id:
        raise NotYourPlayError(player_id=player)
    await _guess(interaction, play, values.get("guess", ""))


@pressed(SEND, cost=Cost.FREE, is_kept=True)
async def guess_again(interaction: Interaction, play: int, draft: str) -> None:
    """Play what there was no time for; a guess that was played meanwhile costs nothing."""
    await _guess(interaction, play, draft)


@pressed(PROBE, SUGGESTED_EQUATION, cost=Cost.FREE, is_kept=True)
async def guess_as_probe(interaction: Interaction, play: int, guess: str) -> None:
    """Play after all what its player was asked about, or what a hint has suggested."""
    await _guess(interaction, play, guess, as_probe=True)


async def _guess(
    interaction: Interaction, play_id: int, text: str, *, as_probe: bool = False
) -> None:
    daily, player = services_of(interaction).daily, interaction.user.id
    try:
        play = await daily.guess(player, play_id, text, as_probe=as_probe)
    except GuessRefusedError as error:
        await show_board(interaction, error.play, error)
    else:
        await show_board(interaction, play)


@pressed(PRACTICE, cost=Cost.HEAVY)
async def practise(interaction: Interaction, length: int) -> None:
    """Open a practice in a private message of its own; the finished one stays."""
    practice = services_of(interaction).practice
    play = await practice.open(interaction.user.id, server_of(interaction), length)
    await whisper(interaction, await draw_board(interaction, play))


@picked(LENGTH, cost=Cost.HEAVY)
async def choose_length(interaction: Interaction, values: Sequence[str], play: int) -> None:
    """Show a practice of the length in place of this one."""
    (length,) = chosen(values)
    practice, player = services_of(interaction).practice, interaction.user.id
    found = await practice.swap(player, server_of(interaction), play, int(length))
    await show_board(interaction, found)


@pressed(ASK)
async def ask_whether_to_give_up(interaction: Interaction, play: int) -> None:
    """Ask in place of the board's buttons; what cannot be given up is shown as it stands."""
    found = await services_of(interaction).daily.view(interaction.user.id, play)
    asks = found.puzzle is None and found.game.outcome is None
    await show(interaction, await draw_board(interaction, found, asks=asks))


@pressed(GIVE_UP)
async def give_up(interaction: Interaction, play: int) -> None:
    """End a practice, and show its equation."""
    practice = services_of(interaction).practice
    await show_board(interaction, await practice.give_up(interaction.user.id, play))


@pressed(KEEP)
async def keep_playing(interaction: Interaction, play: int) -> None:
    """Show the board again, with its buttons."""
    await show_board(
        interaction, await services_of(interaction).daily.view(interaction.user.id, play)
    )


@pressed(OPEN, OPEN_FROM_POST, cost=Cost.HEAVY)
async def open_puzzle(interaction: Interaction, number: int, length: int) -> None:
    """Open the presser's own board of a puzzle in a private message."""
    daily, player = services_of(interaction).daily, interaction.user.id
    name = str(PuzzleName(number, length))
    await show_board(interaction, await daily.open(player, server_of(interaction), puzzle=name))
