"""`/mastermind` commands, and boards of games in which the bot breaks a code."""

from collections.abc import Coroutine, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.games.words import BACK_BUTTON, CORRECT_PLACEHOLDER
from bot.mastermind import board_words, words
from bot.mastermind.game import Setting
from bot.mastermind.model import CodeRefusedError, Kind, MastermindGame, Question, SolverView, Stage
from bot.mastermind.words import HELP_TOPIC
from bot.people.game import Cost
from bot.refused import AtStakeError, RankedGameError
from bot.text.language import say
from bot.text.tiles import Pegs
from cogs.coach import coach_of_mastermind
from cogs.mastermind.guess import ask_for_code, show_play
from cogs.mastermind.pages import (
    CHANGE,
    CHANGE_FORM,
    CODE,
    FIELDS,
    KEEP,
    MORE,
    NEW_DEFENCE,
    SETTING,
    change_button,
    change_form,
    ending_buttons,
    in_rows,
    new_code_form,
    swap_button,
    typed_code,
    verify_of_game,
    with_more,
    words_for,
)
from cogs.ui.dispatch import costs
from cogs.ui.help import help_button, with_add_button
from cogs.ui.pages import Items, Page, button, new_id, notice, text_page
from cogs.ui.replies import Form, Interaction, in_good_time, show, whisper
from cogs.ui.routes import COUNT, Argument, By, Route, picked, pressed, submitted
from engine import COLOURS, Mastermind, Score

STEP: Final = Route("mm:s:step:{game:int}:{at:int}")
ALL: Final = Route("mm:s:all:{game:int}")
SEAL: Final = Route("mm:seal:{setting}:{replaced:int}", setting=SETTING)
SEAL_FORM: Final = Route("mm:form:seal:{setting}:{replaced:int}", setting=SETTING)

_BLUE: Final = discord.ButtonStyle.primary


def at_stake_notice(error: AtStakeError, *, is_new: bool = False) -> Page:
    """Build the notice why the bot must not guess now, with buttons for what the player can do.

    If the game would be new (`is_new`), it can have other pegs and colours.
    """
    buttons: list[ui.Button[Any]] = []
    if isinstance(error, RankedGameError):
        ranked = KEEP(kind=Kind.PLAY, game=error.game_id)
        buttons.append(button(ranked, say(words.OPEN_RANKED_BUTTON)))
        if error.is_sealable and isinstance(error.rules, Mastermind):
            buttons.append(seal_button(error.rules, say(words.SEAL_INSTEAD_BUTTON)))
    if is_new:
        buttons.append(button(CHANGE[Kind.DEFEND](game=0), say(words.OTHERS_BUTTON)))
    return notice(words_for(error), buttons)


def sealed_page(view: SolverView, pegs: Pegs, *, more: bool = False) -> Page:
    """The private board of a game in which the bot breaks a sealed code."""
    game, board = view.game, board_words.sealed_board(view, pegs)
    first: list[ui.Button[Any]] = []
    if game.stage is Stage.PLAYING:
        step = STEP(game=game.id, at=len(game.turns))
        first.append(button(step, say(words.STEP_BUTTONS["step"]), _BLUE))
        first.append(button(ALL(game=game.id), say(words.STEP_BUTTONS["all"])))
        rest = [*verify_of_game(game)]
        (rest if game.turns else first).append(help_button(HELP_TOPIC))
        return text_page(board, with_more(game, first, rest, more=more))
    again = seal_button(game.rules, say(words.SEAL_AGAIN_BUTTON))
    again.style = _BLUE
    swap = swap_button(game, say(words.SWAP_BUTTON))
    return text_page(board, [[again, swap, *ending_buttons(game)]])


def seal_button(rules: Mastermind, label: str, replaced: int = 0) -> ui.Button[Any]:
    """The button that opens the form for a sealed code.

    `replaced` is the id of the untouched game that the new one replaces; 0 for none.
    """
    return button(SEAL(setting=Setting.of(rules), replaced=replaced), label)


@pressed(STEP, by=By.PLAYERS, cost=Cost.HEAVY)
async def step(interaction: Interaction, game: int, at: int) -> None:
    """Let the bot guess once, unless it has guessed since the board was shown."""
    defence = interaction.client.services.mastermind.defence
    await show_defence(interaction, defence.step(interaction.user.id, game, at))


@pressed(ALL, by=By.PLAYERS, cost=Cost.HEAVY)
async def step_to_end(interaction: Interaction, game: int) -> None:
    defence = interaction.client.services.mastermind.defence
    await show_defence(interaction, defence.finish(interaction.user.id, game))


@pressed(SEAL, by=By.ANYBODY)
async def ask_for_sealed_code(interaction: Interaction, setting: Setting, replaced: int) -> None:
    """Open the form for a code to seal.

    If the player cannot begin a game now, this is refused before they type the code.
    """
    defence = interaction.client.services.mastermind.defence
    await defence.prepare(interaction.user.id, setting, replaced)
    await seal_form(setting, replaced).present(interaction)


def seal_form(setting: Setting, replaced: int) -> Form:
    custom_id = SEAL_FORM(setting=setting, replaced=replaced)
    return new_code_form(custom_id, setting, words.sealed_form_text(setting.rules()))


@submitted(SEAL_FORM, fields=CODE, by=By.ANYBODY)
async def seal(
    interaction: Interaction, values: Mapping[str, str], setting: Setting, replaced: int
) -> None:
    """Seal the typed code, and open a game in which the bot breaks it.

    If the text is no code, a notice says why and offers the form again.
    """
    defence, player = interaction.client.services.mastermind.defence, interaction.user.id
    try:
        opened = defence.open_sealed(player, setting, typed_code(values), replaced)
        view = await in_good_time(interaction, opened)
    except CodeRefusedError as error:
        retry = seal_button(error.rules, say(words.RETRY_BUTTON), replaced)
        await whisper(interaction, notice(words_for(error), [retry]))
        return
    await (show if replaced else whisper)(interaction, sealed_page(view, interaction.client.pegs))


VIEW: Final = Route("mm:d:view:{game:int}")
CHOOSE: Final = Route("mm:d:choose:{game:int}")
ASK: Final = Route("mm:d:ask:{game:int}")
END: Final = Route("mm:d:end:{game:int}")
AGAIN: Final = Route("mm:d:again:{game:int}")
# A guess that the player has seen, by turn and letters, is on the player's board and no secret.
_SEEN: Final = Argument(
    f"[0-9]{{1,3}}:[{COLOURS}]+",
    lambda text: Question(int(text.partition(":")[0]), text.partition(":")[2]),
    lambda seen: f"{seen.turn}:{seen.guess}",
)
BLACKS: Final = Route("mm:d:blacks:{game:int}:{seen}:{count:int}", seen=_SEEN)
WHITES: Final = Route("mm:d:whites:{game:int}:{seen}:{blacks:int}-{count:int}", seen=_SEEN)
BACK: Final = Route("mm:d:back:{game:int}:{seen}:{blacks:int}", seen=_SEEN)
PICK: Final = Route("mm:d:pick:{game:int}:{drawn:int}")
# `at` is the number of answered turns that the player saw.
FIX_BLACKS: Final = Route("mm:d:fix:{at:int}:{game:int}:{seen}:{count:int}", seen=_SEEN)
FIX_WHITES: Final = Route(
    "mm:d:fix:{at:int}:{game:int}:{seen}:{blacks:int}-{count:int}", seen=_SEEN
)

_RED: Final = discord.ButtonStyle.danger


async def show_defence(
    interaction: Interaction,
    result: Coroutine[Any, Any, SolverView],
    *,
    is_new: bool = False,
    as_new: bool = False,
    unfit: int | None = None,
) -> None:
    """Show the game that a use case returns, or why the bot must not guess now.

    `is_new` says that the use case opens one. With `as_new`, the board is a new message. `unfit`
    is for the correction of answers that no code fitted: it is the index of the corrected one. If
    still no code fits, a note says so.
    """
    try:
        view = await in_good_time(interaction, result)
    except AtStakeError as error:
        await whisper(interaction, at_stake_notice(error, is_new=is_new))
        return
    note = "" if unfit is None else board_words.still_unfit(view, unfit)
    page = defence_page(view, interaction.client.pegs, note)
    await (whisper if as_new else show)(interaction, page)


def defence_page(view: SolverView, pegs: Pegs, note: str = "", *, more: bool = False) -> Page:
    """Build the private board of a game in which the bot breaks the player's code, sealed or not.

    `more` shows the buttons behind *More*.
    """
    game = view.game
    if game.sealed:
        return sealed_page(view, pegs, more=more)
    board = board_words.defend_board(view, pegs)
    if game.stage is Stage.OVER:
        first = [button(AGAIN(game=game.id), say(words.DEFEND_BUTTONS["again"]), _BLUE)]
        if game.is_correctable:
            first.append(_choose_button(game))
        swap = swap_button(game, say(words.SWAP_BUTTON))
        return text_page(board, [[*first, swap, *coach_of_mastermind(game)]])
    rows: list[Items] = []
    face: list[ui.Button[Any]] = []
    rest = [*change_button(game), button(ASK(game=game.id), say(words.DEFEND_BUTTONS["ask"]))]
    (rest if game.turns else face).append(help_button(HELP_TOPIC))
    if view.contradiction is not None:
        rows.append([_answers_list(view)])
    elif game.question is not None:
        seen = game.question
        route = BLACKS if seen.blacks is None else WHITES
        answers = [
            button(
                route(game=game.id, seen=seen, blacks=seen.blacks, count=count), str(count), _BLUE
            )
            for count in game.choices
        ]
        rows += in_rows(answers)
        face = [*_correction_buttons(game), *face]
    return text_page(board, [*rows, *with_more(game, face, rest, more=more)], note)


def view_button(game_id: int, label: str) -> ui.Button[Any]:
    return button(VIEW(game=game_id), label, _BLUE)


def _choose_button(game: MastermindGame) -> ui.Button[Any]:
    return button(CHOOSE(game=game.id), say(words.DEFEND_BUTTONS["choose"]))


def _question_page(view: SolverView, pegs: Pegs, rows: Iterable[Items], note: str = "") -> Page:
    """The board of a `defend` with `rows` in place of the buttons for answers.

    They ask the player whether to end the game, or which answer to correct.
    """
    return text_page(board_words.defend_board(view, pegs, asking=False), rows, note)


def _correction_buttons(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    seen = game.question
    if seen is not None and game.blacks is not None:
        back = BACK(game=game.id, seen=seen, blacks=game.blacks)
        yield button(back, say(words.DEFEND_BUTTONS["back"]))
    if game.turns:
        yield _choose_button(game)
    elif game.blacks is None:
        yield seal_button(game.rules, say(words.SEAL_BUTTON), game.id)


def _correction_page(view: SolverView, turn: int, blacks: int | None, pegs: Pegs) -> Page:
    """The page that asks for the correct answer to a guess: first for blacks, then for whites."""
    game = view.game
    guess = game.turns[turn].guess
    route, choices = FIX_BLACKS, game.blacks_of(guess)
    if blacks is not None:
        route, choices = FIX_WHITES, game.whites_with(guess, blacks)
    facts = {"at": len(game.turns), "game": game.id, "seen": Question(turn, guess, blacks)}
    buttons = [
        button(route(**facts, blacks=blacks, count=count), str(count), _BLUE) for count in choices
    ]
    keep = view_button(game.id, say(words.KEEP_ANSWER_BUTTON))
    board = board_words.correction(view, turn, blacks, pegs)
    return text_page(board, [*in_rows(buttons), [keep]])


def _answers_list(view: SolverView) -> ui.Select[Any]:
    wrong, made = view.contradiction, view.game.turns
    repairs, turns = (wrong.repairs, wrong.turns) if wrong else ((), ())
    options: list[discord.SelectOption] = []
    for index in sorted(range(len(made)), key=lambda n: (n not in repairs, n not in turns, n)):
        label, score = board_words.turn_choice(index, made[index]), made[index].feedback
        describe = board_words.repair_in_words if index in repairs else board_words.answer_in_words
        option = discord.SelectOption(label=label, value=str(index), description=describe(score))
        options.append(option)
    drawn = new_id()
    return ui.Select[Any](
        custom_id=PICK(game=view.game.id, drawn=drawn),
        id=drawn,
        placeholder=say(CORRECT_PLACEHOLDER),
        options=options,
    )


@pressed(VIEW, by=By.PLAYERS, cost=Cost.HEAVY)
async def view(interaction: Interaction, game: int) -> None:
    defence = interaction.client.services.mastermind.defence
    await show_defence(interaction, defence.view(interaction.user.id, game))


@pressed(MORE[Kind.DEFEND], by=By.PLAYERS, cost=Cost.HEAVY)
async def show_more(interaction: Interaction, game: int) -> None:
    defence, pegs = interaction.client.services.mastermind.defence, interaction.client.pegs
    found = await in_good_time(interaction, defence.view(interaction.user.id, game))
    page = defence_page(found, pegs, more=True)
    await show(interaction, with_add_button(interaction.client, page))


@pressed(AGAIN, by=By.PLAYERS, cost=Cost.HEAVY)
async def play_again(interaction: Interaction, game: int) -> None:
    defence, player = interaction.client.services.mastermind.defence, interaction.user.id
    seen = await in_good_time(interaction, defence.view(player, game))
    opened = defence.open(player, Setting.of(seen.game.rules))
    await show_defence(interaction, opened, is_new=True, as_new=True)


@pressed(CHANGE[Kind.DEFEND], by=By.PLAYERS)
async def ask_for_setting(interaction: Interaction, game: int) -> None:
    """Open the form of *Other settings*, unless something was answered in the game."""
    defence, player = interaction.client.services.mastermind.defence, interaction.user.id
    setting = await defence.setting(player, game)
    await change_form(Kind.DEFEND, game, setting).present(interaction)


@submitted(CHANGE_FORM[Kind.DEFEND], fields=FIELDS, by=By.PLAYERS, cost=Cost.HEAVY)
async def change(interaction: Interaction, values: Mapping[str, Any], game: int) -> None:
    defence, player = interaction.client.services.mastermind.defence, interaction.user.id
    await show_defence(interaction, defence.open(player, Setting(**values), game), is_new=True)


@pressed(ASK, by=By.PLAYERS, cost=Cost.HEAVY)
async def ask_whether_to_end(interaction: Interaction, game: int) -> None:
    """Ask whether to end a game; if it is over or its code is sealed, show its board instead."""
    defence, pegs = interaction.client.services.mastermind.defence, interaction.client.pegs
    found = await in_good_time(interaction, defence.view(interaction.user.id, game))
    page = defence_page(found, pegs)
    if found.game.stage is Stage.PLAYING and not found.game.sealed:
        yes = button(END(game=game), say(words.DEFEND_BUTTONS["end"]), _RED)
        answers = [yes, view_button(game, say(words.KEEP_BUTTON))]
        page = _question_page(found, pegs, [answers], say(words.END_QUESTION))
    await show(interaction, page)


@pressed(END, by=By.PLAYERS, cost=Cost.HEAVY)
async def end(interaction: Interaction, game: int) -> None:
    defence = interaction.client.services.mastermind.defence
    await show_defence(interaction, defence.give_up(interaction.user.id, game))


@pressed(BLACKS, WHITES, by=By.PLAYERS, is_kept=True)
async def answer(
    interaction: Interaction, game: int, seen: Question, count: int, blacks: int | None = None
) -> None:
    """Store the player's answer to a guess of the bot, unless the clicked board was outdated."""
    defence, asked = interaction.client.services.mastermind.defence, replace(seen, blacks=blacks)
    await show_defence(interaction, defence.answer(interaction.user.id, game, asked, count))


@pressed(BACK, by=By.PLAYERS, cost=Cost.HEAVY)
async def change_blacks(interaction: Interaction, game: int, seen: Question, blacks: int) -> None:
    """Undo the blacks that the player has answered, unless the clicked board was outdated."""
    defence, asked = interaction.client.services.mastermind.defence, replace(seen, blacks=blacks)
    await show_defence(interaction, defence.take_back(interaction.user.id, game, asked))


@pressed(CHOOSE, by=By.PLAYERS, cost=Cost.HEAVY)
async def choose_answer(interaction: Interaction, game: int) -> None:
    defence, pegs = interaction.client.services.mastermind.defence, interaction.client.pegs
    found = await in_good_time(interaction, defence.view(interaction.user.id, game))
    page = defence_page(found, pegs)
    if found.game.is_correctable:
        keep = view_button(game, say(BACK_BUTTON))
        page = _question_page(found, pegs, [[_answers_list(found)], [keep]])
    await show(interaction, page)


@picked(PICK, of=COUNT, by=By.PLAYERS, cost=Cost.HEAVY)
async def ask_for_blacks(interaction: Interaction, turn: int, game: int) -> None:
    defence, pegs = interaction.client.services.mastermind.defence, interaction.client.pegs
    found = await in_good_time(interaction, defence.view(interaction.user.id, game))
    page = defence_page(found, pegs)
    if found.game.is_correctable and turn < len(found.game.turns):
        page = _correction_page(found, turn, None, pegs)
    await show(interaction, page)


@pressed(FIX_BLACKS, FIX_WHITES, by=By.PLAYERS, cost=Cost.HEAVY, is_kept=True)
async def correct(
    interaction: Interaction,
    at: int,
    game: int,
    seen: Question,
    count: int,
    blacks: int | None = None,
) -> None:
    """Correct an earlier answer; if the blacks leave a choice of whites, ask for these first."""
    defence, player = interaction.client.services.mastermind.defence, interaction.user.id
    found = await in_good_time(interaction, defence.view(player, game))
    now, pegs = found.game, interaction.client.pegs
    is_stale = not now.is_correctable or len(now.turns) != at or seen.turn >= at
    if is_stale or now.turns[seen.turn].guess != seen.guess:
        await show(interaction, defence_page(found, pegs))
        return
    right = Score(blacks or 0, count)
    if blacks is None:
        whites = now.whites_with(now.turns[seen.turn].guess, count)
        if len(whites) != 1:
            await show(interaction, _correction_page(found, seen.turn, count, pegs))
            return
        right = Score(count, whites[0])
    corrected = defence.correct(player, game, at, replace(seen, blacks=blacks), right)
    unfit = None if found.contradiction is None else seen.turn
    await show_defence(interaction, corrected, unfit=unfit)


@pressed(NEW_DEFENCE, by=By.ANYBODY, cost=Cost.HEAVY)
async def defend_instead(interaction: Interaction, setting: Setting) -> None:
    """Open a game with the same pegs and colours in which the bot guesses, in a new message."""
    defence, player = interaction.client.services.mastermind.defence, interaction.user.id
    await show_defence(interaction, defence.open(player, setting), is_new=True, as_new=True)


SHOW_FINISHED: Final = Route("games:look:defend:{game:int}")


@pressed(SHOW_FINISHED, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_finished(interaction: Interaction, game: int) -> None:
    """Show a finished game in a new message; the list of games stays, to open another."""
    defence, pegs = interaction.client.services.mastermind.defence, interaction.client.pegs
    view = await in_good_time(interaction, defence.view(interaction.user.id, game))
    await whisper(interaction, defence_page(view, pegs))


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class MastermindCog(commands.GroupCog, group_name="mastermind", group_description=words.MASTERMIND):
    @app_commands.command(name="play", description=words.MASTERMIND_PLAY)
    async def play(self, interaction: Interaction) -> None:
        solo = interaction.client.services.mastermind.solo
        await show_play(interaction, solo.open(interaction.user.id, Setting()))

    @app_commands.command(
        name="defend", description=words.MASTERMIND_DEFEND, extras=costs(Cost.HEAVY)
    )
    async def defend(self, interaction: Interaction) -> None:
        defence = interaction.client.services.mastermind.defence
        await show_defence(interaction, defence.open(interaction.user.id), is_new=True)

    @app_commands.command(name="challenge", description=words.MASTERMIND_CHALLENGE)
    @app_commands.describe(member=words.MASTERMIND_MEMBER)
    async def challenge(self, interaction: Interaction, member: discord.User) -> None:
        await ask_for_code(interaction, member.id, to_bot=member.bot)
