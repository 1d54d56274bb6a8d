"""Boards of all kinds of Mastermind."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.games.model import Contradiction, GameName, Source, shown_by
from bot.games.words import (
    DROPPED,
    HINT_FOR_GUESS_BUTTON,
    OUT_OF_GUESSES,
    REPAIR,
    advice,
    code_data,
    guesses_left,
    praise,
    taken,
)
from bot.mastermind.game import COLOURS, GUESSES, PEGS
from bot.mastermind.model import Ending, Kind, MastermindGame, Narrowing, SolverView, Stage
from bot.mastermind.words import (
    CHANGE_BUTTON,
    COLOURS_LABEL,
    DEFEND_NAME,
    GUESSES_LABEL,
    INVITATION_BUTTONS,
    PEGS_LABEL,
    REPEATS_LABEL,
    RESIGN_QUESTION,
    SEALED_NAME,
    SURRENDER_QUESTION,
    all_rows,
    end_button,
    first_step,
    hint_row,
    legend,
    palette,
    repeats_in_words,
    revealed,
    row,
    setting,
    title,
    turn_row,
    turn_rows,
)
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import heading, mention, relative_time, small
from bot.text.tiles import PLAIN, Mood, Pegs, TextBoard, blacks_in_words, whites_in_words
from engine import Mastermind, Score, Turn

#: How a game ended that its player has ended.
_ENDED: Final = N_("**You ended this game.**")
#: How a game ended that nobody went on with.
_CLOSED: Final = N_("**Closed** after a week without a guess.")


def play_board(game: MastermindGame, pegs: Pegs, *, drawn: bool = False) -> TextBoard:
    """The private board; `drawn` says that a picture shows its rows."""
    heading = _heading(game)
    if game.ending is None:
        return TextBoard.of(
            Mood.PLAYING,
            heading,
            _rows(game, pegs),
            f"{_next_step(game)}\n{legend(game.turns, pegs)}",
            _unranked(game),
        )
    rows = "" if drawn else _rows(game, pegs)
    return TextBoard.of(_mood(game), heading, rows, _play_end(game, pegs))


def _unranked(game: MastermindGame) -> str:
    if game.is_ranked:
        return ""
    if game.ranked:
        return small(_("Not ranked: you changed the settings."))
    return small(_("Not ranked: you had two ranked games open, or were defending a similar code."))


def _play_end(game: MastermindGame, pegs: Pegs) -> str:
    made, most = len(game.turns), game.rules.max_guesses
    solved = ngettext("Solved on the first guess", "Solved in {turns} of {guesses}", made)
    endings = {
        Ending.SOLVED: f"{_praise(game)}\n{solved.format(turns=made, guesses=most)}.",
        Ending.LOST: say(OUT_OF_GUESSES),
        Ending.SURRENDERED: _("**You gave up.**"),
        Ending.REPLACED: _("**You chose another setting.**"),
        Ending.CLOSED: say(_CLOSED),
    }
    said = endings[game.ending or Ending.CLOSED]
    return f"{said} {_counted(game)}{revealed(game, pegs)}".strip()


def _praise(game: MastermindGame) -> str:
    # With 1,296 codes, one guess more is as good as at FoCdle; with more codes, yet more.
    harder = round(math.log(game.rules.size, 13)) - 2
    is_last = len(game.turns) == game.rules.max_guesses
    return heading(praise(game.counted_guesses - harder, is_last=is_last))


def _counted(game: MastermindGame) -> str:
    """Say how many guesses a game solved with hints counts as; else empty."""
    if not game.hints or game.ending is not Ending.SOLVED:
        return ""
    return _("With hints, it counts as {n}.").format(n=number(game.counted_guesses))


def _heading(game: MastermindGame) -> str:
    return title(_("Mastermind"), game.rules, taken(game.hints))


def shared_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    line = ngettext(
        "**{player} broke the code on the first guess!**",
        "**{player} broke the code in {turns} of {guesses}.**",
        len(game.turns),
    )
    if game.ending is not Ending.SOLVED:
        line = _("**{player} didn't break the code.**")
    line = line.format(
        player=mention(game.owner_id), turns=len(game.turns), guesses=game.rules.max_guesses
    )
    end = f"{line} {_counted(game)}{revealed(game, pegs)}".strip()
    return TextBoard.of(_mood(game), _heading(game), _rows(game, pegs), end)


def result(game: MastermindGame) -> str:
    """The result of a finished game, such as `4/12` or `X/12`."""
    is_solved = game.ending is Ending.SOLVED
    return counts.score(len(game.turns), game.rules.max_guesses, is_solved=is_solved, is_hard=False)


def described(game: MastermindGame) -> str:
    """Describe the picture of a finished game, for screen readers."""
    return f"{plain(game)}\n{revealed(game, PLAIN)}"


def plain(game: MastermindGame) -> str:
    """A finished game of the player's own as plain text, to be pasted anywhere."""
    head = " ".join(filter(None, (_("Mastermind"), result(game), taken(game.hints))))
    rows = (f"{PLAIN.row(turn.guess)} {PLAIN.key(turn.feedback)}" for turn in game.turns)
    return "\n".join((head, *rows))


def challenge_board(game: MastermindGame, pegs: Pegs, *, drawn: bool = False) -> TextBoard:
    """The public board of a challenge at any stage; at the end a picture may show the rows."""
    heading, said = challenge_title(game), _challenge_said(game, pegs)
    if game.stage is Stage.INVITED:
        sentence, how = said
        colours = f"{_('Colours:')} {palette(game.rules, pegs)}"
        return TextBoard.of(Mood.PLAYING, heading, f"{sentence}\n{colours}", how)
    if game.ending is not None:
        return TextBoard.of(_mood(game), heading, "" if drawn else _rows(game, pegs), *said)
    who, step, lapse = said
    status = f"{step}\n{legend(game.turns, pegs)}\n{lapse}"
    return TextBoard.of(Mood.PLAYING, f"{heading}\n{who}", _rows(game, pegs), status)


def _challenge_said(game: MastermindGame, pegs: Pegs) -> list[str]:
    """What a challenge's board says besides its rows and their legend."""
    players, when = _players(game), relative_time(game.deadline_at)
    if game.stage is Stage.INVITED:
        sentence = _("{maker} challenges {breaker} to break a code.").format(**players)
        how = _("**Accept** and guess here, {breaker}. It ends {when}.").format(
            when=when, **players
        )
        return [sentence, small(how)]
    if game.ending is not None:
        return [f"{_challenge_end(game)} {revealed(game, pegs)}".strip()]
    who = _("{breaker} breaks {maker}'s code.").format(**players)
    lapse = _("The challenge ends {when} if nobody guesses.").format(when=when)
    return [who, _next_step(game), small(lapse)]


def challenge_title(game: MastermindGame) -> str:
    return title(_("Mastermind challenge"), game.rules)


def _challenge_end(game: MastermindGame) -> str:
    if game.ending is Ending.SOLVED:
        words = ngettext(
            "{breaker} broke {maker}'s code on the first guess!",
            "{breaker} broke {maker}'s code in {turns} of {guesses}.",
            len(game.turns),
        )
        sentence = f"{_praise(game)}\n{words}"
    elif game.ending is Ending.LAPSED:
        sentence = _("**The challenge is over**: {breaker} didn't guess for a day.")
        if game.secret is None:
            sentence = _("**The challenge is over**: {breaker} didn't answer for a day.")
    else:
        sentences = {
            Ending.LOST: _("**{breaker} is out of guesses: {maker}'s code held.**"),
            Ending.RESIGNED: _("**{breaker} resigned: {maker}'s code held.**"),
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


def mastermind_data(game: MastermindGame, player_id: int) -> dict[str, object]:
    """A game of `play`, or a challenge, as data for the web page of one of its players.

    Of the code it tells what scores and hints do, until the end.
    """
    seen = replace(game, pending="")  # the row of pegs on the page is its own
    is_on, is_solo = game.stage is not Stage.OVER, game.kind is Kind.PLAY
    about = setting(game.rules, with_guesses=not game.turns)
    if not is_solo:
        said = _challenge_said(seen, PLAIN)
    elif is_on:
        said = [_next_step(seen), _unranked(game)]
    else:
        said = [_play_end(game, PLAIN)]
    return {
        "place": str(GameName(Source.MASTERMIND, game.id)),
        "version": game.revision,
        "title": _("Mastermind") if is_solo else _("Mastermind challenge"),
        "about": " · ".join(filter(None, (about, taken(game.hints)))),
        **code_data(game.rules, game.turns, shown_by(game.hints)),
        "state": "open" if is_on else "solved" if game.ending is Ending.SOLVED else "lost",
        "said": "\n".join(filter(None, said)).splitlines(),
        "actions": list(_actions(game, player_id)),
        "until": None if is_solo or not is_on else game.deadline_at.isoformat(),
    }


def _actions(game: MastermindGame, player_id: int) -> Iterator[dict[str, object]]:
    is_solo, is_breaker = game.kind is Kind.PLAY, player_id == game.codebreaker_id
    if game.stage is Stage.PLAYING and is_breaker:
        yield {"act": "guess"}
        if game.may_hint:
            yield {"act": "hint", "label": say(HINT_FOR_GUESS_BUTTON)}
        if is_solo and game.may_change:
            yield {"act": "change", "label": say(CHANGE_BUTTON), "fields": _fields(game.rules)}
        else:
            yield {
                "act": "give_up",
                "label": end_button("ask", is_public=not is_solo),
                "ask": say(SURRENDER_QUESTION if is_solo else RESIGN_QUESTION),
                "yes": end_button("end", is_public=not is_solo),
            }
    elif game.stage is Stage.INVITED and is_breaker:
        yield {"act": "accept", "label": say(INVITATION_BUTTONS["accept"]), "main": True}
        yield {"act": "decline", "label": say(INVITATION_BUTTONS["decline"])}
    elif game.stage is Stage.OVER and is_breaker:
        if is_solo:
            yield {"act": "again", "label": end_button("again", is_public=False)}
        if game.turns:
            yield {"act": "verdict"}
        if game.turns and is_solo:
            yield {"act": "share"}


def _fields(rules: Mastermind) -> list[dict[str, object]]:
    """The choices of *Other settings*: each with its label, present value, and texts by value."""
    return [
        {
            "name": name,
            "label": say(label),
            "value": value,
            "choices": {n: words(n) for n in range(fewest, most + 1)},
        }
        for name, label, value, words, (fewest, most) in (
            ("pegs", PEGS_LABEL, rules.pegs, counts.pegs, PEGS),
            ("colours", COLOURS_LABEL, len(rules.alphabet), counts.colours, COLOURS),
            ("repeats", REPEATS_LABEL, int(rules.repeats), repeats_in_words, (0, 1)),
            ("guesses", GUESSES_LABEL, rules.max_guesses, counts.guesses, GUESSES),
        )
    ]


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
        pegs=counts.of_pegs(game.rules.pegs), colours=palette(game.rules, pegs)
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
            "**The bot found your code on its first guess.**",
            "**The bot found your code in {turns} guesses.**",
            len(game.turns),
        ),
        Ending.LOST: _("**Your code held: the bot is out of guesses.**"),
        Ending.SURRENDERED: say(_ENDED),
        Ending.REPLACED: _(
            "**You entered your code instead.** That started a new game: find it in `/play`."
        ),
        Ending.AT_STAKE: _("**This game ended when your rated duel began.**"),
        Ending.CLOSED: say(_CLOSED),
    }
    sentence = sentences[game.ending or Ending.SURRENDERED].format(turns=len(game.turns))
    return f"{sentence} {revealed(game, pegs)}".strip()


def correction(view: SolverView, index: int, blacks: int | None, pegs: Pegs) -> TextBoard:
    game = view.game
    heading = title(_("Mastermind: correct an answer"), game.rules)
    was = _("you answered:")
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
    return _("**Guess {number} now scores {blacks}, {whites}, but still no code fits.**").format(
        number=index + 1, blacks=blacks_in_words(blacks), whites=whites_in_words(whites)
    )


def turn_choice(index: int, turn: Turn[Score]) -> str:
    return _("Guess {number}: {code}").format(number=index + 1, code=" ".join(turn.guess))


def answer_in_words(score: Score) -> str:
    """How a player answered, in a list of guesses; Discord takes 100 characters."""
    return _("You answered {blacks}, {whites}.").format(
        blacks=blacks_in_words(score.bulls), whites=whites_in_words(score.cows)
    )


def repair_in_words(score: Score) -> str:
    """How a player answered a guess, if a correction of just this answer makes a code fit.

    It stands in a list of guesses; Discord takes 100 characters.
    """
    return f"{REPAIR} {answer_in_words(score)} {_('Changing this one makes everything fit.')}"


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
    suspects = contradiction.suspects
    rows = "\n".join(
        turn_row(index, game.turns[index], pegs, REPAIR if index in suspects else "")
        for index in contradiction.turns
    )
    others = [(n, turn) for n, turn in enumerate(game.turns) if n not in contradiction.turns]
    rest = f"{_('Your other answers:')}\n{turn_rows(others, pegs)}" if others else ""
    return f"{conflict}\n{rows}", advice(contradiction), rest


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
    below = legend(game.turns, pegs)
    if not game.turns:
        words = _("🔒 Your code is one of {count}. The bot won't peek.")
        below = f"{words.format(count=number(game.rules.size))}\n{below}"
    return TextBoard.of(Mood.PLAYING, heading, rows, below)


def _reason(step: Narrowing, *, is_right: bool) -> str:
    """Write the line below a guess of the bot."""
    words = _("**{after}** of {before} codes left")
    if step.before == 1:
        words = _("The only one left")
    elif is_right:
        words = _("Right, out of {before}")
    return words.format(before=number(step.before), after=number(step.after))
