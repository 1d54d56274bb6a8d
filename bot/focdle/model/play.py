"""The nouns of playing FoCdle: a puzzle's name, and a play as use cases hand it out."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.dailies import PuzzleName, points_for
from bot.focdle.model.feats import NOTHING_TO_TELL, Ending
from bot.games.game.hints import history_of
from bot.games.game.seals import Commitment, commitment
from bot.games.model.hints import MOST_HINTS, Hint, least_points
from bot.people.model.preferences import Asking
from bot.streaks.model.streaks import Streak
from engine import Focdle, Game, Marks, Outcome, Shown, Turn, next_hint


@dataclass(frozen=True, slots=True)
class Play:
    """One player's play of one puzzle, as it stands.

    Attributes:
        id: what buttons call it by.
        player_id: whose it is.
        puzzle: which daily it is; None for a practice.
        rules: its rules; hard mode is one of them.
        game: the guesses so far, and the secret.
        on_date: whether it was finished while its date was today.
        is_today: whether its date is today, where it was opened.
        counts: whether it would be on its date if it ended now.
        next_puzzle_at: when the next date begins there.
        guild_id: the Discord server it was opened in; None where the bot is no member of one.
        zone: the IANA zone there, then.
        opened_at: when its player opened it.
        finished_at: when it ended; None while it goes on.
        palette: the tiles its player wants.
        asks: before which guesses its player is asked, an `Asking`.
        is_learning: whether its player has finished so few that the board explains itself.
        is_new: whether its player has finished none.
        hints: what its player was told, in order.
        par: how many guesses the solver takes on average, once a daily is finished and that is
            known; else None.
        salt: of the commitment to the secret; None where there is none.
        streak: the player's streak, once a daily is finished; else None.
        is_today_left: whether the day's puzzle, being another one, is still to be finished where
            this was opened; only when over.
        closed_in: servers of the player's whose boards do not count it though it was finished
            on its date: the date had ended there before.
        is_dismissed: whether its player has taken it off their list of what is unfinished.
        is_remindable: whether its date is today, and its player has a streak and no reminders.
        shares_to: the channel where it goes into the running message by itself, as its player has
            chosen; told only by the guess that ends it.
        ending: what there is to tell about it, once it is over.
    """

    id: int
    player_id: int
    puzzle: PuzzleName | None
    rules: Focdle
    game: Game[Marks]
    on_date: bool
    is_today: bool
    next_puzzle_at: datetime
    guild_id: int | None
    zone: str
    opened_at: datetime
    palette: str
    counts: bool = False
    asks: str = Asking.FALSE
    is_learning: bool = False
    is_new: bool = False
    hints: tuple[Hint, ...] = ()
    par: float | None = None
    salt: str | None = field(default=None, repr=False)  # no log may have it
    streak: Streak | None = None
    is_today_left: bool = False
    finished_at: datetime | None = None
    closed_in: tuple[int, ...] = ()
    is_dismissed: bool = False
    is_remindable: bool = False
    shares_to: int | None = None
    ending: Ending = NOTHING_TO_TELL

    @property
    def commitment(self) -> Commitment | None:
        """What its board shows for the secret; the same for everybody who plays the puzzle."""
        game = f"practice {self.id}" if self.puzzle is None else f"focdle {self.puzzle}"
        is_over = self.game.outcome is not None
        return commitment(game, self.game.secret, self.salt, is_open=is_over)

    @property
    def points(self) -> int:
        """Seven less guesses and hints, if it was solved on its date; else none."""
        solved = self.on_date and self.game.outcome is Outcome.SOLVED
        return self._points(len(self.game.turns), solved=solved)

    @property
    def history(self) -> tuple[Turn[Marks] | Shown, ...]:
        """All that its player knows: the turns, and what hints have shown."""
        return history_of(self.game.turns, self.hints)

    @property
    def next_hint(self) -> Shown | None:
        """What a hint would show now; None where there is none to be had."""
        is_on = self.game.outcome is None and self.game.turns
        if not is_on or self.rules.hard or len(self.hints) >= MOST_HINTS:
            return None
        return next_hint(self.rules, self.game.secret, self.history)

    @property
    def is_hint_priced(self) -> bool:
        """Whether a hint would cost a point, were the next guess right."""
        return self.counts and self._points(len(self.game.turns) + 1, solved=True) > 0

    def _points(self, guesses: int, *, solved: bool) -> int:
        least = least_points(self.hints)
        return points_for(solved=solved, guesses=guesses, hints=len(self.hints), least=least)
