"""The boards on which a player breaks a code: the bot's in private, a member's in public."""

from bot.games.pages.hints import taken, told_before
from bot.mastermind.model.game import Ending, MastermindGame, Stage
from bot.mastermind.pages.rows import all_rows, hint_row, legend, palette, revealed, row, title
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext
from bot.text.markup import mention, relative_time, small
from bot.text.pegs import Pegs
from bot.text.text_board import Mood, TextBoard


def play_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """A player's private board."""
    heading = _heading(game)
    if game.ending is None:
        return TextBoard.of(
            Mood.PLAYING,
            heading,
            _rows(game, pegs),
            f"{_next_step(game)}\n{legend(game, pegs)}",
            told_before(game.hints, len(game.turns)),
            _left_out(game),
        )
    endings = {
        Ending.SOLVED: solved_line(game),
        Ending.LOST: _("**Out of guesses.**"),
        Ending.SURRENDERED: _("**You gave up.**"),
        Ending.REPLACED: _("**You chose another setting.**"),
        Ending.CLOSED: _("**Closed**, because it was left alone for a week."),
    }
    end = f"{endings[game.ending]} {revealed(game, pegs)}".strip()
    return TextBoard.of(_mood(game), heading, _rows(game, pegs), end)


def _heading(game: MastermindGame) -> str:
    return title(_("Mastermind"), game.rules, taken(game.hints))


def shared_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """A player's finished game for everybody."""
    line = ngettext(
        "**{player} broke the code with the first guess!**",
        "**{player} broke the code in {turns} of {guesses}.**",
        len(game.turns),
    )
    if game.ending is not Ending.SOLVED:
        line = _("**{player} did not break the code.**")
    line = line.format(
        player=mention(game.owner_id), turns=len(game.turns), guesses=game.rules.max_guesses
    )
    end = f"{line} {revealed(game, pegs)}".strip()
    return TextBoard.of(_mood(game), _heading(game), _rows(game, pegs), end)


def _left_out(game: MastermindGame) -> str:
    """That boards do not count the game, and why."""
    if not game.is_left_out:
        return ""
    return small(
        _("Not ranked: two ranked games were open, or a code like this in `/mastermind defend`.")
    )


def solved_line(game: MastermindGame) -> str:
    """How many guesses its player needed."""
    return ngettext(
        "**Solved with the first guess!**", "**Solved in {turns} of {guesses}.**", len(game.turns)
    ).format(turns=len(game.turns), guesses=game.rules.max_guesses)


def invitation(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """A challenge that is to be answered."""
    sentence = _("{maker} challenges {breaker} to break a code of {pegs}.").format(
        pegs=counts.pegs(game.rules.pegs), **_players(game)
    )
    sentence += f"\n{palette(game.rules, pegs)}"
    how = _("**Accept** and guess here, {breaker}. It ends {when}.").format(
        when=relative_time(game.deadline_at), **_players(game)
    )
    return TextBoard.of(Mood.PLAYING, challenge_title(game), sentence, small(how))


def challenge_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """The public board of a challenge, at whatever stage it is."""
    if game.stage is Stage.INVITED:
        return invitation(game, pegs)
    heading = challenge_title(game)
    if game.ending is not None:
        end = f"{_challenge_end(game)} {revealed(game, pegs)}".strip()
        return TextBoard.of(_mood(game), heading, _rows(game, pegs), end)
    who = _("{breaker} breaks {maker}'s code.").format(**_players(game))
    lapse = _("Without a guess it ends {when}.").format(when=relative_time(game.deadline_at))
    status = f"{_next_step(game)}\n{legend(game, pegs)}\n{small(lapse)}"
    return TextBoard.of(Mood.PLAYING, f"{heading}\n{who}", _rows(game, pegs), status)


def challenge_title(game: MastermindGame) -> str:
    """A challenge's heading, and its setting."""
    return title(_("Mastermind challenge"), game.rules)


def _challenge_end(game: MastermindGame) -> str:
    if game.ending is Ending.SOLVED:
        sentence = ngettext(
            "**{breaker} broke {maker}'s code with the first guess!**",
            "**{breaker} broke {maker}'s code in {turns} of {guesses}.**",
            len(game.turns),
        )
    elif game.ending is Ending.LAPSED:
        sentence = _("**The challenge is over**: {breaker} made no guess for a day.")
        if game.secret is None:
            sentence = _("**The challenge is over**: {breaker} did not answer for a day.")
    else:
        sentences = {
            Ending.LOST: _("**{breaker} is out of guesses; {maker}'s code has held.**"),
            Ending.RESIGNED: _("**{breaker} resigned; {maker}'s code has held.**"),
            Ending.DECLINED: _("**{breaker} declined {maker}'s challenge.**"),
            Ending.WITHDRAWN: _("**{maker} withdrew the challenge to {breaker}.**"),
        }
        sentence = sentences[game.ending or Ending.LOST]
    return sentence.format(turns=len(game.turns), guesses=game.rules.max_guesses, **_players(game))


def _players(game: MastermindGame) -> dict[str, str]:
    return {"maker": mention(game.owner_id), "breaker": mention(game.codebreaker_id or 0)}


def _mood(game: MastermindGame) -> Mood:
    return Mood.SOLVED if game.ending is Ending.SOLVED else Mood.LOST


def _rows(game: MastermindGame, pegs: Pegs) -> str:
    """The guesses made, and the one that is being put together."""
    rows = all_rows(game, pegs)
    if game.ending is None:
        rows += hint_row(game, pegs)
        rows.append(row(len(game.turns) + 1, game.pending, pegs, game.rules.pegs))
    return "\n".join(rows)


def _next_step(game: MastermindGame) -> str:
    if len(game.pending) == game.rules.pegs:
        step = _("The row is full: press **Guess**.")
    elif game.pending and not game.rules.repeats:
        step = _("Repeats are off.")
    elif game.turns or game.pending:
        step = ""
    else:
        step = _("Find the hidden code: press {colours}, then **Guess**.").format(
            colours=counts.colours(game.rules.pegs)
        )
    left = ngettext("**Last guess.**", "{left} guesses left.", game.guesses_left)
    left = left.format(left=game.guesses_left)
    return f"{step} {left}".strip() if game.turns or game.pending else step
