"""Set equations in words: their post, their form, their topic of `/help`."""

from typing import Final

from bot.equations import model
from bot.equations.game import EquationPost
from bot.equations.model import EquationCounts, SetEquation
from bot.feature import Topic
from bot.focdle.model import EXAMPLES
from bot.focdle.words import MISTAKES, false_equation
from bot.games.words import COUNTS_NOWHERE
from bot.posts.words import result_line
from bot.refused import Sentences, mistake
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import (
    bullets,
    code,
    heading,
    mention,
    player_name,
    post_url,
    relative_time,
    small,
)
from engine import FalseEquationError, NoSuchLengthError
from engine.focdle import DEFAULT_LENGTH, LONGEST, SHORTEST

#: Opens the presser's own board of a set equation; at most 80 characters.
PLAY_BUTTON: Final = N_("Play")
#: Closes an equation, and shows it to everybody; at most 80 characters.
CLOSE_BUTTON: Final = N_("Close")
#: Below a closed equation: opens the form for another one; at most 80 characters.
SET_BUTTON: Final = N_("Set one yourself")
#: Opens the form again after a text that was refused; at most 80 characters.
AGAIN_BUTTON: Final = N_("Enter it again")
#: The title of the form that asks for an equation; at most 45 characters.
FORM_TITLE: Final = N_("Set an equation")
#: Above the field of that form.
FORM_TEXT: Final = N_("Everybody here gets six guesses. You can't play your own.")
#: The label of that field; at most 45 characters.
FORM_LABEL: Final = N_("Your equation")
#: For those who have closed an equation.
CLOSED: Final = N_("Closed.")
#: Says what a hidden player is called; at most 20 characters.
SOMEBODY: Final = N_("Somebody")


def form_description() -> str:
    """The description of the form's field; at most 100 characters."""
    return _("A true equation of {shortest} to {symbols}: three numbers, two of + - * %.").format(
        shortest=SHORTEST, symbols=counts.symbols(LONGEST)
    )


def title(post: EquationPost) -> str:
    """The top of a post: the setter, the length, and when the equation closes or that it has."""
    equation = post.equation
    setter = say(SOMEBODY)
    if post.setter:
        setter = player_name(post.setter, equation.setter_id)
    line = heading(_("{player} set an equation").format(player=setter))
    details = [counts.symbols(equation.rules.length)]
    if post.is_open:
        details.append(_("closes {when}").format(when=relative_time(equation.closes_at)))
    else:
        details.append(_("closed"))
    return f"{line}\n{small(' · '.join(details))}"


def more_title(equation: SetEquation) -> str:
    """The title of the page behind *More*."""
    return heading(
        _("An equation of {symbols}").format(symbols=counts.of_symbols(equation.rules.length))
    )


def listed(equation: SetEquation, _player_id: int) -> str:
    """The line about an equation in the list of games of the player whom it invites."""
    name = _("A FoCdle made for you")  # its setter may be hidden
    closes = _("closes {when}").format(when=relative_time(equation.closes_at))
    return f"**{name}**\n{small(f'{counts.symbols(equation.rules.length)} · {closes}')}"


def call(post: EquationPost) -> str:
    """The line that mentions the invited player; empty if nobody is invited, or after closing."""
    invited = post.equation.invited_id
    if invited is None or not post.is_open:
        return ""
    return _("For {player}, and everybody here.").format(player=mention(invited))


def status(post: EquationPost) -> str:
    """The rules until a board is finished; after closing, the equation; else empty."""
    equation = post.equation
    if post.is_open:
        return "" if post.rows else _("Everybody gets six guesses. Only you can see yours.")
    parts = [_("It was {equation}.").format(equation=code(equation.secret))]
    if not post.total:
        parts.append(_("Nobody finished it."))
    return " ".join(parts)


def result_lines(post: EquationPost) -> str:
    """The best finished boards, a line for each, for a post without a picture."""
    return "\n".join(map(result_line, post.rows))


def rest(post: EquationPost) -> str:
    """The number of finished boards that the post does not show, such as “+5”; empty for none."""
    more = post.total - len(post.rows)
    return small(f"+{number(more)}") if more > 0 else ""


def equation_counts(found: EquationCounts) -> str:
    """The lines about set equations in a player's statistics; empty for none."""
    parts: list[str] = []
    if found.made:
        words = ngettext("{n} set", "{n} set", found.made)
        parts.append(words.format(n=number(found.made)))
    if found.played:
        words = ngettext("{solved} of {played} solved", "{solved} of {played} solved", found.played)
        parts.append(words.format(solved=number(found.solved), played=number(found.played)))
    words = _("**Members' equations**: {record}")
    return words.format(record=" · ".join(parts)) if parts else ""


def _help(*_look: object) -> list[str]:
    lines = (
        _("`/equation`: type an equation, and everybody here gets six guesses."),
        _("For example, {example}. It must be true.").format(
            example=code(EXAMPLES[DEFAULT_LENGTH])
        ),
        _("Only you can see your board, but the post shows every result."),
        _("It closes after a day."),
        say(COUNTS_NOWHERE),
    )
    return [bullets(lines)]


def _refused(error: model.EquationRefusedError) -> str:
    cause = error.cause
    if isinstance(cause, FalseEquationError):
        return false_equation(cause)
    if isinstance(cause, NoSuchLengthError):
        return _("{text} has {symbols}. Use {shortest} to {longest}.").format(
            text=code(error.text),
            symbols=counts.symbols(cause.length),
            shortest=SHORTEST,
            longest=LONGEST,
        )
    return mistake(error, MISTAKES, example=code(EXAMPLES[DEFAULT_LENGTH]))


SENTENCES: Final[Sentences] = {model.EquationRefusedError: _refused}


def post_link(equation: SetEquation) -> str:
    return post_url(equation.guild_id, equation.channel_id, equation.message_id)


#: What to do in another channel, where the member may not write.
SET_IN: Final = N_("Set it in {place}.")
HELP_TOPIC: Final = Topic("equation", N_("Set an equation"), _help)
#: What the command does, in the help.
COMMAND: Final = N_("`/equation`: set this channel an equation.")
#: Among the games with others in `/play`.
TOGETHER: Final = N_("**Set an equation**: everybody in this channel gets six guesses at it.")

# Command descriptions; Discord takes them at start, in English.
#: What Discord lists of a command or an option; at most 100 characters.
EQUATION = N_("Set an equation: everybody in this channel gets six guesses at it")
EQUATION_MEMBER = N_("A member to ping once, if you like")
