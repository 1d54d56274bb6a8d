"""Races in words: their post, private boards, their topic of `/help`."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Final, cast

from bot.duels.model import NumberRefusedError
from bot.duels.round_words import DuelTiles, column, digits, legend
from bot.duels.words import SENTENCES as DUEL_SENTENCES
from bot.feature import Topic
from bot.focdle import words as focdle
from bot.focdle.model import EXAMPLES, GuessRefusedError
from bot.games import words as games_words
from bot.games.model import GameName, Source
from bot.games.words import (
    BAD,
    COUNTS_NOWHERE,
    GOOD,
    OUT_OF_GUESSES,
    SIGNS,
    WON,
    code_data,
    guesses_left,
)
from bot.mastermind import words as mastermind
from bot.people.model import Choices
from bot.races import model
from bot.races.game import can_call_off
from bot.races.model import (
    MOST_PLAYERS,
    UNPOSTED,
    Choosing,
    Ending,
    FinishedRace,
    Race,
    RaceBegunError,
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
from bot.text.language import N_, listing, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import (
    bullets,
    code,
    heading,
    player_name,
    post_url,
    relative_time,
    small,
    visible,
)
from bot.text.tiles import PLAIN, Mood, Pegs, Tiles, row
from engine import BullsAndCows, Focdle, Mark, Mastermind

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
#: Ends a race in which nobody wins; at most 80 characters.
CALL_OFF_BUTTON: Final = N_("Call off")
#: For the player who has called off a race.
CALLED_OFF: Final = N_("Called off.")
#: For those who have joined a race.
JOINED: Final = N_("You're in. When it starts, press **Play**.")
#: For a hidden player who has opened a race.
NOT_IN_YET: Final = N_("You're hidden, so you aren't in yet. **Join** shows your name here.")
#: Of a race that was opened on the page and is over before Discord shows it.
NOT_POSTED: Final = N_("I couldn't post it in the channel.")
#: The title of the help on races; at most 100 characters.
HELP_TITLE: Final = N_("Race")

GAMES: Final = {
    Choosing.FOCDLE: N_("FoCdle"),
    Choosing.MASTERMIND: N_("Mastermind"),
    Choosing.BULLS: N_("Bulls and Cows"),
}

_ROWS_LENGTH: Final = 2450
"""The most characters of all players' rows in a post; coloured rows beyond that are in letters."""


def _race_at(game: str) -> str:
    return _("Race: {game}").format(game=game)


def race_name(rules: Rules) -> str:
    return _race_at(game_name(rules))


def open_button(game: Choosing) -> str:
    """The label of a button that opens a race at a game's usual setting; at most 80 characters."""
    return _race_at(say(GAMES[game]))


def game_name(rules: Rules) -> str:
    kinds = {Focdle: Choosing.FOCDLE, Mastermind: Choosing.MASTERMIND, BullsAndCows: Choosing.BULLS}
    return say(GAMES[kinds[type(rules)]])


def setting(rules: Rules) -> str:
    """The length of FoCdle, or the setting of another game, in a few words."""
    if isinstance(rules, Focdle):
        return counts.symbols(rules.length)
    if isinstance(rules, Mastermind):
        return mastermind.setting(rules, with_guesses=False)
    return digits(rules)


def name(view: RaceView, player_id: int) -> str:
    return player_name(view.names.get(player_id, ""), player_id)


def title(view: RaceView) -> str:
    """Write a post's title: the game, its setting, and when the race ends, or how it ended.

    In a pause it is about the round that is over.
    """
    view = view.before or view
    race, rules = view.race, view.race.rules
    words = race_name(rules)
    details = [setting(rules), *_round(race)]
    if race.stage is Stage.RUNNING:
        details.append(_("ends {when}").format(when=relative_time(view.until)))
    elif race.stage is Stage.OVER:
        details, words = [game_name(rules), setting(rules)], _ending(view)
    return f"{heading(words)}\n{small(' · '.join(details))}"


def _round(race: Race) -> Iterator[str]:
    """Say which round of an evening it is."""
    if race.rounds > 1:
        words = _("round {round} of {rounds}")
        yield words.format(round=number(race.round), rounds=number(race.rounds))


def _ending(view: RaceView) -> str:
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
    return _("{player} wins").format(player=winners[0])


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


def post_text(view: RaceView, pegs: Pegs, look: DuelTiles | None, *, drawn: bool) -> list[str]:
    """The texts of the post below its title.

    Args:
        look: the emojis that numbers are drawn with; None for plain digits.
        drawn: whether a picture shows the rows of a race that is over.
    """
    race = view.race
    if race.stage is Stage.LOBBY:
        return ["\n".join(filter(None, _lobby(view, pegs))), points(view), _starts(view)]
    if race.stage is Stage.RUNNING:
        return ["\n".join(_standing(view, seat) for seat in race.seats), points(view)]
    if race.ending is not Ending.FINISHED:
        return [answer(race, pegs) if race.started_at is not None else ""]
    told = [_round_ending(view)] if race.rounds > 1 else []
    return ["\n".join([*told, *_results(view, pegs, look, drawn=drawn)])]


def _lobby(view: RaceView, pegs: Pegs) -> Iterator[str]:
    """Say how to win, and who is in; in a pause, how the last round went, and who is ready."""
    race, before = view.race, view.before
    if race.round > 1:
        if before is not None:
            yield from (_result(before, seat) for seat in before.ranked)
            yield answer(before.race, pegs)
        ready = [name(view, seat.player_id) for seat in race.seats if seat.is_ready]
        yield _("Ready: {players}").format(players=", ".join(ready)) if ready else ""
        return
    yield from _how_to_win(race)
    yield from _names(view)


def _how_to_win(race: Race) -> Iterator[str]:
    yield _("Ten minutes: fewest guesses win, then the fastest.")
    if race.rounds > 1:
        yield _("Points: 5, 3, 2, or 1 for solving.")


def _starts(view: RaceView) -> str:
    is_alone = view.race.second_at is None
    words = _("Ends {when} without a second player.") if is_alone else _("Starts {when}.")
    if view.race.round > 1:
        words = _("Next round {when}.")
    return small(words.format(when=relative_time(view.until)))


def _names(view: RaceView) -> Iterator[str]:
    names = ", ".join(name(view, seat.player_id) for seat in view.race.seats)
    if names:
        yield _("In: {players}").format(players=names)


def _standing(view: RaceView, seat: RaceSeat) -> str:
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
    feedback = race.feedback(seat.guesses[-1])
    if isinstance(race.rules, Focdle):
        placed = sum(mark is Mark.CORRECT for mark in feedback)
    else:
        placed = feedback.bulls
    parts.append(_("{n} in place").format(n=placed))
    if seat.outcome is not None:
        parts.append("❌")
    return " · ".join(parts)


def _results(view: RaceView, pegs: Pegs, look: DuelTiles | None, *, drawn: bool) -> Iterator[str]:
    race, ranked = view.race, view.ranked
    stayed = [seat for seat in race.seats if seat.outcome is not SeatOutcome.LEFT]
    idle = [name(view, seat.player_id) for seat in stayed if not seat.guesses]
    plain = [_plain_rows(race, seat) for seat in ranked]
    left = _ROWS_LENGTH - sum(map(len, plain))
    for seat, letters in zip(ranked, plain, strict=True):
        yield _result(view, seat)
        if drawn or race.rounds > 1:  # the points follow
            continue
        rows = coloured_rows(race, seat, pegs, look)
        more = len(rows) - len(letters)
        if more <= left:
            left -= more
            yield rows
        else:
            yield letters
    if idle:
        yield small(_("No guess: {players}").format(players=", ".join(idle)))


def _result(view: RaceView, seat: RaceSeat) -> str:
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


def coloured_rows(race: Race, seat: RaceSeat, pegs: Pegs, look: DuelTiles | None) -> str:
    """A player's guesses with feedback, in colours; only the feedback for a FoCdle."""
    turns = race.game(seat).turns
    if isinstance(race.rules, Focdle):
        return "\n".join(row(turn.feedback) for turn in turns)
    if isinstance(race.rules, Mastermind):
        return mastermind.turn_rows(enumerate(turns), pegs)
    return column(turns, look)


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
    details = [setting(race.rules), *_round(race), words.format(when=when)]
    return f"**{race_name(race.rules)}**\n{small(' · '.join(details))}"


def open_data(view: RaceView, player_id: int) -> dict[str, object]:
    """A race as data for the page's list of what is open in its channel."""
    race = view.race
    is_new = race.stage is Stage.LOBBY and race.seat_of(player_id) is None
    return {
        "place": str(GameName(Source.RACE, race.id)),
        "lines": [*listed(view, player_id).splitlines(), *_names(view)],
        "join": say(JOIN_BUTTON) if is_new and len(race.seats) < MOST_PLAYERS else "",
        "until": view.until.isoformat(),
    }


def race_data(
    view: RaceView,
    player_id: int,
    board: RaceBoard | None,
    *,
    is_here: bool,
    faces: Mapping[int, str] | None = None,
) -> dict[str, object]:
    """A race as data for the web page of somebody who may see its post.

    Of others it tells what the post does and, once the player's own board is done, their marks.

    Args:
        board: the player's own; None without one.
        is_here: whether the page was opened in the race's channel.
        faces: by player, what the page asks for to show their avatars on the podium.
    """
    race, rules, shown = view.race, view.race.rules, board
    if shown is None:
        seen = race if view.before is None else view.before.race  # in a pause the last board stays
        seat = seen.seat_of(player_id) or RaceSeat(0, player_id, race.opened_at)
        shown = RaceBoard(seen, seat, view.until, Choices())
    is_in, is_over = race.seat_of(player_id) is not None, race.stage is Stage.OVER
    if isinstance(rules, Focdle):
        play = focdle.play_data(shown.play(rules))
        data = {part: play[part] for part in ("length", "most", "rows", "shown", "keys", "legend")}
    else:
        data = code_data(rules, shown.game.turns)
    solved = shown.seat.outcome is SeatOutcome.SOLVED
    return data | {
        "place": str(GameName(Source.RACE, race.id)),
        "version": race.version,
        "at": 0 if board is None else len(board.seat.guesses),
        "title": race_name(rules),
        "about": " · ".join([setting(rules), *_round((view.before or view).race)]),
        "state": ("solved" if solved else "lost") if is_over else "open",
        "said": "\n".join(filter(None, _said_on_page(view, shown, is_in=is_in))).splitlines(),
        "podium": list(_podium(view, faces or {})),
        "others": list(_others(view, player_id, board, faces or {})),
        "actions": list(_actions(view, player_id, shown, is_here=is_here)),
        "until": None if is_over else view.until.isoformat(),
        "next": str(GameName(Source.RACE, view.next_id)) if view.next_id and view.goes_on else "",
    }


def _podium(view: RaceView, faces: Mapping[int, str]) -> Iterator[dict[str, object]]:
    for place, seat in view.podium:
        yield {
            "name": visible(view.names.get(seat.player_id, "")),
            "face": faces.get(seat.player_id, ""),
            "place": place,
            "points": seat.score,
        }


def _others(
    view: RaceView, player_id: int, board: RaceBoard | None, faces: Mapping[int, str]
) -> Iterator[dict[str, object]]:
    """Who is in a race, and what may be seen of them; in a pause, how the last round went."""
    race, seen = view.race, view.before or view
    is_over = seen.race.stage is Stage.OVER
    is_done = is_over or (board is not None and board.seat.outcome is not None)
    first = seen.ranked if is_over else []
    named = {seat.player_id for seat in first}
    rest = [seat for seat in race.seats if seat.player_id not in named]
    for seat in first if race.stage is Stage.OVER else [*first, *rest]:
        if seat.player_id in named:
            told = _result(seen, seat)
        elif race.stage is Stage.RUNNING:
            told = _standing(view, seat)
        else:
            told = name(view, seat.player_id)
        now = race.seat_of(seat.player_id)
        is_ready = race.stage is Stage.LOBBY and now is not None and now.is_ready
        is_own = seat.player_id == player_id
        yield {
            "name": f"{told} · {say(READY_BUTTON)}" if is_ready else told,
            "who": visible(view.names.get(seat.player_id, "")),
            "face": faces.get(seat.player_id, ""),
            "is_own": is_own,
            "rows": _marks(seen.race, seat) if is_done and not is_own else [],
        }


def _marks(race: Race, seat: RaceSeat) -> list[dict[str, object]]:
    """A player's feedback without the guesses, as data for the web page."""
    found = map(race.feedback, seat.guesses)
    if isinstance(race.rules, Focdle):
        return [{"marks": "".join(SIGNS[mark] for mark in marks)} for marks in found]
    return [{"score": list(score)} for score in found]


def _said_on_page(view: RaceView, board: RaceBoard, *, is_in: bool) -> Iterator[str]:
    race, rules = view.race, view.race.rules
    if race.stage is Stage.LOBBY:
        if race.round == 1:
            yield from _how_to_win(race)
        elif view.before is not None:
            yield heading(_ending(view.before))
            yield answer(view.before.race, PLAIN)
        yield from (points(view), _starts(view))
    elif race.stage is Stage.OVER:
        yield heading(_ending(view))
        yield say(NOT_POSTED) if race.shown == UNPOSTED else ""
        yield answer(race, PLAIN) if race.started_at is not None else ""
        yield points(view) if len(view.scored) > len(view.podium) else ""
    elif not is_in:
        yield say(RaceBegunError.sentence)
        return
    elif isinstance(rules, Focdle) and board.is_on:
        yield from cast("list[str]", focdle.play_data(board.play(rules))["said"])
    elif board.is_on and board.seat.guesses:
        yield guesses_left(board.game.guesses_left)
    else:
        yield board_status(board, PLAIN, None)
    if race.stage is Stage.RUNNING:
        yield points(view)
        yield small(_("ends {when}").format(when=relative_time(view.until)))


def _actions(
    view: RaceView, player_id: int, board: RaceBoard, *, is_here: bool
) -> Iterator[dict[str, object]]:
    race = view.race
    is_in = race.seat_of(player_id) is not None
    if race.stage is Stage.LOBBY:
        if not is_in and is_here:
            yield {"act": "join", "label": say(JOIN_BUTTON), "main": True}
        if label := _start_button(race, player_id):
            yield {"act": "start", "label": say(label), "main": True}
    elif is_in and board.is_on:
        yield {"act": "guess"}
    elif view.next_id is not None:
        place = str(GameName(Source.RACE, view.next_id))
        if not view.goes_on:  # to its next round an evening goes on by itself
            yield {"act": "go", "label": say(AGAIN_BUTTON), "place": place}
    elif race.stage is Stage.OVER and is_here:
        yield {"act": "again", "label": say(AGAIN_BUTTON)}
    if race.stage is Stage.OVER and board.seat.guesses:
        yield {"act": "verdict"}
    if can_call_off(race, player_id):
        yield {"act": "off", "label": say(CALL_OFF_BUTTON), "fields": []}  # pressed twice


def _start_button(race: Race, player_id: int) -> str:
    """The button by which a player can start a race, or be ready; empty if there is none."""
    seat = race.seat_of(player_id)
    if seat is None or race.second_at is None:
        return ""
    if race.round > 1:
        return "" if seat.is_ready else READY_BUTTON
    return START_BUTTON if race.opener_id == player_id else ""


def more_title(race: Race) -> str:
    """The title of the page behind *More*."""
    return (
        f"{heading(say(HELP_TITLE))}\n{small(f'{game_name(race.rules)} · {setting(race.rules)}')}"
    )


def board_title(board: RaceBoard) -> str:
    """Write a private board's title: the game, its setting, and when a running race ends."""
    rules = board.race.rules
    words, details = race_name(rules), [setting(rules), *_round(board.race)]
    if board.race.stage is Stage.RUNNING:
        details.append(_("ends {when}").format(when=relative_time(board.ends_at)))
    return f"{heading(words)}\n{small(' · '.join(details))}"


def board_rows(board: RaceBoard, pending: str, pegs: Pegs, look: DuelTiles | None) -> str:
    """The rows of a board of Mastermind or Bulls and Cows; `pending` is a guess not yet made."""
    turns, rules = board.game.turns, board.race.rules
    if isinstance(rules, Mastermind):
        rows = [mastermind.turn_rows(enumerate(turns), pegs)] if turns else []
        if board.is_on:
            rows.append(mastermind.row(len(turns) + 1, pending, pegs, rules.pegs))
        return "\n".join(rows)
    return column(turns, look, asked=pending if board.is_on and pending else None)


def board_status(board: RaceBoard, pegs: Pegs, look: DuelTiles | None) -> str:
    """Write what the player can do, or how they ended; empty while they play a FoCdle."""
    made, rules, outcome = len(board.seat.guesses), board.race.rules, board.seat.outcome
    if not board.is_on:
        parts = [say(OUT_OF_GUESSES)] if outcome is SeatOutcome.LOST else []
        if outcome is SeatOutcome.SOLVED:
            parts = [_("**Found in {guesses}!**").format(guesses=counts.of_guesses(made))]
        if board.race.stage is Stage.RUNNING:
            return " ".join([*parts, _("The race goes on for the others.")])
        if board.race.rounds == 1:
            parts.append(_("The race is over."))
        if outcome is not SeatOutcome.SOLVED:
            parts.append(answer(board.race, pegs))
        return " ".join(parts)
    if isinstance(rules, Focdle):
        return ""
    if not made:
        if isinstance(rules, Mastermind):
            return mastermind.first_step(rules)
        words = _("Find the hidden number: press {digits}, then **Guess**.")
        return words.format(digits=counts.digits(rules.digits))
    lines = [guesses_left(rules.max_guesses - made)]
    if isinstance(rules, BullsAndCows):
        lines.append(legend(look, *board.game.turns))
    else:
        lines.append(mastermind.legend(board.game.turns, pegs))
    return "\n".join(lines)


def form_title(board: RaceBoard) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("Race · guess {turn} of {guesses}").format(
        turn=len(board.seat.guesses) + 1, guesses=board.race.rules.max_guesses
    )


def form_reminder(board: RaceBoard, tiles: Tiles | None, pegs: Pegs, look: DuelTiles | None) -> str:
    """The guesses so far, to be read while the form covers the board; empty before the first."""
    rules = board.race.rules
    if isinstance(rules, Focdle):
        return focdle.form_reminder(board.play(rules), tiles)
    return board_rows(board, "", pegs, look) if board.seat.guesses else ""


def form_label(rules: Rules) -> str:
    """The label of the guess form's field; at most 45 characters."""
    if isinstance(rules, Focdle):
        return focdle.form_label(rules.length)
    return mastermind.guess_form_label(rules) if isinstance(rules, Mastermind) else digits(rules)


def form_description(rules: Rules) -> str:
    """The description of the guess form's field; at most 100 characters."""
    if isinstance(rules, Focdle):
        return say(focdle.FORM_DESCRIPTION)
    return mastermind.form_description(rules) if isinstance(rules, Mastermind) else ""


def form_placeholder(rules: Rules) -> str:
    """The example in the guess form's field; empty where none is needed."""
    if isinstance(rules, Focdle):
        return EXAMPLES[rules.length]
    return mastermind.example(rules) if isinstance(rules, Mastermind) else ""


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
        _("`/race`: one puzzle for everybody. Fewest guesses win, then the fastest."),
        _("`rounds`: an evening of three or five, for points."),
        _("**Join** shows your name and guesses there. Two to {players} play.").format(
            players=number(MOST_PLAYERS)
        ),
        _("It starts a minute after a second player joins, or with **Start**."),
        _("**Play** opens your own board. Ten minutes, no hints."),
        say(COUNTS_NOWHERE),
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
    board, rules = error.board, error.board.race.rules
    if isinstance(rules, Focdle):
        play = board.play(rules)
        refused = GuessRefusedError(play=play, text=error.text, cause=error.cause)
        return _said(focdle.SENTENCES, refused)
    if isinstance(rules, Mastermind):
        said = mastermind.code_mistake(error, rules)
    else:
        refused = NumberRefusedError(text=error.text, cause=error.cause, rules=rules)
        said = _said(DUEL_SENTENCES, refused)
    return f"{said}\n{small(_('No guess was spent.'))}"


def _said(sentences: Sentences, error: Exception) -> str:
    sentence = sentences[type(error)]
    return sentence if isinstance(sentence, str) else sentence(error)


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
RACE = N_("Race: everybody gets the same puzzle; fewest guesses wins, then the fastest")
RACE_GAME = N_("What is raced at; FoCdle if left out")
RACE_LENGTH = N_("How many symbols a FoCdle has, 7 to 15; 10 if left out")
RACE_ROUNDS = N_("How many rounds an evening has; one race if left out")
