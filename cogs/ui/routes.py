"""Routes: ids of buttons, lists and forms, and their handlers; checks of command options.

Discord sends back only the id of a button, a list or a form, so the id has all arguments. A route
writes and reads ids; decorators put handlers on routes, as in a web router:

    GUESS = Route("du:guess:{duel:int}:{draft?}")

    @pressed(GUESS, by=By.PLAYERS)
    async def open_guess_form(interaction: Interaction, duel: int, draft: str = "") -> None: ...

    button(GUESS(duel=game.id), say(words.GUESS))

Messages outlive versions: the ids of a route that was in use must stay readable. What is chosen in
a list or typed in a form is parsed as well, by the kinds of argument that the handler declares, so
that a handler gets values and never unchecked text.
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

# Command options, compared with the definitions that Discord has. Discord checks them first, so a
# mismatch comes from another version.

LONGEST_TEXT: Final = 6000
"""The most characters that Discord lets anybody type."""

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
    """Return the name of a command that was sent with options or a target that we do not offer.

    Return an empty text if all fit. Do so for an unknown command, too: `GuardedTree` reports it.
    """
    data = cast("dict[str, Any]", interaction.data)
    command, resolved = interaction.command, data.get("resolved", {})
    if isinstance(command, app_commands.ContextMenu):
        return "" if data.get("target_id") in resolved.get("users", {}) else f"/{command.name}"
    if command is None:  # the tree reports it
        return ""
    known = {parameter.display_name: parameter for parameter in command.parameters}
    is_typing = interaction.type is discord.InteractionType.autocomplete
    options: list[dict[str, Any]] = data.get("options", [])
    while options and options[0].get("type") in _NESTED:
        options = options[0].get("options", [])
    if is_typing and not any(option.get("focused") for option in options):
        return f"/{command.qualified_name}"
    for option in options:
        parameter = known.get(option.get("name", ""))
        if parameter is None or not _fits(option, parameter, None if is_typing else resolved):
            return f"/{command.qualified_name}"
    return ""


def _fits(
    option: Mapping[str, Any],
    parameter: app_commands.Parameter,
    resolved: Mapping[str, Mapping[str, Any]] | None,
) -> bool:
    """Return true if an option has a value that `parameter` allows.

    `resolved` is what Discord knows of the ids among the values; None while the player types.
    """
    value, kind = option.get("value"), parameter.type
    if option.get("type") != kind.value:
        return False
    if option.get("focused"):
        return parameter.autocomplete and _is_text(value)
    if kind is AppCommandOptionType.boolean:
        return isinstance(value, bool)
    if kind is AppCommandOptionType.integer:
        # Ranges are the game's to check, with its own sentences.
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST
    if kind in _AMONG:
        is_id = isinstance(value, str) and value.isdecimal()
        return is_id and (resolved is None or value in resolved.get(_AMONG[kind], {}))
    offered = [choice.value for choice in parameter.choices]
    return _is_text(value) and (not offered or value in offered)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and storable(value) == value


def storable(text: str) -> str:
    """Return a text without the characters that no database can store."""
    return _UNSTORABLE.sub("", text)


AnswerT = TypeVar("AnswerT", bound=Callable[..., Awaitable[None]])

# An id has a hundred characters; typed text may take so many.
_LONGEST_DRAFT: Final = 70
# A colon before, the name, an optional question mark, the kind.
_PLACEHOLDER: Final = re.compile(r"(:?)\{(\w+)(\?)?(?::([^{}]+))?\}")


@dataclass(frozen=True, slots=True)
class Argument:
    """A kind of argument in ids, or of what is chosen in a list or typed in a form.

    Attributes:
        pattern: a regular expression, without capturing groups, of its texts.
        read: parses a text that fits the pattern; raises ValueError for a wrong one.
        write: formats a value as text.
        among: where Discord sends data on the chosen ids, the key of these data, such as ``users``:
            an id that is not there is refused. Empty for other kinds.
    """

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    among: str = ""


def member_of(kind: type[Enum]) -> Argument:
    """Make a kind of argument for an enum's members; their values are the texts."""
    return one_of({str(member.value): member for member in kind})


def one_of(meanings: Mapping[str, Any]) -> Argument:
    """Make a kind of argument from a map of all its texts to the values that they mean."""
    texts = {meaning: text for text, meaning in meanings.items()}
    pattern = "|".join(map(re.escape, meanings))
    return Argument(f"(?:{pattern})", meanings.__getitem__, texts.__getitem__)


# Up to nineteen digits, as in Discord's ids, within a column's range.
_DIGITS: Final = "[0-8]?[0-9]{1,18}"
_TEXT: Final = Argument(".+")
TYPED: Final = Argument(f".{{0,{LONGEST_TEXT}}}", storable)
"""Any text that is typed in a form, perhaps empty."""
TICK: Final = one_of({TICKED: True, "": False})
"""A box of a form: True if it is ticked."""
SURE: Final = one_of({"sure": True})
"""Said by a button that answers a question."""
COUNT: Final = Argument("[0-9]{1,2}", int)
"""A number of one or two digits; the use case checks its limits."""
USER: Final = Argument(_DIGITS, int, among="users")
PLACE: Final = Argument(_DIGITS, int)
"""The id of a channel or a role, which perhaps exists no more."""
_KINDS: Final = {
    "int": Argument(_DIGITS, int),
    "signed": Argument(f"-?{_DIGITS}", int),
    "switch": one_of({"on": True, "off": False}),
}


class Route:
    """A template of ids, with arguments in braces.

    ``{duel:int}`` is a number, ``{page:signed}`` one that may have a minus, ``{on:switch}`` a
    boolean, ``{act:ask|keep}`` one of these words, ``{draft}`` any text but an empty one. An
    argument with a question mark may be missing, and with it the colon before it.

    Args:
        template: text with arguments in braces; Discord takes ids of a hundred characters at most.
        kinds: other kinds of arguments, by the argument's name.

    Attributes:
        pattern: a regular expression of the route's ids.

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
            if name in kinds:
                self._kinds[name] = kinds[name]
            elif kind is None:
                self._kinds[name] = _TEXT
            else:
                self._kinds[name] = _KINDS.get(kind) or Argument(f"(?:{kind})")
            part = f"{colon}(?P<{name}>{self._kinds[name].pattern})"
            pattern += re.escape(template[end : found.start()])
            pattern += f"(?:{part})?" if optional else part
            end = found.end()
        self.pattern = re.compile(pattern + re.escape(template[end:]), re.ASCII)

    def __repr__(self) -> str:
        return f"Route({self._template!r})"

    def __call__(self, **arguments: object) -> str:
        """Build an id of these arguments; an optional one that is empty or None is left out."""

        def written(found: re.Match[str]) -> str:
            colon, name, optional, _ = found.groups()
            value = arguments.get(name) if optional else arguments[name]
            if optional and value in {None, ""}:
                return ""
            return f"{colon}{self._kinds[name].write(value)}"

        return _PLACEHOLDER.sub(written, self._template)

    @property
    def arguments(self) -> frozenset[str]:
        return frozenset(self._kinds)

    def read(self, custom_id: str) -> dict[str, Any] | None:
        """Parse the arguments that are in an id; None if the id does not fit this route."""
        found = self.pattern.fullmatch(custom_id)
        if found is None:
            return None
        texts = found.groupdict()
        try:
            return {n: self._kinds[n].read(text) for n, text in texts.items() if text is not None}
        except ValueError:
            return None


class Means(StrEnum):
    """The kinds of component that a handler can be for."""

    BUTTON = "button"
    LIST = "list"
    FORM = "form"


class By(Enum):
    """Who may use a component.

    `dispatch` checks MEMBERS and MANAGERS; the use case checks PLAYERS and ONLOOKERS.
    """

    ANYBODY = auto()
    """Everybody: the component is public, or about whoever uses it."""
    PLAYERS = auto()
    """The players of the game."""
    ONLOOKERS = auto()
    """The players of the game, and all who can see its message."""
    MEMBERS = auto()
    """The members of the server that the id names, by `server` or `board`; all if it names none."""
    MANAGERS = auto()
    """The managers of the interaction's server."""


@dataclass(frozen=True, slots=True)
class Handler:
    """The function that handles a component, and the conditions of its use.

    Attributes:
        route: the ids of the component.
        means: the kind of component.
        by: who may use the component.
        cost: the cost that the rate limit counts for a use.
        answer: the function; it takes the interaction and, for lists and forms, the chosen or typed
            values.
        takes: the names of the arguments that `answer` takes from the route.
        fields: maps the fields of a form to their kinds; a list has one entry, for its choices.
        most: how many choices a list takes at once.
        again: the button that *Try again* is, after a failure of the database: one with a `draft`
            sends what was typed once more, any other opens the form anew; None for none.
        is_kept: whether *Try again* is the same button.
    """

    route: Route
    means: Means
    by: By
    cost: Cost
    answer: Callable[..., Awaitable[None]]
    takes: frozenset[str]
    fields: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    most: int = 1
    again: Route | None = None
    is_kept: bool = False

    def attempt(self, custom_id: str, given: Any, arguments: Mapping[str, Any]) -> Attempt | None:
        """Build what *Try again* does after a failure of the database; None where it is not there.

        `given` are the values of a form.
        """
        if self.is_kept:
            return Attempt(custom_id, arguments.get("draft", ""))
        if self.again is None:
            return None
        if "draft" not in self.again.arguments:
            return Attempt(self.again(**arguments))
        (typed,) = given.values()
        draft = kept_text(typed)
        return Attempt(self.again(**arguments, draft=draft), draft) if draft else None


HANDLERS: Final[list[Handler]] = []
"""All handlers of the modules that have been imported, in the order of the import."""


def pressed(
    *routes: Route, by: By, cost: Cost = Cost.LIGHT, is_kept: bool = False
) -> Callable[[AnswerT], AnswerT]:
    """Decorate a function as the handler of buttons.

    Args:
        routes: the routes of the buttons' ids; the function may take any of the arguments.
        by: who may press the buttons.
        cost: the cost that the rate limit counts for a click.
        is_kept: whether *Try again* is offered after a failure of the database; only for what is
            harmless when done twice.
    """
    return _on(routes, Means.BUTTON, by, cost, is_kept=is_kept)


def picked(
    *routes: Route, of: Argument, by: By, most: int = 1, cost: Cost = Cost.LIGHT
) -> Callable[[AnswerT], AnswerT]:
    """Decorate a function as the handler of lists.

    The function's second argument is the choice or, if `most` is above 1, the list of choices. A
    player can take a choice back: that is refused, and the function is not called.

    Args:
        routes: the routes of the lists' ids; the function may take any of the arguments.
        of: the kind of the options' values; for channels, roles and users, their ids.
        by: who may choose.
        most: how many choices are allowed at once.
        cost: the cost that the rate limit counts for a choice.
    """
    return _on(routes, Means.LIST, by, cost, fields={"chosen": of}, most=most)


def submitted(
    *routes: Route,
    fields: Mapping[str, Argument],
    by: By,
    cost: Cost = Cost.LIGHT,
    again: Route | None = None,
) -> Callable[[AnswerT], AnswerT]:
    """Decorate a function as the handler of forms.

    The function's second argument maps the names of all fields to their values.

    Args:
        routes: the routes of the forms' ids; the function may take any of the arguments.
        fields: maps the name of each field to its kind.
        by: who may send the form.
        cost: the cost that the rate limit counts for it.
        again: the button that *Try again* is, see `Handler`; without a `draft` where a secret is
            typed, which no id may have.
    """
    return _on(routes, Means.FORM, by, cost, fields=fields, again=again)


def _on(
    routes: Sequence[Route], means: Means, by: By, cost: Cost, **more: Any
) -> Callable[[AnswerT], AnswerT]:
    """Put handlers of these routes on a function; `more` are further attributes of `Handler`."""

    def put(answer: AnswerT) -> AnswerT:
        given = 1 if means is Means.BUTTON else 2
        parameters = list(inspect.signature(answer).parameters.values())[given:]
        takes = frozenset(each.name for each in parameters)
        needs = {each.name for each in parameters if each.default is each.empty}
        for route in routes:
            if not needs <= route.arguments:
                raise TypeError(f"{answer} takes what {route} has not")
            HANDLERS.append(Handler(route, means, by, cost, answer, takes, **more))
        return answer

    return put


def kept_text(typed: str) -> str:
    """Return a typed text without invisible characters, cut so that it fits into an id."""
    return printable(typed)[:_LONGEST_DRAFT]


def find_handler(custom_id: str, *, is_form: bool) -> tuple[Handler, dict[str, Any]] | None:
    """Find the handler of an id, and the arguments that it takes; None for an unknown id.

    With `is_form` the handlers of forms are looked through, else those of buttons and lists.
    """
    for handler in HANDLERS:
        if (handler.means is Means.FORM) is is_form:
            arguments = handler.route.read(custom_id)
            if arguments is not None:
                return handler, {n: v for n, v in arguments.items() if n in handler.takes}
    return None
