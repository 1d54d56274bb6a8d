"""Mastermind's boards fit Discord's limits, say what is true, and keep the code."""

from dataclasses import replace
from typing import Any

import pytest

from bot.games.model import STANDARD_MASTERMIND, Contradiction
from bot.home.words import help_text, mastermind
from bot.mastermind import board_words
from bot.mastermind.board_words import challenge_board, defend_board, play_board, sealed_board
from bot.mastermind.game import Setting
from bot.mastermind.model import (
    Ending,
    Guess,
    InvitationView,
    Kind,
    MastermindGame,
    MastermindRefusedError,
)
from bot.mastermind.words import GUESSES, HELP_TOPIC, HIDDEN, example
from bot.text.tiles import CIRCLES, PLAIN, Pegs, score_in_words
from cogs.home.games import games_page
from cogs.mastermind.defend import defence_page, seal_form
from cogs.mastermind.guess import challenge_form, invitation_page, own_page
from cogs.mastermind.pages import challenge_page, guess_form, play_page
from cogs.ui.pages import Page
from engine import COLOURS, Mastermind, NotationError, Problem, Score, score
from tests.support.mastermind_boards import LARGEST, PEGS, a_game, as_the_bot_plays
from tests.support.plays import assert_fits, size

TURNS = range(LARGEST.max_guesses + 1)


def within_limits(page: Page) -> None:
    assert_fits(page)
    assert all(len(i) <= 100 for i in ids(page.to_components()))


def ids(components: list[dict[str, Any]]) -> list[str]:
    """The ids in a page."""
    found: list[str] = []
    for component in components:
        found += [component["custom_id"]] if "custom_id" in component else []
        found += ids(component.get("components", []))
        found += ids([component["accessory"]] if "accessory" in component else [])
    return found


def board_of(game: MastermindGame, pegs: Pegs = PLAIN) -> tuple[str, ...]:
    """What the board of a game says."""
    if game.kind is Kind.PLAY:
        return play_board(game, pegs).texts
    if game.kind is Kind.CHALLENGE:
        return challenge_board(game, pegs).texts
    view = as_the_bot_plays(game)
    return (sealed_board(view, pegs) if game.sealed else defend_board(view, pegs)).texts


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("pegs", [PLAIN, PEGS])
async def test_every_mastermind_board_fits_a_message(turns: int, pegs: Pegs) -> None:
    endings: list[Ending | None] = [None, *Ending]
    for ending in endings:
        play = a_game(Kind.PLAY, LARGEST, turns, pending="WWWWWW", ending=ending)
        if ending in (Ending.REPLACED, Ending.AT_STAKE):
            closed = a_game(Kind.DEFEND, LARGEST, 0, ending=ending)
            within_limits(defence_page(as_the_bot_plays(closed), pegs))
            continue
        if ending in (None, Ending.SOLVED, Ending.LOST, Ending.SURRENDERED, Ending.CLOSED):
            cause = NotationError(Problem.COLOUR_NOT_IN_PLAY, 99, symbol="W")
            within_limits(
                play_page(
                    play, pegs, MastermindRefusedError(game=play, text="🟩`" * 999, cause=cause)
                )
            )
            defence = a_game(Kind.DEFEND, LARGEST, turns, ending=ending, waiting=Guess("RRRRRR"))
            within_limits(defence_page(as_the_bot_plays(defence), pegs))
            everything = Contradiction(tuple(range(turns)), tuple(range(turns - 1)))
            if turns and ending is None:
                within_limits(defence_page(as_the_bot_plays(defence, everything), pegs))
                half = Contradiction((0,), ())
                within_limits(defence_page(as_the_bot_plays(defence, half), pegs))
            sealed = a_game(Kind.DEFEND, LARGEST, turns, ending=ending, sealed=True)
            within_limits(defence_page(as_the_bot_plays(sealed), pegs))
        if ending not in (Ending.SURRENDERED, Ending.CLOSED):
            challenge = a_game(Kind.CHALLENGE, LARGEST, turns, pending="WWWWWW", ending=ending)
            within_limits(challenge_page(challenge, pegs))
            within_limits(own_page(InvitationView(challenge), pegs, 2**63 + 1))
    invited = InvitationView(a_game(Kind.CHALLENGE, LARGEST, 0, invited=True))
    within_limits(invitation_page(invited, pegs))
    within_limits(own_page(invited, pegs, 2**63 + 1))
    challenges = [a_game(Kind.CHALLENGE, LARGEST, 0)] * 30
    within_limits(games_page(challenges, 2**63))


@pytest.mark.parametrize(
    "rules", [Mastermind(), LARGEST, Mastermind(pegs=6, colours=10, repeats=False)]
)
async def test_every_form_of_mastermind_fits_discords_limits(rules: Mastermind) -> None:
    game = a_game(Kind.CHALLENGE, rules, rules.max_guesses - 1)
    for form in (
        guess_form(game, PEGS, "x" * 70),
        seal_form(Setting.of(rules), 2**31),
        challenge_form(2**63, Setting.of(rules)),
    ):
        assert size(form.to_components())[0] <= 3600
        assert len(form.title) <= 45
        assert len(form.custom_id) <= 100
        for child in form.to_components():
            assert len(child.get("label", "")) <= 45
            assert len(child.get("description", "")) <= 100
    for turn in game.turns:
        for texts in (board_words.answer_in_words, board_words.repair_in_words):
            assert len(texts(turn.feedback)) <= 100
        assert len(board_words.turn_choice(12, turn)) <= 100
    assert rules.parse(example(rules)) == example(rules)


def test_a_board_tells_the_slips_that_may_be_the_only_one_unless_any_answer_may() -> None:
    game = a_game(Kind.DEFEND, Mastermind(), 4)
    first, advice, _rest = defend_board(
        as_the_bot_plays(game, Contradiction((0, 1, 3), (3,))), PLAIN
    ).texts[1:]
    assert [line[-2:] == "✏️" for line in first.splitlines()[1:]] == [False, False, True]
    assert advice == "If you made just one slip, it's marked ✏️."
    view = as_the_bot_plays(game, Contradiction((1, 3), (1, 3)))
    assert "✏️" not in "".join(defend_board(view, PLAIN).texts)


def test_a_board_says_when_no_single_correction_repairs_a_contradiction() -> None:
    view = as_the_bot_plays(a_game(Kind.DEFEND, Mastermind(), 4), Contradiction((1, 3), ()))
    first, advice, rest = defend_board(view, PLAIN).texts[1:]
    assert "No code fits these 2 answers together" in first
    assert "You've made at least two slips." in advice
    assert rest.startswith("Your other answers:\n` 1`")


@pytest.mark.parametrize("pegs", [PLAIN, PEGS])
def test_a_board_explains_a_row_without_key_pegs_only_when_it_has_one(pegs: Pegs) -> None:
    words = "none: no colour is right"
    game = a_game(Kind.PLAY, Mastermind(), 0)
    for typed, is_explained in (("RRGG", False), ("PPYY", True)):
        guesses = (*game.guesses, Guess(Mastermind().parse(typed)))
        game = replace(game, hidden_code="GRBG", guesses=guesses)
        assert (words in "".join(board_of(game, pegs))) == is_explained


def test_pegs_and_key_pegs_have_words_where_emojis_are_missing() -> None:
    assert score_in_words(Score(0, 0)) == "none"
    assert score_in_words(Score(2, 1)) == "2 black, 1 white"
    assert score_in_words(Score(0, 3)) == "3 white"
    assert PLAIN.row("RW", 3) == "🔴⚪▫️"
    assert set(CIRCLES) == set(COLOURS)
    assert PEGS.row("R", 2).count("<:") == 2
    assert PEGS.key(Score(1, 2)).startswith("<:12:")
    assert PEGS.lettered_row("RW").count("`") == 0


def test_a_row_copied_from_a_board_can_be_typed() -> None:
    for pegs in (PLAIN, PEGS):
        for half in (COLOURS[:5], COLOURS[5:]):
            assert Mastermind(pegs=5, colours=10).parse(pegs.row(half)) == half


def test_the_key_pegs_of_the_worked_example_agree_with_its_text() -> None:
    page = "\n".join(help_text(HELP_TOPIC))
    for guess in GUESSES:
        line = f"{PLAIN.row(guess)} {score_in_words(score(guess, HIDDEN))}"
        assert line in page
    first = score(GUESSES[0], HIDDEN)
    assert first == Score(2, 1)
    assert [a == b for a, b in zip(GUESSES[0], HIDDEN, strict=True)] == [False, True, False, True]


def test_the_help_tells_the_number_of_guesses_unless_the_player_chooses_it() -> None:
    assert f"You have {STANDARD_MASTERMIND.max_guesses} guesses" in "\n".join(help_text(HELP_TOPIC))
    assert (STANDARD_MASTERMIND.max_guesses, "twelve guesses" in mastermind()) == (12, True)


def test_every_kind_of_mastermind_and_every_ending_has_its_own_words() -> None:
    said: set[str] = set()
    kinds = {
        Kind.PLAY: (Ending.SOLVED, Ending.LOST, Ending.SURRENDERED, Ending.CLOSED),
        Kind.DEFEND: (Ending.SOLVED, Ending.LOST, Ending.SURRENDERED),
        Kind.CHALLENGE: (
            Ending.SOLVED,
            Ending.LOST,
            Ending.RESIGNED,
            Ending.LAPSED,
            Ending.DECLINED,
            Ending.WITHDRAWN,
        ),
    }
    games = [
        a_game(kind, Mastermind(), 3, ending=ending)
        for kind, ending in ((k, e) for k, es in kinds.items() for e in es)
    ]
    for game in games:
        said.add(board_of(game)[2])
    assert len(said) == len(games)
