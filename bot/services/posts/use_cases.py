"""All use cases of posts, built together."""

from dataclasses import dataclass
from typing import Self

from bot.services.clock import Clock
from bot.services.posts.book import PostBook
from bot.services.posts.choices import PostChoices
from bot.services.posts.news import Newsroom
from bot.services.posts.threads import FinishersThreads
from bot.services.standings.pages import Leaderboards
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
