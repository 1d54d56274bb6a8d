"""Routes: the ids of buttons, lists and forms, what they lead to, and what commands offer.

An id is all that Discord sends back of a button, a list or a form, so everything that is needed
stands in it. A route writes an id and reads it again; a function is put on a route as a web
router has it:

    GUESS = Route("du:guess:{duel:int}:{draft?}")

    @pressed(GUESS, by=By.PLAYERS)
    async def open_guess_form(interaction: Interaction, duel: int, draft: str = "") -> None: ...

    button(GUESS(duel=game.id), say(words.GUESS))

Messages outlive versions: a route that was in use goes on being read as it was. What comes with an
id, chosen in a list or put into a form, is read likewise, by the kinds that were declared with the
function: it gets values, never texts that nobody has looked at.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any, Final, TypeVar, cast

import discord
from discord import AppCommandOptionType, app_commands

from bot.people.game import Cost
from bot.text.markup import printable
from cogs.ui.replies import TICKED, Attempt, Interaction

# Options of commands, held to what Discord was told to offer. Discord looks at them first. What
# comes through all the same is no command of this version's.

LONGEST_TEXT: Final = 6000
"""Discord lets nobody type more."""

_NESTED: Final = {
    AppCommandOptionType.subcommand.value,
    AppCommandOptionType.subcommand_group.value,
}
_LARGEST: Final = 2**53
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_AMONG: Final = {
    AppCommandOptionType.user: "users",
    AppCommandOptionType.channel: "channels",
    AppCommandOptionType.role: "roles",
}


def misfit(interaction: Interaction) -> str:
    """What of a command was never offered; empty if all was."""
    data = cast("dict[str, Any]", interaction.data)
    command, resolved = interaction.command, data.get("resolved", {})
    if isinstance(command, app_commands.ContextMenu):
        return "" if data.get("target_id") in resolved.get("users", {}) else f"/{command.name}"
    if command is None:  # the tree says so
        return ""
    known = {parameter.display_name: parameter for parameter in command.parameters}
    is_typing = interaction.type is discord.InteractionType.autocomplete
    options = _options(data)
    if is_typing and not any(option.get("focused") for option in options):
        return f"/{command.qualified_name}"
    for option in options:
        parameter = known.get(option.get("name", ""))
        if parameter is None or not _fits(option, parameter, None if is_typing else resolved):
            return f"/{command.qualified_name}"
    return ""


def _options(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    options = data.get("options", [])
    while options and options[0].get("type") in _NESTED:
        options = options[0].get("options", [])
    return options


def _fits(
    option: Mapping[str, Any],
    parameter: app_commands.Parameter,
    resolved: Mapping[str, Mapping[str, Any]] | None,
) -> bool:
    """Whether an option could be chosen or typed so; while it is typed, nothing is resolved."""
    value, kind = option.get("value"), parameter.type
    if option.get("type") != kind.value:
        return False
    if option.get("focused"):
        return parameter.autocomplete and _is_text(value)
    if kind is AppCommandOptionType.boolean:
        return isinstance(value, bool)
    if kind is AppCommandOptionType.integer:
        # How many there may be is the game's to say, in a sentence.
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST
    if kind in _AMONG:
        is_id = isinstance(value, str) and value.isdecimal()
        return is_id and (resolved is None or value in resolved.get(_AMONG[kind], {}))
    offered = [choice.value for choice in parameter.choices]
    return _is_text(value) and (not offered or value in offered)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and storable(value) == value


def storable(text: str) -> str:
    """A text without what no database takes."""
    return _UNSTORABLE.sub("", text)


AnswerT = TypeVar("AnswerT", bound=Callable[..., Awaitable[None]])

_CHOSEN: Final = "chosen"
# Of the hundred characters of an id, what is typed may have so many.
_LONGEST_DRAFT: Final = 70
# The colon before, the name, whether it may be left out, the kind.
_PLACEHOLDER: Final = re.compile(r"(:?)\{(\w+)(\?)?(?::([^{}]+))?\}")


@dataclass(frozen=True, slots=True)
class Argument:
    """A kind of argument in an id, or of value in a list or a form.

    Attributes:
        pattern: what it looks like there, as a regular expression without groups.
        read: what that stands for; it raises ValueError where that is nothing after all.
        write: how that is written.
        among: where Discord tells of everything of the kind that comes with an interaction.
    """

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    among: str = ""


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
TYPED: Final = Argument(f".{{0,{LONGEST_TEXT}}}", storable)
"""What somebody has typed in a form."""
TICK: Final = one_of({TICKED: True, "": False})
"""A box of a form."""
COUNT: Final = Argument("[0-9]{1,2}", int)
"""A small number; whether there may be so many, the rules of the game decide."""
USER: Final = Argument(_DIGITS, int, among="users")
PLACE: Final = Argument(_DIGITS, int)
"""A channel or a role; whether the server has it, Discord tells."""
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

    Attributes:
        pattern: what an id looks like, as a regular expression.

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
        self.pattern = re.compile(pattern + re.escape(template[end:]), re.ASCII)

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
        found = self.pattern.fullmatch(custom_id)
        if found is None:
            return None
        texts = found.groupdict()
        try:
            return {n: self._kinds[n].read(text) for n, text in texts.items() if text is not None}
        except ValueError:
            return None


def _kind_called(name: str | None) -> Argument:
    if name is None:
        return _TEXT
    return _KINDS.get(name) or Argument(f"(?:{name})")


class Means(StrEnum):
    """By what something is asked for."""

    BUTTON = "button"
    LIST = "list"
    FORM = "form"


class By(Enum):
    """Who may use what has an id. All others are told that it is not theirs, and nobody's name."""

    ANYBODY = auto()
    """It is about what everybody may see, or about who uses it."""
    PLAYERS = auto()
    """Whose game it is: one player, or two. The game's own service looks."""
    ONLOOKERS = auto()
    """They, and who sees it where it is played or was shown. The game's own service looks."""
    MEMBERS = auto()
    """Who is in the server that the id names, as `server` or within `board`."""
    MANAGERS = auto()
    """Who manages the server in which it is used."""


@dataclass(frozen=True, slots=True)
class Handler:
    """What is done when something with an id is used.

    Attributes:
        route: the ids.
        means: what has them.
        by: who may use that.
        cost: what it takes.
        answer: the function; it takes the interaction and, for lists and forms, what was chosen
            or typed.
        takes: the arguments of the route that it takes besides.
        fields: of what kind each field of a form is, or what is chosen in a list.
        most: how much may be chosen in a list at once.
        again: how the same is asked for once more, given the same but for the interaction; None
            where that is nothing to be kept.
    """

    route: Route
    means: Means
    by: By
    cost: Cost
    answer: Callable[..., Awaitable[None]]
    takes: frozenset[str]
    fields: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    most: int = 1
    again: Callable[..., Attempt | None] | None = None


HANDLERS: Final[list[Handler]] = []
"""All that the bot knows, in the order in which they were imported."""


def pressed(
    *routes: Route, by: By, cost: Cost = Cost.LIGHT, is_kept: bool = False
) -> Callable[[AnswerT], AnswerT]:
    """Put a function on the routes of buttons.

    Args:
        routes: whose arguments it takes; it need not take all.
        by: who may press them.
        cost: what it takes to do what the button says.
        is_kept: whether who was told that there was no time has *Try again*; it is for what does
            nothing when it is done twice.
    """
    return _on(routes, Means.BUTTON, by, cost, again=_the_same if is_kept else None)


def picked(
    *routes: Route, of: Argument, by: By, most: int = 1, cost: Cost = Cost.LIGHT
) -> Callable[[AnswerT], AnswerT]:
    """Put a function on the routes of lists.

    Its second argument is what was chosen, or all that was where there may be several. Clients can
    take a choice back: then nothing is changed.

    Args:
        routes: whose arguments it takes; it need not take all.
        of: the kind of the values of its options; of channels, roles and users, their ids.
        by: who may choose.
        most: how much at once.
        cost: what it takes to do what is chosen.
    """
    return _on(routes, Means.LIST, by, cost, {_CHOSEN: of}, most)


def submitted(
    *routes: Route,
    fields: Mapping[str, Argument],
    by: By,
    cost: Cost = Cost.LIGHT,
    again: Callable[..., Attempt | None] | None = None,
) -> Callable[[AnswerT], AnswerT]:
    """Put a function on the routes of forms. Its second argument maps each field to its value.

    Args:
        routes: whose arguments it takes; it need not take all.
        fields: of which kind each is.
        by: who may send it.
        cost: what it takes to do what the form asks for.
        again: makes of what was typed, and of the same arguments, what *Try again* does for who
            was told that there was no time.
    """
    return _on(routes, Means.FORM, by, cost, fields, again=again)


def _the_same(custom_id: str, *, draft: str = "", **_others: object) -> Attempt:
    """To press the same once more."""
    return Attempt(custom_id, draft)


def _on(
    routes: Sequence[Route],
    means: Means,
    by: By,
    cost: Cost,
    fields: Mapping[str, Argument] | None = None,
    most: int = 1,
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
            handler = Handler(route, means, by, cost, answer, takes, fields or {}, most, again)
            HANDLERS.append(handler)
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
