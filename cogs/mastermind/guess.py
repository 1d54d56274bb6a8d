"""Boards on which players break a code, the bot's or a member's."""

from collections.abc import Awaitable, Coroutine, Mapping
from functools import partial
from typing import Any, Final

import discord
from discord import ui
from discord.ext import tasks

from bot.coach.model import FirstHintError
from bot.games.model import GameName, Source
from bot.games.words import latest_hint
from bot.home.words import declined
from bot.mastermind import words
from bot.mastermind.board_words import play_board
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import (
    AlreadyAcceptedError,
    BoardUnpostableError,
    ChallengeChangedError,
    CodeRefusedError,
    GameFinishedError,
    GameStateError,
    HasBegunError,
    InvitationView,
    Kind,
    MastermindGame,
    MastermindRefusedError,
    Stage,
)
from bot.people.game import Cost
from bot.refused import NoServerError
from bot.text import labels
from bot.text.labels import POST_AGAIN_BUTTON
from bot.text.language import say
from bot.text.tiles import Pegs
from cogs.mastermind.pages import (
    ACCEPT,
    AGAIN,
    ASK,
    CHALLENGE_AGAIN,
    CHANGE,
    CHANGE_FORM,
    CODE,
    DECLINE,
    END,
    FIELDS,
    FORM,
    HINT,
    KEEP,
    KEYPAD,
    MORE,
    NEW_PLAY,
    PUT,
    SEND,
    SETTING,
    SUBMIT,
    TYPE,
    UNDO,
    WITHDRAW,
    accept_button,
    challenge_page,
    change_form,
    copy_page,
    decline_button,
    edit_button,
    end_picture,
    find_breakable,
    guess_form,
    guessing_of,
    hint_button,
    invitation_page,
    more_of_challenge,
    new_code_form,
    play_page,
    publish,
    repaint,
    typed_code,
    withdraw_button,
    words_for,
)
from cogs.ui.deliveries import delete_quietly, was_refused
from cogs.ui.help import with_add_button
from cogs.ui.languages import for_server
from cogs.ui.members import require_present, usable_channel
from cogs.ui.pages import Page, button, notice, text_page
from cogs.ui.replies import (
    Form,
    Interaction,
    in_good_time,
    may_send_files,
    open_on_page,
    show,
    whisper,
)
from cogs.ui.routes import By, Route, pressed, submitted
from cogs.ui.schedule import TimedCog
from cogs.ui.shares import offer_no_more
from cogs.ui.voices import Voice, unless_refused, voice_here, voice_in
from engine import Code, GameOverError

_BLUE: Final = discord.ButtonStyle.primary
_RED: Final = discord.ButtonStyle.danger


async def _board(
    interaction: Interaction,
    game: MastermindGame,
    refused: Exception | None = None,
    *,
    note: str = "",
    more: bool = False,
) -> Page:
    client = interaction.client
    drawn = await end_picture(client, game) if may_send_files(interaction) else None
    has_keypad = bool(client.web_url)
    return play_page(game, client.pegs, refused, note, drawn, more=more, has_keypad=has_keypad)


async def show_play(interaction: Interaction, result: Awaitable[MastermindGame]) -> None:
    """Show the private board of the game that a use case returns.

    If the use case refuses something, the board of its game is shown with the refusal.
    """
    refused: Exception | None = None
    try:
        game = await result
    except GameStateError as error:
        game, refused = error.game, error
    await show(interaction, await _board(interaction, game, refused))


async def _show(interaction: Interaction, kind: Kind, result: Awaitable[MastermindGame]) -> None:
    """Show the board of the game that a use case returns, private or public.

    A refusal at a public board is shown in private, with a button to edit a typed guess. If the
    reason is that the game is over, the public board is updated, and the error raised again.
    """
    if kind is Kind.PLAY:
        await show_play(interaction, result)
        return
    try:
        game = await result
    except GameFinishedError as error:
        await repaint(interaction, error.game)
        raise
    except MastermindRefusedError as error:
        if isinstance(error.cause, GameOverError):
            await repaint(interaction, error.game)
            raise
        await show(interaction, notice(words_for(error), edit_button(error.game, error)))
        return
    await repaint(interaction, game)


async def _show_as_it_stands(interaction: Interaction, game: MastermindGame) -> None:
    if game.kind is Kind.PLAY:
        await show(interaction, await _board(interaction, game))
    else:
        await repaint(interaction, game)


@pressed(PUT, by=By.PLAYERS)
async def put_peg(interaction: Interaction, kind: Kind, game: int, pegs: str) -> None:
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.put(interaction.user.id, game, pegs))


@pressed(UNDO, by=By.PLAYERS)
async def take_back_peg(interaction: Interaction, kind: Kind, game: int) -> None:
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.undo(interaction.user.id, game))


@pressed(SUBMIT, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def submit_row(interaction: Interaction, kind: Kind, game: int, pegs: str) -> None:
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.submit(interaction.user.id, game, pegs))


@pressed(TYPE, by=By.PLAYERS)
async def ask_for_guess(interaction: Interaction, kind: Kind, game: int, draft: str = "") -> None:
    """Open the guess form with `draft` in it; if the game does not go on, show its board."""
    found = await find_breakable(interaction, kind, game)
    if found.stage is Stage.PLAYING:
        await guess_form(found, interaction.client.pegs, draft).present(interaction)
    else:
        await _show_as_it_stands(interaction, found)


@submitted(FORM, fields=CODE, by=By.PLAYERS, cost=Cost.FREE, again=SEND)
async def guess_as_typed(
    interaction: Interaction, values: Mapping[str, str], kind: Kind, game: int
) -> None:
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.guess(interaction.user.id, game, typed_code(values)))


@pressed(SEND, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def repeat_guess(interaction: Interaction, kind: Kind, game: int, draft: str) -> None:
    """Repeat a guess that failed for lack of time; if it was made after all, it costs nothing."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.guess(interaction.user.id, game, draft))


@pressed(KEYPAD, by=By.PLAYERS)
async def give_link_to_page(interaction: Interaction, kind: Kind, game: int) -> None:
    await find_breakable(interaction, kind, game)
    await open_on_page(interaction, GameName(Source.MASTERMIND, game))


@pressed(HINT, by=By.PLAYERS)
async def give_hint(
    interaction: Interaction, game: int, turns: int, taken: int, *, sure: bool = False
) -> None:
    """Take a hint, and say what it shows; ask before a player's first one."""
    hints, player = interaction.client.services.coach.hints, interaction.user.id
    pegs = interaction.client.pegs
    try:
        found = await hints.of_mastermind(player, game, turns, taken, asks=not sure)
    except FirstHintError:
        found = await find_breakable(interaction, Kind.PLAY, game)
        keep = button(KEEP(kind=Kind.PLAY, game=game), say(words.KEEP_BUTTON))
        ways, question = [hint_button(found, sure=True), keep], say(FirstHintError.sentence)
        await show(interaction, text_page(play_board(found, pegs), [ways], question))
        return
    given = found.hints[taken:][-1:]
    note = "".join(latest_hint(hint, pegs.peg(hint.symbol)) for hint in given)
    await show(interaction, await _board(interaction, found, note=note))


@pressed(MORE[Kind.PLAY], by=By.PLAYERS)
async def show_more(interaction: Interaction, game: int) -> None:
    found = await find_breakable(interaction, Kind.PLAY, game)
    page = await _board(interaction, found, more=True)
    await show(interaction, with_add_button(interaction.client, page))


@pressed(MORE[Kind.CHALLENGE], by=By.ONLOOKERS)
async def show_more_of_challenge(interaction: Interaction, game: int) -> None:
    """Show the buttons behind *More* in a private message; the public board stays."""
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    found = await challenges.see(player, game, interaction.guild_id)
    page = more_of_challenge(found, player)
    await whisper(interaction, with_add_button(interaction.client, page))


@pressed(ASK, by=By.PLAYERS)
async def ask_whether_to_end(interaction: Interaction, kind: Kind, game: int) -> None:
    """Ask whether to end the game: on a private board, or beside a public one.

    If the game is over, show its board instead.
    """
    found = await find_breakable(interaction, kind, game)
    is_public = kind is Kind.CHALLENGE
    answers = [
        button(END(kind=kind, game=game), words.end_button("end", is_public=is_public), _RED),
        button(KEEP(kind=kind, game=game), words.end_button("keep", is_public=is_public), _BLUE),
    ]
    if found.stage is Stage.OVER:
        await _show_as_it_stands(interaction, found)
    elif is_public:
        await whisper(interaction, notice(say(words.RESIGN_QUESTION), answers))
    else:
        board, question = play_board(found, interaction.client.pegs), say(words.SURRENDER_QUESTION)
        await show(interaction, text_page(board, [answers], question))


@pressed(END, by=By.PLAYERS)
async def end(interaction: Interaction, kind: Kind, game: int) -> None:
    mastermind, player = interaction.client.services.mastermind, interaction.user.id
    if kind is Kind.PLAY:
        await show_play(interaction, mastermind.solo.surrender(player, game))
        return
    try:
        resigned = await mastermind.challenges.resign(player, game)
    except GameFinishedError as error:
        await publish(interaction.client, mastermind.challenges, error.game)
        raise
    # The public board is another message than the question.
    await show(interaction, notice(say(words.RESIGNED)))
    await publish(interaction.client, mastermind.challenges, resigned)


@pressed(KEEP, by=By.PLAYERS)
async def keep_playing(interaction: Interaction, kind: Kind, game: int) -> None:
    found = await find_breakable(interaction, kind, game)
    if kind is Kind.PLAY:
        await show(interaction, await _board(interaction, found))
    elif found.stage is Stage.OVER:
        await show(interaction, notice(words_for(GameFinishedError(game=found))))
        await publish(interaction.client, interaction.client.services.mastermind.challenges, found)
    else:
        await show(interaction, notice(say(words.KEPT)))


@pressed(AGAIN, by=By.PLAYERS)
async def play_again(interaction: Interaction, game: int) -> None:
    """Open a game of the same setting in a new message; the finished board stays."""
    solo, player = interaction.client.services.mastermind.solo, interaction.user.id
    finished = await solo.view(player, game)
    opened = await solo.open(player, Setting.of(finished.rules))
    await whisper(interaction, await _board(interaction, opened))


@pressed(NEW_PLAY, by=By.ANYBODY)
async def play_instead(interaction: Interaction, setting: Setting) -> None:
    """Open a game of the same setting in which the player guesses, in a new message."""
    solo, player = interaction.client.services.mastermind.solo, interaction.user.id
    opened = await solo.open(player, setting)
    await whisper(interaction, await _board(interaction, opened))


@pressed(CHANGE[Kind.PLAY], by=By.PLAYERS)
async def ask_for_setting(interaction: Interaction, game: int) -> None:
    """Open the form of *Other settings*, or show the board if something was done meanwhile."""
    solo, player = interaction.client.services.mastermind.solo, interaction.user.id
    found = await solo.view(player, game)
    if found.may_change:
        await change_form(Kind.PLAY, game, Setting.of(found.rules)).present(interaction)
    else:
        refused = HasBegunError(game=found)
        await show(interaction, await _board(interaction, found, refused))


@submitted(CHANGE_FORM[Kind.PLAY], fields=FIELDS, by=By.PLAYERS)
async def change_play(interaction: Interaction, values: Mapping[str, Any], game: int) -> None:
    solo, player = interaction.client.services.mastermind.solo, interaction.user.id
    await show_play(interaction, solo.change(player, game, Setting(**values)))


RETRY: Final = Route("mm:c:retry:{challenged:int}:{setting}", setting=SETTING)
CODE_FORM: Final = Route("mm:form:challenge:{challenged:int}:{setting}", setting=SETTING)


async def ask_for_code(
    interaction: Interaction,
    challenged_id: int,
    setting: Setting | None = None,
    *,
    to_bot: bool = False,
) -> None:
    """Open the form for the code with which a member is challenged.

    Without a setting it is that of the player's last challenge.
    """
    _, invitation = _invitation(interaction, challenged_id, to_bot=to_bot)
    last = await interaction.client.services.mastermind.challenges.prepare(invitation)
    await require_present(interaction, invitation.challenged_id)
    await challenge_form(challenged_id, setting or last).present(interaction)


@pressed(CHALLENGE_AGAIN, by=By.PLAYERS)
async def challenge_again(interaction: Interaction, game: int) -> None:
    """Let a player of a challenge set a code for the other one."""
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    last = (await challenges.look(player, game)).game
    other = last.codebreaker_id if player == last.owner_id else last.owner_id
    await ask_for_code(interaction, other or 0, Setting.of(last.rules))


def _invitation(
    interaction: Interaction, challenged_id: int, *, to_bot: bool = False
) -> tuple[Voice, Invitation]:
    """Return the permission to post here, and the player's challenge for this channel."""
    guild_id, channel_id = usable_channel(interaction)
    voice = voice_here(interaction, labels.CHALLENGE_IN)
    challenger_id = interaction.user.id
    return voice, Invitation(challenger_id, challenged_id, guild_id, channel_id, to_bot=to_bot)


def challenge_form(challenged_id: int, setting: Setting) -> Form:
    custom_id = CODE_FORM(challenged=challenged_id, setting=setting)
    return new_code_form(custom_id, setting, words.challenge_form_text(setting.rules()))


@submitted(CODE_FORM, fields=CODE, by=By.ANYBODY, again=RETRY)
async def challenge(
    interaction: Interaction, values: Mapping[str, str], challenged: int, setting: Setting
) -> None:
    """Challenge a member with a typed code; if the text is no code, offer the form again."""
    challenges = interaction.client.services.mastermind.challenges
    voice, invitation = _invitation(interaction, challenged)
    await require_present(interaction, invitation.challenged_id)
    try:
        view = await challenges.invite(invitation, setting, typed_code(values))
    except CodeRefusedError as error:
        again = RETRY(challenged=challenged, setting=setting)
        retry = button(again, say(words.RETRY_BUTTON), discord.ButtonStyle.primary)
        await whisper(interaction, notice(words_for(error), [retry]))
        return
    await _announce(interaction, voice, view)


@pressed(RETRY, by=By.ANYBODY)
async def enter_code_again(interaction: Interaction, challenged: int, setting: Setting) -> None:
    await challenge_form(challenged, setting).present(interaction)


async def _announce(interaction: Interaction, voice: Voice, view: InvitationView) -> None:
    """Post the challenge, which pings the challenged member, or delete it if Discord refuses it."""
    challenges, game = interaction.client.services.mastermind.challenges, view.game
    client = interaction.client
    page = await for_server(client, game.guild_id, invitation_page, view, client.pegs)
    try:
        message_id = await voice.say(page, calls=game.codebreaker_id or 0)
    except Exception as error:
        if was_refused(error):
            await challenges.take_back(game.id)
        raise
    await challenges.published(game, message_id)


@pressed(CHANGE[Kind.CHALLENGE], by=By.PLAYERS)
async def ask_for_terms(interaction: Interaction, game: int, chosen: Setting | None = None) -> None:
    """Open the form of *Other settings* for a challenge that waits for an answer."""
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    present = await challenges.setting(player, game)
    await change_form(Kind.CHALLENGE, game, chosen or present).present(interaction)


@submitted(CHANGE_FORM[Kind.CHALLENGE], fields=FIELDS | CODE, by=By.PLAYERS)
async def change_challenge(interaction: Interaction, values: Mapping[str, Any], game: int) -> None:
    """Change a challenge, and show the challenger their own page; if a code is refused, say why."""
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    chosen = Setting(**{name: values[name] for name in FIELDS})
    try:
        changed = await challenges.change(player, game, chosen, typed_code(values))
    except CodeRefusedError as error:
        again = CHANGE[Kind.CHALLENGE](game=game, chosen=chosen)
        retry = button(again, say(words.RETRY_BUTTON), _BLUE)
        await show(interaction, notice(words.code_mistake(error, error.rules), [retry]))
        return
    await in_good_time(interaction, publish(interaction.client, challenges, changed))
    await _show_of_own_page(interaction, await challenges.look(player, game))


@pressed(ACCEPT, by=By.PLAYERS, cost=Cost.FREE)
async def accept(interaction: Interaction, game: int, seen: Setting) -> None:
    challenges = interaction.client.services.mastermind.challenges
    await _answer(interaction, challenges.accept(interaction.user.id, game, seen))


@pressed(DECLINE, by=By.PLAYERS)
async def decline(interaction: Interaction, game: int) -> None:
    """Decline a challenge, and offer to block its challenger.

    If the challenge is over, say so, and make the same offer.
    """
    challenges = interaction.client.services.mastermind.challenges
    try:
        found = await _answer(interaction, challenges.decline(interaction.user.id, game))
    except GameFinishedError as error:
        found, told = error.game, words_for(error)
    else:
        told = declined(found.owner_id)
    await offer_no_more(interaction, told, found.owner_id)


@pressed(WITHDRAW, by=By.PLAYERS)
async def withdraw(interaction: Interaction, game: int) -> None:
    challenges = interaction.client.services.mastermind.challenges
    await _answer(interaction, challenges.withdraw(interaction.user.id, game))


async def _answer(
    interaction: Interaction, answer: Coroutine[Any, Any, MastermindGame]
) -> MastermindGame:
    """Await the answer to a challenge, or its withdrawal, then update the challenge's board.

    Raises:
        GameFinishedError, AlreadyAcceptedError, ChallengeChangedError: this came too late. The
            board is updated first.
    """
    try:
        game = await answer
    except (GameFinishedError, AlreadyAcceptedError, ChallengeChangedError) as error:
        await repaint(interaction, error.game)
        raise
    await repaint(interaction, game)
    return game


OWN: Final = Route("mm:c:own:{game:int}")
POST: Final = Route("mm:c:post:{game:int}")


def own_page(view: InvitationView, pegs: Pegs, player_id: int, code: Code | None = None) -> Page:
    """A challenge's private page for one of its players; `code` is the one this player has set."""
    game = view.game
    if game.stage is Stage.OVER:
        return copy_page(game, pegs, player_id)
    buttons: list[ui.Button[Any]] = []
    if game.stage is Stage.INVITED:
        if player_id == game.owner_id:
            buttons.append(withdraw_button(game))
        else:
            buttons += [accept_button(game), decline_button(game)]
    buttons.append(button(POST(game=game.id), say(POST_AGAIN_BUTTON)))
    notes = [] if code is None else [words.own_code(code, pegs)]
    note = "\n".join([*notes, words.post_again_note(game)])
    return copy_page(game, pegs, player_id, buttons, note, view.face)


@pressed(OWN, by=By.PLAYERS)
async def open_own_page(interaction: Interaction, game: int) -> None:
    challenges = interaction.client.services.mastermind.challenges
    await _show_of_own_page(interaction, await challenges.look(interaction.user.id, game))


@pressed(POST, by=By.PLAYERS)
async def post_board(interaction: Interaction, game: int) -> None:
    """Post a challenge's board again; if the game is over, only show it privately."""
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    found = await challenges.look(player, game)
    if found.game.stage is not Stage.OVER:
        await in_good_time(interaction, post_again(interaction, found))
        found = await challenges.look(player, game)
    await _show_of_own_page(interaction, found)


async def _show_of_own_page(interaction: Interaction, view: InvitationView) -> None:
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    code = await challenges.own_code(player, view.game.id)
    await show(interaction, own_page(view, interaction.client.pegs, player, code))


async def post_again(interaction: Interaction, view: InvitationView) -> None:
    """Post a challenge's board again in its channel, in place of the old one.

    It pings nobody. If several are posted at once, the one that is noted last stays.
    """
    client, challenges = interaction.client, interaction.client.services.mastermind.challenges
    game, pegs = view.game, interaction.client.pegs
    channel_id = game.channel_id or 0

    def draw() -> Page:
        if game.stage is Stage.INVITED:
            return invitation_page(view, pegs)
        return challenge_page(game, pegs, has_keypad=bool(client.web_url))

    page = await for_server(client, game.guild_id, draw)
    nowhere = BoardUnpostableError(channel_id=channel_id)
    try:
        with unless_refused(nowhere):
            voice = await voice_in(interaction, labels.PLAY_IN, game.guild_id, channel_id)
            message_id = await voice.say(page)
    except NoServerError as error:
        raise nowhere from error
    before = await challenges.published(game, message_id)
    if before is not None:
        await delete_quietly(client, channel_id, before)


SHOW_FINISHED_PLAY: Final = Route("games:look:play:{game:int}")


@pressed(SHOW_FINISHED_PLAY, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_finished_play(interaction: Interaction, game: int) -> None:
    """Show a finished game in a new message; the list of games stays, to open another."""
    solo, player = interaction.client.services.mastermind.solo, interaction.user.id
    await whisper(interaction, play_page(await solo.view(player, game), interaction.client.pegs))


SHOW_FINISHED_CHALLENGE: Final = Route("games:look:challenge:{game:int}")


@pressed(SHOW_FINISHED_CHALLENGE, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_finished_challenge(interaction: Interaction, game: int) -> None:
    """Show a finished game in a new message; the list of games stays, to open another."""
    challenges, player = interaction.client.services.mastermind.challenges, interaction.user.id
    view = await challenges.look(player, game)
    await whisper(interaction, own_page(view, interaction.client.pegs, player))


class MastermindClockCog(TimedCog):
    """Ends games of every kind whose time has run out, and updates outdated public boards.

    It has a loop of its own: Discord may delay edits for minutes, and a heartbeat that waits with
    them would look like an outage.
    """

    waits = True

    @tasks.loop(seconds=10)
    async def publish(self) -> None:
        """End games whose time has run out and update outdated boards, if Discord is connected."""
        if self._hearing.heard:
            await self._attempt("boards", self._publish())

    async def _publish(self) -> None:
        mastermind = self._services.mastermind
        await mastermind.games.sweep()
        async for game in mastermind.games.unshown():
            work = partial(publish, self._client, mastermind.challenges, game)
            if not self._begin("board of mastermind", game.id, work):
                return
