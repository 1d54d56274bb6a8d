"""All use cases of posts, built together."""

from dataclasses import dataclass
from typing import Self

from bot.services.base.clock import Clock
from bot.services.server.daily_posts import PostBook
from bot.services.server.finishers_threads import FinishersThreads
from bot.services.server.post_choices import PostChoices
from bot.services.server.post_content import Newsroom
from bot.services.standings.query import Leaderboards
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class PostServices:
    """What a front end may ask for.

    Attributes:
        book: which post is due where, and what came of it.
        news: what a post tells.
        choices: what servers choose about their posts.
        threads: private threads for who has finished.
    """

    book: PostBook
    news: Newsroom
    choices: PostChoices
    threads: FinishersThreads

    @classmethod
    def on(cls, database: Database, clock: Clock) -> Self:
        """The use cases on a database."""
        return cls(
            PostBook(database, clock),
            Newsroom(database, Leaderboards(database, clock)),
            PostChoices(database, clock),
            FinishersThreads(database, clock),
        )
