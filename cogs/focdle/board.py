"""What the buttons and the forms of a FoCdle board do."""

from collections.abc import Mapping

from bot.coach.game.lessons import Answer
from bot.dailies import PuzzleName
from bot.focdle.model.errors import GuessRefusedError
from bot.focdle.model.play import Play
from bot.people.game.allowance import Cost
from cogs.coach.hints import (
    ASKED_IN_PLAY,
    SHOW_IN_PLAY,
    SUGGESTED_EQUATION,
)
from cogs.coach.routes import FIND
from cogs.focdle.lesson import (
    ASK_FOR_BETTER,
    BEST,
    BETTER_FORM,
    better_answer,
    better_question,
    better_refused,
)
from cogs.focdle.morning import ask_for_mornings
from cogs.focdle.page import (
    ASK,
    EDIT,
    FIELDS,
    FORM,
    GIVE_UP,
    GUESS,
    HARD,
    KEEP,
    LENGTH,
    MORE,
    PROBE,
    SEND,
    draw_board,
    give_up_question,
    guess_form,
)
from cogs.focdle.sharing import OPEN, OPEN_FROM_CARD, OPEN_FROM_POST
from cogs.focdle.todays_card import share_by_itself
from cogs.ui.doors import PRACTICE
from cogs.ui.replies import (
    Attempt,
    Interaction,
    in_good_time,
    server_of,
    services_of,
    show,
    tiles_of,
    whisper,
)
from cogs.ui.routes import COUNT, By, kept_text, picked, pressed, submitted


async def show_board(
    interaction: Interaction,
    play: Play,
    refused: GuessRefusedError | None = None,
    note: str = "",
) -> None:
    """Show a play's board, and why a guess was refused; one that has just ended is shared."""
    await show(interaction, await draw_board(interaction, play, refused, note=note))
    await share_by_itself(interaction, play)


async def show_guessed(interaction: Interaction, play: Play, note: str = "") -> None:
    """Show a play's board after a guess, and what a manager is asked where that has ended it."""
    await show_board(interaction, play, note=note)
    await ask_for_mornings(interaction, play)


@pressed(GUESS, EDIT, by=By.PLAYERS)
async def ask_for_guess(interaction: Interaction, play: int, draft: str = "") -> None:
    """Open the form, with a refused guess in it, or show the board if the game has ended."""
    found = await services_of(interaction).daily.view(interaction.user.id, play)
    if found.game.outcome is None:
        await guess_form(found, tiles_of(interaction), draft).present(interaction)
    else:
        await show_board(interaction, found)


def _send_again(values: Mapping[str, str], play: int) -> Attempt | None:
    """What sends the guess of a form, of which only its player's own message tells."""
    draft = kept_text(values["guess"])
    return Attempt(SEND(play=play, draft=draft), draft) if draft else None


@submitted(FORM, fields=FIELDS, by=By.PLAYERS, cost=Cost.FREE, again=_send_again)
async def guess_as_typed(interaction: Interaction, values: Mapping[str, str], play: int) -> None:
    """Play what was typed."""
    await _guess(interaction, play, values["guess"])


@pressed(SEND, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def guess_again(interaction: Interaction, play: int, draft: str) -> None:
    """Play what there was no time for; a guess that was played meanwhile costs nothing."""
    await _guess(interaction, play, draft)


@pressed(PROBE, SUGGESTED_EQUATION, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def guess_as_probe(interaction: Interaction, play: int, guess: str) -> None:
    """Play after all what its player was asked about, or what a hint had suggested."""
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
        await show_guessed(interaction, play)


@pressed(PRACTICE, by=By.ANYBODY, cost=Cost.HEAVY)
async def practise(interaction: Interaction, length: int) -> None:
    """Open a practice in a private message of its own; the finished one stays."""
    practice = services_of(interaction).practice
    play = await practice.open(interaction.user.id, server_of(interaction), length)
    await whisper(interaction, await draw_board(interaction, play))


@picked(LENGTH, of=COUNT, by=By.PLAYERS, cost=Cost.HEAVY)
async def choose_length(interaction: Interaction, length: int, play: int) -> None:
    """Show a practice of the length in place of this one."""
    practice, player = services_of(interaction).practice, interaction.user.id
    found = await practice.swap(player, server_of(interaction), play, length)
    await show_board(interaction, found)


@pressed(MORE, by=By.PLAYERS)
async def show_more(interaction: Interaction, play: int) -> None:
    """Show what else there is below the board's buttons."""
    found = await services_of(interaction).daily.view(interaction.user.id, play)
    await show(interaction, await draw_board(interaction, found, more=True))


@pressed(HARD, by=By.PLAYERS)
async def choose_hard_mode(interaction: Interaction, on: bool, play: int) -> None:
    """Turn hard mode on or off, as in `/preferences`; a game that has begun keeps its own."""
    player, services = interaction.user.id, services_of(interaction)
    found = await services.daily.view(player, play)
    if not found.game.turns:
        await services.preferences.set_hard_mode(player, on=on)
        found = await services.daily.view(player, play)
    await show_board(interaction, found)


@pressed(ASK, by=By.PLAYERS)
async def ask_whether_to_give_up(interaction: Interaction, play: int) -> None:
    """Ask in place of the board's buttons; what cannot be given up is shown as it stands."""
    found = await services_of(interaction).daily.view(interaction.user.id, play)
    asks = found.puzzle is None and found.game.outcome is None
    question = give_up_question(found) if asks else None
    await show(interaction, await draw_board(interaction, found, question=question))


@pressed(GIVE_UP, by=By.PLAYERS)
async def give_up(interaction: Interaction, play: int) -> None:
    """End a practice, and show its equation."""
    practice = services_of(interaction).practice
    await show_board(interaction, await practice.give_up(interaction.user.id, play))


@pressed(SHOW_IN_PLAY, by=By.PLAYERS)
async def give_hint(interaction: Interaction, game: int, turns: int, taken: int) -> None:
    """Give a hint to who has made so many guesses, and had so many hints; the board shows it."""
    hints, player = services_of(interaction).coach.hints, interaction.user.id
    await show_board(interaction, await hints.of_play(player, game, turns, taken))


@pressed(ASKED_IN_PLAY, by=By.PLAYERS)
async def show_hints_of_now(
    interaction: Interaction,
    game: int,
    what: str,  # noqa: ARG001 - the route names it
    turn: int,  # noqa: ARG001 - likewise
) -> None:
    """Show the board to who asks for a hint of a kind that there was."""
    await keep_playing(interaction, game)


@pressed(FIND, by=By.PLAYERS)
async def find_better(interaction: Interaction, play: int, turn: int) -> None:
    """Show a finished board before a guess, and ask for a better one."""
    lesson = await services_of(interaction).coach.lessons.of(interaction.user.id, play, turn)
    page = await draw_board(interaction, lesson.play, question=better_question(lesson))
    await show(interaction, page)


@pressed(ASK_FOR_BETTER, by=By.PLAYERS)
async def ask_for_better(interaction: Interaction, play: int, turn: int, draft: str = "") -> None:
    """Open the form for one, with a refused guess in it."""
    lesson = await services_of(interaction).coach.lessons.of(interaction.user.id, play, turn)
    custom_id = BETTER_FORM(play=play, turn=turn)
    await guess_form(lesson.play, tiles_of(interaction), draft, custom_id).present(interaction)


@submitted(BETTER_FORM, fields=FIELDS, by=By.PLAYERS, cost=Cost.COACH)
async def better_as_typed(
    interaction: Interaction, values: Mapping[str, str], play: int, turn: int
) -> None:
    """Say what the guess that was typed would have been worth."""
    lessons, player = services_of(interaction).coach.lessons, interaction.user.id
    try:
        found = await in_good_time(interaction, lessons.answer(player, play, turn, values["guess"]))
    except GuessRefusedError as error:
        asked = better_refused(error, turn)
        await show(interaction, await draw_board(interaction, error.play, question=asked))
    else:
        await _tell(interaction, found)


@pressed(BEST, by=By.PLAYERS, cost=Cost.COACH)
async def show_best(interaction: Interaction, play: int, turn: int) -> None:
    """Say what the solver would have guessed."""
    shown = services_of(interaction).coach.lessons.shown(interaction.user.id, play, turn)
    await _tell(interaction, await in_good_time(interaction, shown))


async def _tell(interaction: Interaction, found: Answer) -> None:
    told = better_answer(found)
    await show(interaction, await draw_board(interaction, found.lesson.play, question=told))


@pressed(KEEP, by=By.PLAYERS)
async def keep_playing(interaction: Interaction, play: int) -> None:
    """Show the board again, with its buttons."""
    await show_board(
        interaction, await services_of(interaction).daily.view(interaction.user.id, play)
    )


@pressed(OPEN, OPEN_FROM_CARD, OPEN_FROM_POST, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_puzzle(interaction: Interaction, number: int, length: int) -> None:
    """Open the presser's own board of a puzzle in a private message."""
    daily, player = services_of(interaction).daily, interaction.user.id
    name = PuzzleName(number, length)
    await show_board(interaction, await daily.open(player, server_of(interaction), puzzle=name))
