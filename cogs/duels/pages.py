"""Pages and forms of duels."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import discord
from discord import ui

from bot.duels import words
from bot.duels.board_words import at_stake, duel_board, notebook_board, seek_board
from bot.duels.model import Duel, DuelRefusedError, DuelView, NotYourDuelError, State
from bot.duels.moves import Notebook
from bot.duels.position import DIGITS, NEXT_STRENGTH, STRENGTHS, DuelOptions
from bot.duels.round_words import DuelTiles, digits, plain, title
from bot.duels.seeking import SeekView
from bot.duels.words import HELP_TOPIC
from bot.focdle.words import KEYPAD_BUTTON
from bot.games.model import GameName, Source
from bot.home.words import NOT_NOW_BUTTON, Door
from bot.refusals import refusal
from bot.text import labels
from bot.text.language import say
from cogs.coach import coach_of_duel
from cogs.ui.help import help_button, with_add_button
from cogs.ui.host import Host
from cogs.ui.pages import Page, button, page, row, text_page
from cogs.ui.replies import Form, Interaction, choice, field, radio, tick, whisper
from cogs.ui.routes import TICK, TYPED, Argument, By, Route, kept_text, one_of, pressed
from cogs.ui.shares import post_board, share_button, verify_of
from engine import BullsAndCows, Mode

SHARE: Final = Route("du:share:{duel:int}")


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, duel: int) -> None:
    finished = await interaction.client.services.duels.games.result(interaction.user.id, duel)
    name = GameName(Source.DUEL, duel)
    tiles = DuelTiles.of(interaction.client.tiles, interaction.client.pegs)
    text = plain(finished, interaction.user.id)
    await post_board(interaction, name, partial(duel_board, finished, tiles), Door.DUEL, text)


_REPEATS: Final = "r"
_FRIENDLY: Final = "friendly"


def _read_options(text: str) -> DuelOptions:
    numbers, mode, rated = text.split("-")
    length, repeats = int(numbers[0]), numbers.endswith(_REPEATS)
    return DuelOptions(length, repeats, Mode(mode), friendly=rated == _FRIENDLY)


def _written_options(options: DuelOptions) -> str:
    numbers = f"{options.digits}{_REPEATS if options.repeats else ''}"
    rated = _FRIENDLY if options.friendly else "rated"
    return f"{numbers}-{options.mode.value}-{rated}"


OPTIONS: Final = Argument(
    "[3-6]r?-(?:equal|classic)-(?:rated|friendly)", _read_options, _written_options
)
"""The part of an id that holds the options of a duel between two members."""

CHANGE_FORM: Final = Route("du:form:change:{duel:int}")
BOT_CHANGE_FORM: Final = Route("du:form:mend:{duel:int}")

NUMBER: Final = "number"
NUMBER_FIELDS: Final = {NUMBER: TYPED}

_COMMON: Final = {
    "numbers": Argument(
        f"[0-9]{{1,2}}{_REPEATS}?",
        lambda text: (int(text.removesuffix(_REPEATS)), text.endswith(_REPEATS)),
    ),
    "mode": one_of({mode.value: mode for mode in Mode}),
}
FIELDS: Final = {**_COMMON, "rated": TICK}
BOT_FIELDS: Final = {
    **_COMMON,
    "strength": one_of({strength.value: strength for strength in STRENGTHS}),
}


def number_form(custom_id: str, rules: BullsAndCows, *texts: str) -> Form:
    return Form(custom_id, say(words.SECRET_FORM_TITLE), *texts, number_field(rules))


def number_field(rules: BullsAndCows, draft: str = "") -> ui.Label[Any]:
    return field(NUMBER, digits(rules), say(words.NUMBER_DESCRIPTION), draft=draft)


def change_form(duel: Duel) -> Form:
    """The form of a duel's options; it proposes the present ones."""
    if duel.is_against_bot:
        strengths = [
            discord.RadioGroupOption(
                label=say(words.STRENGTH_CHOICES[strength]),
                value=strength,
                default=strength is duel.strength,
            )
            for strength in STRENGTHS
        ]
        custom_id, title = BOT_CHANGE_FORM(duel=duel.id), say(words.BOT_FORM_TITLE)
        last = radio("strength", say(words.STRENGTH_LABEL), strengths)
    else:
        custom_id, title = CHANGE_FORM(duel=duel.id), say(words.CHANGE_FORM_TITLE)
        last = rated_tick(default=not duel.friendly)
    return Form(custom_id, title, *_common_fields(duel), last)


def rated_tick(*, default: bool) -> ui.Label[Any]:
    return tick("rated", say(words.RATED_LABEL), say(words.RATED_HINT), default=default)


def _common_fields(duel: Duel) -> Iterable[ui.Item[Any]]:
    kinds = [
        DuelOptions(length, repeats=repeats)
        for repeats in (False, True)
        for length in range(DIGITS[0], DIGITS[1] + 1)
    ]
    numbers = [
        discord.SelectOption(
            label=digits(kind.rules()),
            value=f"{kind.digits}{_REPEATS if kind.repeats else ''}",
            default=kind.rules() == duel.rules,
        )
        for kind in kinds
    ]
    yield choice("numbers", say(words.NUMBERS_LABEL), numbers)
    modes = ((mode, *words.mode_choice(mode)) for mode in Mode)
    yield radio(
        "mode",
        say(words.MODE_LABEL),
        [
            discord.RadioGroupOption(
                label=label, value=mode.value, description=meaning, default=mode is duel.mode
            )
            for mode, label, meaning in modes
        ],
    )


def chosen_for_member(values: Mapping[str, Any]) -> DuelOptions:
    length, repeats = values["numbers"]
    return DuelOptions(length, repeats, values["mode"], friendly=not values["rated"])


def chosen_for_bot(values: Mapping[str, Any]) -> DuelOptions:
    length, repeats = values["numbers"]
    return DuelOptions(length, repeats, values["mode"], strength=values["strength"])


ACCEPT: Final = Route("du:accept:{duel:int}:{terms:int}")
CHANGE: Final = Route("du:change:{duel:int}")
MORE: Final = Route("du:more:{duel:int}")
DECLINE: Final = Route("du:decline:{duel:int}")
WITHDRAW: Final = Route("du:withdraw:{duel:int}")
SECRET: Final = Route("du:secret:{duel:int}")
DRAW: Final = Route("du:draw:{duel:int}")
GUESS: Final = Route("du:guess:{duel:int}:{draft?}")
PAGE: Final = Route("du:page:{duel:int}")
OFFER_DRAW: Final = Route("du:offer:{duel:int}")
ACCEPT_DRAW: Final = Route("du:agree:{duel:int}")
DECLINE_DRAW: Final = Route("du:refuse:{duel:int}")
ASK_TO_RESIGN: Final = Route("du:ask:{duel:int}")
ASK_TO_CALL_OFF: Final = Route("du:cancel:{duel:int}")
RESIGN: Final = Route("du:resign:{duel:int}")
CALL_OFF: Final = Route("du:leave:{duel:int}")
KEEP: Final = Route("du:keep:{duel:int}")
STAY: Final = Route("du:stay:{duel:int}")
REMATCH: Final = Route("du:rematch:{duel:int}")
STRONGER: Final = Route("du:stronger:{duel:int}")
POST: Final = Route("du:post:{duel:int}")
TAKE: Final = Route("du:take:{seek:int}")
CLOSE: Final = Route("du:close:{seek:int}")
KEYPAD: Final = Route("du:keypad:{duel:int}")

_PLAIN: Final = discord.ButtonStyle.secondary
_BLUE: Final = discord.ButtonStyle.primary
_GREEN: Final = discord.ButtonStyle.success
_RED: Final = discord.ButtonStyle.danger
_LOOKS: Final = {
    CHANGE: ("change", _PLAIN),
    MORE: ("more", _PLAIN),
    DECLINE: ("decline", _PLAIN),
    WITHDRAW: ("withdraw", _PLAIN),
    SECRET: ("secret", _BLUE),
    GUESS: ("guess", _BLUE),
    PAGE: ("page", _PLAIN),
    OFFER_DRAW: ("offer_draw", _PLAIN),
    ACCEPT_DRAW: ("accept_draw", _GREEN),
    DECLINE_DRAW: ("decline_draw", _PLAIN),
    ASK_TO_RESIGN: ("ask_to_resign", _PLAIN),
    ASK_TO_CALL_OFF: ("ask_to_call_off", _PLAIN),
    RESIGN: ("resign", _RED),
    CALL_OFF: ("call_off", _RED),
    KEEP: ("keep", _BLUE),
    STAY: ("keep", _BLUE),
    REMATCH: ("rematch", _BLUE),
    POST: ("post", _PLAIN),
}


def duel_tiles_of(client: Host) -> DuelTiles | None:
    """The emojis for rounds; None while Discord does not have all of them."""
    return DuelTiles.of(client.tiles, client.pegs)


def duel_button(route: Route, duel: Duel, label: str | None = None) -> ui.Button[Any]:
    act, style = _LOOKS[route]
    if route is REMATCH and duel.playing_at is None:
        label = say(words.AGAIN_BUTTON)
    return button(route(duel=duel.id), label or say(words.DUEL_BUTTONS[act]), style)


def edit_button(error: DuelRefusedError) -> list[ui.Button[Any]]:
    """The button that edits a refused guess, in a list; the list is empty if nothing was typed."""
    draft = kept_text(error.text)
    guess = GUESS(duel=error.view.duel.id, draft=draft)
    return [button(guess, say(labels.EDIT_BUTTON), _BLUE)] if draft else []


def board_url(duel: Duel) -> str | None:
    if duel.message_id is None or duel.guild_id is None:
        return None
    return f"https://discord.com/channels/{duel.guild_id}/{duel.channel_id}/{duel.message_id}"


def board_page(
    view: DuelView,
    tiles: DuelTiles | None = None,
    drawn: discord.File | None = None,
    *,
    has_keypad: bool = False,
) -> Page:
    """The page of the public board; `drawn` is a picture in place of a finished duel's rounds."""
    board = duel_board(view, tiles, drawn=drawn is not None)
    face = view.face if drawn is None else None
    return text_page(board, _board_rows(view, has_keypad), face=face, drawn=drawn)


def _board_rows(view: DuelView, has_keypad: bool) -> Iterator[list[ui.Item[Any]]]:
    """Yield one or two rows of the board's usual buttons; rare ones are behind *More*."""
    duel = view.duel
    more = duel_button(MORE, duel)
    if duel.state is State.INVITED:
        yield [*_answer_buttons(view), more]
        return
    if duel.state is State.OVER:
        yield [duel_button(REMATCH, duel), *coach_of_duel(view), more]
        return
    rest = _keypad(duel) if has_keypad else _help_for_beginners(duel)
    yield [*(duel_button(act, duel) for act in (GUESS, PAGE)), *rest, more]
    yield list(_answers_to_offer(duel))


def _keypad(duel: Duel) -> Iterator[ui.Item[Any]]:
    yield button(KEYPAD(duel=duel.id), say(KEYPAD_BUTTON))


def _help_for_beginners(duel: Duel) -> Iterator[ui.Item[Any]]:
    if duel.can_be_called_off:
        yield help_button(HELP_TOPIC)


def _answers_to_offer(duel: Duel, seat: int | None = None) -> Iterator[ui.Item[Any]]:
    """The buttons that answer an offer of a draw, if there is one.

    If the viewer, in `seat`, has made it, the button takes it back.
    """
    if duel.state is State.PLAYING and duel.draw_offered_by is not None:
        if duel.draw_offered_by == seat:
            yield _take_back(duel)
            return
        yield duel_button(ACCEPT_DRAW, duel)
        yield duel_button(DECLINE_DRAW, duel)


def _take_back(duel: Duel) -> ui.Button[Any]:
    return duel_button(DECLINE_DRAW, duel, say(words.DUEL_BUTTONS["take_back"]))


def seek_page(view: SeekView) -> Page:
    """The page of the card by which a player looks for an opponent."""
    seek = view.seek.id
    take = button(TAKE(seek=seek), say(words.TAKE_BUTTON), _GREEN)
    rows = [[take, close_button(seek), help_button(HELP_TOPIC)]] if view.is_open else []
    return text_page(seek_board(view), rows, face=view.face if view.is_open else None)


def close_button(seek_id: int) -> ui.Button[Any]:
    return button(CLOSE(seek=seek_id), say(words.DUEL_BUTTONS["withdraw"]))


def accept_buttons(view: DuelView) -> list[ui.Button[Any]]:
    """The button that accepts a challenge on its present terms; none once it is answered."""
    duel = view.duel
    if duel.state is not State.INVITED:
        return []
    take = ACCEPT(duel=duel.id, terms=duel.terms)
    return [button(take, say(words.DUEL_BUTTONS["accept"]), _GREEN)]


def _answer_buttons(view: DuelView) -> list[ui.Item[Any]]:
    label = say(NOT_NOW_BUTTON) if view.is_rematch else None
    return [*accept_buttons(view), duel_button(DECLINE, view.duel, label)]


def more_page(view: DuelView, seat: int | None) -> Page:
    """The page of a duel's rarer buttons; `seat` is the viewer's, None for an onlooker."""
    duel = view.duel
    acts = [] if seat is None else list(_rare_buttons(duel, seat))
    verify = verify_of("duel", duel.id, *(side.commitment for side in view.seats))
    helping = [] if duel.can_be_called_off else [help_button(HELP_TOPIC)]
    rows = [acts, [*verify, *helping]]
    return page(title(duel), at_stake(view), *(row(*items) for items in rows))


def _rare_buttons(duel: Duel, seat: int) -> Iterator[ui.Item[Any]]:
    if duel.state is State.INVITED and seat == duel.challenger:
        yield duel_button(CHANGE, duel)
        yield duel_button(WITHDRAW, duel)
    if duel.state is State.PLAYING and not duel.is_against_bot:
        if duel.draw_offered_by == seat:
            yield _take_back(duel)
        elif duel.draw_offered_by is None and not duel.has_found(seat):
            yield duel_button(OFFER_DRAW, duel)
    if duel.can_be_called_off:
        yield duel_button(ASK_TO_CALL_OFF, duel)
    elif duel.state is State.PLAYING and not duel.has_found(seat):
        yield duel_button(ASK_TO_RESIGN, duel)
    if duel.state is not State.OVER and not duel.is_against_bot:
        yield duel_button(POST, duel)


def notebook_page(
    notebook: Notebook,
    tiles: DuelTiles | None = None,
    refused: Exception | None = None,
    note: str = "",
    *,
    has_keypad: bool = False,
) -> Page:
    """The page of a player's notebook; `refused` is why the last click was refused, if it was."""
    view, edit = notebook.view, list[ui.Button[Any]]()
    if isinstance(refused, DuelRefusedError) and view.duel.state is State.PLAYING:
        edit = edit_button(refused)
    first = [*edit, *_main_buttons(notebook, is_edited=bool(edit))]
    if has_keypad and view.duel.state in {State.SETTING, State.PLAYING}:
        first[1:1] = _keypad(view.duel)
    if refused is not None:
        note = refusal(refused) or note
    rows = [first, list(_second_row(notebook))]
    return text_page(notebook_board(notebook, tiles), rows, note)


def notebook_for(
    interaction: Interaction,
    notebook: Notebook,
    refused: Exception | None = None,
    note: str = "",
) -> Page:
    client = interaction.client
    has_keypad = bool(client.web_url)
    return notebook_page(notebook, duel_tiles_of(client), refused, note, has_keypad=has_keypad)


def _main_buttons(notebook: Notebook, *, is_edited: bool = False) -> Iterator[ui.Item[Any]]:
    """The player's main buttons; without *Guess* if a refused guess can be edited (`is_edited`)."""
    view, duel, seat = notebook.view, notebook.view.duel, notebook.seat
    if duel.state is State.INVITED:
        if seat != duel.challenger:
            yield from _answer_buttons(view)
        return
    if duel.state is State.OVER:
        yield from _rematch_buttons(duel, seat)
        if duel.is_against_bot and any(side.turns for side in view.seats):
            yield share_button(SHARE(duel=duel.id))
        yield from coach_of_duel(view)
        return
    if duel.state is State.SETTING:
        yield duel_button(SECRET, duel)
        yield duel_button(CHANGE, duel)
    elif duel.to_move == seat and not is_edited:
        yield duel_button(GUESS, duel)
    if duel.is_against_bot:
        yield from _help_for_beginners(duel)
    else:
        yield duel_button(PAGE, duel, say(words.REFRESH_BUTTON))
    yield duel_button(MORE, duel)


def _rematch_buttons(duel: Duel, seat: int) -> Iterator[ui.Button[Any]]:
    again = duel_button(REMATCH, duel)
    stronger = None if duel.strength is None else NEXT_STRENGTH.get(duel.strength)
    if stronger is not None and duel.winner == seat:
        again.style = _PLAIN
        yield button(STRONGER(duel=duel.id), say(words.STRONGER_BUTTONS[stronger]), _BLUE)
    yield again


def _second_row(notebook: Notebook) -> Iterator[ui.Item[Any]]:
    duel = notebook.view.duel
    yield from _answers_to_offer(duel, notebook.seat)
    if not duel.is_against_bot and (url := board_url(duel)):
        yield ui.Button[Any](label=say(words.BOARD_BUTTON), url=url)
    if duel.state in {State.INVITED, State.OVER}:
        yield duel_button(MORE, duel)


@pressed(MORE, by=By.ONLOOKERS)
async def show_more(interaction: Interaction, duel: int) -> None:
    view = await interaction.client.services.duels.playing.view(interaction.user.id, duel)
    seat = view.duel.seat_of(interaction.user.id)
    is_seen = view.duel.guild_id is not None and view.duel.guild_id == interaction.guild_id
    if seat is None and not is_seen:
        raise NotYourDuelError(player_ids=(view.duel.challenger_id,), guild_id=view.duel.guild_id)
    await whisper(interaction, with_add_button(interaction.client, more_page(view, seat)))
