"""The coach's work that needs a solver. It is slow: the workshop does it, by its name."""

import random
from typing import Any, Final

import numpy as np

from bot.coach.game.observing import Scene, observe
from bot.coach.model.insight import Analysis, CoachTurn, Record, Step, Weighed
from bot.coach.model.insights import Known
from engine import Code, Focdle, Rules, Shown, Turn
from engine.solvers import Allowed, TurnAnalysis, analyse_turns, codebreaker, weigh
from engine.solvers.codebreaker import space_of

_SOME: Final = 3
_ENDLESS: Final = 30
"""The longest line: the solver takes thirteen guesses at the very worst."""


def examine(record: Record) -> Analysis:
    """What there is to say about a game.

    Raises:
        InconsistentFeedback: no secret explains all turns.
    """
    allowed = allowed_to_players(record.rules)
    found = analyse_turns(record.rules, record.before(len(record.turns)), allowed, record.most)
    turns = tuple(
        _coach_turn(
            Scene(
                record.rules,
                record.secret,
                record.turns[:index],
                analysis,
                _known(record.rules, record.before(index)),
            )
        )
        for index, analysis in enumerate(found)
    )
    return Analysis(
        rules=record.notation,
        secret=record.secret,
        is_solved=record.rules.solved(record.turns[-1].feedback),
        turns=turns,
        line=_line(record.rules, record.secret, allowed),
    )


def weigh_guesses(
    rules: Rules[Any], turns: tuple[Turn[Any] | Shown, ...], guesses: tuple[str, ...]
) -> tuple[Weighed, ...]:
    """What each of some guesses promises after this history, beside all a player may guess."""
    return tuple(
        Weighed(
            guess=found.guess,
            before=found.before,
            promised=found.promise.bits,
            choice=found.choice,
            choice_promised=found.choice_promise.bits,
            loss=found.loss,
            is_last=found.is_last,
        )
        for found in weigh(rules, turns, guesses, allowed_to_players(rules))
    )


def allowed_to_players(rules: Rules[Any]) -> Allowed:
    """The guesses that a player may make; hard mode leaves only some of them."""
    return Allowed.FORM if isinstance(rules, Focdle) else Allowed.ANY


def par_openings(length: int, number: int, salt: str | None, count: int) -> tuple[Code, ...]:
    """So many different true equations of a length, always the same for the same daily.

    They follow from its salt, which nobody knows before the end: who knew them could work out
    which answers lead to a par. A daily without a salt is an old one.
    """
    rules = Focdle(length)
    seed = f"par of {number}/{length}" if salt is None else f"par of {number}/{length}: {salt}"
    rng = random.Random(seed)  # noqa: S311 - the same each time; the salt is the secret
    drawn: dict[Code, None] = {}
    while len(drawn) < count:
        drawn[rules.draw(rng)] = None
    return tuple(drawn)


def par_run(length: int, secret: str, opening: Code) -> int:
    """How many guesses the solver takes by a player's rules, if this is its first."""
    rules = Focdle(length)
    breaker = codebreaker(rules, allowed=Allowed.FORM)
    turns: list[Turn[Any]] = []
    guess = opening
    while True:
        turns.append(Turn(guess, rules.feedback(guess, Code(secret))))
        if guess == secret:
            return len(turns)
        guess = breaker.next_guess(turns)


def _coach_turn(scene: Scene) -> CoachTurn:
    analysis: TurnAnalysis[Any] = scene.analysis
    return CoachTurn(
        guess=analysis.turn.guess,
        feedback=tuple(int(part) for part in analysis.turn.feedback),
        before=analysis.before,
        after=analysis.after,
        promised=analysis.promise.bits,
        choice=analysis.choice,
        choice_promised=analysis.choice_promise.bits,
        loss=analysis.loss,
        grade=analysis.grade,
        luck=analysis.luck,
        is_last=analysis.is_last,
        observations=observe(scene),
    )


def _known(rules: Rules[Any], history: tuple[Turn[Any] | Shown, ...]) -> Known:
    """What follows from a history; nothing from an empty one."""
    if not history:
        return Known()
    space = space_of(rules)
    columns = space.after(space.history(history))
    symbols = range(len(space.alphabet))
    present = [(columns == symbol).any(axis=0) for symbol in symbols]
    first = columns[:, 0]
    is_fixed = (columns == first[:, None]).all(axis=1)
    return Known(
        absent=frozenset(space.alphabet[s] for s in symbols if not present[s].any()),
        certain=frozenset(space.alphabet[s] for s in symbols if present[s].all()),
        fixed={int(p): space.alphabet[int(first[p])] for p in np.flatnonzero(is_fixed)},
        some=tuple(space.write(column) for column in columns[:, :_SOME].T),
    )


def _line(rules: Rules[Any], secret: str | None, allowed: Allowed) -> tuple[Step, ...]:
    """What the solver guesses from the start, up to the secret."""
    if secret is None:
        return ()
    breaker = codebreaker(rules, allowed=allowed)
    turns: list[Turn[Any]] = []
    steps: list[Step] = []
    while len(turns) < _ENDLESS:
        guess = breaker.next_guess(turns)
        turns.append(Turn(guess, rules.feedback(guess, Code(secret))))
        steps.append(Step(guess, breaker.remaining(turns)))
        if guess == secret:
            break
    return tuple(steps)
