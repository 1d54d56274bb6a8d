"""Races in words: their post, private boards, their topic of `/help`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Generic, TypeVar

from bot.duels import words as duels
from bot.duels.round_words import DuelTiles, column, digits, legend
from bot.feature import Topic
from bot.focdle import words as focdle
from bot.focdle.model import EXAMPLES, GuessRefusedError
from bot.games import words as games_words
from bot.games.words import (
    BAD,
    GOOD,
    OUT_OF_GUESSES,
    WON,
    guesses_left,
    unspent,
)
from bot.mastermind import words as mastermind
from bot.races import model
from bot.races.model import (
    MOST_PLAYERS,
    Ending,
    FinishedRace,
    Race,
    RaceBoard,
    RaceCounts,
    RaceSeat,
    RaceView,
    Rules,
    SeatOutcome,
    Stage,
)
from bot.refused import Sentences
from bot.text import counts
from bot.text.language import N_, _, listing, ngettext, number, say
from bot.text.markup import (
    bullets,
    code,
    heading,
    player_name,
    post_url,
    relative_time,
    small,
)
from bot.text.tiles import PLAIN, Mood, Pegs, Tiles, row
from engine import BullsAndCows, Focdle, Mark, Mastermind, Score, Turn

#: Takes a place in a race; at most 80 characters.
JOIN_BUTTON: Final = N_("Join")
#: Starts a race; at most 80 characters.
START_BUTTON: Final = N_("Start")
#: Waits no longer for the next round of an evening; at most 80 characters.
READY_BUTTON: Final = N_("Ready")
#: Opens the presser's own board of a race; at most 80 characters.
PLAY_BUTTON: Final = N_("Play")
#: Opens another race like one that is over; at most 80 characters.
AGAIN_BUTTON: Final = N_("Again")
#: Shows anew how the others stand in a race; at most 80 characters.
STANDINGS_BUTTON: Final = N_("Standings")
#: Ends a race in which nobody wins; at most 80 characters.
CALL_OFF_BUTTON: Final = N_("Call off")
#: For the player who has called off a race.
CALLED_OFF: Final = N_("Called off.")
#: For those who have joined a race.
JOINED: Final = N_("You're in. When it starts, your board opens here.")
#: For a hidden player who has opened a race.
NOT_IN_YET: Final = N_("You're hidden, so you haven't joined yet. **Join** shows your name here.")
#: Of a race that was opened on the page and is over before Discord shows it.
NOT_POSTED: Final = N_("I couldn't post it in the channel.")
#: The title of the help on races; at most 100 characters.
HELP_TITLE: Final = N_("Race")

_MOST_RIVALS: Final = 3
_ROWS_LENGTH: Final = 2450
"""The most characters of all players' rows in a post; coloured rows beyond that are in letters."""


R = TypeVar("R", bound=Rules)


@dataclass(frozen=True, kw_only=True)
class RaceGame(Generic[R]):
    """What races say of a game.

    Attributes:
        setting: the length of FoCdle, or the setting of another game, in a few words.
        form: of the guess form's field the label, of at most 45 characters, the description, of at
            most 100, an example, and how many characters it takes.
        rows: guesses with feedback, and one not yet made or None; of a FoCdle only the feedback.
        guide: how to begin or, after a guess, what feedback means; a FoCdle's board has that.
    """

    name: str
    topic: Topic
    setting: Callable[[R], str]
    form: Callable[[R], tuple[str, str, str, int | None]]
    rows: Callable[[R, Sequence[Turn[Any]], str | None, Pegs, DuelTiles | None], str]
    guide: Callable[[R, Sequence[Turn[Any]], Pegs, DuelTiles | None], str]
    refused: Callable[[model.RaceGuessRefusedError, R], str]


def _peg_rows(
    rules: Mastermind, turns: Sequence[Turn[Score]], asked: str | None, pegs: Pegs, _look: object
) -> str:
    rows = [mastermind.turn_row(index, turn, pegs) for index, turn in enumerate(turns)]
    if asked is not None:
        rows.append(mastermind.row(len(turns) + 1, asked, pegs, rules.pegs))
    return "\n".join(rows)


def _number_step(rules: BullsAndCows) -> str:
    words = _("Find the hidden number: press {digits}, then **Guess**.")
    return words.format(digits=counts.digits(rules.digits))


def _equation_refused(error: model.RaceGuessRefusedError, rules: Focdle) -> str:
    play = error.board.play(rules)
    return focdle.guess_refused(GuessRefusedError(play=play, text=error.text, cause=error.cause))


_GAMES: Final[Mapping[type[Rules], RaceGame[Any]]] = {
    Focdle: RaceGame[Focdle](
        name=N_("FoCdle"),
        topic=focdle.HELP_TOPIC,
        setting=lambda rules: counts.symbols(rules.length),
        form=lambda rules: (
            focdle.form_label(rules.length),
            say(focdle.FORM_DESCRIPTION),
            EXAMPLES[rules.length],
            focdle.most_typed(rules.length),
        ),
        rows=lambda _rules, turns, _asked, _pegs, _look: "\n".join(
            row(turn.feedback) for turn in turns
        ),
        guide=lambda _rules, _turns, _pegs, _look: "",
        refused=_equation_refused,
    ),
    Mastermind: RaceGame[Mastermind](
        name=N_("Mastermind"),
        topic=mastermind.HELP_TOPIC,
        setting=lambda rules: mastermind.setting(rules, with_guesses=False),
        form=lambda rules: (
            mastermind.guess_form_label(rules),
            mastermind.form_description(rules),
            mastermind.example(rules),
            None,
        ),
        rows=_peg_rows,
        guide=lambda rules, turns, pegs, _look: (
            mastermind.legend(turns, pegs) if turns else mastermind.first_step(rules)
        ),
        refused=lambda error, rules: unspent(mastermind.code_mistake(error, rules)),
    ),
    BullsAndCows: RaceGame[BullsAndCows](
        name=N_("Bulls and Cows"),
        topic=duels.HELP_TOPIC,
        setting=digits,
        form=lambda rules: (digits(rules), "", "", None),
        rows=lambda _rules, turns, asked, _pegs, tiles: column(turns, tiles, asked=asked or None),
        guide=lambda rules, turns, _pegs, tiles: (
            legend(tiles, *turns) if turns else _number_step(rules)
        ),
        refused=lambda error, rules: unspent(duels.number_mistake(error, rules)),
    ),
}


def game_of(rules: Rules) -> RaceGame[Any]:
    return _GAMES[type(rules)]


def game_name(rules: Rules) -> str:
    return say(game_of(rules).name)


def race_name(rules: Rules) -> str:
    return _("Race: {game}").format(game=game_name(rules))


def setting(rules: Rules) -> str:
    return game_of(rules).setting(rules)


def name(view: RaceView, player_id: int) -> str:
    return player_name(view.names.get(player_id, ""), player_id)


def title(view: RaceView, own: RaceSeat | None = None) -> str:
    """Write a post's title: the game, its setting, and when the race ends, or how it ended.

    In a pause it is about the round that is over. With `own`, it is the title of that seat's board.
    """
    view = view.before or view
    race, rules = view.race, view.race.rules
    words = race_name(rules)
    details = [setting(rules), *round_of(race)]
    if race.stage is Stage.RUNNING:
        details += [] if own is not None else _started(view)
        details.append(_("ends {when}").format(when=relative_time(view.until)))
    elif race.stage is Stage.OVER:
        details, words = [game_name(rules), setting(rules)], ending(view)
        if own is not None and race.rounds == 1 and own.place == 1 and not _is_tied(view, own):
            words = _("You win!")
    return f"{heading(words)}\n{small(' · '.join(details))}"


def _started(view: RaceView) -> Iterator[str]:
    """Say why a race has started before its time, if it has."""
    race = view.race
    if race.is_early and race.round > 1:
        yield _("everybody was ready")
    elif race.is_early and race.seat_of(race.opener_id) is not None:
        yield _("started by {player}").format(player=name(view, race.opener_id))


def round_of(race: Race) -> Iterator[str]:
    """Say which round of an evening it is."""
    if race.rounds > 1:
        words = _("round {round} of {rounds}")
        yield words.format(round=number(race.round), rounds=number(race.rounds))


def ending(view: RaceView) -> str:
    """Say who has won, or why nobody has."""
    race, scored = view.race, view.scored
    if race.ending is Ending.CALLED_OFF:
        return _("The race was called off")
    if race.ending is Ending.LAPSED and not scored:
        return _("Nobody else joined")
    if race.rounds > 1 and race.message_id is None:  # a round that another has followed
        return _round_ending(view)
    best = [seat for seat in scored if seat.score == scored[0].score]
    if race.rounds == 1:
        best = [seat for seat in view.ranked if seat.place == 1]
    winners = [name(view, seat.player_id) for seat in best]
    if not winners:
        return _("Nobody found it")
    if len(winners) > 1:
        return _("{players} tie").format(players=listing(winners))
    words = _("{player} wins") if race.rounds == 1 else _("{player} wins the evening")
    return words.format(player=winners[0])


def _round_ending(view: RaceView) -> str:
    """Say who won this round of an evening."""
    first = [name(view, seat.player_id) for seat in view.ranked if seat.place == 1]
    if not first:
        return _("Nobody found it")
    words = ngettext("{players} wins round {n}", "{players} win round {n}", len(first))
    return words.format(players=listing(first), n=number(view.race.round))


def mood(view: RaceView) -> Mood:
    moods = {Stage.LOBBY: Mood.WAITING, Stage.RUNNING: Mood.PLAYING, Stage.OVER: Mood.CALM}
    return moods[view.race.stage]


def post_text(view: RaceView, pegs: Pegs, tiles: DuelTiles | None, *, drawn: bool) -> list[str]:
    """The texts of the post below its title.

    Args:
        tiles: the emojis that numbers are drawn with; None for plain digits.
        drawn: whether a picture shows the rows of a race that is over.
    """
    race = view.race
    if race.stage is Stage.LOBBY:
        how = "\n".join(how_to_win(race)) if race.round == 1 else ""
        return [how, "\n".join(filter(None, _lobby(view, pegs))), points(view), starts(view)]
    if race.stage is Stage.RUNNING:
        return ["\n".join(standing(view, seat) for seat in race.seats), points(view)]
    if race.ending is not Ending.FINISHED:
        return [answer(race, pegs) if race.started_at is not None else ""]
    told = [_round_ending(view)] if race.rounds > 1 else []
    return ["\n".join([*told, *_results(view, pegs, tiles, drawn=drawn)])]


def _lobby(view: RaceView, pegs: Pegs) -> Iterator[str]:
    """Say who is in; in a pause, how the last round went, and who is ready."""
    race, before = view.race, view.before
    if race.round > 1:
        if before is not None:
            yield from (result(before, seat) for seat in before.ranked)
            yield answer(before.race, pegs)
        ready = [name(view, seat.player_id) for seat in race.seats if seat.is_ready]
        yield _("Ready: {players}").format(players=", ".join(ready)) if ready else ""
        return
    yield from names(view)


def how_to_win(race: Race) -> Iterator[str]:
    yield _("Fewest guesses win; the shortest time breaks ties.")
    if race.rounds > 1:
        yield _("The first gets 5 points, the second 3, the third 2, and all other solvers 1.")


def joined(view: RaceView) -> str:
    """For those who have joined, or opened, a race."""
    return f"{say(JOINED)}\n{starts(view)}" if view.race.second_at else say(JOINED)


def starts(view: RaceView) -> str:
    is_alone = view.race.second_at is None
    words = _("Waiting for a second player · ends {when}") if is_alone else _("Starts {when}.")
    if view.race.round > 1:
        words = _("Next round {when}.")
    return small(words.format(when=relative_time(view.until)))


def names(view: RaceView) -> Iterator[str]:
    who = ", ".join(name(view, seat.player_id) for seat in view.race.seats)
    if who:
        yield _("Already in: {players}").format(players=who)


def standing(view: RaceView, seat: RaceSeat) -> str:
    """Write a player's progress only in counts, which give nothing away."""
    race = view.race
    parts = [name(view, seat.player_id)]
    if seat.outcome is SeatOutcome.LEFT:
        return " · ".join([*parts, _("gone")])
    if not seat.guesses:
        return " · ".join([*parts, _("no guess yet")])
    parts.append(f"{len(seat.guesses)}/{race.rules.max_guesses}")
    if seat.outcome is SeatOutcome.SOLVED:
        return " · ".join([*parts, "✅"])
    placed, *elsewhere = _found(race, seat)
    words = _("{n} in place, {m} elsewhere") if elsewhere else _("{n} in place")
    parts.append(words.format(n=placed, m=sum(elsewhere)))
    if seat.outcome is not None:
        parts.append("❌")
    return " · ".join(parts)


def _found(race: Race, seat: RaceSeat) -> tuple[int, ...]:
    """How many symbols a player last had in place; of a code, also how many elsewhere."""
    if not seat.guesses:
        return ()
    feedback = race.feedback(seat.guesses[-1])
    return feedback if isinstance(feedback, Score) else (feedback.count(Mark.CORRECT),)


def _results(view: RaceView, pegs: Pegs, tiles: DuelTiles | None, *, drawn: bool) -> Iterator[str]:
    race, ranked = view.race, view.ranked
    stayed = [seat for seat in race.seats if seat.outcome is not SeatOutcome.LEFT]
    idle = [name(view, seat.player_id) for seat in stayed if not seat.guesses]
    plain = [_plain_rows(race, seat) for seat in ranked]
    left = _ROWS_LENGTH - sum(map(len, plain))
    for seat, letters in zip(ranked, plain, strict=True):
        yield result(view, seat)
        if drawn or race.rounds > 1:  # the points follow
            continue
        rows = coloured_rows(race, seat, pegs, tiles)
        more = len(rows) - len(letters)
        if more <= left:
            left -= more
            yield rows
        else:
            yield letters
    if idle:
        yield small(_("No guess: {players}").format(players=", ".join(idle)))


def result(view: RaceView, seat: RaceSeat) -> str:
    player, made = name(view, seat.player_id), counts.guesses(len(seat.guesses))
    if seat.place is None:
        return f"✖️ {player} · {made}"
    taken = _time(view.taken.get(seat.seat, timedelta()))
    return f"**{seat.place}.** {player} · {made} · {taken}"


def _time(taken: timedelta) -> str:
    minutes, seconds = divmod(int(taken.total_seconds()), 60)
    if minutes:
        return f"{minutes}:{seconds:02}"
    if not seconds:
        return _("under a second")
    return ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)


def coloured_rows(race: Race, seat: RaceSeat, pegs: Pegs, tiles: DuelTiles | None) -> str:
    """A player's guesses with feedback, in colours; only the feedback for a FoCdle."""
    return game_of(race.rules).rows(race.rules, race.game(seat).turns, None, pegs, tiles)


def _plain_rows(race: Race, seat: RaceSeat) -> str:
    """All guesses of a player with feedback, as one line of text; a FoCdle as `coloured_rows`."""
    turns, write = race.game(seat).turns, race.rules.write_feedback
    if isinstance(race.rules, Focdle):
        return coloured_rows(race, seat, PLAIN, None)
    line = " ".join(f"{turn.guess}={write(turn.feedback)}" for turn in turns)
    return code(line, longest=len(line))


def answer(race: Race, pegs: Pegs) -> str:
    """A sentence that reveals the secret."""
    if isinstance(race.rules, Mastermind):
        return _("The code was {code}").format(code=pegs.lettered_row(race.secret))
    return _("It was {answer}.").format(answer=code(race.secret))


def points(view: RaceView) -> str:
    """Write the points of an evening so far; empty while there are none."""
    won = [f"{name(view, seat.player_id)} {number(seat.score)}" for seat in view.scored]
    return small(f"🏆 {', '.join(won)}") if won else ""


def listed(view: RaceView, _player_id: int) -> str:
    """Write a race's entry in a list of a player's unfinished games."""
    race, when = view.race, relative_time(view.until)
    words = _("starts {when}") if race.second_at is not None else _("waiting for a second player")
    if race.stage is Stage.RUNNING:
        words = _("**ends {when}**")
    details = [setting(race.rules), *round_of(race), words.format(when=when)]
    return f"**{race_name(race.rules)}**\n{small(' · '.join(details))}"


def more_title(race: Race) -> str:
    """The title of the page behind *More*."""
    return (
        f"{heading(say(HELP_TITLE))}\n{small(f'{game_name(race.rules)} · {setting(race.rules)}')}"
    )


def board_rows(board: RaceBoard, pending: str, pegs: Pegs, tiles: DuelTiles | None) -> str:
    """The rows of a board of Mastermind or Bulls and Cows; `pending` is a guess not yet made."""
    rules, asked = board.race.rules, pending if board.is_on else None
    return game_of(rules).rows(rules, board.game.turns, asked, pegs, tiles)


def board_status(board: RaceBoard, pegs: Pegs, tiles: DuelTiles | None) -> str:
    """Write what the player can do, or how they ended; empty while they play a FoCdle."""
    made, rules, outcome = len(board.seat.guesses), board.race.rules, board.seat.outcome
    if not board.is_on:
        if board.seat.place is not None:
            return _own_result(board)
        parts = [say(OUT_OF_GUESSES)] if outcome is SeatOutcome.LOST else []
        if outcome is SeatOutcome.SOLVED:
            parts = [_("**Found in {guesses}!**").format(guesses=counts.of_guesses(made))]
        is_over = board.race.stage is Stage.OVER
        told = answer(board.race, pegs) if is_over else _("The others race on.")
        return " ".join([*parts, told])
    left = [guesses_left(rules.max_guesses - made)] if made else []
    return "\n".join([*left, game_of(rules).guide(rules, board.game.turns, pegs, tiles)])


def _own_result(board: RaceBoard) -> str:
    view, seat = board.view, board.seat
    words = _("**{rank} of {n}**, tied") if _is_tied(view, seat) else _("**{rank} of {n}**")
    place = words.format(rank=counts.ordinal(seat.place or 0), n=number(len(view.race.seats)))
    taken = _time(view.taken.get(seat.seat, timedelta()))
    return " · ".join([place, counts.guesses(len(seat.guesses)), taken, *round_of(view.race)])


def _is_tied(view: RaceView, seat: RaceSeat) -> bool:
    return sum(each.place == seat.place for each in view.ranked) > 1


def beside_board(board: RaceBoard) -> str:
    """Say, below a private board, how the best of the others stand, in counts.

    Once the player is done, it tells of those without a guess, too, and links to the post; after a
    round of an evening, it has the points.
    """
    race, lines = board.race, list[str]()
    if race.stage is Stage.RUNNING:
        others = [
            seat
            for seat in race.seats
            if seat.player_id != board.seat.player_id and (seat.guesses or not board.is_on)
        ]
        others.sort(
            key=lambda it: (it.outcome is SeatOutcome.SOLVED, _found(race, it)), reverse=True
        )
        lines += [small(standing(board.view, seat)) for seat in others[:_MOST_RIVALS]]
    elif told := points(board.view):
        lines.append(told)
    if not board.is_on and race.message_id is not None:
        lines.append(_("[Everybody's race]({link})").format(link=post_link(board.view)))
    return "\n".join(lines)


def form_title(board: RaceBoard) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("Race · guess {turn} of {guesses}").format(
        turn=len(board.seat.guesses) + 1, guesses=board.race.rules.max_guesses
    )


def form_reminder(board: RaceBoard, tiles: Tiles | None, pegs: Pegs) -> str:
    """The guesses so far, to be read while the form covers the board; empty before the first."""
    rules = board.race.rules
    if isinstance(rules, Focdle):
        return focdle.form_reminder(board.play(rules), tiles)
    return board_rows(board, "", pegs, DuelTiles.of(tiles, pegs)) if board.seat.guesses else ""


def race_counts(found: RaceCounts) -> str:
    """The section on races in a player's statistics; empty without any race."""
    if not found.played:
        return ""
    words = ngettext(
        "**Races**: {won} of {played} won", "**Races**: {won} of {played} won", found.played
    )
    return words.format(won=number(found.won), played=number(found.played))


def _help(*_look: object) -> list[str]:
    lines = (
        say(COMMAND),
        _("`rounds`: an evening of three or five, for points."),
        _("**Join** shows others your name and guesses. Two to {players} play.").format(
            players=number(MOST_PLAYERS)
        ),
        _("It starts a minute after a second player joins, or with **Start**."),
        _("Your board opens by itself. Ten minutes, no hints, just for fun."),
    )
    return [bullets(lines)]


#: What to do in another channel, where the member may not write.
OPEN_IN: Final = N_("Open it in {place}.")
HELP_TOPIC: Final = Topic("race", HELP_TITLE, _help)
#: What the command does, in the help.
COMMAND: Final = N_("`/race`: one puzzle for everybody. Fewest guesses win.")
#: Among the games with others in `/play`.
TOGETHER: Final = N_("**Race**: one puzzle for everybody. Fewest guesses win.")


def _guess_refused(error: model.RaceGuessRefusedError) -> str:
    rules = error.board.race.rules
    return game_of(rules).refused(error, rules)


SENTENCES: Final[Sentences] = {model.RaceGuessRefusedError: _guess_refused}


def post_link(view: RaceView) -> str:
    return post_url(view.race.guild_id, view.race.channel_id, view.race.message_id)


def finished_line(game: FinishedRace, _player_id: int) -> str:
    """Write a finished race's entry in a list."""
    details = (counts.guesses(game.guesses), setting(game.rules))
    sign, name = _race_sign(game), race_name(game.rules)
    return games_words.finished_line(sign, name, _race_result(game), game.finished_at, details)


def _race_sign(game: FinishedRace) -> str:
    if game.place == 1:
        return WON
    return BAD if game.place is None else GOOD


def _race_result(game: FinishedRace) -> str:
    if game.place is None:
        return _("not solved")
    words = _("place {place} of {players}")
    return words.format(place=number(game.place), players=number(game.players))


# Command descriptions; Discord takes them at start, in English.
#: What Discord lists of a command or an option; at most 100 characters.
RACE = N_("Race: everybody gets the same puzzle. Fewest guesses win; the shortest time breaks ties")
RACE_GAME = N_("The game for the race. Leave it empty for FoCdle")
RACE_LENGTH = N_("How many symbols a FoCdle has, from 7 to 15. Leave it empty for 10")
RACE_ROUNDS = N_("How many rounds to play in one evening. Leave it empty for a single race")
