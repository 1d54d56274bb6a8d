"""Explanations: every sentence is read again, and proved by looking at every secret."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache, lru_cache, partial
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import BullsAndCows, Code, Focdle, InconsistentFeedback, Mark, Mastermind, Shown, Turn
from engine.deductions import MOST_TOLD, Claim, Deduction, Told
from engine.errors import Clue, EngineError
from engine.rules import Rules, is_consistent
from engine.solvers import explain
from engine.solvers.codebreaker import space_of
from tests.solvers.material import SYMBOLS, as_codes, secrets_as_array
from tests.support.effort import either

Fact = Turn[Any] | Shown
Holds = Callable[[str], bool]

GAMES: tuple[Rules[Any], ...] = (Focdle(7), Mastermind(), BullsAndCows(3))
POSITIONS = either(3, 500)


@cache
def all_secrets(rules: Rules[Any]) -> list[Code]:
    if isinstance(rules, Focdle):
        return as_codes(secrets_as_array(rules.length))
    assert isinstance(rules, Mastermind | BullsAndCows)
    codes = map("".join, product(rules.alphabet, repeat=rules.length))
    return [code for code in codes if rules.is_code(code)]


def positions(rules: Rules[Any], count: int = POSITIONS) -> Iterator[list[Fact]]:
    """Drawn positions of one to five guesses, sensible and blind ones, some with a hint."""
    for seed in range(count):
        rng = Random(seed)
        secret, facts = rules.draw(rng), list[Fact]()
        for _ in range(rng.randint(1, 5)):
            left = [code for code in all_secrets(rules) if is_consistent(rules, code, facts)]
            guess = rng.choice(left) if rng.random() < 0.6 else rules.draw(rng)
            if guess != secret:
                facts.append(Turn(guess, rules.feedback(guess, secret)))
        if rng.random() < 0.2:
            place = rng.randrange(len(secret))
            facts.insert(rng.randint(0, len(facts)), Shown(place, secret[place]))
        yield facts


_CLAIM = re.compile(r"'?(.)'? is (not )?in (?:place (\d+)|the (?:equation|code)): (.*)\.")
_SOURCES = r"(?:guess(?:es)? ([\d, and]*\d))?(?: and )?(a hint|hints)?"
_LEFT = re.compile(rf"{_SOURCES} leaves? no code with\w* (?:'?.'?|another symbol)(?: there)?")
_CLUE = re.compile(
    r"(?:guess (?P<turn>\d+) |a hint )?(?:"
    r"found '?(?P<used>.)'?(?: (?P<least>twice|\w+ times)| in place (?P<kept>\d+))?"
    r"|(?:showed )?that '?(?P<moved>.)'? is not in place (?P<away>\d+)"
    r"|(?:showed )?that there is no '?(?P<none>.)'?"
    r"|(?:showed )?that '?(?P<some>.)'? occurs only (?P<most>once|twice|\w+ times)"
    r"|showed '?(?P<shown>.)'? in place (?P<there>\d+))"
)


def times(words: str) -> int:
    named = {"once": 1, "twice": 2, "three times": 3, "four times": 4}
    return named[words] if words in named else int(words.removesuffix(" times"))


def at(symbol: str, place: int) -> Holds:
    return lambda code: code[place] == symbol


def away_from(symbol: str, place: int) -> Holds:
    return lambda code: code[place] != symbol


def at_least(copies: int, symbol: str) -> Holds:
    return lambda code: code.count(symbol) >= copies


def at_most(copies: int, symbol: str) -> Holds:
    return lambda code: code.count(symbol) <= copies


def claim_of(sentence: str) -> tuple[Holds, str]:
    """What a sentence claims, and the rest of it."""
    match = _CLAIM.fullmatch(sentence)
    assert match, sentence
    symbol, negation, place, rest = match.groups()
    where = slice(None) if place is None else slice(int(place) - 1, int(place))
    return (lambda code: (symbol in code[where]) is not bool(negation)), rest


def clues_of(rest: str, facts: Sequence[Fact], rules: Rules[Any]) -> Iterator[Holds]:
    """What the sentence says of the turns, each proved to follow from the turn that it names."""
    turn = 0
    for part in re.split(r"\. And | and (?=guess|a hint|found|showed|that)", rest):
        found = _CLUE.fullmatch(part)
        assert found, part
        turn = int(found["turn"] or turn)
        if found["kept"]:
            holds = at(found["used"], int(found["kept"]) - 1)
        elif found["used"]:
            holds = at_least(times(found["least"] or "once"), found["used"])
        elif found["moved"]:
            holds = away_from(found["moved"], int(found["away"]) - 1)
        elif found["shown"]:
            holds = at(found["shown"], int(found["there"]) - 1)
        else:
            holds = at_most(
                times(found["most"]) if found["some"] else 0, found["some"] or found["none"]
            )
        is_hint = bool(found["shown"])
        told = named([] if is_hint else [turn], facts, is_hint=is_hint)
        assert all(holds(code) for code in explaining(rules, told))
        yield holds


def named(turns: Sequence[int], facts: Sequence[Fact], *, is_hint: bool) -> list[Fact]:
    made = [fact for fact in facts if isinstance(fact, Turn)]
    hints = [fact for fact in facts if isinstance(fact, Shown)]
    return [*[made[turn - 1] for turn in turns], *(hints if is_hint else [])]


def explaining(rules: Rules[Any], facts: Sequence[Fact]) -> list[Code]:
    return _explaining(rules, tuple(facts))


@lru_cache(64)
def _explaining(rules: Rules[Any], facts: tuple[Fact, ...]) -> list[Code]:
    return [code for code in all_secrets(rules) if is_consistent(rules, code, facts)]


def is_proved(sentence: str, rules: Rules[Any], facts: Sequence[Fact]) -> bool:
    """True if all secrets that agree with what a sentence says are as it claims."""
    holds, rest = claim_of(sentence)
    if re.fullmatch(r"(every|no) (true equation|code) has it( there)?", rest):
        return all(map(holds, all_secrets(rules)))
    if re.match(r"only by trying|with|the clues leave|there are only two operators", rest):
        left = explaining(rules, facts)
        counted = re.search(r"(\d+) (?:equation|code)s are left, (?:each|none) has it", rest)
        return (not counted or int(counted[1]) == len(left)) and all(map(holds, left))
    if match := re.fullmatch(r"only (\S+)(?: and (\S+))? (?:is|are) left", rest):
        left = explaining(rules, facts)
        return [*filter(None, match.groups())] == left and all(map(holds, left))
    if match := (_LEFT.fullmatch(rest) or re.fullmatch(rf"{_SOURCES} showed it", rest)):
        turns = list(map(int, re.findall(r"\d+", match[1] or "")))
        return all(map(holds, explaining(rules, named(turns, facts, is_hint=bool(match[2])))))
    said = re.split(r"\. (?:That leaves|With|Only by trying|Only \S+ |There are)", rest)[0]
    clues = list(clues_of(said, facts, rules))
    return all(holds(code) for code in all_secrets(rules) if all(clue(code) for clue in clues))


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.encode())
def test_every_sentence_of_an_explanation_is_true(rules: Rules[Any]) -> None:
    for facts in positions(rules):
        for found in explain(rules, facts):
            assert is_proved(str(found), rules, facts), (facts, str(found))


@pytest.mark.long
def test_an_explanation_that_does_not_mention_true_equations_follows_from_its_clues() -> None:
    """Of others, no row of symbols agrees with the clues and is not as claimed."""
    rules = Focdle(7)
    seen = set[str]()
    for facts in positions(rules):
        for found in explain(rules, facts):
            words = str(found)
            is_told = not re.search("true equation|showed it|left|leave|trying|operators", words)
            if not found.clues or words in seen or not is_told:
                continue
            seen.add(words)
            holds, rest = claim_of(words)
            clues = list(clues_of(rest, facts, rules))
            symbols = {"?", found.claim.symbol, *(told.symbol for told in found.clues)}
            rows = map("".join, product(sorted(symbols), repeat=rules.length))
            assert all(holds(row) for row in rows if all(clue(row) for clue in clues)), words
    assert len(seen) > POSITIONS


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.encode())
def test_exactly_the_symbols_that_the_clues_decide_are_explained(rules: Rules[Any]) -> None:
    for facts in positions(rules):
        left = explaining(rules, facts)
        places: list[int | None] = [*range(len(left[0])), None]
        alphabet = SYMBOLS if isinstance(rules, Focdle) else space_of(rules).alphabet
        decided: set[Claim] = set()
        for place, symbol in product(places, alphabet):
            where = slice(None) if place is None else slice(place, place + 1)
            found = {symbol in code[where] for code in left}
            if len(found) == 1:
                decided.add(Claim(symbol, place, is_so=found.pop()))
        claims = [each.claim for each in explain(rules, facts)]
        assert set(claims) == decided
        assert len(claims) == len(decided)


def symbols_out(index: int, turn: Turn[Any]) -> dict[Told, Holds]:
    """What a score without a bull says of each symbol, by itself."""
    if turn.feedback.bulls:
        return {}
    if not turn.feedback.cows:
        return {Told(Clue.DROP, index, symbol): at_most(0, symbol) for symbol in turn.guess}
    places = enumerate(turn.guess)
    return {Told(Clue.MOVE, index, s, place): away_from(s, place) for place, s in places}


def atoms(rules: Rules[Any], facts: Sequence[Fact]) -> dict[Told, Holds]:
    """All clues, only from the answers."""
    found: dict[Told, Holds] = {}
    for fact in facts:
        if isinstance(fact, Shown):
            told = Told(Clue.SHOWN, None, fact.symbol, fact.place)
            found[told] = at(fact.symbol, fact.place)
    for index, turn in enumerate(fact for fact in facts if isinstance(fact, Turn)):
        if not isinstance(rules, Focdle):
            told = Told(None, index)
            found[told] = partial(is_consistent, rules, history=[turn])
            found |= symbols_out(index, turn)
            continue
        for place, (symbol, m) in enumerate(zip(turn.guess, turn.feedback, strict=True)):
            is_right = m is Mark.CORRECT
            told = Told(Clue.KEEP if is_right else Clue.MOVE, index, symbol, place)
            found[told] = at(symbol, place) if is_right else away_from(symbol, place)
            marks = [n for s, n in zip(turn.guess, turn.feedback, strict=True) if s == symbol]
            copies = sum(n is not Mark.ABSENT for n in marks)
            if copies:
                found[Told(Clue.USE, index, symbol, copies=copies)] = at_least(copies, symbol)
            if Mark.ABSENT in marks:
                found[Told(Clue.DROP, index, symbol, copies=copies)] = at_most(copies, symbol)
    return found


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.encode())
def test_every_explanation_uses_as_few_clues_as_possible(rules: Rules[Any]) -> None:
    """Sets of secrets are bits of a number: clues prove a claim if they cover all that deny it."""
    everything = all_secrets(rules)
    for facts in list(positions(rules))[: either(2, 40)]:
        violated = {
            told: sum(1 << i for i, code in enumerate(everything) if not holds(code))
            for told, holds in atoms(rules, facts).items()
        }
        for found in explain(rules, facts):
            holds, _ = claim_of(str(found))
            denying = sum(1 << i for i, code in enumerate(everything) if not holds(code))
            assert covers(denying, [violated[told] for told in found.clues])
            for told in found.clues:
                rest = [violated[other] for other in found.clues if other != told]
                assert not covers(denying, rest)
            fewer = min(len(found.clues) - 1, MOST_TOLD)
            if fewer > 0:
                masks = {mask & denying for mask in violated.values()}
                assert not any(covers(denying, few) for few in combinations(masks, fewer))


def covers(denying: int, masks: Sequence[int]) -> bool:
    for mask in masks:
        denying &= ~mask
    return not denying


@cache
def all_forms(length: int) -> NDArray[np.uint8]:
    """All equations, true or not, of the forms that true ones have; no number begins with 0."""
    columns = secrets_as_array(length)
    masks = {re.sub(r"\d", "_", code) for code in as_codes(np.unique(columns.clip(9), axis=1))}
    found: list[NDArray[np.uint8]] = []
    for mask in sorted(masks):
        starts = [place == 0 or mask[place - 1] != "_" for place in range(length)]
        ranges = [
            range(starts[place], 10) if symbol == "_" else [SYMBOLS.index(symbol)]
            for place, symbol in enumerate(mask)
        ]
        grid = np.meshgrid(*[np.array(each, np.uint8) for each in ranges], indexing="ij")
        found.append(np.array([each.ravel() for each in grid], np.uint8))
    return np.concatenate(found, axis=1)


def meets(told: Told, columns: NDArray[np.uint8]) -> NDArray[np.bool_]:
    number = SYMBOLS.index(told.symbol)
    if told.place is not None:
        return (columns[told.place] == number) != (told.clue is Clue.MOVE)
    copies = (columns == number).sum(axis=0)
    return copies >= told.copies if told.clue is Clue.USE else copies <= told.copies


def agreeing(clues: Iterable[Told], columns: NDArray[np.uint8]) -> NDArray[np.uint8]:
    for told in clues:
        columns = columns.compress(meets(told, columns), axis=1)
    return columns


_FAULT = (
    r"no place is left for (?P<room>.*)|(?P<left>\S+) is (?P<value>-?\d+)"
    r"(?:, which the clues rule out)?"
    r"|even (?P<least>\S+) is over (?P<greatest>\d+)"
    r"|even (?P<most>\S+) is under (?P<smallest>\d+)"
    r"|the left side ends in (?P<ends>[\d, or]+), the result cannot"
)


def has(form: str, code: str) -> bool:
    return re.fullmatch(re.sub("_", r"\\d", re.sub(r"[-+*%]", r"\\\g<0>", form)), code) is not None


def value_of(expression: str) -> int:
    total = 0
    for sign, term in re.findall(r"([+-]?)(\d+(?:[*%]\d+)*)", expression):
        first, *others = re.findall(r"[*%]?\d+", term)
        value = int(first)
        for each in others:
            value = value * int(each[1:]) if each[0] == "*" else value % int(each[1:])
        total += -value if sign == "-" else value
    return total


def is_at_fault(fault: str, code: str) -> bool:
    """Whether what is said of a form is true of one equation of it, and makes that false."""
    said = re.fullmatch(_FAULT, fault)
    assert said, fault
    left, _, right = code.partition("=")
    if said["left"]:
        return said["left"] == left and value_of(left) == int(said["value"]) != int(right)
    if said["least"]:
        return value_of(left) >= value_of(said["least"]) > int(said["greatest"]) >= int(right)
    if said["most"]:
        return value_of(left) <= value_of(said["most"]) < int(said["smallest"]) <= int(right)
    ends = re.findall(r"\d", said["ends"] or "")
    is_possible = value_of(left) >= 0
    return (
        bool(ends)
        and right[-1] not in ends
        and (not is_possible or str(value_of(left))[-1] in ends)
    )


def check_reason(found: Deduction, rules: Focdle, facts: Sequence[Fact]) -> None:
    """Each equation, true or not, that the clues leave has one of the forms told, and its fault."""
    clues = atoms(rules, facts) if found.is_of_all else found.clues
    left = agreeing(clues, all_forms(rules.length))
    claim, number = found.claim, SYMBOLS.index(found.claim.symbol)
    there = left == number if claim.place is None else left[claim.place : claim.place + 1] == number
    against = as_codes(left.compress(there.any(axis=0) != claim.is_so, axis=1))
    reason = re.search(
        r"(?i)(the clues leave|that leaves|with(out)?|there are only) .*", str(found)
    )
    assert reason, str(found)
    words = reason[0].rpartition(". With")[2] if ". With" in reason[0] else reason[0]
    if match := re.search(r"^(?i:the clues leave|that leaves) only (\S.*)\.$", words):
        forms = re.split(", | and ", match[1])
        assert not against
        assert all("_" in form or rules.is_true(form) for form in forms)
        rest = [code for code in as_codes(left) if not any(has(form, code) for form in forms)]
        assert not any(map(rules.is_true, rest))
    elif match := re.search(r"leaves? only (\S+), and (.*)\.$", words):
        assert all(has(match[1], code) and is_at_fault(match[2], code) for code in against)
    elif "forms. " in words:
        cases = re.findall(r"(\S+=\S+): (.*?)\.(?= |$)", words)
        assert len(cases) == len(found.cases) > 1
        for code in against:
            assert any(has(form, code) and is_at_fault(fault, code) for form, fault in cases), code
    else:
        assert re.search("two operators|no place is left for '.'", words), words
        assert not against


@pytest.mark.long
@pytest.mark.parametrize(("length", "count"), either([(7, 16)], [(7, 40), (8, 4)]))
def test_a_reason_names_all_forms_that_are_left_and_a_fault_that_each_has(
    length: int, count: int
) -> None:
    rules, reasons = Focdle(length), 0
    for facts in positions(rules, count):
        for found in explain(rules, facts):
            if found.cases:
                check_reason(found, rules, facts)
                reasons += 1
    assert reasons > 10


def test_only_requested_conclusions_that_the_clues_decide_are_explained() -> None:
    rules, secret = Focdle(8), "12+3-6=9"
    turns = [Turn(guess, rules.feedback(guess, secret)) for guess in ("12-3-4=5",)]
    asked = [Claim("1", 0), Claim("9", 7), Claim("=", 6)]
    found = explain(rules, turns, asked)
    assert [each.claim for each in found] == [Claim("1", 0), Claim("=", 6)]
    assert explain(rules, turns, [Claim("9", 7)]) == ()
    symbols: list[Any] = ["1"]
    with pytest.raises(EngineError, match="'1' is no Claim"):
        explain(rules, turns, symbols)


def test_an_explanation_is_written_as_json_and_read_from_there_again() -> None:
    rules = Focdle(8)
    for found in explain(rules, [Turn("12-3-4=5", rules.feedback("12-3-4=5", "12+3-6=9"))]):
        told = json.loads(json.dumps(asdict(found)))
        assert Claim(**told["claim"]) == found.claim
        clues = [replace(Told(**each), clue=Clue(each["clue"])) for each in told["clues"]]
        assert tuple(clues) == found.clues


def test_an_explanation_of_contradictory_feedback_is_refused() -> None:
    rules = BullsAndCows()
    turns = [Turn("1234", "0B0C"), Turn("1567", "1B0C")]
    explain(rules, turns)
    with pytest.raises(InconsistentFeedback):
        explain(rules, [*turns, Turn("5670", "0B0C"), Turn("8901", "1B0C")])


def test_a_sentence_of_an_explanation_names_at_most_two_clues() -> None:
    told = (
        Told(Clue.KEEP, 0, "7", 2),
        Told(Clue.DROP, 0, "7", copies=1),
        Told(Clue.USE, 2, "3", copies=3),
    )
    claim = Claim("7", 3, is_so=False)
    words = [str(Deduction(claim, told[:count], "true equation")) for count in range(4)]
    one = "7 is not in place 4: guess 1 found 7 in place 3"
    both = f"{one} and showed that 7 occurs only once"
    assert words == [
        "7 is not in place 4: no true equation has it there.",
        f"{one}. That leaves no true equation with 7 there.",
        f"{both}.",
        f"{both}. And guess 3 found 3 three times.",
    ]


def test_a_guess_without_bulls_gives_a_clue_about_each_of_its_symbols() -> None:
    rules = BullsAndCows()
    turns = [Turn("1234", "0B2C"), Turn("5678", "0B0C")]
    asked = [
        Claim("1", 0, is_so=False),
        Claim("5", None, is_so=False),
        Claim("5", 3, is_so=False),
    ]
    assert [str(each) for each in explain(rules, turns, asked)] == [
        "1 is not in place 1: guess 1 showed it.",
        "5 is not in the code: guess 2 showed it.",
        "5 is not in place 4: guess 2 showed that there is no 5.",
    ]


def test_an_explanation_prefers_a_clue_about_its_own_place_and_puts_operators_in_quotes() -> None:
    rules = Focdle(8)
    turns = [Turn("9+99%3=9", "xxxxgxgx"), Turn("7%26%2=1", "gxyggxgx")]
    (found,) = explain(rules, turns, [Claim("4", 6, is_so=False)])
    assert str(found) == "4 is not in place 7: guess 1 found '=' in place 7."


def test_an_explanation_with_many_clues_names_the_few_secrets_that_are_left() -> None:
    rules = Focdle(10)
    turns = [Turn("87%95-5=82", "xyyyyyxgxy"), Turn("42-79%9=35", "xyggygygyg")]
    (found,) = explain(rules, turns, [Claim("2", 6)])
    assert len(found.clues) > MOST_TOLD
    assert str(found) == "2 is in place 7: only 96-73%2=95 is left."


def test_a_reason_leaves_out_what_is_seen_to_be_false_and_no_number_that_is_worked_with() -> None:
    turns = [Turn("85%9+5=9", "xxyxxxgx"), Turn("1%14*3=3", "ggygxggy")]
    (found,) = explain(Focdle(8), turns, [Claim("6", 2, is_so=False)])
    assert str(found) == "6 is not in place 3: the clues leave only 1%34%3=1."
    turns = [Turn("6%13+1=7", "xgxxgxgg"), Turn("5%79+2=7", "ygxxgygg")]
    (found,) = explain(Focdle(8), turns, [Claim("4", 0, is_so=False)])
    assert str(found) == (
        "4 is not in place 1: with 4 there, the clues leave only 4%__+_=7, and even 4%20+4 is over "
        "7."
    )


def test_an_explanation_says_which_conclusion_needs_a_true_equation() -> None:
    told = (Told(Clue.DROP, 0, "*"), Told(Clue.DROP, 0, "+"), Told(Clue.MOVE, 1, "%", 4))
    words = [
        str(Deduction(claim, told, "true equation", 14))
        for claim in (Claim("-"), Claim("1", 0, is_so=False), Claim("1", 1))
    ]
    proof = (
        "guess 1 showed that there is no '*' and that there is no '+'. "
        "And guess 2 showed that '%' is not in place 5. Only by trying: 14 equations are left,"
    )
    assert words == [
        f"'-' is in the equation: {proof} each has it.",
        f"1 is not in place 1: {proof} none has it there.",
        f"1 is in place 2: {proof} each has it there.",
    ]
