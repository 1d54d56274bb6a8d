"""Routes: the ids of buttons, lists and forms, and the functions that they lead to.

An id is all that Discord sends back of a button, a list or a form, so everything that is needed
stands in it. A route writes an id and reads it again; a function is put on a route as a web
router has it:

    GUESS = Route("du:guess:{duel:int}:{draft?}")

    @pressed(GUESS)
    async def open_guess_form(interaction: Interaction, duel: int, draft: str = "") -> None: ...

    button(GUESS(duel=game.id), say(words.GUESS))

Messages outlive versions: a route that was in use goes on being read as it was.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Final, TypeVar, cast

import discord

from bot.presentation.base.markup import printable
from bot.presentation.refusals import outdated
from bot.services.base.allowance import Cost
from cogs.base.admission import is_admitted
from cogs.base.forms import typed_values
from cogs.base.pages import notice
from cogs.base.replies import Attempt, Interaction, answering, note_attempt, whisper
from cogs.base.urgency import hurry

AnswerT = TypeVar("AnswerT", bound=Callable[..., Awaitable[None]])

# Of the hundred characters of an id, what is typed may have so many.
_LONGEST_DRAFT: Final = 70
# The colon before, the name, whether it may be left out, the kind.
_PLACEHOLDER: Final = re.compile(r"(:?)\{(\w+)(\?)?(?::([^{}]+))?\}")


@dataclass(frozen=True, slots=True)
class Argument:
    """A kind of argument in an id.

    Attributes:
        pattern: what it looks like there, as a regular expression without groups.
        read: what that stands for.
        write: how that is written.
    """

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


def member_of(kind: type[Enum]) -> Argument:
    """A kind of argument that is a member of an enumeration, written as its value."""
    return one_of({str(member.value): member for member in kind})


def one_of(meanings: Mapping[str, Any]) -> Argument:
    """A kind of argument that stands for something else, each of which has its own text."""
    texts = {meaning: text for text, meaning in meanings.items()}
    pattern = "|".join(map(re.escape, meanings))
    return Argument(f"(?:{pattern})", meanings.__getitem__, texts.__getitem__)


# Up to nineteen digits, as Discord's ids have, and no number that is too large for a row's.
_DIGITS: Final = "[0-8]?[0-9]{1,18}"
_TEXT: Final = Argument(".+")
_KINDS: Final = {
    "int": Argument(_DIGITS, int),
    "signed": Argument(f"-?{_DIGITS}", int),
    "switch": one_of({"on": True, "off": False}),
}


class Route:
    """What an id looks like, with its arguments in braces.

    ``{duel:int}`` is a number, ``{page:signed}`` one that may have a minus, ``{on:switch}`` whether
    something is turned on, ``{act:ask|keep}`` one of some words, ``{draft}`` any text; another kind
    is given by the argument's name. One with a question mark may be left out, and the colon before
    it.

    Args:
        template: the id, within a hundred characters when its arguments are in it.
        kinds: further kinds of arguments, by the argument's name.

    >>> route = Route("du:guess:{duel:int}:{draft?}")
    >>> route(duel=7), route(duel=7, draft="12")
    ('du:guess:7', 'du:guess:7:12')
    >>> route.read("du:guess:7"), route.read("du:guess:x")
    ({'duel': 7}, None)
    """

    def __init__(self, template: str, **kinds: Argument) -> None:
        self._template = template
        self._kinds: dict[str, Argument] = {}
        pattern, end = "", 0
        for found in _PLACEHOLDER.finditer(template):
            colon, name, optional, kind = found.groups()
            self._kinds[name] = kinds[name] if name in kinds else _kind_called(kind)
            part = f"{colon}(?P<{name}>{self._kinds[name].pattern})"
            pattern += re.escape(template[end : found.start()])
            pattern += f"(?:{part})?" if optional else part
            end = found.end()
        self._pattern = re.compile(pattern + re.escape(template[end:]), re.ASCII)

    def __repr__(self) -> str:
        """As it was written."""
        return f"Route({self._template!r})"

    def __call__(self, **arguments: object) -> str:
        """The id with these arguments; those that may be left out are so when empty or None."""

        def written(found: re.Match[str]) -> str:
            colon, name, optional, _ = found.groups()
            value = arguments.get(name) if optional else arguments[name]
            if optional and value in {None, ""}:
                return ""
            return f"{colon}{self._kinds[name].write(value)}"

        return _PLACEHOLDER.sub(written, self._template)

    @property
    def arguments(self) -> frozenset[str]:
        """Their names."""
        return frozenset(self._kinds)

    def read(self, custom_id: str) -> dict[str, Any] | None:
        """The arguments in an id, without those that are left out; None for another route's."""
        found = self._pattern.fullmatch(custom_id)
        if found is None:
            return None
        texts = found.groupdict()
        return {n: self._kinds[n].read(text) for n, text in texts.items() if text is not None}


def _kind_called(name: str | None) -> Argument:
    if name is None:
        return _TEXT
    return _KINDS.get(name) or Argument(f"(?:{name})")


class Means(StrEnum):
    """By what something is asked for."""

    BUTTON = "button"
    LIST = "list"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Handler:
    """What is done when something with an id is used.

    Attributes:
        route: the ids.
        means: what has them.
        cost: what it takes.
        answer: the function; it takes the interaction and, for lists and forms, what was chosen
            or typed.
        takes: the arguments of the route that it takes besides.
        again: how the same is asked for once more, given the same but for the interaction; None
            where that is nothing to be kept.
    """

    route: Route
    means: Means
    cost: Cost
    answer: Callable[..., Awaitable[None]]
    takes: frozenset[str]
    again: Callable[..., Attempt | None] | None = None


HANDLERS: Final[list[Handler]] = []
"""All that the bot knows, in the order in which they were imported."""


def pressed(
    *routes: Route, cost: Cost = Cost.LIGHT, is_kept: bool = False
) -> Callable[[AnswerT], AnswerT]:
    """Put a function on the routes of buttons.

    Args:
        routes: whose arguments it takes; it need not take all.
        cost: what it takes to do what the button says.
        is_kept: whether who was told that there was no time has *Try again*; it is for what does
            nothing when it is done twice.
    """
    return _on(Means.BUTTON, routes, cost, _the_same if is_kept else None)


def picked(*routes: Route, cost: Cost = Cost.LIGHT) -> Callable[[AnswerT], AnswerT]:
    """Put a function on the routes of lists. Its second argument is a sequence of texts.

    They are the values of the options chosen; of channels, roles and members, their ids. Clients
    can take a choice back, so there may be none.
    """
    return _on(Means.LIST, routes, cost)


def submitted(
    *routes: Route,
    cost: Cost = Cost.LIGHT,
    again: Callable[..., Attempt | None] | None = None,
) -> Callable[[AnswerT], AnswerT]:
    """Put a function on the routes of forms. Its second argument maps fields to what they hold.

    Args:
        routes: whose arguments it takes; it need not take all.
        cost: what it takes to do what the form asks for.
        again: makes of what was typed, and of the same arguments, what *Try again* does for who
            was told that there was no time.
    """
    return _on(Means.FORM, routes, cost, again)


def _the_same(custom_id: str, *, draft: str = "", **_others: object) -> Attempt:
    """To press the same once more."""
    return Attempt(custom_id, draft)


def _on(
    means: Means,
    routes: Sequence[Route],
    cost: Cost,
    again: Callable[..., Attempt | None] | None = None,
) -> Callable[[AnswerT], AnswerT]:
    def put(answer: AnswerT) -> AnswerT:
        given = 1 if means is Means.BUTTON else 2
        parameters = list(inspect.signature(answer).parameters.values())[given:]
        takes = frozenset(each.name for each in parameters)
        needs = {each.name for each in parameters if each.default is each.empty}
        for route in routes:
            if not needs <= route.arguments:
                raise TypeError(f"{answer} takes what {route} has not")
            HANDLERS.append(Handler(route, means, cost, answer, takes, again))
        return answer

    return put


def kept_text(typed: str) -> str:
    """What was typed, as an id can keep it, whether it was refused or not sent yet."""
    return printable(typed)[:_LONGEST_DRAFT]


def find_handler(custom_id: str, *, is_form: bool) -> tuple[Handler, dict[str, Any]] | None:
    """What is done with an id, and its arguments; None for one that this version does not know."""
    for handler in HANDLERS:
        if (handler.means is Means.FORM) is is_form:
            arguments = handler.route.read(custom_id)
            if arguments is not None:
                return handler, {n: v for n, v in arguments.items() if n in handler.takes}
    return None


async def dispatch(interaction: Interaction) -> None:
    """Do what a button, a list or a form asks for; errors are reported to who has used it."""
    data = cast("dict[str, Any]", interaction.data)
    is_form = interaction.type is discord.InteractionType.modal_submit
    hurry(interaction)
    async with answering(interaction):
        found = find_handler(data["custom_id"], is_form=is_form)
        if not await is_admitted(interaction, Cost.LIGHT if found is None else found[0].cost):
            return
        if found is None:
            await whisper(interaction, notice(outdated()))
            return
        handler, arguments = found
        given = typed_values(data["components"]) if is_form else data["custom_id"]
        if handler.again is not None:
            note_attempt(interaction, handler.again(given, **arguments))
        if handler.means is Means.FORM:
            await handler.answer(interaction, given, **arguments)
        elif handler.means is Means.LIST:
            await handler.answer(interaction, data.get("values", ()), **arguments)
        else:
            await handler.answer(interaction, **arguments)
