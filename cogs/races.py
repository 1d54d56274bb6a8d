"""`/race`: everybody gets the same puzzle; fewest guesses wins, then the fastest."""

import asyncio
import io
import logging
from collections.abc import Awaitable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import tasks

from bot.failures import Failures
from bot.focdle import words as focdle
from bot.games.game import nonce
from bot.games.model import Channel, GameName, Source
from bot.home.game import Secret, Verified
from bot.home.words import VERIFY_BUTTON
from bot.mastermind.words import UNDO_BUTTON
from bot.people.game import Cost
from bot.pool.pool import in_thread
from bot.posts.cards import CardRow
from bot.races import words
from bot.races.game import BETWEEN_EDITS, can_call_off
from bot.races.model import (
    ROUNDS,
    UNPOSTED,
    Choosing,
    Ending,
    Race,
    RaceBoard,
    RaceGuessRefusedError,
    RaceOpenError,
    RaceView,
    Rules,
    SeatOutcome,
    Stage,
)
from bot.races.words import HELP_TOPIC, game_of
from bot.refusals import refusal
from bot.refused import Refused
from bot.services import Services
from bot.text import labels
from bot.text.language import say
from bot.text.markup import is_forgotten
from bot.text.pictures.boards import Standing, draw_podium, podium_described
from bot.text.pictures.tile_art import draw_rows
from bot.text.tiles import Mood, Palette
from cogs.coach import coach_of
from cogs.duels.pages import duel_tiles_of
from cogs.focdle.page import EQUATION as TRUE_OR_NOT
from cogs.focdle.sharing import group_picture
from cogs.mastermind.pages import in_rows
from cogs.ui.deliveries import delivered, edit_post, was_refused
from cogs.ui.help import add_button, help_button
from cogs.ui.host import Host, PrivateBoard
from cogs.ui.languages import for_server, speak_to
from cogs.ui.members import here, may_attach, note_member, usable_channel
from cogs.ui.pages import (
    Items,
    Page,
    button,
    gap,
    notice,
    page,
    picture,
    row,
    sent,
    spaced,
)
from cogs.ui.replies import (
    Form,
    Interaction,
    Private,
    field,
    may_send_files,
    open_on_page,
    show,
    whisper,
)
from cogs.ui.routes import TYPED, Argument, By, Route, kept_text, member_of, pressed, submitted
from cogs.ui.schedule import TimedCog
from cogs.ui.shares import verified_page
from cogs.ui.voices import voice_here, voice_of_page
from engine import BullsAndCows, ContradictionError, FalseEquationError, Focdle, Mastermind

JOIN: Final = Route("ra:join:{race:int}")
START: Final = Route("ra:start:{race:int}")
PLAY: Final = Route("ra:play:{race:int}")
MORE: Final = Route("ra:more:{race:int}")
KEYPAD: Final = Route("ra:keypad:{race:int}")
CALL_OFF: Final = Route("ra:off:{race:int}")
VERIFY: Final = Route("ra:verify:{race:int}")
AGAIN: Final = Route("ra:again:{race:int}")
OPEN: Final = Route("ra:open:{kind}", kind=member_of(Choosing))
_ROW: Final = Argument("[0-9A-Z]{1,6}")
PUT: Final = Route("ra:put:{race:int}:{pegs?}", pegs=_ROW)
SUBMIT: Final = Route("ra:submit:{race:int}:{pegs}", pegs=_ROW)
TYPE: Final = Route("ra:type:{race:int}:{draft?}")
SEND: Final = Route("ra:send:{race:int}:{draft}")
FORM: Final = Route("ra:form:{race:int}")
PROBE: Final = Route("ra:probe:{race:int}:{guess}", guess=TRUE_OR_NOT)

_FIELD: Final = "guess"
_NOBODY: Final = discord.AllowedMentions.none()
_failures: Final = Failures(logging.getLogger(__name__))
_BLUE: Final = discord.ButtonStyle.primary
_GREEN: Final = discord.ButtonStyle.success


@pressed(OPEN, by=By.ANYBODY)
async def open_usual(interaction: Interaction, kind: Choosing) -> None:
    await open_race(interaction, kind.rules())


@pressed(AGAIN, by=By.ANYBODY)
async def open_again(interaction: Interaction, race: int) -> None:
    """Open a race, or an evening, like one that is over."""
    found = await interaction.client.services.races.look(race, here(interaction))
    await open_race(interaction, found.rules, found.rounds)


async def open_race(interaction: Interaction, rules: Rules, rounds: int = 1) -> None:
    """Open a race or an evening here, and post it.

    Raises:
        NoServerError, ChannelUnusableError, MayNotSpeakError: nothing can be posted here.
    """
    client, services = interaction.client, interaction.client.services
    races, place, player = services.races, Channel(*usable_channel(interaction)), interaction.user
    voice = voice_here(interaction, words.OPEN_IN)
    await note_member(interaction)  # the post names its opener
    try:
        view = await races.open(player.id, place, rules, rounds)
    except RaceOpenError:  # of which the post may have been deleted
        for race_id in await races.open_in(place):
            await update_post(client, services, race_id)
        view = await races.open(player.id, place, rules, rounds)
    drawn = await for_server(client, view.race.guild_id, post_page, client, view)
    try:
        message_id = await voice.say(drawn)
    except Exception as error:
        if was_refused(error):
            await races.take_back(view)
        raise
    await races.posted(view, message_id)
    if view.race.seat_of(player.id) is None:
        await whisper(interaction, notice(say(words.NOT_IN_YET)))
    else:
        await _say_joined(interaction, view)


async def _say_joined(interaction: Interaction, view: RaceView) -> None:
    is_openers = view.race.round == 1 and view.race.opener_id == interaction.user.id
    start = [button(START(race=view.race.id), say(words.START_BUTTON), _BLUE)] if is_openers else []
    told = await whisper(interaction, notice(words.joined(view), start))
    await _keep(interaction, told, view.race)
    client, player_id = interaction.client, interaction.user.id
    now, _ = await client.services.races.see(player_id, view.race.id, here(interaction))
    await _show_to(client, now.before or now, player_id)  # it may have begun meanwhile


async def _keep(interaction: Interaction, message: Private | None, race: Race) -> None:
    """Remember a racer's private message, to show the race's start and end in it.

    One of before goes, if it was of the same race.
    """
    boards, key = interaction.client.private_boards, (race.channel_id or 0, interaction.user.id)
    before = boards.pop(key, None)
    if message is not None:
        boards[key] = PrivateBoard(interaction, message, race.id, race.stage)
        if before and before.race_id == race.id and before.message.id != message.id:
            await delivered(f"board of race {race.id}", before.message.delete())


def post_page(client: Host, view: RaceView, drawn: discord.File | None = None) -> Page:
    """Build a race's post; `drawn` is a picture of the boards, or of an evening's podium."""
    race, pegs = view.race, client.pegs
    texts = words.post_text(view, pegs, duel_tiles_of(client), drawn=drawn is not None)
    is_finished = race.ending is Ending.FINISHED
    pictures = [picture(drawn)] if drawn is not None else []
    if race.stage is Stage.OVER and race.rounds > 1:
        texts = [*(pictures or [words.points(view)]), *texts]
    else:
        texts = [*texts, *pictures]
    return page(
        *spaced([words.title(view), *texts, words.answer(race, pegs) if is_finished else ""]),
        gap(),
        row(*_ways(race, has_keypad=bool(client.web_url))),
        mood=words.mood(view),
        files=[] if drawn is None else [drawn],
    )


def _again(race: Race) -> ui.Button[Any]:
    return button(AGAIN(race=race.id), say(words.AGAIN_BUTTON), _BLUE)


def _coach(race: Race) -> Iterator[ui.Button[Any]]:
    if race.ending is Ending.FINISHED and race.guesses:
        yield coach_of(Source.RACE, race.id)


def _keypad(race: Race) -> ui.Button[Any]:
    return button(KEYPAD(race=race.id), say(focdle.KEYPAD_BUTTON))


def _ways(race: Race, *, has_keypad: bool) -> list[ui.Button[Any]]:
    more = button(MORE(race=race.id), say(labels.MORE_BUTTON))
    rest = [_keypad(race), more] if has_keypad else [more]
    if race.stage is Stage.OVER:
        return [_again(race), *_coach(race), more]
    if race.stage is Stage.RUNNING:
        return [button(PLAY(race=race.id), say(words.PLAY_BUTTON), _BLUE), *rest]
    join = button(JOIN(race=race.id), say(words.JOIN_BUTTON), _BLUE)
    if race.round > 1:
        join.style = discord.ButtonStyle.secondary  # for others than those who are in
        return [button(START(race=race.id), say(words.READY_BUTTON), _BLUE), join, *rest]
    return [join, button(START(race=race.id), say(words.START_BUTTON)), *rest]


@pressed(JOIN, by=By.ONLOOKERS)
async def join(interaction: Interaction, race: int) -> None:
    """Let the presser join the race, and tell them that others see them in it."""
    await note_member(interaction)
    services, player = interaction.client.services, interaction.user.id
    view = await services.races.join(player, race, here(interaction))
    if view.race.stage is Stage.LOBBY:
        await _say_joined(interaction, view)
    else:  # of one who was in already
        await _show(interaction, services.races.board(player, race, None), as_new=True)
    await update_post(interaction.client, services, race)


@pressed(START, by=By.ONLOOKERS)
async def start(interaction: Interaction, race: int) -> None:
    """Let the opener start a race early, or all who are in the next round of an evening.

    If the presser takes part in a race that runs now, show them their board.
    """
    races, player = interaction.client.services.races, interaction.user.id
    view = await races.start(player, race, here(interaction))
    if view.race.seat_of(player) is None or view.race.stage is Stage.LOBBY:
        await interaction.response.defer()
    else:
        await _show(interaction, races.board(player, race, here(interaction)))
    await update_post(interaction.client, interaction.client.services, race)


@pressed(KEYPAD, by=By.ONLOOKERS)
async def give_link_to_page(interaction: Interaction, race: int) -> None:
    await interaction.client.services.races.look(race, here(interaction))
    await open_on_page(interaction, GameName(Source.RACE, race))


@pressed(MORE, by=By.ONLOOKERS)
async def show_more(interaction: Interaction, race: int) -> None:
    """Show the buttons behind *More* privately, with *Call off* for players who may use it."""
    found = await interaction.client.services.races.look(race, here(interaction))
    buttons = [help_button(HELP_TOPIC), button(VERIFY(race=race), say(VERIFY_BUTTON))]
    is_on = found.stage is not Stage.OVER
    manages = interaction.permissions.manage_guild and is_on
    if manages or can_call_off(found, interaction.user.id):
        red = discord.ButtonStyle.danger
        buttons.append(button(CALL_OFF(race=race), say(words.CALL_OFF_BUTTON), red))
    buttons.extend(add_button(interaction.client))
    await whisper(interaction, notice(words.more_title(found), buttons))


@pressed(CALL_OFF, by=By.ONLOOKERS)
async def call_off(interaction: Interaction, race: int) -> None:
    """End a race without a winner.

    A manager may do so, and before the first guess the race's opener.
    """
    services, is_manager = interaction.client.services, interaction.permissions.manage_guild
    await services.races.call_off(
        interaction.user.id, race, here(interaction), is_manager=is_manager
    )
    await show(interaction, notice(say(words.CALLED_OFF)))
    await update_post(interaction.client, services, race)


@pressed(VERIFY, by=By.ONLOOKERS)
async def verify(interaction: Interaction, race: int) -> None:
    """Show a race's commitment and, once the race is over, how to check it."""
    found = await interaction.client.services.races.look(race, here(interaction))
    secrets = () if found.commitment is None else (Secret(found.commitment),)
    await whisper(interaction, verified_page(Verified(secrets, found.opened_at)))


@pressed(PLAY, by=By.ONLOOKERS)
async def play(interaction: Interaction, race: int) -> None:
    """Show the presser's own board in a new private message."""
    races = interaction.client.services.races
    board = races.board(interaction.user.id, race, here(interaction))
    await _show(interaction, board, as_new=True)


@pressed(PUT, by=By.PLAYERS)
async def put(interaction: Interaction, race: int, pegs: str = "") -> None:
    """Show the board with an unfinished row, which is kept only in the buttons' ids."""
    races = interaction.client.services.races
    board = races.board(interaction.user.id, race, here(interaction))
    await _show(interaction, board, pending=pegs)


@pressed(SUBMIT, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def submit(interaction: Interaction, race: int, pegs: str) -> None:
    """Make the guess that the row above the button shows."""
    await _guess(interaction, race, pegs)


@pressed(SEND, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def repeat_guess(interaction: Interaction, race: int, draft: str) -> None:
    """Repeat a guess that failed for lack of time."""
    await _guess(interaction, race, draft)


@pressed(PROBE, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def guess_anyway(interaction: Interaction, race: int, guess: str) -> None:
    """Make a guess that was refused as false or contradicting, since the player insists."""
    await _guess(interaction, race, guess, as_probe=True)


@pressed(TYPE, by=By.PLAYERS)
async def ask_for_guess(interaction: Interaction, race: int, draft: str = "") -> None:
    """Open the form for a guess. If the player has finished, show their board instead."""
    races = interaction.client.services.races
    board = await races.board(interaction.user.id, race, here(interaction))
    if not board.is_on:
        await show(interaction, await draw_board(interaction, board))
        return
    label, description, example, most = game_of(board.race.rules).form(board.race.rules)
    typed = field(_FIELD, label, description, placeholder=example, draft=draft, most=most)
    client = interaction.client
    reminder = words.form_reminder(board, client.tiles, client.pegs)
    await Form(FORM(race=race), words.form_title(board), reminder, typed).present(interaction)


@submitted(FORM, fields={_FIELD: TYPED}, by=By.PLAYERS, cost=Cost.FREE, again=SEND)
async def guess_as_typed(interaction: Interaction, values: Mapping[str, str], race: int) -> None:
    await _guess(interaction, race, values[_FIELD])


async def _guess(interaction: Interaction, race: int, text: str, *, as_probe: bool = False) -> None:
    races, player = interaction.client.services.races, interaction.user.id
    board = races.guess(player, race, here(interaction), text, as_probe=as_probe)
    await _show(interaction, board)


async def _show(
    interaction: Interaction,
    found: Awaitable[RaceBoard],
    *,
    pending: str = "",
    as_new: bool = False,
) -> None:
    """Show the private board that `found` brings, or the board and why the guess was refused."""
    refused: RaceGuessRefusedError | None = None
    try:
        board = await found
    except RaceGuessRefusedError as error:
        board, refused = error.board, error
    drawn = await draw_board(interaction, board, refused, pending)
    message = await (whisper if as_new else show)(interaction, drawn)
    await _keep(interaction, message, board.race)


async def draw_board(
    interaction: Interaction,
    board: RaceBoard,
    refused: RaceGuessRefusedError | None = None,
    pending: str = "",
) -> Page:
    """Build a player's private board.

    Args:
        refused: why a guess was refused, shown below the board.
        pending: an unfinished row of pegs or digits; FoCdle has none.
    """
    rules, client = board.race.rules, interaction.client
    pegs, tiles = client.pegs, duel_tiles_of(client)
    told = "" if refused is None else refusal(refused) or ""
    files: list[discord.File] = []
    keypad = [_keypad(board.race)] if client.web_url else []
    if isinstance(rules, Focdle):
        drawn = await _rows_as_picture(interaction, board, rules)
        files = [] if drawn is None else [drawn]
        of_play = focdle.board(board.play(rules), client.tiles, drawn=bool(files))
        status = of_play.status if board.is_on else words.board_status(board, pegs, tiles)
        texts = [of_play.rows, of_play.keyboard if board.is_on else "", status, told]
        below = [[*_guess_buttons(board, refused, ""), *keypad]]
    else:
        pending = pending if _may_be_code(rules, pending) else ""
        rows = words.board_rows(board, pending, pegs, tiles)
        texts = [rows, words.board_status(board, pegs, tiles), told]
        below = [
            *_key_buttons(interaction, board.race, rules, pending),
            [*_guess_buttons(board, refused, pending), *keypad],
        ]
    if not board.is_on:
        is_last = board.race.stage is Stage.OVER and board.race.message_id is not None
        below = [[*[_again(board.race)] * is_last, *_coach(board.race)]]
        if board.race.stage is Stage.RUNNING:
            below = [[button(PUT(race=board.race.id), say(words.STANDINGS_BUTTON))]]
    lost = Mood.PLAYING if board.is_on else Mood.LOST
    return page(
        words.title(board.view, board.seat),
        gap(),
        *spaced([*map(picture, files), *texts, words.beside_board(board)]),
        *(row(*items) for items in below),
        mood=Mood.SOLVED if board.seat.outcome is SeatOutcome.SOLVED else lost,
        files=files,
    )


async def _rows_as_picture(
    interaction: Interaction, board: RaceBoard, rules: Focdle
) -> discord.File | None:
    """Draw the rows of a FoCdle where a board of one's own has a picture, too; else None.

    The secret is not shown, since others may still seek it.
    """
    is_drawn = focdle.is_drawn(board.play(rules), interaction.client.tiles)
    if not (is_drawn and may_send_files(interaction)):
        return None
    png = await in_thread(draw_rows, board.game, Palette(board.choices.palette))
    about = focdle.picture_description(board.play(rules))
    return discord.File(io.BytesIO(png), "board.png", description=about)


def _may_be_code(rules: Mastermind | BullsAndCows, pending: str) -> bool:
    """True if an unfinished row, which a clicked id has given, can become a code of the rules."""
    is_repeated = len(set(pending)) < len(pending)
    is_possible = len(pending) <= rules.length and (rules.repeats or not is_repeated)
    return is_possible and set(pending) <= set(rules.alphabet)


def _key_buttons(
    interaction: Interaction, race: Race, rules: Mastermind | BullsAndCows, pending: str
) -> list[Items]:
    """Build the buttons that each add a peg or digit to the unfinished row in their ids."""
    pegs = interaction.client.pegs
    is_full, used = len(pending) >= rules.length, "" if rules.repeats else pending
    keys: list[ui.Button[Any]] = []
    for symbol in rules.alphabet:
        is_peg = symbol.isalpha()
        custom_id = PUT(race=race.id, pegs=f"{pending}{symbol}")
        if is_full:  # no two components of a message may share an id
            custom_id = f"{PUT(race=race.id)}:{symbol}"
        key = button(
            custom_id,
            None if is_peg and pegs.has_letters else symbol,
            emoji=pegs.peg(symbol) if is_peg else None,
            disabled=is_full or symbol in used,
        )
        keys.append(key)
    return list(in_rows(keys))


def _guess_buttons(board: RaceBoard, refused: RaceGuessRefusedError | None, pending: str) -> Items:
    """Yield the buttons below a board.

    They edit a refused guess or play it anyway; without one, they guess. *Undo* and help follow.
    """
    race, rules = board.race, board.race.rules
    draft = "" if refused is None else kept_text(refused.text)
    if refused is not None and draft:
        yield button(TYPE(race=race.id, draft=draft), say(labels.EDIT_BUTTON), _BLUE)
        cause = refused.cause
        if isinstance(cause, FalseEquationError | ContradictionError):
            yield button(PROBE(race=race.id, guess=cause.guess), say(focdle.ANYWAY_BUTTON))
    elif len(pending) == rules.length:
        yield button(SUBMIT(race=race.id, pegs=pending), say(focdle.GUESS_BUTTON), _GREEN)
    else:
        yield button(TYPE(race=race.id, draft=pending), say(focdle.GUESS_BUTTON), _BLUE)
    if not isinstance(rules, Focdle):
        undo = PUT(race=race.id, pegs=pending[:-1])
        yield button(undo, say(UNDO_BUTTON), disabled=not pending)
    if not pending and not board.seat.guesses:
        yield help_button(game_of(rules).topic)


async def update_post(client: Host, services: Services, race_id: int) -> None:
    """Update a race's post, if that is due and no other process does it."""
    view = await services.races.claim(race_id)
    if view is None:
        return

    race = view.race

    async def bring(at: discord.PartialMessage | None) -> int | None:
        if at is None:
            is_due = race.shown == UNPOSTED and race.stage is not Stage.OVER
            return await _post(client, view) if is_due else None
        file = await _podium(client, at.channel.id, view)
        if file is None:
            rows = await for_server(client, race.guild_id, _portraits, view)
            found = await group_picture(client, at.channel.id, rows, waits=True, is_over=True)
            file = found.file
        drawn = await for_server(client, race.guild_id, post_page, client, view, file)
        await at.edit(view=drawn, attachments=drawn.files, allowed_mentions=_NOBODY)
        return at.id

    what, custom_id = f"post of race {race_id}", MORE(race=race_id)
    await _show_privately(client, view)
    await edit_post(what, client, services.races, view, race, custom_id, bring)


async def _show_privately(client: Host, view: RaceView) -> None:
    """Show each racer in their private message that the race runs or, as in a pause, is over.

    Whoever cannot be shown it now is shown it with the next update of the post.
    """
    now = view.before or view
    if now.race.stage is not Stage.LOBBY:
        players = [seat.player_id for seat in now.race.seats]
        await asyncio.gather(*(_show_to(client, now, player_id) for player_id in players))
    if view.race.stage is Stage.OVER:
        for seat in view.race.seats:
            client.private_boards.pop((view.race.channel_id or 0, seat.player_id), None)


async def _show_to(client: Host, view: RaceView, player_id: int) -> None:
    race, boards = view.race, client.private_boards
    key, what = (race.channel_id or 0, player_id), f"board of race {race.id}"
    kept = boards.get(key)
    shows = (race.id, race.stage)
    if kept is None or kept.race_id > race.id or (kept.race_id, kept.stage) == shows:
        return
    with _failures.telling(what, of=player_id):
        await speak_to(kept.interaction)
        if race.started_at is None:
            drawn = notice(words.ending(view), [_again(race)])
        else:
            board = await client.services.races.board(player_id, race.id, None)
            drawn = await draw_board(kept.interaction, board)
        editing = sent(
            client, drawn, lambda: kept.message.edit(view=drawn, attachments=drawn.files)
        )
        await delivered(what, editing)
        if boards.get(key) is kept:
            boards[key] = replace(kept, race_id=race.id, stage=race.stage)


async def _post(client: Host, view: RaceView) -> int | None:
    """Post a race that was opened on the page; None if its opener or the bot may not do so now."""
    race = view.race
    try:
        voice = await voice_of_page(client, race.channel, race.opener_id, None)
    except Refused:
        return None
    drawn = await for_server(client, race.guild_id, post_page, client, view)
    return await voice.say(drawn, nonce("race", race.id))


async def _podium(client: Host, channel_id: int, view: RaceView) -> discord.File | None:
    """Draw the best of an evening that is over; None without points, or if nothing is drawn."""
    if not (view.podium and may_attach(client, channel_id)):
        return None
    album = client.album
    best = [seat.player_id for _, seat in view.podium]
    faces = [view.faces[player_id] for player_id in best if player_id in view.faces]
    avatars = {} if album is None else await album.find(faces, waits=True)
    names = await for_server(client, view.race.guild_id, _names, view)
    standings = [
        Standing(
            place,
            seat.player_id,
            names.get(seat.player_id, ""),
            seat.score,
            avatars.get(seat.player_id),
        )
        for place, seat in view.podium
    ]
    png, about = await in_thread(draw_podium, standings), podium_described(standings)
    return discord.File(io.BytesIO(png), "podium.png", description=about)


def _names(view: RaceView) -> dict[int, str]:
    """The names in a picture; those of deleted players are as in the texts."""
    ids = [seat.player_id for seat in view.race.seats]
    forgotten = {each: words.name(view, each) for each in ids if is_forgotten(each)}
    return {**view.names, **forgotten}


def _portraits(view: RaceView) -> list[CardRow]:
    """List the boards of a finished FoCdle race, the best first; none for any other race."""
    race = view.race
    is_alone = race.rounds == 1 and race.ending is Ending.FINISHED
    if not is_alone or not isinstance(race.rules, Focdle):
        return []
    last, names = len(race.seats), _names(view)
    return [
        CardRow(
            seat.place or last,
            seat.player_id,
            names.get(seat.player_id, ""),
            race.rules.max_guesses,
            is_solved=seat.place is not None,
            is_hard=False,
            hints=0,
            turns=tuple(turn.feedback for turn in race.game(seat).turns),
            face=view.faces.get(seat.player_id),
        )
        for seat in view.ranked
    ]


SHOW_FINISHED: Final = Route("games:look:race:{game:int}")


@pressed(SHOW_FINISHED, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_finished(interaction: Interaction, game: int) -> None:
    """Show a finished game in a new message; the list of games stays, to open another."""
    board = await interaction.client.services.races.board(interaction.user.id, game, None)
    await whisper(interaction, await draw_board(interaction, board))


class RacesCog(TimedCog):
    """The command `/race`, and the updates of all races' posts."""

    waits = True

    @app_commands.command(name="race", description=words.RACE)
    @app_commands.describe(game=words.RACE_GAME, length=words.RACE_LENGTH, rounds=words.RACE_ROUNDS)
    @app_commands.allowed_installs(guilds=True)
    @app_commands.allowed_contexts(guilds=True)
    @app_commands.choices(
        game=[app_commands.Choice(name=words.game_name(g.rules()), value=g.value) for g in Choosing]
    )
    @app_commands.choices(rounds=[app_commands.Choice(name=str(n), value=n) for n in ROUNDS])
    async def race(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        length: int | None = None,
        rounds: int = 1,
    ) -> None:
        chosen = Choosing.FOCDLE if game is None else Choosing(game.value)
        await open_race(interaction, chosen.rules(length), rounds if rounds in ROUNDS else 1)

    @tasks.loop(seconds=BETWEEN_EDITS.total_seconds() / 2)
    async def publish(self) -> None:
        """Start and end races, or let them lapse, as is due; then update outdated posts."""
        self._client.private_boards.drop_old()
        if self._hearing.heard:
            await self._deliver("post of race", self._services.races.outdated(), update_post)
