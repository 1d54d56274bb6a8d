"""The FoCdle board and its form, as pages; what their buttons do is in `board`."""

import io
from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.focdle.model.errors import GuessRefusedError
from bot.focdle.model.play import Play
from bot.focdle.pages import board as boards
from bot.focdle.pages import labels
from bot.focdle.pages.more import Next, Offer, following, offers
from bot.focdle.pages.warm_up import is_warm_up
from bot.games.game.hints import shown_by
from bot.home.pages.agenda import Door
from bot.home.pages.help import Topic
from bot.posts.pages.reminders import REMIND_BUTTON
from bot.refusals import refusal
from bot.text.labels import EDIT_BUTTON, LESS_BUTTON, MORE_BUTTON
from bot.text.language import say
from bot.text.tiles import Palette, Tiles
from cogs.coach.hints import hint_of_play
from cogs.coach.page import coach_of_play
from cogs.focdle.pictures import pictures_of
from cogs.focdle.sharing import ways_to_share
from cogs.focdle.watch import watch_button
from cogs.ui.doors import HEAVY_DOOR, PRACTICE
from cogs.ui.forms import Form, field
from cogs.ui.help import help_button
from cogs.ui.pages import Items, Page, button, gap, page, picture, row, spaced
from cogs.ui.replies import Interaction, tiles_of
from cogs.ui.routes import TYPED, Argument, Route, kept_text
from cogs.ui.verify import verify_of
from engine import Code, ContradictionError, FalseEquationError, Outcome
from engine.focdle import LONGEST, SHORTEST

Question = tuple[str, Items]
"""What is asked, and the answers."""

GUESS: Final = Route("fd:guess:{play:int}")
EDIT: Final = Route("fd:edit:{play:int}:{draft}")
SEND: Final = Route("fd:send:{play:int}:{draft}")
LENGTH: Final = Route("fd:length:{play:int}")
EQUATION: Final = Argument("[0-9+*%=-]+")
PROBE: Final = Route("fd:probe:{play:int}:{guess}", guess=EQUATION)
ASK: Final = Route("fd:ask:{play:int}")
GIVE_UP: Final = Route("fd:end:{play:int}")
KEEP: Final = Route("fd:keep:{play:int}")
MORE: Final = Route("fd:more:{play:int}")
HARD: Final = Route("fd:hard:{on:switch}:{play:int}")
REMIND: Final = Route("remind:on:{number:int}")
LEADERS: Final = Route("lb:today:{server:int}")
FORM: Final = Route("fd:form:{play:int}:{player:int}")
FIELDS: Final = {"guess": TYPED}

_PICTURE: Final = "board.png"
_MOST_IN_A_ROW: Final = 5


async def draw_board(
    interaction: Interaction,
    play: Play,
    refused: GuessRefusedError | None = None,
    question: Question | None = None,
    note: str = "",
    *,
    more: bool = False,
) -> Page:
    """A play's board, with its rows as a picture where they would wrap on a phone."""
    drawn = None
    tiles = tiles_of(interaction)
    if boards.is_drawn(play, tiles):
        pictures, palette = pictures_of(interaction.client), Palette(play.palette)
        png = await pictures.find(play.game, palette, boards.flame(play), shown_by(play.hints))
        drawn = discord.File(
            io.BytesIO(png), _PICTURE, description=boards.picture_description(play)
        )
    return focdle_page(play, tiles, drawn, refused, question, note, more=more)


def focdle_page(
    play: Play,
    tiles: Tiles | None = None,
    drawn: discord.File | None = None,
    refused: GuessRefusedError | None = None,
    question: Question | None = None,
    note: str = "",
    *,
    more: bool = False,
) -> Page:
    """A player's private board.

    Args:
        play: the play.
        tiles: the emojis to draw with; squares without them.
        drawn: the rows, where they are drawn as a picture.
        refused: why a guess was not played, if one was not.
        question: what its player is asked in place of the buttons, if anything.
        note: what is said once, above the buttons.
        more: whether it shows what else there is.
    """
    board = boards.board(play, tiles, drawn=drawn is not None)
    words = note if refused is None else refusal(refused) or ""
    status, rows_below = board.status, _rows(play, refused, more=more)
    if question is not None:
        words, answers = question
        status, rows_below = "", [answers]
    texts = spaced([board.rows, board.keyboard, status, words])
    rows = [] if drawn is None else [gap(), picture(drawn)]
    return page(
        board.title,
        *rows,
        gap(),
        *texts,
        *(row(*items) for items in rows_below),
        mood=board.mood,
        files=[drawn] if drawn else [],
    )


def _rows(play: Play, refused: GuessRefusedError | None, *, more: bool) -> list[Items]:
    """The buttons and lists, row by row."""
    if play.game.outcome is not None:
        return _end_rows(play, more=more)
    guesses = list(_ways_on(play, refused))
    guesses[0].style = discord.ButtonStyle.primary
    is_untouched = _is_untouched(play)
    if is_untouched and play.is_new:
        lengths = [] if play.puzzle or is_warm_up(play) else [[_lengths(play)]]
        return [[*guesses, help_button(Topic.FOCDLE)], *lengths]
    helping = [help_button(Topic.FOCDLE)] if is_untouched else [*hint_of_play(play)]
    rows: list[Items] = [[*guesses, *helping, _turn(play, more=more)]]
    if more:
        rows.append(list(_rest(play)))
    if play.puzzle is None and not play.game.turns:
        rows.append([_lengths(play)])
    return rows


def _turn(play: Play, *, more: bool) -> ui.Button[Any]:
    """The button that shows what else there is, or hides it again."""
    if more:
        return button(KEEP(play=play.id), say(LESS_BUTTON))
    return button(MORE(play=play.id), say(MORE_BUTTON))


def _is_untouched(play: Play) -> bool:
    return not play.game.turns and not play.hints


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


def _rest(play: Play) -> Iterator[ui.Button[Any]]:
    """What else there is while it goes on, behind *More*."""
    is_practice, has_begun = play.puzzle is None, bool(play.game.turns)
    yield from verify_of("play", play.id, play.commitment)
    if not _is_untouched(play):
        yield help_button(Topic.FOCDLE)
    if not has_begun:
        hard = HARD(on=not play.rules.hard, play=play.id)
        yield button(hard, say(labels.HARD_BUTTONS[not play.rules.hard]))
    if is_practice and not has_begun:
        yield watch_button(play.rules.length)
    elif is_practice:
        yield button(ASK(play=play.id), say(labels.GIVE_UP_BUTTON))


def give_up_question(play: Play) -> Question:
    """Whether it is to be given up."""
    yes = button(GIVE_UP(play=play.id), say(labels.YES_GIVE_UP_BUTTON), discord.ButtonStyle.danger)
    keep = button(KEEP(play=play.id), say(labels.KEEP_BUTTON), discord.ButtonStyle.primary)
    return say(labels.GIVE_UP_QUESTION), [yes, keep]


def _end_rows(play: Play, *, more: bool) -> list[Items]:
    """What can be done with a play that is over."""
    coach, turn = coach_of_play(play.id), _turn(play, more=more)
    rows: list[Items] = [[*_following(play), *ways_to_share(play), coach, turn]]
    if more:
        rows.append([item for offer in offers(play) for item in _offered(offer, play)])
    return rows


def _following(play: Play) -> Iterator[ui.Button[Any]]:
    """What to play next, which stands out."""
    primary = discord.ButtonStyle.primary
    match following(play):
        case Next.TODAY:
            custom_id = HEAVY_DOOR(door=Door.TODAY.value)
            yield button(custom_id, say(labels.TODAY_BUTTON), primary)
        case Next.TRY:
            length = play.ending.try_length or play.rules.length
            yield button(PRACTICE(length=length), say(labels.TRY_ONE_MORE_BUTTON), primary)
        case Next.ANOTHER:
            custom_id = PRACTICE(length=play.rules.length)
            yield button(custom_id, say(labels.NEXT_BUTTON), primary)
        case None:
            pass


def _offered(offer: Offer, play: Play) -> Iterator[ui.Button[Any]]:
    """The button of an offer."""
    length = play.rules.length
    match offer:
        case Offer.PRACTICE:
            label = labels.PRACTICE_BUTTON if play.puzzle else labels.NEXT_BUTTON
            yield button(PRACTICE(length=length), say(label))
        case Offer.OTHER_LENGTH:
            # A longer one for who has solved this, a shorter one for who has not.
            if play.game.outcome is Outcome.SOLVED:
                other = length + 1 if length < LONGEST else SHORTEST
            else:
                other = length - 1 if length > SHORTEST else SHORTEST + 1
            yield button(PRACTICE(length=other), labels.length_button(other))
        case Offer.LEADERS:
            yield button(LEADERS(server=play.guild_id), say(labels.LEADERS_BUTTON))
        case Offer.REMINDER:
            number = play.puzzle.number if play.puzzle else 0
            yield button(REMIND(number=number), say(REMIND_BUTTON))
        case Offer.VERIFY:
            yield from verify_of("play", play.id, play.commitment)


def probe_in(refused: GuessRefusedError) -> Code | None:
    """What was refused only because its player wants to be asked about it."""
    cause = refused.cause
    is_asked = isinstance(cause, FalseEquationError | ContradictionError)
    return Code(cause.guess) if is_asked and not refused.play.rules.hard else None


def _ways_on(play: Play, refused: GuessRefusedError | None) -> Iterator[ui.Button[Any]]:
    """How to guess: what was refused mended, or after all; what costs nothing first."""
    if refused is not None:
        if draft := kept_text(refused.text):
            yield button(EDIT(play=play.id, draft=draft), say(EDIT_BUTTON))
        else:
            yield button(GUESS(play=play.id), say(labels.GUESS_BUTTON))
        if probe := probe_in(refused):
            yield button(PROBE(play=play.id, guess=probe), say(labels.ANYWAY_BUTTON))
        return
    yield button(GUESS(play=play.id), say(labels.GUESS_BUTTON))


def guess_form(
    play: Play, tiles: Tiles | None = None, draft: str = "", custom_id: str = ""
) -> Form:
    """Asks for a guess. It sets no minimum length: our own sentence says what is missing.

    Args:
        play: the play.
        tiles: the emojis to draw with; squares without them.
        draft: what stands in the field already.
        custom_id: another form's than the one that plays the guess.
    """
    return Form(
        custom_id or FORM(play=play.id, player=play.player_id),
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
