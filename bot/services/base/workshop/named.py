"""Work that is called by its name."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

CALLED: Final = frozenset(
    {
        ("bot.presentation.coach.chart_picture", "draw_chart"),
        ("bot.presentation.duels.final_picture", "draw_final"),
        ("bot.presentation.statistics_picture", "draw_stats"),
        ("bot.presentation.year_picture", "draw_year"),
        ("bot.services.coach.analysing", "examine"),
        ("bot.services.coach.analysing", "par_openings"),
        ("bot.services.coach.analysing", "par_run"),
        ("bot.services.coach.analysing", "weigh_guesses"),
        ("bot.services.duels.solving", "hunt"),
        ("bot.services.duels.solving", "hunt_blindly"),
        ("bot.services.duels.solving", "is_optimal"),
        ("bot.services.duels.solving", "next_guess"),
        ("bot.services.duels.solving", "note"),
        ("bot.services.focdle.solving", "break_equation"),
        ("bot.services.mastermind.solving", "count"),
        ("bot.services.mastermind.solving", "explain"),
        ("bot.services.mastermind.solving", "play_on"),
        ("bot.services.mastermind.solving", "think"),
    }
)
"""All functions that are called by their names, with where they are."""


class NotCalledError(Exception):
    """A function is to be called by its name that is in no list."""


@dataclass(frozen=True, slots=True)
class Named(Generic[P, T]):
    """A function that is imported where it is called: whoever only sends it needs none of it.

    Attributes:
        module: where it is.
        name: what it is called there.
    """

    module: str
    name: str

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns."""
        return self.found()(*args, **kwargs)

    def found(self) -> Callable[P, T]:
        """The function itself.

        Raises:
            NotCalledError: it is in no list, whoever has named it.
        """
        self.require()
        found: Callable[P, T] = getattr(import_module(self.module), self.name)
        return found

    def require(self) -> None:
        """Make sure that it may be called.

        Raises:
            NotCalledError: it is in no list.
        """
        if (self.module, self.name) not in CALLED:
            raise NotCalledError(f"{self.module}.{self.name}")
