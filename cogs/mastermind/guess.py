"""Breaking a code: what colour buttons and a typed form do, in private and in public."""

from collections.abc import Awaitable, Mapping
from typing import Any, Final

import discord

from bot.mastermind.game.challenge import Challenges
from bot.mastermind.game.setting import Setting
from bot.mastermind.model.errors import GameFinishedError, MastermindRefusedError, RowError
from bot.mastermind.model.game import Kind, MastermindGame, Stage
from bot.mastermind.pages import labels as words
from bot.people.game.allowance import Cost
from bot.text.language import say
from cogs.coach.hints import (
    ASKED_IN_MASTERMIND,
    SHOW_IN_MASTERMIND,
    SUGGESTED_CODE,
)
from cogs.mastermind.boards import (
    CODE,
    MORE,
    NEW_PLAY,
    find_breakable,
    game_page,
    guessing_of,
    typed_code,
    words_for,
)
from cogs.mastermind.keys import CLEAR, PUT, SUBMIT, UNDO
from cogs.mastermind.pages import (
    AGAIN,
    ASK,
    END,
    FORM,
    KEEP,
    SEND,
    TYPE,
    challenge_page,
    copy_page,
    edit_button,
    guess_form,
    more_of_challenge,
    play_page,
)
from cogs.mastermind.public_board import Draw, edit_board, keep, resign, show_on_board
from cogs.mastermind.setting_form import (
    ASK_SETTING,
    FIELDS,
    SETTING_FORM,
    setting_form,
)
from cogs.ui.pages import button, notice
from cogs.ui.replies import (
    Attempt,
    Interaction,
    pegs_of,
    pegs_of_client,
    services_of,
    show,
    whisper,
)
from cogs.ui.routes import By, kept_text, pressed, submitted
from engine import GameOverError

_BLUE: Final = discord.ButtonStyle.primary
_RED: Final = discord.ButtonStyle.danger


async def show_play(interaction: Interaction, result: Awaitable[MastermindGame]) -> None:
    """Show the private board that the service comes back with, and why a guess was refused."""
    refused: Exception | None = None
    try:
        game = await result
    except (MastermindRefusedError, GameFinishedError, RowError) as error:
        game, refused = error.game, error
    await show(interaction, play_page(game, pegs_of(interaction), refused))


async def show_challenge(interaction: Interaction, result: Awaitable[MastermindGame]) -> None:
    """Show everybody the board that the service comes back with.

    What was refused, its player alone is told, with a way to mend what was typed; a game that
    turns out to be over is shown so first.
    """
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


async def repaint(interaction: Interaction, game: MastermindGame) -> None:
    """Show everybody, and who clicked, how a challenge stands."""
    pegs, player = pegs_of(interaction), interaction.user.id
    public = _public(interaction.client)
    await show_on_board(interaction, game, public, lambda game: copy_page(game, pegs, player))


async def publish(client: discord.Client, challenges: Challenges, game: MastermindGame) -> None:
    """Show a challenge as it stands on its message, wherever that is, if it is still there."""
    await edit_board(client, challenges, game, _public(client))


def _public(client: discord.Client) -> Draw:
    """What everybody sees of a challenge."""
    return lambda game: challenge_page(game, pegs_of_client(client))


async def _show(interaction: Interaction, kind: Kind, result: Awaitable[MastermindGame]) -> None:
    if kind is Kind.PLAY:
        await show_play(interaction, result)
    else:
        await show_challenge(interaction, result)


async def _show_as_it_stands(interaction: Interaction, game: MastermindGame) -> None:
    if game.kind is Kind.PLAY:
        await show(interaction, play_page(game, pegs_of(interaction)))
    else:
        await repaint(interaction, game)


@pressed(PUT, by=By.PLAYERS)
async def put_peg(interaction: Interaction, kind: Kind, game: int, pegs: str) -> None:
    """Put a peg of a colour."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.put(interaction.user.id, game, pegs))


@pressed(UNDO, by=By.PLAYERS)
async def take_back_peg(interaction: Interaction, kind: Kind, game: int) -> None:
    """Take the last peg back."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.undo(interaction.user.id, game))


@pressed(CLEAR, by=By.PLAYERS)
async def clear_row(interaction: Interaction, kind: Kind, game: int) -> None:
    """Take all pegs back."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.clear(interaction.user.id, game))


@pressed(SUBMIT, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def submit_row(interaction: Interaction, kind: Kind, game: int, pegs: str = "") -> None:
    """Guess the row that everybody saw above the button."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.submit(interaction.user.id, game, pegs))


@pressed(TYPE, by=By.PLAYERS)
async def ask_for_guess(interaction: Interaction, kind: Kind, game: int, draft: str = "") -> None:
    """Open the form, with a refused guess in it, or show the board if the game has ended."""
    found = await find_breakable(interaction, kind, game)
    if found.stage is Stage.PLAYING:
        await guess_form(found, pegs_of(interaction), draft).present(interaction)
    else:
        await _show_as_it_stands(interaction, found)


def _send_again(values: Mapping[str, str], kind: Kind, game: int) -> Attempt | None:
    """What sends the guess of a form."""
    draft = kept_text(typed_code(values))
    return Attempt(SEND(kind=kind, game=game, draft=draft), draft) if draft else None


@submitted(FORM, fields=CODE, by=By.PLAYERS, cost=Cost.FREE, again=_send_again)
async def guess_as_typed(
    interaction: Interaction, values: Mapping[str, str], kind: Kind, game: int
) -> None:
    """Guess what was typed."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.guess(interaction.user.id, game, typed_code(values)))


@pressed(SEND, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def guess_again(interaction: Interaction, kind: Kind, game: int, draft: str) -> None:
    """Guess what there was no time for; a guess that was made meanwhile costs nothing."""
    service = guessing_of(interaction, kind)
    await _show(interaction, kind, service.guess(interaction.user.id, game, draft))


@pressed(SUGGESTED_CODE, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def guess_as_suggested(interaction: Interaction, game: int, guess: str) -> None:
    """Guess what a hint had suggested."""
    solo = services_of(interaction).mastermind.solo
    await show_play(interaction, solo.guess(interaction.user.id, game, guess))


@pressed(SHOW_IN_MASTERMIND, by=By.PLAYERS)
async def give_hint(interaction: Interaction, game: int, turns: int, taken: int) -> None:
    """Give a hint to who has made so many guesses, and had so many hints; the board shows it."""
    hints, player = services_of(interaction).coach.hints, interaction.user.id
    await show_play(interaction, hints.of_mastermind(player, game, turns, taken))


@pressed(ASKED_IN_MASTERMIND, by=By.PLAYERS)
async def show_hints_of_now(
    interaction: Interaction,
    game: int,
    what: str,  # noqa: ARG001 - the route names it
    turn: int,  # noqa: ARG001 - likewise
) -> None:
    """Show the board to who asks for a hint of a kind that there was."""
    await show_play(interaction, find_breakable(interaction, Kind.PLAY, game))


@pressed(MORE[Kind.PLAY], by=By.PLAYERS)
async def show_more(interaction: Interaction, game: int) -> None:
    """Show what else there is below the board's buttons."""
    found = await find_breakable(interaction, Kind.PLAY, game)
    await show(interaction, play_page(found, pegs_of(interaction), more=True))


@pressed(MORE[Kind.CHALLENGE], by=By.ONLOOKERS)
async def show_more_of_challenge(interaction: Interaction, game: int) -> None:
    """Show what else there is in a private message of its own; the board stays."""
    challenges, player = services_of(interaction).mastermind.challenges, interaction.user.id
    found = await challenges.see(player, game, interaction.guild_id)
    await whisper(interaction, more_of_challenge(found, player))


@pressed(ASK, by=By.PLAYERS)
async def ask_whether_to_end(interaction: Interaction, kind: Kind, game: int) -> None:
    """Ask in place of a private board's buttons, or beside a public board."""
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
        question = say(words.SURRENDER_QUESTION)
        await show(interaction, game_page(found, pegs_of(interaction), [answers], question))


@pressed(END, by=By.PLAYERS)
async def end(interaction: Interaction, kind: Kind, game: int) -> None:
    """Give up, or resign."""
    if kind is Kind.CHALLENGE:
        await resign(interaction, game, _public(interaction.client))
    else:
        solo = services_of(interaction).mastermind.solo
        await show_play(interaction, solo.surrender(interaction.user.id, game))


@pressed(KEEP, by=By.PLAYERS)
async def keep_playing(interaction: Interaction, kind: Kind, game: int) -> None:
    """Go on."""
    found = await find_breakable(interaction, kind, game)
    if kind is Kind.CHALLENGE:
        await keep(interaction, found, _public(interaction.client))
    else:
        await show(interaction, play_page(found, pegs_of(interaction)))


@pressed(AGAIN, by=By.PLAYERS)
async def play_again(interaction: Interaction, game: int) -> None:
    """Open a game of the same setting in a message of its own; the finished board stays."""
    solo, player = services_of(interaction).mastermind.solo, interaction.user.id
    finished = await solo.view(player, game)
    opened = await solo.open(player, Setting.of(finished.rules))
    await whisper(interaction, play_page(opened, pegs_of(interaction)))


@pressed(NEW_PLAY, by=By.ANYBODY)
async def play_instead(interaction: Interaction, setting: Setting) -> None:
    """Open a game at the setting of one in which the bot guessed; that one's board stays."""
    solo, player = services_of(interaction).mastermind.solo, interaction.user.id
    opened = await solo.open(player, setting)
    await whisper(interaction, play_page(opened, pegs_of(interaction)))


@pressed(ASK_SETTING, by=By.PLAYERS)
async def ask_setting(interaction: Interaction, game: int) -> None:
    """Open the form with another setting, or the board if the game has begun meanwhile."""
    solo, player = services_of(interaction).mastermind.solo, interaction.user.id
    found = await solo.view(player, game)
    if found.turns or found.pending or found.stage is Stage.OVER:
        await show(interaction, play_page(found, pegs_of(interaction)))
    else:
        await setting_form(game, Setting.of(found.rules)).present(interaction)


@submitted(SETTING_FORM, fields=FIELDS, by=By.PLAYERS)
async def change_setting(interaction: Interaction, values: Mapping[str, Any], game: int) -> None:
    """Play at the setting that was chosen, in place of the game in which nothing was done yet."""
    solo, player = services_of(interaction).mastermind.solo, interaction.user.id
    await show_play(interaction, solo.swap(player, game, Setting(**values)))
