"""Boards and forms of Mastermind as pages."""

import io
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import discord
from discord import ui

from bot.focdle.words import KEYPAD_BUTTON
from bot.games.model import GameName, Source
from bot.games.words import HINT_FOR_GUESS_BUTTON
from bot.home.words import Door
from bot.mastermind import words
from bot.mastermind.board_words import (
    challenge_board,
    challenge_title,
    described,
    plain,
    play_board,
    result,
    shared_board,
)
from bot.mastermind.challenges import Challenges
from bot.mastermind.game import COLOURS as CHOICES_OF_COLOURS
from bot.mastermind.game import GUESSES, PEGS, Setting
from bot.mastermind.model import InvitationView, Kind, MastermindGame, MastermindRefusedError, Stage
from bot.mastermind.playing import Guessing
from bot.mastermind.words import HELP_TOPIC, example
from bot.people.model import Face
from bot.pool.pool import in_thread
from bot.refusals import refusal
from bot.text import counts, labels
from bot.text.language import say
from bot.text.pictures.boards import Head, draw_codes
from bot.text.tiles import PLAIN, Pegs
from cogs.coach import coach_of_mastermind
from cogs.ui.deliveries import Refusal, delivered, is_too_late
from cogs.ui.help import help_button
from cogs.ui.host import Host
from cogs.ui.languages import for_server
from cogs.ui.members import may_attach
from cogs.ui.pages import Items, Page, button, notice, sent, text_page
from cogs.ui.replies import (
    Form,
    Interaction,
    choice,
    field,
    in_good_time,
    radio,
    show,
    tick,
    whisper,
)
from cogs.ui.routes import COUNT, SURE, TICK, TYPED, Argument, By, Route, kept_text, one_of, pressed
from cogs.ui.shares import post_board, share_button, verify_of
from engine import COLOURS, Mastermind

SHARE: Final = Route("mm:p:share:{game:int}")


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, game: int) -> None:
    solo = interaction.client.services.mastermind.solo
    finished = await solo.result(interaction.user.id, game)
    pegs, name = interaction.client.pegs, GameName(Source.MASTERMIND, game)
    draw = partial(shared_board, finished, pegs)
    await post_board(interaction, name, draw, Door.MASTERMIND, plain(finished))


MOST_IN_A_ROW: Final = 5
"""The most buttons in an action row."""
_GAME: Final = "mastermind:"
_FIELD: Final = "code"
CODE: Final = {_FIELD: TYPED}
SETTING: Final = Argument(
    r"[3-6]x(?:[4-9]|10)r?/(?:[6-9]|1[0-3])",
    lambda text: Setting.of(Mastermind.decode(_GAME + text)),
    lambda setting: setting.rules().encode().removeprefix(_GAME),
)
"""The part of an id that holds a setting."""

MORE: Final = {
    Kind.PLAY: Route("mm:p:more:{game:int}"),
    Kind.CHALLENGE: Route("mm:c:more:{game:int}"),
    Kind.DEFEND: Route("mm:d:more:{game:int}"),
}
"""Routes of *More*, which shows a board's rarer buttons, by kind."""
HINT: Final = Route("hint:m:show:{game:int}:{turns:int}:{taken:int}:{sure?}", sure=SURE)
NEW_PLAY: Final = Route("mm:p:new:{setting}", setting=SETTING)
NEW_DEFENCE: Final = Route("mm:d:new:{setting}", setting=SETTING)
"""`NEW_PLAY` and this lead from a board to a game with the same pegs and colours, roles swapped."""


CHALLENGE_AGAIN: Final = Route("mm:c:again:{game:int}")


def ending_buttons(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """The buttons of a finished game: coach and seal."""
    yield from coach_of_mastermind(game)
    yield from verify_of_game(game)


def verify_of_game(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    return verify_of("mastermind", game.id, game.commitment)


def more_button(game: MastermindGame) -> ui.Button[Any]:
    return button(MORE[game.kind](game=game.id), say(labels.MORE_BUTTON))


def with_more(
    game: MastermindGame, face: Items, rest: Iterable[ui.Button[Any]], *, more: bool
) -> list[Items]:
    """A board's rows of buttons: `rest` in place of *More* if that was pressed."""
    return [[*face], [*rest]] if more else [[*face, more_button(game)]]


def swap_button(game: MastermindGame, label: str) -> ui.Button[Any]:
    """The button for a game with the same pegs and colours, in which the other side guesses."""
    route = NEW_DEFENCE if game.kind is Kind.PLAY else NEW_PLAY
    return button(route(setting=Setting.of(game.rules)), label)


def words_for(refused: Exception | None) -> str:
    return "" if refused is None else refusal(refused) or ""


def guessing_of(interaction: Interaction, kind: Kind) -> Guessing:
    """The use cases of a kind of game in which a player guesses: `solo` or `challenges`."""
    mastermind = interaction.client.services.mastermind
    return mastermind.solo if kind is Kind.PLAY else mastermind.challenges


async def find_breakable(interaction: Interaction, kind: Kind, game_id: int) -> MastermindGame:
    """Return a game, if it is one in which the user guesses; else refuse."""
    return await guessing_of(interaction, kind).view(interaction.user.id, game_id)


def code_field(rules: Mastermind, label: str, draft: str = "") -> ui.Label[Any]:
    description = words.form_description(rules)
    return field(_FIELD, label, description, placeholder=example(rules), draft=draft)


def new_code_form(custom_id: str, setting: Setting, text: str) -> Form:
    rules = setting.rules()
    code = code_field(rules, words.code_form_label(rules))
    return Form(custom_id, say(words.CODE_FORM_TITLE), text, code)


def typed_code(values: Mapping[str, str]) -> str:
    return values[_FIELD]


def in_rows(items: Sequence[ui.Item[Any]]) -> Iterator[Items]:
    """Split items into as few rows as possible, of about the same length."""
    rows = -(-len(items) // MOST_IN_A_ROW)
    for row in range(rows):
        yield items[row * len(items) // rows : (row + 1) * len(items) // rows]


KIND: Final = one_of({"p": Kind.PLAY, "c": Kind.CHALLENGE})
"""The part of an id that holds the kind of a game in which a player guesses."""
_PEGS: Final = Argument(f"[{COLOURS}]+")

PUT: Final = Route("mm:{kind}:put:{game:int}:{pegs}", kind=KIND, pegs=_PEGS)
UNDO: Final = Route("mm:{kind}:undo:{game:int}", kind=KIND)
SUBMIT: Final = Route("mm:{kind}:submit:{game:int}:{pegs}", kind=KIND, pegs=_PEGS)
KEYPAD: Final = Route("mm:{kind}:keypad:{game:int}", kind=KIND)


def colour_rows(game: MastermindGame, pegs: Pegs) -> Iterator[Items]:
    is_full = len(game.pending) >= game.rules.pegs
    used = "" if game.rules.repeats else game.pending
    return in_rows(
        [
            button(
                PUT(kind=game.kind, game=game.id, pegs=letter),
                None if pegs.has_letters else letter,
                emoji=pegs.peg(letter),
                disabled=is_full or letter in used,
            )
            for letter in game.rules.alphabet
        ]
    )


CHANGE: Final = {
    Kind.PLAY: Route("mm:p:change:{game:int}"),
    Kind.DEFEND: Route("mm:d:change:{game:int}"),
    Kind.CHALLENGE: Route("mm:c:change:{game:int}:{chosen?}", chosen=SETTING),
}
"""Routes of *Other settings*, by kind. In a *defend* 0 stands for no game: the form begins one.

`chosen` is the setting at which a code was refused; the form proposes it again.
"""
CHANGE_FORM: Final = {
    Kind.PLAY: Route("mm:form:change:p:{game:int}"),
    Kind.DEFEND: Route("mm:form:change:d:{game:int}"),
    Kind.CHALLENGE: Route("mm:form:change:c:{game:int}"),
}
FIELDS: Final = {"pegs": COUNT, "colours": COUNT, "repeats": TICK, "guesses": COUNT}
"""Fields of the form, named as those of `Setting`."""

Option = TypeVar("Option")


def change_button(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    if game.may_change:
        yield button(CHANGE[game.kind](game=game.id), say(words.CHANGE_BUTTON))


def change_form(kind: Kind, game_id: int, present: Setting) -> Form:
    """Build the form of *Other settings*; of a challenge, it has a field for another code."""
    pegs = _options(discord.RadioGroupOption, counts.pegs, PEGS, present.pegs)
    colours = _options(discord.SelectOption, counts.colours, CHOICES_OF_COLOURS, present.colours)
    guesses = _options(discord.SelectOption, counts.guesses, GUESSES, present.guesses)
    repeats = say(words.REPEATS_LABEL), say(words.REPEATS_HINT)
    parts: list[str | ui.Item[Any]] = [
        radio("pegs", say(words.PEGS_LABEL), pegs),
        choice("colours", say(words.COLOURS_LABEL), colours),
        tick("repeats", *repeats, default=present.repeats),
        choice("guesses", say(words.GUESSES_LABEL), guesses),
    ]
    if kind is Kind.PLAY:
        parts.insert(0, words.ranked_setting())
    elif kind is Kind.CHALLENGE:
        parts.append(field(_FIELD, say(words.NEW_CODE_LABEL), say(words.NEW_CODE_HINT)))
    return Form(CHANGE_FORM[kind](game=game_id), say(words.CHANGE_TITLE), *parts)


def _options(
    option: Callable[..., Option],
    words: Callable[[int], str],
    bounds: tuple[int, int],
    usual: int,
) -> list[Option]:
    fewest, most = bounds
    return [
        option(label=words(number), value=str(number), default=number == usual)
        for number in range(fewest, most + 1)
    ]


TYPE: Final = Route("mm:{kind}:type:{game:int}:{draft?}", kind=KIND)
SEND: Final = Route("mm:{kind}:send:{game:int}:{draft}", kind=KIND)
FORM: Final = Route("mm:form:{kind}:{game:int}", kind=KIND)
ASK: Final = Route("mm:{kind}:ask:{game:int}", kind=KIND)
END: Final = Route("mm:{kind}:end:{game:int}", kind=KIND)
KEEP: Final = Route("mm:{kind}:keep:{game:int}", kind=KIND)
AGAIN: Final = Route("mm:p:again:{game:int}")

_BLUE: Final = discord.ButtonStyle.primary


def guess_form(game: MastermindGame, pegs: Pegs = PLAIN, draft: str = "") -> Form:
    return Form(
        FORM(kind=game.kind, game=game.id),
        words.guess_form_title(game),
        words.guess_form_reminder(game, pegs),
        code_field(game.rules, words.guess_form_label(game.rules), draft),
    )


def play_page(
    game: MastermindGame,
    pegs: Pegs,
    refused: Exception | None = None,
    note: str = "",
    drawn: discord.File | None = None,
    *,
    more: bool = False,
    has_keypad: bool = False,
) -> Page:
    """The page of a private board; `more` shows the buttons behind *More*."""
    if game.stage is Stage.OVER:
        again = button(AGAIN(game=game.id), words.end_button("again", is_public=False), _BLUE)
        shares = [share_button(SHARE(game=game.id))] if game.turns else []
        face = [again, *shares, *coach_of_mastermind(game)]
        rest = [swap_button(game, say(words.SWAP_BUTTON)), *verify_of_game(game)]
        rows = with_more(game, face, rest, more=more)
    else:
        rows = [
            *colour_rows(game, pegs),
            *with_more(
                game, _main_buttons(game, has_keypad, refused), _further_buttons(game), more=more
            ),
        ]
    board = play_board(game, pegs, drawn=drawn is not None)
    return text_page(board, rows, words_for(refused) or note, drawn=drawn)


async def end_picture(
    client: Host, game: MastermindGame, heads: Sequence[Head] = ()
) -> discord.File | None:
    """Draw a game that is over; None if nothing was guessed, or where there are no pictures."""
    if not client.pegs.has_letters or game.secret is None or not game.turns:
        return None
    png = await in_thread(draw_codes, game.turns, game.secret, result(game), heads)
    return discord.File(io.BytesIO(png), "codes.png", description=described(game))


ACCEPT: Final = Route("mm:c:accept:{game:int}:{seen}", seen=SETTING)
DECLINE: Final = Route("mm:c:decline:{game:int}")
WITHDRAW: Final = Route("mm:c:withdraw:{game:int}")


def invitation_page(view: InvitationView, pegs: Pegs) -> Page:
    """The public page of a challenge that is not answered yet."""
    game = view.game
    answers = [accept_button(game), decline_button(game), withdraw_button(game)]
    rows = [[*answers, more_button(game)]]
    return text_page(challenge_board(game, pegs), rows, face=view.face)


def accept_button(game: MastermindGame) -> ui.Button[Any]:
    label = say(words.INVITATION_BUTTONS["accept"])
    accept = ACCEPT(game=game.id, seen=Setting.of(game.rules))
    return button(accept, label, discord.ButtonStyle.success)


def decline_button(game: MastermindGame) -> ui.Button[Any]:
    return button(DECLINE(game=game.id), say(words.INVITATION_BUTTONS["decline"]))


def withdraw_button(game: MastermindGame) -> ui.Button[Any]:
    return button(WITHDRAW(game=game.id), say(words.INVITATION_BUTTONS["withdraw"]))


def challenge_page(
    game: MastermindGame,
    pegs: Pegs,
    *,
    has_keypad: bool = False,
    drawn: discord.File | None = None,
) -> Page:
    rows: list[Items] = [[*_buttons_after_challenge(game)]]
    if game.stage is Stage.PLAYING:
        rows = [*colour_rows(game, pegs), [*_main_buttons(game, has_keypad), more_button(game)]]
    return text_page(challenge_board(game, pegs, drawn=drawn is not None), rows, drawn=drawn)


def _buttons_after_challenge(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    if game.turns and game.owner_id and game.codebreaker_id:
        yield button(CHALLENGE_AGAIN(game=game.id), say(words.SET_NEXT_BUTTON), _BLUE)
    yield from coach_of_mastermind(game)
    if not game.turns:
        yield help_button(HELP_TOPIC)
    yield from verify_of_game(game)


def copy_page(
    game: MastermindGame,
    pegs: Pegs,
    player_id: int,
    more: Items = (),
    note: str = "",
    face: Face | None = None,
) -> Page:
    """A private copy of a challenge's board, on which the Codebreaker can go on."""
    url = game.board_url
    link = [] if url is None else [ui.Button[Any](label=say(words.LINK_BUTTON), url=url)]
    is_on = game.stage is Stage.PLAYING and player_id == game.codebreaker_id
    others = [more_button(game)]
    if game.stage is Stage.OVER:
        others = [*_buttons_after_challenge(game)]
    guess = [_guess_button(game)] if is_on else []
    rows = [[*link, *more], [*guess, *others]]
    return text_page(challenge_board(game, pegs), rows, note or words.copy_note(game), face)


def _further_buttons(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """The buttons of a private board that are behind *More*."""
    yield from verify_of_game(game)
    if not _is_untouched(game):
        yield help_button(HELP_TOPIC)
    yield from change_button(game)
    yield button(ASK(kind=game.kind, game=game.id), words.end_button("ask", is_public=False))


def more_of_challenge(game: MastermindGame, player_id: int) -> Page:
    """The page behind *More* of a challenge, with the buttons that this viewer may use."""
    rest = [help_button(HELP_TOPIC), *verify_of_game(game)]
    if player_id == game.owner_id:
        rest += change_button(game)
    if game.stage is Stage.PLAYING and player_id == game.codebreaker_id:
        ask = ASK(kind=game.kind, game=game.id)
        rest.append(button(ask, words.end_button("ask", is_public=True)))
    return notice(challenge_title(game), rest)


def _main_buttons(
    game: MastermindGame, has_keypad: bool, refused: Exception | None = None
) -> Items:
    edit = list(edit_button(game, refused))
    undo = button(UNDO(kind=game.kind, game=game.id), say(words.UNDO_BUTTON))
    undo.disabled = not game.pending
    helping = [help_button(HELP_TOPIC)]
    if game.kind is Kind.PLAY and not _is_untouched(game):
        helping = [hint_button(game)] if game.may_hint else []
    if has_keypad:
        label = say(KEYPAD_BUTTON)
        helping.insert(0, button(KEYPAD(kind=game.kind, game=game.id), label))
    return [*(edit or [_guess_button(game)]), undo, *helping]


def hint_button(game: MastermindGame, *, sure: bool = False) -> ui.Button[Any]:
    seen = {"turns": len(game.turns), "taken": len(game.hints)}
    style = _BLUE if sure else discord.ButtonStyle.secondary
    custom_id = HINT(game=game.id, sure=sure or None, **seen)
    return button(custom_id, say(HINT_FOR_GUESS_BUTTON), style)


def _is_untouched(game: MastermindGame) -> bool:
    return not game.turns and not game.hints


def _guess_button(game: MastermindGame) -> ui.Button[Any]:
    this, label = {"kind": game.kind, "game": game.id}, say(words.GUESS_BUTTON)
    if len(game.pending) < game.rules.pegs:
        return button(TYPE(**this, draft=game.pending), label, _BLUE)
    return button(SUBMIT(**this, pegs=game.pending), label, discord.ButtonStyle.success)


def edit_button(game: MastermindGame, refused: Exception | None) -> Iterator[ui.Button[Any]]:
    text = refused.text if isinstance(refused, MastermindRefusedError) else ""
    draft = kept_text(text)
    if draft and text != game.pending:
        edit = TYPE(kind=game.kind, game=game.id, draft=draft)
        yield button(edit, say(labels.EDIT_BUTTON), _BLUE)


log = logging.getLogger(__name__)


async def _public_page(client: Host, challenges: Challenges, game: MastermindGame) -> Page:
    """Draw the public board of a challenge, or its invitation while that waits for an answer."""
    pegs, has_keypad, drawn = client.pegs, bool(client.web_url), None
    if game.stage is not Stage.PLAYING:
        view = await challenges.look(game.owner_id, game.id)
        if view.game.stage is Stage.INVITED:
            return await for_server(client, game.guild_id, invitation_page, view, pegs)
        game = view.game
        if may_attach(client, game.channel_id or 0):
            breakers = [one for one in view.players if one[0] == game.codebreaker_id]
            faces, album = [face for *_, face in breakers if face], client.album
            avatars = {} if album is None else await album.find(faces)
            heads = [(one, name, avatars.get(one)) for one, name, _ in breakers]
            drawn = await end_picture(client, game, heads)
    return await for_server(
        client, game.guild_id, challenge_page, game, pegs, has_keypad=has_keypad, drawn=drawn
    )


async def publish(client: Host, challenges: Challenges, game: MastermindGame) -> MastermindGame:
    """Edit the public board of a challenge, once the server's shard is ready.

    A board that is gone is forgotten. While Discord is busy, or the bot may not edit it,
    `MastermindClockCog` tries again.

    Returns:
        The game, without a message if its board is gone.
    """
    is_known = client.hearing.knows(game.guild_id)
    if game.channel_id is None or game.message_id is None or not is_known:
        return game
    page = await _public_page(client, challenges, game)
    channel = client.get_partial_messageable(game.channel_id, guild_id=game.guild_id)
    board = channel.get_partial_message(game.message_id)
    editing = sent(client, page, lambda: board.edit(view=page, attachments=page.files))
    came = await delivered(f"board of mastermind {game.id}", editing)
    if came is Refusal.GONE:
        return await challenges.lost(game, game.message_id)
    if came is Refusal.CLOSED:
        await challenges.unreachable(game, game.message_id)
    if isinstance(came, Refusal):
        return game
    return await challenges.shown(game, game.message_id)


async def repaint(interaction: Interaction, game: MastermindGame) -> None:
    """Update the clicked board of a challenge, and its public board if that is another message.

    A clicked private message becomes a private copy of the board. If the clicked public message is
    gone, the player gets a private copy in a new message.
    """
    client, challenges = interaction.client, interaction.client.services.mastermind.challenges
    message, pegs, player = interaction.message, interaction.client.pegs, interaction.user.id
    if message is None or message.flags.ephemeral:
        game = await in_good_time(interaction, publish(client, challenges, game))
        await show(interaction, copy_page(game, pegs, player))
        return
    page = await _public_page(client, challenges, game)
    try:
        answer = interaction.response.edit_message
        await sent(client, page, lambda: answer(view=page, attachments=page.files))
    except (discord.NotFound, discord.Forbidden) as error:
        if is_too_late(error):
            raise
        game = await challenges.lost(game, message.id)
        await whisper(interaction, copy_page(game, pegs, player))
    else:
        game = await challenges.shown(game, message.id)
    if game.message_id != message.id:  # another message is the board
        await publish(client, challenges, game)
