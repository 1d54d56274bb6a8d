"""What turns and hints prove about the secret, with the fewest clues for it, in words, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.errors import Clue, listed

MOST_TOLD: Final = 3
"""The most clues that a sentence tells; where more are needed, it tells only what is left."""
MOST_LEFT: Final = 2
"""The most candidates that a sentence names, where no others are left."""
_PAIR: Final = 2
_TIMES: Final = ("", " once", " twice", " three times", " four times")


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about the secret: that it has a symbol somewhere, or that it has not.

    Attributes:
        symbol: the symbol that the claim is about.
        place: a 0-based place; None for anywhere in the secret.
        is_so: True if the secret has the symbol there, False if it has not.
    """

    symbol: str
    place: int | None = None
    is_so: bool = True


@dataclass(frozen=True, slots=True)
class Told:
    """A clue: what a turn or a hint tells of the secret.

    Attributes:
        clue: the kind of clue; None for the whole score of a turn.
        turn: the 0-based index of the turn, hints not counted; None for a hint.
        symbol: the symbol that the clue is about; empty for a whole score.
        place: the symbol's 0-based place; None if the clue names no place.
        copies: how many copies of the symbol the secret has at least (USE), or at most (DROP); 0 in
            other clues.
    """

    clue: Clue | None
    turn: int | None
    symbol: str = ""
    place: int | None = None
    copies: int = 0

    def is_about(self, claim: Claim) -> bool:
        """True if the clue names the claim's symbol or its place."""
        return self.symbol == claim.symbol or (self.place is not None and self.place == claim.place)

    def says(self, claim: Claim) -> bool:
        """True if the clue by itself says what the claim says: nothing has to be deduced."""
        if self.symbol != claim.symbol:
            return False
        if self.clue in {Clue.MOVE, Clue.DROP}:
            return not claim.is_so and not self.copies and claim.place == self.place
        return claim.is_so and claim.place == self.place


class Fault(StrEnum):
    """The fault of a form: why no true equation that agrees with the clues has it."""

    NONE = "none"
    """There may be one: the claim is seen in the form itself."""
    OPERATORS = "operators"
    """It would have three operators; there is no such form."""
    ROOM = "room"
    """No place is left for the symbols of `value`; if `form` is empty, in no form."""
    IS = "is"
    """The left side is known, and its value is `value`."""
    BARRED = "barred"
    """The value of the left side is `value`; the clues rule out a digit of it in its place."""
    OVER = "over"
    """The least that the left side can be is `left`, and over `value`, the greatest result."""
    UNDER = "under"
    """The most that the left side can be is `left`, and under `value`, the least result."""
    ENDS = "ends"
    """The left side, if it is not negative, ends in a digit of `value`, and the result cannot."""


@dataclass(frozen=True, slots=True)
class Case:
    """A form of an equation, true or not, such as ``4_%57+_=_``, and what is wrong with it."""

    fault: Fault
    form: str = ""
    left: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Deduction:
    """A claim that follows from turns and hints, with the clues that prove it; `str` says both.

    Attributes:
        claim: what holds for every secret that explains the turns and hints.
        clues: the fewest clues that prove the claim; empty if it holds for all secrets of the game.
        noun: the game's word for a secret: ``code`` or ``true equation``.
        count: how many candidates there are.
        left: all candidates, if there are at most `MOST_LEFT`; else empty.
        cases: the forms that would be left if the claim were false, each with its fault; or with no
            fault the forms that are left, if these show the claim. Empty if the claim needs no such
            reason, or has none.
        is_of_all: True if the forms are what all clues together leave, not `clues`.
    """

    claim: Claim
    clues: tuple[Told, ...]
    noun: str
    count: int = 0
    left: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    is_of_all: bool = False

    def __str__(self) -> str:
        claim = self.claim
        where = f"place {(claim.place or 0) + 1}"
        if claim.place is None:
            where = "the code" if self.noun == "code" else "the equation"
        said = f"{_spelled(claim.symbol)} is {'' if claim.is_so else 'not '}in {where}"
        return f"{said}: {self._proof()}"

    def in_words(self, names: Mapping[str, str]) -> str:
        """The same sentence, with these names for symbols: of colours, for example."""
        claim = replace(self.claim, symbol=names[self.claim.symbol])
        clues = [replace(each, symbol=names.get(each.symbol, "")) for each in self.clues]
        left = [", ".join(names[symbol] for symbol in code) for code in self.left]
        return str(replace(self, claim=claim, clues=tuple(clues), left=tuple(left)))

    def _proof(self) -> str:
        claim, clues = self.claim, self.clues
        if not clues:
            return f"{'every' if claim.is_so else 'no'} {self.noun} has it{_there(claim)}."
        if len(clues) == 1 and clues[0].says(claim):
            return f"{_sources(clues)} showed it."
        if len(clues) > MOST_TOLD or self.is_of_all:
            return self._reason()
        if any(each.clue is None for each in clues):
            leaves = "leaves" if len(clues) == 1 else "leave"
            return f"{_sources(clues)} {leaves} no {self.noun} {_otherwise(claim)}."
        told = f"{_said_together(clues[:_PAIR])}."
        if len(clues) > _PAIR:
            told = f"{told} And {_said_together(clues[_PAIR:])}."
        reason = "" if is_plain(claim, clues) else self._reason()
        return f"{told} {reason[0].upper()}{reason[1:]}" if reason else told

    def _reason(self) -> str:
        """Say why there is no secret against the claim; it begins in lower case."""
        claim = self.claim
        if self.cases:
            return _argued(
                claim, self.cases, "the clues leave" if self.is_of_all else "that leaves"
            )
        if len(self.clues) == 1:
            return f"that leaves no {self.noun} {_otherwise(claim)}."
        if self.left:
            return f"only {listed(self.left)} {'is' if len(self.left) == 1 else 'are'} left."
        each, noun = "each" if claim.is_so else "none", self.noun.rpartition(" ")[2]
        return f"only by trying: {self.count:,} {noun}s are left, {each} has it{_there(claim)}."


def _argued(claim: Claim, cases: Sequence[Case], leaving: str) -> str:
    forms, otherwise = [case.form for case in cases], _otherwise(claim)
    if cases[0].fault is Fault.NONE:
        return f"{leaving} only {listed(forms)}."
    if cases[0].fault is Fault.OPERATORS:
        return "there are only two operators."
    if not forms[0]:
        return f"{otherwise}, {_faulty(cases[0])}."
    if len(cases) == 1:
        return f"{otherwise}, {leaving} only {forms[0]}, and {_faulty(cases[0])}."
    each = " ".join(f"{case.form}: {_faulty(case)}." for case in cases)
    return f"{otherwise}, {leaving} {'two' if len(cases) == _PAIR else 'three'} forms. {each}"


def _faulty(case: Case) -> str:
    symbols = [*map(_spelled, case.value)]
    says = {
        Fault.ROOM: f"no place is left for {listed(symbols)}",
        Fault.IS: f"{case.left} is {case.value}",
        Fault.BARRED: f"{case.left} is {case.value}, which the clues rule out",
        Fault.OVER: f"even {case.left} is over {case.value}",
        Fault.UNDER: f"even {case.left} is under {case.value}",
        Fault.ENDS: f"the left side ends in {listed(symbols, 'or')}, the result cannot",
    }
    return says[case.fault]


def _there(claim: Claim) -> str:
    return "" if claim.place is None else " there"


def is_plain(claim: Claim, clues: Sequence[Told]) -> bool:
    """True if the clues prove the claim even of a string that is no true equation."""
    symbols = [told.symbol for told in clues if told.clue in {Clue.KEEP, Clue.SHOWN}]
    if claim.is_so:
        return claim.place is None and claim.symbol in symbols
    if any(told.clue in {Clue.KEEP, Clue.SHOWN} and told.place == claim.place for told in clues):
        return True
    copies = symbols.count(claim.symbol)
    return (Clue.DROP, claim.symbol, copies) in [(t.clue, t.symbol, t.copies) for t in clues]


def _otherwise(claim: Claim) -> str:
    """Describe the secrets for which a claim is false, to follow the words `no code is left`."""
    if claim.place is None:
        return f"{'without' if claim.is_so else 'with'} {_spelled(claim.symbol)}"
    return f"with {'another symbol' if claim.is_so else _spelled(claim.symbol)} there"


def _sources(clues: Sequence[Told]) -> str:
    numbers = [str(each.turn + 1) for each in clues if each.turn is not None]
    hints = len(clues) - len(numbers)
    guesses = f"guess{'es' if len(numbers) > 1 else ''} {listed(numbers)}" if numbers else ""
    shown = ("", "a hint")[hints] if hints <= 1 else "hints"
    return listed([each for each in (guesses, shown) if each])


def _said_together(clues: Sequence[Told]) -> str:
    """Tell clues in one sentence: a clause for each turn, and one for all hints together."""
    clauses: dict[str, list[str]] = {}
    for each in clues:
        clauses.setdefault(_sources([each]), []).append(_said(each))
    parts: list[str] = []
    for source, said in clauses.items():
        first, *rest = sorted(said, key=lambda each: each.startswith("showed"))
        if first.startswith("showed that"):
            rest = [each.removeprefix("showed ") for each in rest]
        parts.append(f"{source} {listed([first, *rest])}")
    return listed(parts)


def _said(told: Told) -> str:
    symbol, place, copies = _spelled(told.symbol), (told.place or 0) + 1, told.copies
    times = _TIMES[copies] if copies < len(_TIMES) else f" {copies} times"
    says: dict[Clue | None, str] = {
        Clue.KEEP: f"found {symbol} in place {place}",
        Clue.MOVE: f"showed that {symbol} is not in place {place}",
        Clue.USE: f"found {symbol}{times if copies > 1 else ''}",
        Clue.DROP: f"showed that {symbol} occurs only{times}",
        Clue.SHOWN: f"showed {symbol} in place {place}",
    }
    if told.clue is Clue.DROP and not copies:
        return f"showed that there is no {symbol}"
    return says[told.clue]


def _spelled(symbol: str) -> str:
    """Put an operator into quotes, so that it is not read as a dash or a full stop."""
    return symbol if symbol.replace(" ", "").isalnum() else f"'{symbol}'"
