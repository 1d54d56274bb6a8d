"""Reasons: how the form of an equation and the bounds of its numbers prove what clues decide.

Where clues decide a claim, no true equation contradicts it. A reason names each form of an
equation, true or not, that the clues would leave if the claim were false, and a fault of it: even
the least that its left side can be is over its result, say.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from engine.deductions import Case, Claim, Fault, Told
from engine.equations import DIGITS, EQUALS, OPERATORS, SYMBOLS, VALUES, joined, shapes_of
from engine.errors import Clue

MOST_CASES: Final = 3
"""The most forms that a reason names."""
_MOST_ENDINGS: Final = 5
"""The most last digits that a reason names; so many are all even ones."""
_TEN: Final = 10

_Symbols = frozenset[str]
_DIGITS: Final = _Symbols(DIGITS)
_Places = tuple[_Symbols, ...]
"""The symbols that may be in each place."""


class _Layout(NamedTuple):
    """The operators of an equation and their places; elsewhere are its digits."""

    places: _Places
    signs: tuple[int, int, int]
    """The places of both operators and of ``=``."""
    operators: tuple[str, str]


@cache
def _layouts(length: int) -> tuple[_Layout, ...]:
    found: list[_Layout] = []
    for shape in shapes_of(length)[0]:
        places: list[_Symbols] = []
        widths = (*shape.widths, shape.result_width)
        for width, sign in zip(widths, (*shape.operators, EQUALS, ""), strict=True):
            places += [_DIGITS - {"0"}, *[_DIGITS] * (width - 1)]
            places += [_Symbols(sign)] if sign else []
        first, second = shape.widths[0], shape.widths[0] + 1 + shape.widths[1]
        signs = first, second, second + 1 + shape.widths[2]
        found.append(_Layout(tuple(places), signs, shape.operators))
    return tuple(found)


class _Known(NamedTuple):
    """What clues say of symbols: the places where each may be, its least and its most copies."""

    places: _Places
    least: Mapping[str, int]
    most: Mapping[str, int]

    def unless(self, claim: Claim) -> "_Known":
        """What they would say if the claim were false."""
        if claim.place is None and not claim.is_so:
            return self._replace(least={claim.symbol: 1, **self.least})
        symbol, at = _Symbols(claim.symbol), claim.place
        return self._replace(
            places=tuple(
                here if at not in {None, place} else here - symbol if claim.is_so else here & symbol
                for place, here in enumerate(self.places)
            )
        )

    def forms(self) -> Iterator["_Form"]:
        """Yield each layout that leaves a symbol for every place, with the symbols that it leaves.

        Some may have no room for all digits that are known.
        """
        for layout in _layouts(len(self.places)):
            if all(
                self.least.get(sign, 0) <= layout.operators.count(sign) <= self.most.get(sign, 2)
                for sign in OPERATORS
            ):
                places = tuple(a & b for a, b in zip(self.places, layout.places, strict=True))
                if all(places):
                    yield _narrowed(_Form(self, layout, places))


class _Form(NamedTuple):
    """An equation, true or not, of whose digits some are known.

    Attributes:
        lacking: symbols that have no room in it; empty if others have no room; None if all have.
    """

    known: _Known
    layout: _Layout
    places: _Places
    lacking: str | None = None

    def __str__(self) -> str:
        return "".join(min(here) if len(here) == 1 else "_" for here in self.places)

    def missing(self) -> Counter[str]:
        """How many copies of each symbol must be in places that are not known."""
        placed = Counter(min(here) for here in self.places if len(here) == 1)
        return Counter(self.known.least) - placed

    def split(self) -> Iterator[list["_Form"]]:
        """Yield lists of few forms, one of which this is: by a symbol's places, by a place."""
        free = [place for place, here in enumerate(self.places) if len(here) > 1]
        for symbol, copies in self.missing().items():
            if copies == 1:
                yield [self.at(place, symbol) for place in free if symbol in self.places[place]]
        for place in free:
            if len(self.places[place]) <= MOST_CASES:
                yield [self.at(place, symbol) for symbol in sorted(self.places[place])]

    def at(self, place: int, symbol: str) -> "_Form":
        """This form with a symbol in a place."""
        places = list(self.places)
        places[place] = _Symbols(symbol)
        return _narrowed(self._replace(places=tuple(places)))

    def case(self) -> Case | None:
        """The form with its fault, if it has one."""
        if self.lacking is not None:
            return Case(Fault.ROOM, str(self), value=self.lacking) if self.lacking else None
        ends = [-1, *self.layout.signs, len(self.places)]
        first, second, third, right = (self.places[a + 1 : b] for a, b in pairwise(ends))
        values = _number(first), _number(second), _number(third)
        left, result = joined(self.layout.operators, values, _operated), _number(right)
        text = str(self).partition(EQUALS)[0]
        if "_" not in text:
            return _valued(str(self), text, str(left.low), right)
        if left.low > result.high:
            return Case(Fault.OVER, str(self), left.least, str(result.high))
        if left.high < result.low:
            return Case(Fault.UNDER, str(self), left.most, str(result.low))
        if left.ends.isdisjoint(result.ends) and len(left.ends) <= _MOST_ENDINGS:
            return Case(Fault.ENDS, str(self), value="".join(map(str, sorted(left.ends))))
        return None


def _valued(form: str, left: str, value: str, result: _Places) -> Case | None:
    """The case of a form whose left side has this value; None if that can be its result."""
    fault = Fault.IS
    if value.isdigit() and len(value) == len(result):
        barred = [here for digit, here in zip(value, result, strict=True) if digit not in here]
        if not barred:
            return None
        if all(len(here) > 1 for here in barred):
            fault = Fault.BARRED
    return Case(fault, form, left, value)


class _Number(NamedTuple):
    """Bounds of a number: the least and the greatest, how they come about, its last digits."""

    low: int
    high: int
    least: str
    most: str
    ends: frozenset[int]


def _number(digits: Sequence[_Symbols]) -> _Number:
    least, most = "".join(map(min, digits)), "".join(map(max, digits))
    return _Number(int(least), int(most), least, most, frozenset(map(int, digits[-1])))


def _operated(sign: str, a: _Number, b: _Number) -> _Number:
    """Bounds of an operation; of ``*`` and ``%``, on numbers of which none is negative."""
    pairs = [(x, y) for x in a.ends for y in b.ends]
    if sign == "+":
        ends = frozenset((x + y) % _TEN for x, y in pairs)
        sums = f"{a.least}+{b.least}", f"{a.most}+{b.most}"
        return _Number(a.low + b.low, a.high + b.high, *sums, ends)
    if sign == "-":
        ends = frozenset((x - y) % _TEN for x, y in pairs)
        differences = f"{a.least}-{b.most}", f"{a.most}-{b.least}"
        return _Number(a.low - b.high, a.high - b.low, *differences, ends)
    if sign == "*":
        ends = frozenset(x * y % _TEN for x, y in pairs)
        products = f"{a.least}*{b.least}", f"{a.most}*{b.most}"
        return _Number(a.low * b.low, a.high * b.high, *products, ends)
    if a.high < b.low:
        return a._replace(least=f"{a.least}%{b.least}", most=f"{a.most}%{b.least}")
    if b.low == b.high and a.low // b.low == a.high // b.low:
        low, high = a.low % b.low, a.high % b.low
        remainders = f"{a.least}%{b.least}", f"{a.most}%{b.least}"
    else:
        low, high = 0, min(a.high, b.high - 1)
        remainders = "0", f"{high}%{b.high}"
    ends = frozenset(each % _TEN for each in range(low, min(high, low + _TEN) + 1))
    return _Number(low, high, *remainders, ends)


def _narrowed(form: _Form) -> _Form:
    """A form without symbols that have no room; those with a single place left are put there."""
    while form.lacking is None:
        free = [place for place, here in enumerate(form.places) if len(here) > 1]
        placed = Counter(min(here) for here in form.places if len(here) == 1)
        most, missing = form.known.most, Counter(form.known.least) - placed
        used = {each for each, copies in placed.items() if copies >= most.get(each, copies + 1)}
        kept = _DIGITS - used if missing.total() < len(free) else _Symbols(missing)
        rest: dict[int, _Symbols] = {place: form.places[place] & kept for place in free}
        lacking = ["".join(missing)] if missing.total() > len(free) else []
        for symbol, copies in missing.items():
            at = [place for place in free if symbol in rest[place]]
            if len(at) < copies:
                lacking.append(symbol)
            if len(at) == copies:
                rest.update((place, rest[place] & {symbol}) for place in at)
        if lacking:
            return form._replace(lacking="".join(sorted(lacking[0])))
        if not all(rest.values()) or any(placed[each] > most[each] for each in used):
            return form._replace(lacking="")
        places = tuple(rest.get(place, here) for place, here in enumerate(form.places))
        if places == form.places:
            break
        form = form._replace(places=places)
    return form


def _known(clues: Iterable[Told], length: int) -> _Known:
    places, least, most = [_Symbols(SYMBOLS)] * length, dict[str, int](), dict[str, int]()
    for told in clues:
        symbol = told.symbol
        if told.clue in {Clue.KEEP, Clue.SHOWN} and told.place is not None:
            places[told.place] &= {symbol}
            copies = places.count(_Symbols(symbol))
            least[symbol] = max(copies, least.get(symbol, 0))
        elif told.place is not None:
            places[told.place] -= {symbol}
        elif told.clue is Clue.USE:
            least[symbol] = max(told.copies, least.get(symbol, 0))
        else:
            most[symbol] = min(told.copies, most.get(symbol, told.copies))
            if not told.copies:
                places = [here - {symbol} for here in places]
    return _Known(tuple(places), least, most)


class Reasons:
    """Reasons why clues, each of which is about a symbol, decide what they decide."""

    def __init__(self, clues: Sequence[Told], length: int) -> None:
        self.length = length
        self._known = _known(clues, length)

    @cached_property
    def _left(self) -> list[str]:
        """The forms that the clues leave, without those that are seen to be false equations."""
        forms = [form for form in self._known.forms() if form.lacking is None]
        return [text for form in forms if "_" in (text := str(form)) or not form.case()]

    def cases(self, claim: Claim) -> tuple[Case, ...]:
        """The cases that prove a claim which the clues decide; empty if they are not so few."""
        few = len(self._left) <= MOST_CASES
        if few and all(_is_seen(claim, form) for form in self._left):
            return tuple(Case(Fault.NONE, form) for form in self._left)
        return tuple(self._against(claim))

    def _against(self, claim: Claim) -> list[Case]:
        known = self._known.unless(claim)
        forms = list(known.forms())
        if not forms:
            return list(_out_of_form(known))
        if len(forms) > MOST_CASES:
            forms = [form for form in forms if form.lacking is None]
        cases = list[Case]()
        for index, form in enumerate(forms):
            most = MOST_CASES - len(cases) - (len(forms) - index - 1)
            if most < 1 or not (found := _cases(form, most)):
                return []
            cases += map(self._told, found)
        return cases

    def _told(self, case: Case) -> Case:
        """The case; a result is ruled out by clues, not by the claim that would be false."""
        if case.fault is Fault.BARRED:
            right = self._known.places[len(case.form) - len(case.value) :]
            if all(digit in here for digit, here in zip(case.value, right, strict=True)):
                return replace(case, fault=Fault.IS)
        return case


def _cases(form: _Form, most: int) -> list[Case]:
    """The form with its fault, or what it is split into, at most so many; empty if it has none."""
    if case := form.case():
        return [case]
    best = list[Case]()
    for parts in form.split() if most > 1 else ():
        fitting = [part for part in parts if part.lacking is None] or parts
        cases = [part.case() for part in fitting]
        if len(cases) < (len(best) or most + 1) and all(cases):
            best = [case for case in cases if case]
    return best


def _out_of_form(known: _Known) -> Iterator[Case]:
    """Why no form is left: there is an operator too many, or no place for one."""
    if sum(known.least.get(sign, 0) for sign in OPERATORS) >= VALUES:
        yield Case(Fault.OPERATORS)
        return
    for symbol in known.least:
        rest = {each: copies for each, copies in known.least.items() if each != symbol}
        if symbol in OPERATORS and next(known._replace(least=rest).forms(), None):
            yield Case(Fault.ROOM, value=symbol)
            return


def _is_seen(claim: Claim, form: str) -> bool:
    """True if a claim holds for every equation of a form."""
    if claim.place is None:
        is_there = claim.symbol in form
        is_sure = is_there or claim.symbol in OPERATORS or "_" not in form
        return is_sure and is_there is claim.is_so
    here = form[claim.place]
    if here == "_":
        return claim.symbol not in DIGITS and not claim.is_so
    return (here == claim.symbol) is claim.is_so
