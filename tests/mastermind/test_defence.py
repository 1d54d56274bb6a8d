"""`defend` without Discord, on a real database: the bot breaks a code, honestly answered or not."""

import asyncio
from dataclasses import replace
from itertools import combinations, count
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bot.games.model import Contradiction
from bot.mastermind.game import Setting
from bot.mastermind.model import (
    Ending,
    ImpossibleAnswerError,
    Kind,
    NotYourGameError,
    Question,
    SolverView,
    Stage,
    TooManyGamesError,
    WrongSettingError,
)
from bot.mastermind.solving import next_guess
from bot.services import Services, open_services
from engine import Code, Mastermind, Relabelling, Score, Turn, is_consistent
from tests.support.clock import FakeClock
from tests.support.effort import examples
from tests.support.masterminds import (
    ANN,
    BEN,
    SMALL,
    STANDARD,
    answer,
    answer_honestly,
    answered,
    asked,
)
from tests.support.sql import sql

SMALL_RULES: Final = SMALL.rules()
PLAYERS: Final = count(1000)
"""Everybody plays once, so that nobody has too many games."""

# One database serves all examples: nothing in it is shared but the tables.
shared_database = examples(5, 100, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def contradict(services: Services, player_id: int = ANN) -> SolverView:
    """A standard game in which every answer is none at all, until that cannot be."""
    game = await services.mastermind.defence.open(player_id, STANDARD)
    while game.contradiction is None:
        game = await answer(services, game, Score(0, 0))
    return game


def possible(rules: Mastermind, turns: tuple[Turn[Score], ...]) -> list[Code]:
    return [code for code in rules.codes() if is_consistent(rules, code, turns)]


async def test_a_player_answers_blacks_first_and_then_the_possible_whites(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, STANDARD)
    assert (view.game.kind, view.game.sealed, view.game.owner_id) == (Kind.DEFEND, False, ANN)
    assert (view.game.codebreaker_id, view.remaining, view.game.turns, view.steps) == (
        None,
        1296,
        (),
        (),
    )
    assert view.game.guess == next_guess(view.game.rules, [], Relabelling.none(view.game.rules))
    assert view.game.choices == (0, 1, 2, 3, 4)
    view = await defence.answer(ANN, view.game.id, asked(view), 1)
    assert (view.game.blacks, view.game.turns, view.remaining) == (1, (), 1296)
    guess = view.game.guess
    assert guess is not None
    answers = view.game.rules.answers(guess)
    assert view.game.choices == tuple(sorted(a.cows for a in answers if a.bulls == 1))
    await services.close()
    async with open_services(database_url, clock) as reopened:
        assert await reopened.mastermind.defence.view(ANN, view.game.id) == view
        view = await reopened.mastermind.defence.answer(ANN, view.game.id, asked(view), 1)
    assert view.game.turns == (Turn(guess, Score(1, 1)),)
    assert view.remaining == len(possible(view.game.rules, view.game.turns))
    assert (view.game.blacks, view.game.guess) == (
        None,
        next_guess(view.game.rules, view.game.turns, Relabelling.none(view.game.rules)),
    )


async def test_an_impossible_answer_is_refused_and_changes_nothing(services: Services) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, STANDARD)
    for blacks in (-1, 5):
        with pytest.raises(ImpossibleAnswerError) as refused:
            await defence.answer(ANN, view.game.id, asked(view), blacks)
        assert (refused.value.guess, refused.value.blacks) == (view.game.guess, blacks)
        assert refused.value.whites is None
    assert await defence.view(ANN, view.game.id) == view
    view = await defence.answer(ANN, view.game.id, asked(view), 2)
    with pytest.raises(ImpossibleAnswerError) as refused:
        await defence.answer(ANN, view.game.id, asked(view), 3)
    assert (refused.value.blacks, refused.value.whites) == (2, 3)
    assert await defence.view(ANN, view.game.id) == view
    view = await defence.answer(ANN, view.game.id, asked(view), 0)
    for impossible in (Score(3, 1), Score(5, 0), Score(0, -1)):
        with pytest.raises(ImpossibleAnswerError):
            await defence.correct(ANN, view.game.id, 1, answered(view, 0), impossible)
    assert await defence.view(ANN, view.game.id) == view


async def test_a_late_click_changes_nothing_in_a_game_of_the_bot(services: Services) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, STANDARD)
    assert await defence.answer(ANN, view.game.id, replace(asked(view), blacks=1), 0) == view
    first, second = await asyncio.gather(
        defence.answer(ANN, view.game.id, asked(view), 1),
        defence.answer(ANN, view.game.id, asked(view), 0),
    )
    assert first == second
    assert first.game.blacks == 1
    half = asked(first)
    assert await defence.answer(ANN, view.game.id, replace(half, blacks=2), 1) == first
    first, second = await asyncio.gather(
        defence.answer(ANN, view.game.id, half, 1), defence.answer(ANN, view.game.id, half, 0)
    )
    assert first == second
    assert first.game.turns[0].feedback == Score(1, 1)
    for turn in (0, 2):
        late = replace(asked(first), turn=turn)
        assert await defence.answer(ANN, view.game.id, late, 9) == first
        assert await defence.answer(ANN, view.game.id, replace(late, blacks=1), 9) == first
        assert (
            await defence.correct(ANN, view.game.id, turn, answered(first, 0), Score(0, 0)) == first
        )
    now = await defence.answer(ANN, view.game.id, asked(first), 0)
    for turn in (0, 2):
        late = replace(asked(now), turn=turn)
        assert await defence.take_back(ANN, view.game.id, late) == now
        assert await defence.answer(ANN, view.game.id, late, 0) == now
    for turn in (-1, 1):
        late = replace(answered(first, 0), turn=turn)
        assert await defence.correct(ANN, view.game.id, 1, late, Score(0, 0)) == now


async def test_an_answer_to_a_guess_that_is_no_longer_shown_changes_nothing(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, STANDARD)
    old = await answer(services, view, Score(0, 1))
    half = await defence.answer(ANN, view.game.id, asked(old), 1)
    new = await defence.correct(ANN, view.game.id, 1, answered(old, 0), Score(1, 0))
    assert (len(old.game.turns), len(new.game.turns)) == (1, 1)
    assert new.game.guess not in (None, old.game.guess)
    assert await defence.answer(ANN, view.game.id, asked(old), 0) == new
    other = await defence.answer(ANN, view.game.id, asked(new), 1)
    assert other.game.blacks == half.game.blacks
    assert await defence.answer(ANN, view.game.id, asked(half), 0) == other
    assert await defence.take_back(ANN, view.game.id, asked(half)) == other
    unseen = replace(answered(other, 0), guess="PPPP")
    assert await defence.correct(ANN, view.game.id, 1, unseen, Score(0, 0)) == other


async def test_many_simultaneous_views_make_one_guess_of_the_bot(
    services: Services, tmp_path: Path
) -> None:
    defence = services.mastermind.defence
    seen = await defence.open(ANN, STANDARD)
    seen = await answer(services, seen, Score(1, 1))
    # As if the process had been killed before the bot's guess was written.
    sql(tmp_path, "DELETE FROM mastermind_turns WHERE turn = 1")
    views = await asyncio.gather(*(defence.view(ANN, seen.game.id) for _ in range(4)))
    assert all(view == seen for view in views)
    assert sql(tmp_path, "SELECT count(*) FROM mastermind_turns") == [(2,)]


async def test_a_view_ends_a_solved_game_whose_ending_was_not_stored(
    services: Services, tmp_path: Path
) -> None:
    defence = services.mastermind.defence
    view = await answer(services, await defence.open(ANN, STANDARD), Score(4, 0))
    sql(tmp_path, "UPDATE masterminds SET ending = NULL, finished_at = NULL")
    assert await defence.view(ANN, view.game.id) == view


async def test_the_first_of_simultaneous_corrections_holds_and_giving_up_ends_the_game(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    view = await contradict(services)
    results = await asyncio.gather(
        *(
            defence.correct(ANN, view.game.id, len(view.game.turns), answered(view, 0), Score(0, n))
            for n in (1, 2)
        ),
        defence.give_up(ANN, view.game.id),
        defence.view(ANN, view.game.id),
    )
    assert results[2].game.ending is Ending.SURRENDERED
    assert await defence.view(ANN, view.game.id) == results[2]
    assert results[2].game.turns[0].feedback == Score(0, 1)


async def test_a_contradiction_is_shown_and_can_be_repaired_by_one_correction(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    defence = services.mastermind.defence
    view = await contradict(services)
    assert (view.remaining, view.game.guess, view.game.choices, view.game.stage) == (
        0,
        None,
        (),
        Stage.PLAYING,
    )
    seen = len(view.game.turns)
    nothing = Question(seen, "RRRR")
    assert await defence.answer(ANN, view.game.id, nothing, 0) == view
    assert await defence.answer(ANN, view.game.id, replace(nothing, blacks=0), 0) == view
    await services.close()
    async with open_services(database_url, clock) as reopened:
        defence = reopened.mastermind.defence
        assert await defence.view(ANN, view.game.id) == view
        assert view.contradiction is not None
        last = view.contradiction.repairs[-1]
        assert (
            await defence.correct(ANN, view.game.id, seen, answered(view, last), Score(0, 0))
            == view
        )
        code = possible(
            view.game.rules, tuple(t for n, t in enumerate(view.game.turns) if n != last)
        )[0]
        score = view.game.rules.feedback(view.game.turns[last].guess, code)
        corrected = await defence.correct(ANN, view.game.id, seen, answered(view, last), score)
        assert corrected.game.turns == (
            *view.game.turns[:last],
            Turn(view.game.turns[last].guess, score),
        )
        assert corrected.contradiction is None
        view = await answer_honestly(reopened, corrected, code)
    assert (view.game.ending, view.game.turns[-1].guess) == (Ending.SOLVED, code)


async def test_an_answer_can_be_corrected_before_it_leads_to_a_contradiction(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, STANDARD)
    view = await answer(services, view, Score(1, 1))
    once = view
    view = await answer(services, view, Score(0, 1))
    assert await defence.correct(ANN, view.game.id, 2, answered(view, 0), Score(1, 1)) == view
    await defence.answer(ANN, view.game.id, asked(view), 0)
    view = await defence.correct(ANN, view.game.id, 2, answered(view, 0), Score(0, 2))
    assert [turn.feedback for turn in view.game.turns] == [Score(0, 2)]
    assert view.game.guess == next_guess(
        view.game.rules, view.game.turns, Relabelling.none(view.game.rules)
    )
    assert view.game.blacks is None
    assert await defence.correct(ANN, view.game.id, 1, answered(view, 0), Score(1, 1)) == once
    solved = await defence.correct(ANN, view.game.id, 1, answered(view, 0), Score(4, 0))
    assert (solved.game.ending, len(solved.game.turns)) == (Ending.SOLVED, 1)


async def test_all_blacks_for_a_guess_that_cannot_be_the_code_are_a_contradiction(
    services: Services, tmp_path: Path
) -> None:
    view = await services.mastermind.defence.open(ANN, STANDARD)
    view = await answer(services, view, Score(3, 0))
    # The bot may ask what cannot be the code, only to learn; here it does.
    sql(tmp_path, "UPDATE mastermind_turns SET code = 'PPPP' WHERE turn = 1")
    view = await services.mastermind.defence.view(ANN, view.game.id)
    view = await services.mastermind.defence.answer(ANN, view.game.id, asked(view), 4)
    assert (view.game.stage, view.game.ending, view.remaining) == (Stage.PLAYING, None, 0)
    assert view.contradiction == Contradiction((0, 1), (0, 1))
    view = await services.mastermind.defence.correct(
        ANN, view.game.id, 2, answered(view, 1), Score(0, 0)
    )
    assert (view.game.stage, view.contradiction, len(view.game.turns)) == (Stage.PLAYING, None, 2)


async def test_the_bot_loses_when_it_runs_out_of_guesses(
    services: Services, tmp_path: Path
) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, STANDARD)
    # Fewer guesses than can be chosen: the bot never needs as many as there are.
    sql(tmp_path, "UPDATE masterminds SET rules = 'mastermind:4x6r/2'")
    view = await answer(services, view, Score(1, 1))
    view = await answer(services, view, Score(0, 1))
    assert (view.game.ending, len(view.game.turns), view.game.guess) == (Ending.LOST, 2, None)
    assert view.remaining == len(possible(view.game.rules, view.game.turns))
    view = await defence.correct(ANN, view.game.id, 2, answered(view, 0), Score(0, 1))
    assert (view.game.stage, len(view.game.turns)) == (Stage.PLAYING, 1)


async def test_an_answer_that_ended_the_game_can_be_corrected(
    services: Services, clock: FakeClock
) -> None:
    defence = services.mastermind.defence
    view = await answer(services, await defence.open(ANN, STANDARD), Score(1, 1))
    solved = await answer(services, view, Score(4, 0))
    assert (solved.game.ending, len(solved.game.turns), solved.game.is_correctable) == (
        Ending.SOLVED,
        2,
        True,
    )
    # Nothing is to be corrected: the game stays over.
    seen = answered(solved, 1)
    assert await defence.correct(ANN, view.game.id, 2, seen, Score(4, 0)) == solved
    assert await defence.correct(ANN, view.game.id, 1, seen, Score(2, 0)) == solved
    with pytest.raises(ImpossibleAnswerError):
        await defence.correct(ANN, view.game.id, 2, seen, Score(3, 1))
    assert await defence.view(ANN, view.game.id) == solved
    clock.advance(days=8)
    first, second = await asyncio.gather(
        *(defence.correct(ANN, view.game.id, 2, seen, Score(0, 1)) for _ in range(2))
    )
    assert first == second
    assert (first.game.stage, first.game.ending, first.game.turns[1].feedback) == (
        Stage.PLAYING,
        None,
        (0, 1),
    )
    assert first.game.guess == next_guess(
        first.game.rules, first.game.turns, Relabelling.none(first.game.rules)
    )
    assert first.game.deadline_at > clock.now()
    assert [open_.id for open_ in await services.mastermind.games.open_of(ANN)] == [view.game.id]
    code = possible(first.game.rules, first.game.turns)[0]
    over = await answer_honestly(services, first, code)
    assert (over.game.ending, over.game.turns[-1].guess) == (Ending.SOLVED, code)
    earlier = await defence.correct(
        ANN, view.game.id, len(over.game.turns), answered(over, 0), Score(0, 0)
    )
    assert (earlier.game.stage, len(earlier.game.turns)) == (Stage.PLAYING, 1)


async def test_a_corrected_game_resumes_only_below_the_limit_of_open_games(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    solved = await answer(services, await defence.open(ANN, STANDARD), Score(4, 0))
    for code, _ in zip(STANDARD.rules().codes(), range(10), strict=False):
        await defence.open_sealed(ANN, STANDARD, code)
    with pytest.raises(TooManyGamesError):
        await defence.correct(ANN, solved.game.id, 1, answered(solved, 0), Score(0, 1))
    assert await defence.view(ANN, solved.game.id) == solved


async def test_a_game_closed_at_its_deadline_cannot_be_corrected(
    services: Services, clock: FakeClock
) -> None:
    defence = services.mastermind.defence
    view = await answer(services, await defence.open(ANN, STANDARD), Score(1, 1))
    clock.advance(days=8)
    closed = await defence.correct(ANN, view.game.id, 1, answered(view, 0), Score(0, 1))
    assert (closed.game.ending, closed.game.is_correctable) == (Ending.CLOSED, False)
    assert closed.game.turns == view.game.turns


async def test_giving_up_ends_a_game_even_in_a_contradiction(
    services: Services, tmp_path: Path
) -> None:
    defence = services.mastermind.defence
    view = await contradict(services)
    seen = len(view.game.turns)
    over = await defence.give_up(ANN, view.game.id)
    assert (over.game.ending, over.game.stage) == (Ending.SURRENDERED, Stage.OVER)
    assert (over.contradiction, over.remaining) == (view.contradiction, 0)
    assert await defence.give_up(ANN, view.game.id) == over
    assert await defence.correct(ANN, view.game.id, seen, answered(view, 0), Score(0, 1)) == over
    view = await defence.open(ANN, STANDARD)
    seen = asked(view)
    over = await defence.give_up(ANN, view.game.id)
    assert (over.game.guess, over.game.blacks, over.game.choices, over.remaining) == (
        None,
        None,
        (),
        1296,
    )
    assert await defence.answer(ANN, view.game.id, seen, 1) == over
    # The bot guesses no further in a game that is over.
    written = sql(tmp_path, "SELECT turn FROM mastermind_turns ORDER BY game_id DESC, turn")
    assert written[:2] == [(0,), (0,)]


async def test_opening_a_game_of_the_bot_twice_gives_the_same_game_until_it_is_answered(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    sealed = await defence.open_sealed(ANN, STANDARD, "RGBY")
    first, second = await asyncio.gather(defence.open(ANN, STANDARD), defence.open(ANN, STANDARD))
    assert first == second
    assert first.game.id != sealed.game.id
    await defence.answer(ANN, first.game.id, asked(first), 1)
    assert (await defence.open(ANN, STANDARD)).game.id != first.game.id


async def test_no_code_is_asked_for_when_the_game_could_not_begin(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    with pytest.raises(WrongSettingError):
        await defence.prepare(ANN, Setting(pegs=2))
    await defence.prepare(ANN, STANDARD)
    for code, _ in zip(STANDARD.rules().codes(), range(10), strict=False):
        await defence.open_sealed(ANN, STANDARD, code)
    with pytest.raises(TooManyGamesError):
        await defence.prepare(ANN, STANDARD)


async def test_a_sealed_game_replaces_an_untouched_one(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    defence, games = services.mastermind.defence, services.mastermind.games
    for code, _ in zip(STANDARD.rules().codes(), range(9), strict=False):
        await defence.open_sealed(ANN, STANDARD, code)
    before = await defence.open(ANN, STANDARD)
    with pytest.raises(TooManyGamesError):
        await defence.open_sealed(ANN, STANDARD, "RGBY")
    # The tenth game is no obstacle to what comes instead of it.
    await defence.prepare(ANN, STANDARD, before.game.id)
    first, second = await asyncio.gather(
        *(defence.open_sealed(ANN, STANDARD, "RGBY", before.game.id) for _ in range(2))
    )
    assert first == second
    assert (await defence.view(ANN, before.game.id)).game.ending is Ending.REPLACED
    assert len(await games.open_of(ANN)) == 10
    await services.close()
    async with open_services(database_url, clock) as reopened:
        again = await reopened.mastermind.defence.open_sealed(ANN, STANDARD, "RGBY", before.game.id)
    assert again == first


async def test_a_sealed_game_is_reused_only_for_its_player_and_code_and_before_the_first_step(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    first = await defence.open_sealed(ANN, STANDARD, "RGBY")
    assert (await defence.open_sealed(ANN, STANDARD, "RGBO")).game.id != first.game.id
    assert (await defence.open_sealed(BEN, STANDARD, "RGBY")).game.id != first.game.id
    await defence.step(ANN, first.game.id, 0)
    assert (await defence.open_sealed(ANN, STANDARD, "RGBY")).game.id != first.game.id


async def test_a_player_replaces_only_their_own_untouched_game(services: Services) -> None:
    defence = services.mastermind.defence
    half = await defence.open(ANN, STANDARD)
    half = await defence.answer(ANN, half.game.id, asked(half), 1)
    turned = await answer(services, await defence.open(ANN, SMALL), Score(1, 1))
    sealed = await defence.open_sealed(ANN, SMALL, "RGR")
    for number, view in enumerate((half, turned, sealed)):
        code = ("RRRR", "GGGG", "BBBB")[number]
        opened = await defence.open_sealed(ANN, STANDARD, code, view.game.id)
        assert opened.game.id != view.game.id
        assert (await defence.view(ANN, view.game.id)).game.stage is Stage.PLAYING
    for attempt in (
        defence.prepare(BEN, STANDARD, half.game.id),
        defence.open_sealed(BEN, STANDARD, "RGBY", half.game.id),
    ):
        with pytest.raises(NotYourGameError):
            await attempt
    assert await services.mastermind.games.open_of(BEN) == []


async def test_an_answered_game_is_not_replaced_by_a_new_one(services: Services) -> None:
    defence = services.mastermind.defence
    view = await answer(services, await defence.open(ANN, STANDARD), Score(1, 1))
    for code, _ in zip(STANDARD.rules().codes(), range(9), strict=False):
        await defence.open_sealed(ANN, STANDARD, code)
    for attempt in (
        defence.prepare(ANN, STANDARD, view.game.id),
        defence.open_sealed(ANN, STANDARD, "RGBY", view.game.id),
    ):
        with pytest.raises(TooManyGamesError):
            await attempt
    assert await defence.view(ANN, view.game.id) == view


@shared_database
@given(pegs=st.integers(3, 4), colours=st.integers(4, 6), repeats=st.booleans(), draw=st.randoms())
async def test_honest_answers_always_lead_the_bot_to_the_code(
    services: Services, pegs: int, colours: int, repeats: bool, draw: Random
) -> None:
    setting = Setting(pegs, colours, repeats)
    code = setting.rules().draw(draw)
    view = await services.mastermind.defence.open(next(PLAYERS), setting)
    view = await answer_honestly(services, view, code)
    assert (view.game.ending, view.contradiction, view.remaining) == (Ending.SOLVED, None, 1)
    assert view.game.turns[-1].guess == code
    assert len(view.game.turns) <= 7


@shared_database
@given(draw=st.randoms())
async def test_dishonest_answers_are_detected_and_corrected(
    services: Services, draw: Random
) -> None:
    view = await services.mastermind.defence.open(next(PLAYERS), SMALL)
    while view.game.guess is not None:
        others = [score for score in SMALL_RULES.answers(view.game.guess) if score.bulls < 3]
        view = await answer(services, view, draw.choice(others))
    found = view.contradiction
    assert found is not None
    turns = view.game.turns
    # No smaller set is contradictory, and of those of its size it is the last.
    smallest = next(
        sets
        for size in range(1, len(turns) + 1)
        if (sets := [s for s in combinations(range(len(turns)), size) if _is_false(turns, s)])
    )
    assert found.turns == smallest[-1]
    rest = {n: possible(SMALL_RULES, (*turns[:n], *turns[n + 1 :])) for n in range(len(turns))}
    for turn, codes in list(rest.items())[:-1]:
        # Had this guess been the code, there would be no later ones.
        rest[turn] = [code for code in codes if code != turns[turn].guess]
    assert found.repairs == tuple(n for n, codes in rest.items() if codes)
    # Without a repair several answers are wrong; the first may as well be the one.
    wrong = draw.choice(found.repairs) if found.repairs else 0
    code = draw.choice(rest[wrong] or list(SMALL_RULES.codes()))
    score = SMALL_RULES.feedback(turns[wrong].guess, code)
    if score == turns[wrong].feedback:
        return
    view = await services.mastermind.defence.correct(
        view.game.owner_id, view.game.id, len(turns), answered(view, wrong), score
    )
    assert view.game.turns == (*turns[:wrong], Turn(turns[wrong].guess, score))
    assert view.contradiction is None
    view = await answer_honestly(services, view, code)
    assert (view.game.ending, view.game.turns[-1].guess) == (Ending.SOLVED, code)


def _is_false(turns: tuple[Turn[Score], ...], chosen: tuple[int, ...]) -> bool:
    return not possible(SMALL_RULES, tuple(turns[n] for n in chosen))
