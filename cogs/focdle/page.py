"""The FoCdle board and its forms as pages and pictures."""

import io
from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.coach import review_words as coach_words
from bot.coach.game import Comparison, Lesson
from bot.coach.model import FirstHintError
from bot.focdle import words
from bot.focdle.ending_words import Next, Offer, following, offers
from bot.focdle.model import EXAMPLES, GuessRefusedError, Play
from bot.focdle.words import GUESS_BUTTON, HELP_TOPIC
from bot.games.model import GameName, Source, shown_by
from bot.pool.pool import in_thread
from bot.posts.words import REMIND_BUTTON
from bot.refusals import refusal
from bot.text import counts
from bot.text.labels import BACK_BUTTON, EDIT_BUTTON, MORE_BUTTON, TRY_AGAIN_BUTTON
from bot.text.language import say
from bot.text.pictures.boards import draw_ending
from bot.text.pictures.tile_art import draw_rows
from bot.text.tiles import Palette, Tiles
from cogs.coach import FIND, TURN, coach_of
from cogs.focdle.sharing import share_buttons
from cogs.ui.help import PRACTICE, help_button, with_add_button
from cogs.ui.pages import Items, Page, button, gap, page, picture, row, spaced
from cogs.ui.replies import Form, Interaction, field, may_send_files
from cogs.ui.routes import SURE, TYPED, Argument, Route, kept_text, member_of
from cogs.ui.shares import verify_of
from engine import Outcome
from engine.focdle import LONGEST, SHORTEST

_BLUE: Final = discord.ButtonStyle.primary
_GREY: Final = discord.ButtonStyle.secondary

Prompt = tuple[str, Items]
"""A question, with the buttons that answer it."""

GUESS: Final = Route("fd:guess:{play:int}")
EDIT: Final = Route("fd:edit:{play:int}:{draft}")
SEND: Final = Route("fd:send:{play:int}:{draft}")
LENGTH: Final = Route("fd:length:{play:int}")
EQUATION: Final = Argument("[0-9+*%=-]+")
PROBE: Final = Route("fd:probe:{play:int}:{guess}", guess=EQUATION)
ASK: Final = Route("fd:ask:{play:int}")
GIVE_UP: Final = Route("fd:end:{play:int}")
KEEP: Final = Route("fd:keep:{play:int}")
MORE: Final = Route("fd:more:{play:int}:{draft?}")
TODAY: Final = Route("fd:beside")
HINT: Final = Route("hint:p:show:{game:int}:{turns:int}:{taken:int}:{sure?}", sure=SURE)
HARD: Final = Route("fd:hard:{on:switch}:{play:int}")
REMIND: Final = Route("remind:on:{number:int}")
LEADERS: Final = Route("lb:today:{server:int}")
KEYPAD: Final = Route("fd:keypad:{play:int}")
FORM: Final = Route("fd:form:{play:int}:{player:int}")
FIELDS: Final = {"guess": TYPED}


async def draw_board(
    interaction: Interaction,
    play: Play,
    refused: GuessRefusedError | None = None,
    question: Prompt | None = None,
    note: str = "",
    *,
    more: bool = False,
) -> Page:
    """Build the page of a play's board, with a picture of the rows if `is_drawn` wants one."""
    drawn = None
    tiles = interaction.client.tiles
    if words.is_drawn(play, tiles) and may_send_files(interaction):
        game, palette = play.game, Palette(play.choices.palette)
        if game.outcome is None:
            png = await in_thread(draw_rows, game, palette, shown_by(play.hints))
        else:
            png = await in_thread(draw_ending, game, palette, words.flame(play))
        drawn = discord.File(
            io.BytesIO(png), "board.png", description=words.picture_description(play)
        )
    has_keypad = bool(interaction.client.web_url)
    shown = focdle_page(
        play, tiles, drawn, refused, question, note, more=more, has_keypad=has_keypad
    )
    return with_add_button(interaction.client, shown) if more else shown


def focdle_page(  # noqa: PLR0913 - all that a board may have
    play: Play,
    tiles: Tiles | None = None,
    drawn: discord.File | None = None,
    refused: GuessRefusedError | None = None,
    question: Prompt | None = None,
    note: str = "",
    *,
    more: bool = False,
    has_keypad: bool = False,
) -> Page:
    board = words.board(play, tiles, drawn=drawn is not None)
    told = note if refused is None else refusal(refused) or ""
    status, rows_below = board.status, _rows(play, refused, more=more, has_keypad=has_keypad)
    if question is not None:
        told, answers = question
        status, rows_below = "", [answers]
    elif refused is not None and play.game.outcome is None and not play.game.turns:
        status = ""  # the refusal has an example, too
    texts = spaced([board.rows, board.keyboard, status, told])
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


def _rows(
    play: Play, refused: GuessRefusedError | None, *, more: bool, has_keypad: bool
) -> list[Items]:
    if play.game.outcome is not None:
        return _end_rows(play, more=more)
    guesses = list(_guess_buttons(play, refused))
    if has_keypad:
        guesses.append(button(KEYPAD(play=play.id), say(words.KEYPAD_BUTTON)))
    if words.is_untouched(play):
        guesses.append(help_button(HELP_TOPIC))
    elif play.next_hint is not None:
        guesses.append(_hint_button(play))
    further = [*_further_buttons(play)] if more else None
    rows = _with_more(play, guesses, further, refused)
    if play.is_practice and not play.game.turns and not play.is_warm_up:
        rows.append([_lengths(play)])
    return rows


def _with_more(
    play: Play, face: Items, further: Items | None, refused: GuessRefusedError | None = None
) -> list[Items]:
    """Rows of a board's buttons: `further` ones in place of *More*, None if it is not pressed."""
    if further is not None:
        return [face, further]
    draft = "" if refused is None else kept_text(refused.text)
    return [[*face, button(MORE(play=play.id, draft=draft), say(MORE_BUTTON))]]


def _hint_button(play: Play, *, sure: bool = False) -> ui.Button[Any]:
    seen = {"turns": len(play.game.turns), "taken": len(play.hints)}
    custom_id = HINT(game=play.id, sure=sure or None, **seen)
    return button(custom_id, words.hint_button(play), _BLUE if sure else _GREY)


def hint_question(play: Play) -> Prompt:
    keep = button(KEEP(play=play.id), say(words.KEEP_BUTTON))
    return say(FirstHintError.sentence), [_hint_button(play, sure=True), keep]


def _lengths(play: Play) -> ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=counts.symbols(length),
            value=str(length),
            description=words.length_example(length),
            default=length == play.rules.length,
        )
        for length in range(SHORTEST, LONGEST + 1)
    ]
    return ui.Select[Any](custom_id=LENGTH(play=play.id), options=options)


def _further_buttons(play: Play) -> Iterator[ui.Button[Any]]:
    yield from verify_of("play", play.id, play.commitment)
    if not words.is_untouched(play):
        yield help_button(HELP_TOPIC)
    if not play.game.turns:
        hard = HARD(on=not play.rules.hard, play=play.id)
        yield button(hard, say(words.HARD_BUTTONS[not play.rules.hard]))
    elif play.is_practice:
        yield button(ASK(play=play.id), say(words.GIVE_UP_BUTTON))


def give_up_question(play: Play) -> Prompt:
    yes = button(GIVE_UP(play=play.id), say(words.YES_GIVE_UP_BUTTON), discord.ButtonStyle.danger)
    keep = button(KEEP(play=play.id), say(words.KEEP_BUTTON), _BLUE)
    return say(words.GIVE_UP_QUESTION), [yes, keep]


def _end_rows(play: Play, *, more: bool) -> list[Items]:
    coach = [coach_of(Source.PLAY, play.id)] if play.game.turns else []
    further = [item for offer in offers(play) for item in _offer_buttons(offer, play)]
    face = [*_next_button(play), *share_buttons(play), *coach]
    return _with_more(play, face, further if more else None)


def _next_button(play: Play) -> Iterator[ui.Button[Any]]:
    match following(play):
        case Next.TODAY:
            yield button(TODAY(), say(words.TODAY_BUTTON), _BLUE)
        case Next.TRY:
            length = play.ending.try_length or play.rules.length
            yield button(_practice(play, length), say(words.PRACTICE_BUTTON), _BLUE)
        case Next.ANOTHER:
            label = words.NEXT_BUTTON if play.is_practice else words.PRACTICE_BUTTON
            yield button(_practice(play, play.rules.length), say(label), _BLUE)
        case None:
            pass


def _practice(play: Play, length: int) -> str:
    return PRACTICE(length=length, level=play.next_level(length))


def _offer_buttons(offer: Offer, play: Play) -> Iterator[ui.Button[Any]]:
    length = play.rules.length
    match offer:
        case Offer.PRACTICE:
            label = words.NEXT_BUTTON if play.is_practice else words.PRACTICE_BUTTON
            yield button(_practice(play, length), say(label))
        case Offer.OTHER_LENGTH:
            # A longer one after a solve, a shorter one after a loss.
            if play.game.outcome is Outcome.SOLVED:
                other = length + 1 if length < LONGEST else SHORTEST
            else:
                other = length - 1 if length > SHORTEST else SHORTEST + 1
            yield button(PRACTICE(length=other), words.length_button(other))
        case Offer.LEADERS:
            yield button(LEADERS(server=play.guild_id), say(words.LEADERS_BUTTON))
        case Offer.REMINDER:
            number = play.puzzle.number if play.puzzle else 0
            yield button(REMIND(number=number), say(REMIND_BUTTON))
        case Offer.VERIFY:
            yield from verify_of("play", play.id, play.commitment)


def _guess_buttons(play: Play, refused: GuessRefusedError | None) -> Iterator[ui.Button[Any]]:
    """Yield the button for guessing; after a refusal, to edit the guess, and to play it anyway."""
    draft = "" if refused is None else kept_text(refused.text)
    if draft:
        yield button(EDIT(play=play.id, draft=draft), say(EDIT_BUTTON), _BLUE)
    else:
        yield button(GUESS(play=play.id), say(GUESS_BUTTON), _BLUE)
    if refused is not None and refused.probe is not None:
        yield button(PROBE(play=play.id, guess=refused.probe), say(words.ANYWAY_BUTTON))


def guess_form(
    play: Play, tiles: Tiles | None = None, draft: str = "", custom_id: str = ""
) -> Form:
    """Build the guess form. It sets no minimum length: our own sentence says what is missing."""
    return Form(
        custom_id or FORM(play=play.id, player=play.player_id),
        words.form_title(play),
        words.form_reminder(play, tiles),
        field(
            "guess",
            words.form_label(play.rules.length),
            say(words.FORM_DESCRIPTION),
            placeholder=EXAMPLES[play.rules.length],
            draft=draft,
            most=words.most_typed(play.rules.length),
        ),
    )


_LESSON: Final = {"source": member_of(Source)}
ASK_FOR_BETTER: Final = Route("coach:ask:{source}:{game:int}:{turn:int}:{draft?}", **_LESSON)
BETTER_FORM: Final = Route("coach:form:{source}:{game:int}:{turn:int}", **_LESSON)
BEST: Final = Route("coach:best:{source}:{game:int}:{turn:int}", **_LESSON)


def better_question(lesson: Lesson) -> Prompt:
    name, turn = lesson.name, lesson.turn
    ways = [
        _ask_button(name, turn, say(GUESS_BUTTON)),
        _show_button(name, turn),
        _back_button(name),
    ]
    return coach_words.question(lesson), ways


def better_refused(refused: GuessRefusedError, name: GameName, turn: int) -> Prompt:
    """The refusal of a guess in a lesson, with buttons to go on."""
    draft = kept_text(refused.text)
    ask = _ask_button(name, turn, say(EDIT_BUTTON if draft else GUESS_BUTTON), draft)
    return refusal(refused) or "", [ask, _show_button(name, turn), _back_button(name)]


def better_answer(found: Comparison) -> Prompt:
    """What the coach says about the guess that the player tried, or else about the best one."""
    name, turn, then = found.lesson.name, found.lesson.turn, found.lesson.then
    ways = [_back_button(name)]
    if found.is_done and then is not None:
        custom_id = FIND(source=name.source, game=name.id, turn=then)
        ways = [button(custom_id, say(coach_words.NEXT_MISTAKE_BUTTON), _BLUE), *ways]
    elif not found.is_done:
        ways = [_ask_button(name, turn, say(TRY_AGAIN_BUTTON)), _show_button(name, turn), *ways]
    return coach_words.answer(found), ways


def _ask_button(name: GameName, turn: int, label: str, draft: str = "") -> ui.Button[Any]:
    custom_id = ASK_FOR_BETTER(source=name.source, game=name.id, turn=turn, draft=draft)
    return button(custom_id, label, _BLUE)


def _show_button(name: GameName, turn: int) -> ui.Button[Any]:
    custom_id = BEST(source=name.source, game=name.id, turn=turn)
    return button(custom_id, say(coach_words.SHOW_BETTER_BUTTON))


def _back_button(name: GameName) -> ui.Button[Any]:
    custom_id = TURN(source=name.source, game=name.id, seat=None, number=0)
    return button(custom_id, say(BACK_BUTTON))
