"""Boards of all kinds of Mastermind."""

from typing import Final

from bot.games.model import Contradiction
from bot.games.pages import (
    DROPPED,
    OUT_OF_GUESSES,
    REPAIR,
    advice,
    guesses_left,
    taken,
)
from bot.mastermind.model import Ending, MastermindGame, Narrowing, SolverView, Stage
from bot.mastermind.pages import (
    DEFEND_NAME,
    SEALED_NAME,
    all_rows,
    first_step,
    hint_row,
    legend,
    palette,
    revealed,
    row,
    title,
    turn_row,
    turn_rows,
)
from bot.text import counts
from bot.text.language import N_, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import mention, relative_time, small
from bot.text.tiles import PLAIN, Mood, Pegs, TextBoard, blacks_in_words, whites_in_words
from engine import Score, Turn

#: How a game ended that its player has ended.
_ENDED: Final = N_("**You ended this game.**")
#: How a game ended that nobody went on with.
_CLOSED: Final = N_("**Closed**, because it was left alone for a week.")


def play_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    heading = _heading(game)
    if game.ending is None:
        unranked = "" if game.is_ranked else _("Not ranked: your own setting.")
        if not game.ranked:
            unranked = _(
                "Not ranked: two ranked games were open, or a code like this in `/mastermind "
                "defend`."
            )
        return TextBoard.of(
            Mood.PLAYING,
            heading,
            _rows(game, pegs),
            f"{_next_step(game)}\n{legend(game, pegs)}",
            unranked and small(unranked),
        )
    solved = ngettext(
        "**Solved with the first guess!**", "**Solved in {turns} of {guesses}.**", len(game.turns)
    )
    endings = {
        Ending.SOLVED: solved.format(turns=len(game.turns), guesses=game.rules.max_guesses),
        Ending.LOST: say(OUT_OF_GUESSES),
        Ending.SURRENDERED: _("**You gave up.**"),
        Ending.REPLACED: _("**You chose another setting.**"),
        Ending.CLOSED: say(_CLOSED),
    }
    end = f"{endings[game.ending]} {_counted(game)}{revealed(game, pegs)}".strip()
    return TextBoard.of(_mood(game), heading, _rows(game, pegs), end)


def _counted(game: MastermindGame) -> str:
    """Say how many guesses a game solved with hints counts as; else empty."""
    if not game.hints or game.ending is not Ending.SOLVED:
        return ""
    return _("With hints it counts as {n}.").format(n=number(game.counted_guesses))


def _heading(game: MastermindGame) -> str:
    return title(_("Mastermind"), game.rules, taken(game.hints))


def shared_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
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
    end = f"{line} {_counted(game)}{revealed(game, pegs)}".strip()
    return TextBoard.of(_mood(game), _heading(game), _rows(game, pegs), end)


def plain(game: MastermindGame) -> str:
    """A finished game of the player's own as plain text, to be pasted anywhere."""
    is_solved = game.ending is Ending.SOLVED
    score = counts.score(
        len(game.turns), game.rules.max_guesses, is_solved=is_solved, is_hard=False
    )
    head = " ".join(filter(None, (_("Mastermind"), score, taken(game.hints))))
    rows = (f"{PLAIN.row(turn.guess)} {PLAIN.key(turn.feedback)}" for turn in game.turns)
    return "\n".join((head, *rows))


def challenge_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """The public board of a challenge at any stage."""
    heading, players = challenge_title(game), _players(game)
    when = relative_time(game.deadline_at)
    if game.stage is Stage.INVITED:
        sentence = _("{maker} challenges {breaker} to break a code of {pegs}.").format(
            pegs=counts.pegs(game.rules.pegs), **players
        )
        colours = palette(game.rules, pegs)
        how = _("**Accept** and guess here, {breaker}. It ends {when}.").format(
            when=when, **players
        )
        return TextBoard.of(Mood.PLAYING, heading, f"{sentence}\n{colours}", small(how))
    if game.ending is not None:
        end = f"{_challenge_end(game)} {revealed(game, pegs)}".strip()
        return TextBoard.of(_mood(game), heading, _rows(game, pegs), end)
    who = _("{breaker} breaks {maker}'s code.").format(**players)
    lapse = _("Without a guess it ends {when}.").format(when=when)
    status = f"{_next_step(game)}\n{legend(game, pegs)}\n{small(lapse)}"
    return TextBoard.of(Mood.PLAYING, f"{heading}\n{who}", _rows(game, pegs), status)


def challenge_title(game: MastermindGame) -> str:
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
    rows = all_rows(game, pegs)
    if game.ending is None:
        rows += hint_row(game, pegs)
        rows.append(row(len(game.turns) + 1, game.pending, pegs, game.rules.pegs))
    return "\n".join(rows)


def _next_step(game: MastermindGame) -> str:
    if not game.turns and not game.pending:
        return first_step(game.rules)
    step = ""
    if len(game.pending) == game.rules.pegs:
        step = _("The row is full: press **Guess**.")
    elif game.pending and not game.rules.repeats:
        step = _("Repeats are off.")
    return f"{step} {guesses_left(game.guesses_left)}".strip()


def defend_board(view: SolverView, pegs: Pegs, *, asking: bool = True) -> TextBoard:
    game = view.game
    heading = title(say(DEFEND_NAME), game.rules)
    if game.ending is not None:
        rows = "\n".join(all_rows(game, pegs))
        return TextBoard.of(_mood_of_defence(game), heading, rows, defend_end(game, pegs))
    if view.contradiction is not None:
        return TextBoard.of(Mood.PLAYING, heading, *_contradiction(game, view.contradiction, pegs))
    rows = all_rows(game, pegs)
    if game.guess is not None:
        rows.append(row(len(rows) + 1, game.guess, pegs, after="❔"))
    task = _("**Think of a code** of {pegs}, and write it down.\n{colours}").format(
        pegs=counts.pegs(game.rules.pegs), colours=palette(game.rules, pegs)
    )
    return TextBoard.of(
        Mood.PLAYING,
        heading,
        "" if game.turns else task,
        "\n".join(rows),
        f"{_ask(game.blacks) if asking else ''}\n{small(possible(view.remaining))}".strip(),
    )


def _mood_of_defence(game: MastermindGame) -> Mood:
    """The mood at the end: the player has won if the bot has lost."""
    return Mood.SOLVED if game.ending is Ending.LOST else Mood.LOST


def possible(count: int) -> str:
    return ngettext(
        "Only one code is still possible.", "{count} codes are still possible.", count
    ).format(count=number(count))


def defend_end(game: MastermindGame, pegs: Pegs) -> str:
    sentences = {
        Ending.SOLVED: ngettext(
            "**The bot found your code with its first guess.**",
            "**The bot found your code in {turns} guesses.**",
            len(game.turns),
        ),
        Ending.LOST: _("**Your code has held: the bot is out of guesses.**"),
        Ending.SURRENDERED: say(_ENDED),
        Ending.REPLACED: _(
            "**You entered your code instead.** That is a game of its own: `/play`."
        ),
        Ending.AT_STAKE: _("**Ended by your rated duel.**"),
        Ending.CLOSED: say(_CLOSED),
    }
    sentence = sentences[game.ending or Ending.SURRENDERED].format(turns=len(game.turns))
    return f"{sentence} {revealed(game, pegs)}".strip()


def correction(view: SolverView, index: int, blacks: int | None, pegs: Pegs) -> TextBoard:
    game = view.game
    heading = title(_("Mastermind: correct an answer"), game.rules)
    was = _("was answered:")
    turn = game.turns[index]
    line = row(index + 1, turn.guess, pegs, after=f"{was} {pegs.key(turn.feedback)}")
    dropped = "" if index + 1 == len(game.turns) else say(DROPPED)
    contradictory = view.contradiction.turns if view.contradiction else ()
    others = [(n, game.turns[n]) for n in contradictory if n != index]
    compared = f"{_('Compare it with:')}\n{turn_rows(others, pegs)}" if others else ""
    return TextBoard.of(Mood.PLAYING, heading, line, compared, dropped, _ask(blacks))


def still_unfit(view: SolverView, index: int) -> str:
    """The note that no code fits even after a correction; empty if a code fits."""
    if view.contradiction is None or index >= len(view.game.turns):
        return ""
    blacks, whites = view.game.turns[index].feedback
    return _("**Guess {number} is now {blacks}, {whites}, and still no code fits.**").format(
        number=index + 1, blacks=blacks_in_words(blacks), whites=whites_in_words(whites)
    )


def turn_choice(index: int, turn: Turn[Score]) -> str:
    return _("Guess {number}: {code}").format(number=index + 1, code=" ".join(turn.guess))


def answer_in_words(score: Score) -> str:
    """How a player answered, in a list of guesses; Discord takes 100 characters."""
    return _("You answered {blacks} black, {whites} white.").format(
        blacks=score.bulls, whites=score.cows
    )


def repair_in_words(score: Score) -> str:
    """How a player answered a guess, if a correction of this answer alone makes a code fit.

    It stands in a list of guesses; Discord takes 100 characters.
    """
    return f"{REPAIR} {answer_in_words(score)} {_('Changing this one makes it fit.')}"


def _ask(blacks: int | None) -> str:
    if blacks is None:
        return _("**How many black pegs?** Right colour, right place.")
    return _("{blacks}. **And how many white?** Right colour, wrong place.").format(
        blacks=blacks_in_words(blacks)
    )


def _contradiction(
    game: MastermindGame, contradiction: Contradiction, pegs: Pegs
) -> tuple[str, ...]:
    conflict = ngettext(
        "⚠️ **No code fits this answer:**",
        "⚠️ **No code fits these {count} answers together:**",
        len(contradiction.turns),
    ).format(count=len(contradiction.turns))
    rows = "\n".join(
        turn_row(index, game.turns[index], pegs, REPAIR if index in contradiction.repairs else "")
        for index in contradiction.turns
    )
    others = [(n, turn) for n, turn in enumerate(game.turns) if n not in contradiction.turns]
    rest = f"{_('Your other answers:')}\n{turn_rows(others, pegs)}" if others else ""
    return f"{conflict}\n{rows}", advice(len(contradiction.repairs)), rest


# In a longer game only the last guesses show their candidates; otherwise a board might not fit.
_MOST_REASONS: Final = 5


def sealed_board(view: SolverView, pegs: Pegs) -> TextBoard:
    game = view.game
    heading = title(say(SEALED_NAME), game.rules)
    steps: list[str] = []
    for index, step in enumerate(view.steps):
        steps.append(turn_row(index, step.turn, pegs))
        if index >= len(view.steps) - _MOST_REASONS:
            steps.append(small(_reason(step, is_right=game.rules.solved(step.turn.feedback))))
    rows = "\n".join(steps)
    if game.ending is not None:
        return TextBoard.of(_mood_of_defence(game), heading, rows, defend_end(game, pegs))
    below = legend(game, pegs)
    if not game.turns:
        words = _("🔒 One of {count} codes is yours. The bot does not look.")
        below = f"{words.format(count=number(game.rules.size))}\n{below}"
    return TextBoard.of(Mood.PLAYING, heading, rows, below)


def _reason(step: Narrowing, *, is_right: bool) -> str:
    """Write the line below a guess of the bot."""
    words = _("**{after}** of {before} codes left")
    if step.before == 1:
        words = _("The only one left")
    elif is_right:
        words = _("One of {before}, and right")
    return words.format(before=number(step.before), after=number(step.after))
