"""The pages and forms of duels."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.duels import pages as words
from bot.duels.board_pages import duel_board, in_thread, notebook_board
from bot.duels.model import Duel, DuelRefusedError, DuelView, NotYourDuelError, Pace, State
from bot.duels.moves import Notebook
from bot.duels.position import DIGITS, MODES, NEXT_STRENGTH, STRENGTHS, Options
from bot.duels.round_pages import DuelTiles, title
from bot.games.model import GameName, Source
from bot.home.pages import NOT_NOW_BUTTON, Door, Topic
from bot.refusals import refusal
from bot.text import labels
from bot.text.language import say
from cogs.coach import coach_of_duel
from cogs.ui.help import help_button
from cogs.ui.pages import Page, button, page, row, text_page
from cogs.ui.replies import (
    Form,
    Interaction,
    choice,
    field,
    pegs_of,
    pegs_of_client,
    radio,
    services_of,
    tick,
    tiles_of,
    tiles_of_client,
    whisper,
)
from cogs.ui.routes import TICK, TYPED, Argument, By, Route, kept_text, member_of, one_of, pressed
from cogs.ui.shares import post_board, share_button, verify_of
from engine import BullsAndCows, Mode

SHARE: Final = Route("du:share:{duel:int}")


def share_of_duel(view: DuelView) -> Iterator[ui.Button[Any]]:
    """The button, if the duel was with the bot and anybody has guessed."""
    if view.duel.is_against_bot and any(seat.turns for seat in view.seats):
        yield share_button(SHARE(duel=view.duel.id))


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, duel: int) -> None:
    """Post the finished board to the channel."""
    finished = await services_of(interaction).duels.games.result(interaction.user.id, duel)
    name = GameName(Source.DUEL, duel)
    look = DuelTiles.of(tiles_of(interaction), pegs_of(interaction))
    await post_board(interaction, name, lambda: duel_board(finished, look), Door.DUEL)


OPTIONS: Final = Argument(
    "[3-6]r?-(?:equal|classic)-(?:rated|friendly)",
    lambda text: _read_options(*text.split("-")),
    lambda options: "-".join(_written_options(options)),
)
"""What a duel between two members is to be, in an id."""

CHANGE_FORM: Final = Route("du:form:change:{duel:int}")
BOT_CHANGE_FORM: Final = Route("du:form:mend:{duel:int}")
# Those of before *Change*, which may be open.
FORM: Final = Route("du:form:challenge:{opponent:int}")
BOT_FORM: Final = Route("du:form:bot")

NUMBER: Final = "number"
NUMBER_FIELDS: Final = {NUMBER: TYPED}

_REPEATS: Final = "r"
_FRIENDLY: Final = "friendly"
_COMMON: Final = {
    "numbers": Argument(
        f"[0-9]{{1,2}}{_REPEATS}?",
        lambda text: (int(text.removesuffix(_REPEATS)), text.endswith(_REPEATS)),
    ),
    "mode": one_of({mode.value: mode for mode in MODES}),
}
_PACE: Final = {"pace": member_of(Pace)}
FIELDS: Final = {**_COMMON, "rated": TICK}
BOT_FIELDS: Final = {
    **_COMMON,
    "strength": one_of({strength.value: strength for strength in STRENGTHS}),
}
OLD_FIELDS: Final = FIELDS | _PACE
OLD_BOT_FIELDS: Final = BOT_FIELDS | _PACE


def _read_options(numbers: str, mode: str, rated: str) -> Options:
    (mode_of,) = (each for each in MODES if each.value == mode)
    digits, repeats = int(numbers[0]), numbers.endswith(_REPEATS)
    return Options(digits, repeats, mode_of, rated=False if rated == _FRIENDLY else None)


def _written_options(options: Options) -> tuple[str, str, str]:
    numbers = f"{options.digits}{_REPEATS if options.repeats else ''}"
    return numbers, options.mode.value, _FRIENDLY if options.rated is False else "rated"


def number_form(custom_id: str, rules: BullsAndCows, *texts: str) -> Form:
    """Asks for the number that the opponent is to find."""
    return Form(custom_id, say(words.SECRET_FORM_TITLE), *texts, number_field(rules))


def number_field(rules: BullsAndCows, draft: str = "") -> ui.Label[Any]:
    """A line for a number or a guess."""
    label, hint = words.number_label(rules), say(words.NUMBER_DESCRIPTION)
    return field(NUMBER, label, hint, draft=draft)


def change_form(duel: Duel) -> Form:
    """Asks what a duel is to be, and proposes what it is."""
    if duel.is_against_bot:
        custom_id, title = BOT_CHANGE_FORM(duel=duel.id), say(words.BOT_FORM_TITLE)
        return Form(custom_id, title, *_common(duel), _strengths(duel))
    rated = tick("rated", say(words.RATED_LABEL), say(words.RATED_HINT), default=duel.rated)
    custom_id, title = CHANGE_FORM(duel=duel.id), say(words.CHANGE_FORM_TITLE)
    return Form(custom_id, title, *_common(duel), rated)


def _strengths(duel: Duel) -> ui.Item[Any]:
    return radio(
        "strength",
        say(words.STRENGTH_LABEL),
        [
            discord.RadioGroupOption(
                label=say(words.STRENGTH_CHOICES[strength]),
                value=strength,
                default=strength is duel.strength,
            )
            for strength in STRENGTHS
        ],
    )


def _common(duel: Duel) -> Iterable[ui.Item[Any]]:
    """What every duel has."""
    yield choice("numbers", say(words.NUMBERS_LABEL), _kinds(duel.rules))
    modes = ((mode, *words.mode_choice(mode)) for mode in MODES)
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


def _kinds(usual: BullsAndCows) -> list[discord.SelectOption]:
    kinds = [
        Options(digits, repeats=repeats)
        for repeats in (False, True)
        for digits in range(DIGITS[0], DIGITS[1] + 1)
    ]
    return [
        discord.SelectOption(
            label=words.numbers_choice(kind.rules()),
            value=f"{kind.digits}{_REPEATS if kind.repeats else ''}",
            default=kind.rules() == usual,
        )
        for kind in kinds
    ]


def chosen_for_member(values: Mapping[str, Any]) -> Options:
    """What was chosen for a duel with a member; where a mode is never rated, it is not."""
    return _chosen(values, rated=None if values["rated"] else False)


def chosen_for_bot(values: Mapping[str, Any]) -> Options:
    """What was chosen for a duel with the bot."""
    return _chosen(values, strength=values["strength"])


def _chosen(values: Mapping[str, Any], **others: Any) -> Options:
    digits, repeats = values["numbers"]
    return Options(digits, repeats, values["mode"], **others)


# Ids are on messages that stay: some still have another word for what a player does.
ACCEPT: Final = Route("du:accept:{duel:int}")
TAKE: Final = Route("du:take:{duel:int}:{pace}:{terms:int}", pace=member_of(Pace))
CHANGE: Final = Route("du:change:{duel:int}")
MORE: Final = Route("du:more:{duel:int}")
DECLINE: Final = Route("du:decline:{duel:int}")
WITHDRAW: Final = Route("du:withdraw:{duel:int}")
SECRET: Final = Route("du:secret:{duel:int}")
DRAW: Final = Route("du:draw:{duel:int}")
START: Final = Route("du:start:{duel:int}")
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

_PLAIN: Final = discord.ButtonStyle.secondary
_BLUE: Final = discord.ButtonStyle.primary
_GREEN: Final = discord.ButtonStyle.success
_RED: Final = discord.ButtonStyle.danger
_LOOKS: Final = {
    ACCEPT: ("accept", _GREEN),
    CHANGE: ("change", _PLAIN),
    MORE: ("more", _PLAIN),
    DECLINE: ("decline", _PLAIN),
    WITHDRAW: ("withdraw", _PLAIN),
    SECRET: ("secret", _BLUE),
    START: ("start", _GREEN),
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


def look_of(client: discord.Client) -> DuelTiles | None:
    """The emojis to draw rounds with; None while Discord does not have all of them."""
    return DuelTiles.of(tiles_of_client(client), pegs_of_client(client))


def duel_button(route: Route, duel: Duel, label: str | None = None) -> ui.Button[Any]:
    """A button that does something with a duel."""
    act, style = _LOOKS[route]
    return button(route(duel=duel.id), label or say(words.DUEL_BUTTONS[act]), style)


def edit_button(error: DuelRefusedError) -> list[ui.Button[Any]]:
    """Opens the form with a refused guess in it; nothing if there was nothing in it."""
    draft = kept_text(error.text)
    guess = GUESS(duel=error.view.duel.id, draft=draft)
    return [button(guess, say(labels.EDIT_BUTTON), _BLUE)] if draft else []


def board_url(duel: Duel) -> str | None:
    """Where the public board is, if there is one."""
    if duel.message_id is None or duel.guild_id is None:
        return None
    channel_id = duel.thread_id or duel.channel_id
    return f"https://discord.com/channels/{duel.guild_id}/{channel_id}/{duel.message_id}"


def board_page(
    view: DuelView, look: DuelTiles | None = None, drawn: discord.File | None = None
) -> Page:
    """The public board.

    Args:
        view: the duel.
        look: the emojis to draw rounds with; letters without them.
        drawn: the picture of a duel that is over, in place of its rounds.
    """
    board = duel_board(view, look, drawn=drawn is not None)
    face = view.face if drawn is None else None
    return text_page(board, _board_rows(view), face=face, drawn=drawn)


def _board_rows(view: DuelView) -> Iterator[list[ui.Item[Any]]]:
    """Two rows of at most three buttons; what is seldom wanted is behind *More*."""
    duel = view.duel
    more = duel_button(MORE, duel)
    if duel.state is State.INVITED:
        yield [*accept_buttons(view), _for_board(DECLINE, view)]
        change = [] if duel.terms is None else [duel_button(CHANGE, duel)]
        yield [*change, help_button(Topic.DUELS), more]
        return
    if duel.state is State.OVER:
        yield [_for_board(REMATCH, view), *coach_of_duel(view), more]
        return
    acts: dict[State, tuple[Route, ...]] = {
        State.SETTING: (SECRET,),
        State.STARTING: (START,),
        State.PLAYING: (START, PAGE) if duel.mode is Mode.RACE else (GUESS, PAGE),
    }
    yield [*(_for_board(act, view) for act in acts[duel.state]), *_beginners_help(duel), more]
    yield list(_answers_to_offer(duel))


def _beginners_help(duel: Duel) -> Iterator[ui.Item[Any]]:
    """How it is played, until somebody has guessed."""
    if duel.can_be_called_off:
        yield help_button(Topic.DUELS)


def _answers_to_offer(duel: Duel, seat: int | None = None) -> Iterator[ui.Item[Any]]:
    """What answers the draw that is offered, if one is.

    Args:
        duel: the duel.
        seat: of whose page it is; None for everybody's board.
    """
    if duel.state is State.PLAYING and duel.draw_offered_by is not None:
        if duel.draw_offered_by == seat:
            yield _take_back(duel)
            return
        yield duel_button(ACCEPT_DRAW, duel)
        yield duel_button(DECLINE_DRAW, duel)


def _take_back(duel: Duel) -> ui.Button[Any]:
    return duel_button(DECLINE_DRAW, duel, say(words.DUEL_BUTTONS["take_back"]))


def accept_buttons(view: DuelView) -> list[ui.Button[Any]]:
    """The ways to accept a challenge as it stands; none once it is answered."""
    duel = view.duel
    if duel.state is not State.INVITED:
        return []
    if duel.terms is None:
        return [duel_button(ACCEPT, duel)]
    paces = [(Pace.LIVE, "now")] if view.now_until is not None else []
    return [
        button(
            TAKE(duel=duel.id, pace=pace, terms=duel.terms), say(words.DUEL_BUTTONS[act]), _GREEN
        )
        for pace, act in [*paces, (Pace.RELAXED, "day")]
    ]


def more_page(view: DuelView, seat: int | None) -> Page:
    """What is seldom wanted of a duel, for one player, or with no seat for who looks on."""
    duel = view.duel
    acts = [] if seat is None else list(_seldom(duel, seat))
    verify = verify_of("duel", duel.id, *(side.commitment for side in view.seats))
    helping = [] if duel.can_be_called_off else [help_button(Topic.DUELS)]
    rows = [acts, [*verify, *helping]]
    return page(title(duel), *(row(*items) for items in rows))


def _seldom(duel: Duel, seat: int) -> Iterator[ui.Item[Any]]:
    if duel.state is State.INVITED and seat == duel.challenger:
        yield duel_button(WITHDRAW, duel)
    if duel.state is State.PLAYING and not duel.is_against_bot:
        if duel.draw_offered_by is None:
            yield duel_button(OFFER_DRAW, duel)
        elif duel.draw_offered_by == seat:
            yield _take_back(duel)
    if duel.can_be_called_off:
        yield duel_button(ASK_TO_CALL_OFF, duel)
    elif duel.state is State.PLAYING:
        yield duel_button(ASK_TO_RESIGN, duel)
    if duel.state is not State.OVER and not duel.is_against_bot:
        yield duel_button(POST, duel)


def _for_board(act: Route, view: DuelView) -> ui.Button[Any]:
    duel = view.duel
    label = None
    if act is DECLINE and view.is_rematch:
        label = say(NOT_NOW_BUTTON)
    if act is REMATCH and duel.playing_at is None:
        label = say(words.AGAIN_BUTTON)
    if act is PAGE and duel.mode is Mode.RACE:
        label = say(words.PAGE_BUTTON)
    return duel_button(act, duel, label)


def thread_page(view: DuelView, _look: DuelTiles | None = None) -> Page:
    """In the channel, about a duel in a thread."""
    return text_page(in_thread(view), [], face=view.face)


def notebook_page(
    notebook: Notebook,
    look: DuelTiles | None = None,
    refused: Exception | None = None,
    note: str = "",
) -> Page:
    """A player's own page, and why something was refused, if it was."""
    view, edit = notebook.view, list[ui.Button[Any]]()
    if isinstance(refused, DuelRefusedError) and view.duel.state is State.PLAYING:
        edit = edit_button(refused)
    first = [*edit, *_actions(notebook, is_edited=bool(edit))]
    if refused is not None:
        note = refusal(refused) or note
    rows = [first, list(_others(notebook))]
    return text_page(notebook_board(notebook, look), rows, note)


def _actions(notebook: Notebook, *, is_edited: bool = False) -> Iterator[ui.Item[Any]]:
    """What the player can do now; where a refused guess can be edited, no other is made."""
    view, duel, seat = notebook.view, notebook.view.duel, notebook.seat
    seat_id = view.seats[seat].player_id or 0
    if duel.state is State.INVITED:
        yield from _answers(view, seat)
        return
    if duel.state is State.OVER:
        yield from _again(duel, seat)
        yield from share_of_duel(view)
        yield from coach_of_duel(view)
        return
    if duel.waits_for(seat_id) and not is_edited:
        yield duel_button(_next(view, seat), duel)
        if duel.state is State.SETTING and duel.is_against_bot:
            yield duel_button(CHANGE, duel)
    if duel.is_against_bot:
        yield from _beginners_help(duel)
    else:
        yield duel_button(PAGE, duel, say(words.REFRESH_BUTTON))
    yield duel_button(MORE, duel)


def _next(view: DuelView, seat: int) -> Route:
    """What a player does who is waited for."""
    duel = view.duel
    if duel.state is State.SETTING:
        return SECRET
    is_begun = duel.mode is not Mode.RACE or view.seats[seat].started_at is not None
    return GUESS if duel.state is State.PLAYING and is_begun else START


def _answers(view: DuelView, seat: int) -> Iterator[ui.Item[Any]]:
    """What the two can do with a challenge."""
    duel = view.duel
    if seat != duel.challenger:
        yield from accept_buttons(view)
        yield _for_board(DECLINE, view)
    elif duel.terms is not None:
        yield duel_button(CHANGE, duel)


def _again(duel: Duel, seat: int) -> Iterator[ui.Button[Any]]:
    """Another duel: the same, or with a stronger bot for who has won."""
    again = duel_button(REMATCH, duel)
    stronger = None if duel.strength is None else NEXT_STRENGTH.get(duel.strength)
    if stronger is not None and duel.winner == seat:
        again.style = _PLAIN
        yield button(STRONGER(duel=duel.id), say(words.STRONGER_BUTTONS[stronger]), _BLUE)
    yield again


def _others(notebook: Notebook) -> Iterator[ui.Item[Any]]:
    """The second row of a player's own page."""
    duel = notebook.view.duel
    yield from _answers_to_offer(duel, notebook.seat)
    if not duel.is_against_bot and (url := board_url(duel)):
        yield ui.Button[Any](label=say(words.BOARD_BUTTON), url=url)
    if duel.state in {State.INVITED, State.OVER}:
        yield duel_button(MORE, duel)


@pressed(MORE, by=By.ONLOOKERS)
async def show_more(interaction: Interaction, duel: int) -> None:
    """Show it in a private message of its own; the board stays."""
    view = await services_of(interaction).duels.playing.view(interaction.user.id, duel)
    seat = view.duel.seat_of(interaction.user.id)
    is_seen = view.duel.guild_id is not None and view.duel.guild_id == interaction.guild_id
    if seat is None and not is_seen:
        raise NotYourDuelError(player_ids=(view.duel.challenger_id,), guild_id=view.duel.guild_id)
    await whisper(interaction, more_page(view, seat))
