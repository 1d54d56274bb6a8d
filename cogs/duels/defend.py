"""Boards of games in which the bot breaks a number; the buttons' ids hold the whole game.

A sealed number is encrypted in them.
"""

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.duels import defend_words as words
from bot.duels.defending import NumberGame
from bot.duels.model import NumberRefusedError
from bot.duels.position import DuelOptions
from bot.duels.round_words import DuelTiles
from bot.duels.words import HELP_TOPIC
from bot.games.model import Contradiction
from bot.games.words import BACK_BUTTON, CORRECT_PLACEHOLDER
from bot.people.game import Cost
from bot.refusals import refusal
from bot.refused import AtStakeError, OutdatedError
from bot.text.language import say
from cogs.duels.pages import NUMBER, NUMBER_FIELDS, duel_tiles_of, number_field
from cogs.ui.help import help_button
from cogs.ui.pages import Items, Page, button, new_id, notice, text_page
from cogs.ui.replies import Form, Interaction, in_good_time, show, whisper
from cogs.ui.routes import COUNT, Argument, By, Route, picked, pressed, submitted
from engine import BullsAndCows, Score

_COUNTS: Final = "abcdefg"

_RULES: Final = Argument(
    "[3-6]r?",
    lambda text: DuelOptions(int(text[0]), text.endswith("r")).rules(),
    lambda rules: f"{rules.digits}{'r' if rules.repeats else ''}",
)
# Bulls and cows of each answer, a letter each; an odd last letter is bulls without cows so far.
_SAID: Final = Argument(
    f"[{_COUNTS}]{{1,40}}",
    lambda text: tuple(map(_COUNTS.index, text)),
    lambda said: "".join(_COUNTS[count] for count in said),
)

BOARD: Final = Route("bc:d:{rules}:{seed:int}:{said?}", rules=_RULES, said=_SAID)
CHOOSE: Final = Route("bc:choose:{rules}:{seed:int}:{said}", rules=_RULES, said=_SAID)
PICK: Final = Route("bc:pick:{rules}:{seed:int}:{said}:{drawn:int}", rules=_RULES, said=_SAID)
NEW: Final = Route("bc:new:{rules}", rules=_RULES)
SEAL: Final = Route("bc:seal:{rules}", rules=_RULES)
SEAL_FORM: Final = Route("bc:form:{rules}", rules=_RULES)
STEP: Final = Route(
    "bc:k:{rules}:{seed:int}:{sealed}:{at:int}", rules=_RULES, sealed=Argument("[0-9]{3,6}")
)
DRAW: Final = Route("bc:draw:{rules}", rules=_RULES)
STEP_DRAWN: Final = Route("bc:w:{rules}:{seed:int}:{at:int}", rules=_RULES)

_ALL: Final = 99
_MOST_IN_A_ROW: Final = 5
_BLUE: Final = discord.ButtonStyle.primary


async def show_number_game(
    interaction: Interaction, result: Coroutine[Any, Any, NumberGame]
) -> None:
    """Show the game that a use case returns, or why the bot must not guess now."""
    try:
        game = await in_good_time(interaction, result)
    except AtStakeError as error:
        await _offer_drawn(interaction, error)
        return
    await show(interaction, number_page(game, duel_tiles_of(interaction.client)))


async def _offer_drawn(interaction: Interaction, error: AtStakeError) -> None:
    draw = button(DRAW(rules=error.rules), say(words.HUNT_BUTTONS["draw"]), _BLUE)
    await whisper(interaction, notice(refusal(error) or "", [draw]))


def number_page(game: NumberGame, tiles: DuelTiles | None) -> Page:
    board = words.number_board(game, tiles)
    if game.number is not None:
        return text_page(board, [list(_sealed_buttons(game))])
    rows: list[Items] = []
    if game.hunt.contradiction is not None:
        rows.append([_answers_list(game)])
    return text_page(board, [*rows, *_answer_rows(game), list(_other_buttons(game))])


def _counts(game: NumberGame, *more: int) -> tuple[int, ...]:
    """Return the counts that ids have: bulls and cows of each answer, in order, then `more`."""
    known = [count for answer in game.answers for count in answer]
    halfway = () if game.bulls is None else (game.bulls,)
    return (*known, *halfway, *more)


def _answer_rows(game: NumberGame) -> Iterator[Items]:
    buttons = [
        button(
            BOARD(rules=game.rules, seed=game.seed, said=_counts(game, count)), str(count), _BLUE
        )
        for count in game.choices
    ]
    for start in range(0, len(buttons), _MOST_IN_A_ROW):
        yield buttons[start : start + _MOST_IN_A_ROW]


def _other_buttons(game: NumberGame) -> Iterator[ui.Button[Any]]:
    if game.is_found:
        yield button(NEW(rules=game.rules), say(words.HUNT_BUTTONS["again"]), _BLUE)
    if game.bulls is not None:
        back = BOARD(rules=game.rules, seed=game.seed, said=_counts(game)[:-1] or None)
        yield button(back, say(words.HUNT_BUTTONS["back"]))
    elif game.hunt.turns:
        if game.hunt.contradiction is None:
            choose = CHOOSE(rules=game.rules, seed=game.seed, said=_counts(game))
            yield button(choose, say(words.HUNT_BUTTONS["choose"]))
    else:
        yield button(SEAL(rules=game.rules), say(words.HUNT_BUTTONS["seal"]))
    yield help_button(HELP_TOPIC)


def _sealed_buttons(game: NumberGame) -> Iterator[ui.Button[Any]]:
    facts: dict[str, object] = {"rules": game.rules, "seed": game.seed, "sealed": game.sealed}
    route = STEP_DRAWN if game.is_drawn else STEP
    if game.is_found and game.is_drawn:
        yield button(DRAW(rules=game.rules), say(words.HUNT_BUTTONS["redraw"]), _BLUE)
    elif game.is_found:
        yield button(SEAL(rules=game.rules), say(words.HUNT_BUTTONS["another"]), _BLUE)
        yield button(NEW(rules=game.rules), say(words.HUNT_BUTTONS["again"]))
    else:
        step = route(**facts, at=len(game.hunt.turns) + 1)
        yield button(step, say(words.HUNT_BUTTONS["step"]), _BLUE)
        yield button(route(**facts, at=_ALL), say(words.HUNT_BUTTONS["all"]))
    yield help_button(HELP_TOPIC)


def _answers_list(game: NumberGame) -> ui.Select[Any]:
    """Build the list of answers to correct, first those that may be the mistake."""
    found = game.hunt.contradiction or Contradiction((), ())
    order = sorted(
        range(len(game.answers)), key=lambda n: (n not in found.repairs, n not in found.turns, n)
    )
    options: list[discord.SelectOption] = []
    for index in order:
        label, description = words.answer_choice(game, index)
        options.append(discord.SelectOption(label=label, value=str(index), description=description))
    drawn = new_id()
    return ui.Select[Any](
        custom_id=PICK(rules=game.rules, seed=game.seed, said=_counts(game), drawn=drawn),
        id=drawn,
        placeholder=say(CORRECT_PLACEHOLDER),
        options=options,
    )


async def _replayed(
    interaction: Interaction, rules: BullsAndCows, seed: int, said: Sequence[int]
) -> NumberGame:
    pairs = len(said) // 2
    answers = [Score(said[2 * n], said[2 * n + 1]) for n in range(pairs)]
    bulls = said[-1] if len(said) % 2 else None
    defending = interaction.client.services.duels.defending
    return await defending.view(interaction.user.id, rules, seed, answers, bulls)


@pressed(BOARD, by=By.ANYBODY, cost=Cost.HEAVY, is_kept=True)
async def answer(
    interaction: Interaction, rules: BullsAndCows, seed: int, said: Sequence[int] = ()
) -> None:
    await show_number_game(interaction, _replayed(interaction, rules, seed, said))


@pressed(NEW, by=By.ANYBODY, cost=Cost.HEAVY)
async def play_again(interaction: Interaction, rules: BullsAndCows) -> None:
    await open_number_game(interaction, DuelOptions(rules.digits, rules.repeats))


async def open_number_game(interaction: Interaction, options: DuelOptions) -> None:
    defending = interaction.client.services.duels.defending
    await show_number_game(interaction, defending.open(interaction.user.id, options))


@pressed(CHOOSE, by=By.ANYBODY, cost=Cost.HEAVY)
async def choose_answer(
    interaction: Interaction, rules: BullsAndCows, seed: int, said: Sequence[int]
) -> None:
    game = await in_good_time(interaction, _replayed(interaction, rules, seed, said))
    if not game.answers:
        raise OutdatedError(what="an answer that was never given")
    keep = button(BOARD(rules=rules, seed=seed, said=said), say(BACK_BUTTON))
    board = words.number_board(game, duel_tiles_of(interaction.client), asking=False)
    await show(interaction, text_page(board, [[_answers_list(game)], [keep]]))


@picked(PICK, of=COUNT, by=By.ANYBODY, cost=Cost.HEAVY)
async def ask_again(
    interaction: Interaction,
    index: int,
    rules: BullsAndCows,
    seed: int,
    said: Sequence[int],
) -> None:
    seen = await in_good_time(interaction, _replayed(interaction, rules, seed, said))
    if index >= len(seen.answers):
        raise OutdatedError(what="an answer that was never given")
    game = await _replayed(interaction, rules, seed, said[: 2 * index])
    keep = button(BOARD(rules=rules, seed=seed, said=said), say(BACK_BUTTON))
    tiles = duel_tiles_of(interaction.client)
    note = words.correction(game, seen, index, tiles)
    page = text_page(words.number_board(game, tiles), [*_answer_rows(game), [keep]], note)
    await show(interaction, page)


@pressed(SEAL, by=By.ANYBODY)
async def ask_for_number(interaction: Interaction, rules: BullsAndCows) -> None:
    """Open the form for a number to seal; if the bot must not guess now, offer a drawn one."""
    defending = interaction.client.services.duels.defending
    try:
        await defending.prepare(interaction.user.id, rules)
    except AtStakeError as error:
        await _offer_drawn(interaction, error)
        return
    title, text = say(words.FORM_TITLE), say(words.FORM_TEXT)
    await Form(SEAL_FORM(rules=rules), title, text, number_field(rules)).present(interaction)


@submitted(SEAL_FORM, fields=NUMBER_FIELDS, by=By.ANYBODY, cost=Cost.HEAVY)
async def seal(interaction: Interaction, values: Mapping[str, str], rules: BullsAndCows) -> None:
    """Seal a typed number and begin to break it; if the text is no number, offer the form again."""
    defending, player = interaction.client.services.duels.defending, interaction.user.id
    try:
        opened = defending.open_sealed(player, rules, values[NUMBER])
        await show_number_game(interaction, opened)
    except NumberRefusedError as error:
        retry = button(SEAL(rules=rules), say(words.HUNT_BUTTONS["retry"]))
        await whisper(interaction, notice(refusal(error) or "", [retry]))


@pressed(STEP, by=By.ANYBODY, cost=Cost.HEAVY)
async def step(
    interaction: Interaction, rules: BullsAndCows, seed: int, sealed: str, at: int
) -> None:
    defending, player = interaction.client.services.duels.defending, interaction.user.id
    await show_number_game(interaction, defending.step(player, rules, seed, sealed, at))


@pressed(DRAW, by=By.ANYBODY, cost=Cost.HEAVY)
async def draw(interaction: Interaction, rules: BullsAndCows) -> None:
    defending = interaction.client.services.duels.defending
    await show_number_game(interaction, defending.open_drawn(interaction.user.id, rules))


@pressed(STEP_DRAWN, by=By.ANYBODY, cost=Cost.HEAVY)
async def step_drawn(interaction: Interaction, rules: BullsAndCows, seed: int, at: int) -> None:
    defending = interaction.client.services.duels.defending
    await show_number_game(interaction, defending.step_drawn(rules, seed, at))
