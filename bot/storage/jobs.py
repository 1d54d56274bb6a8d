"""What worker processes are to do, and what came of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Update, and_, delete, insert, or_, select, update

from bot.storage.database import Transaction
from bot.storage.schema import jobs

MOST_TRIES: Final = 2
"""How many workers may have it: what ended the first may have been chance."""
TAKEN: Final = "taken"
ANSWERED: Final = "answered"
WAITING: Final = "waiting"
"""What is told of a job, with its id; of one that waits, with its kind."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done.

    Attributes:
        id: by lot.
        work: what to do, packed.
        seconds: how long it may take.
    """

    id: str
    work: bytes
    seconds: int


async def add(
    tx: Transaction, kind: str, job: Job, asked_at: datetime, *, stale_at: datetime
) -> None:
    """Let a job wait for a worker.

    Args:
        tx: the transaction, which is about the job.
        kind: which workers do it.
        job: what is to be done.
        asked_at: the present instant.
        stale_at: when nobody waits for it any more.
    """
    values = {"id": job.id, "work": job.work, "seconds": job.seconds}
    values |= {"kind": kind, "asked_at": asked_at, "stale_at": stale_at}
    await tx.execute(insert(jobs).values(values))
    await tx.tell(f"{WAITING} {kind}")


async def waiting(tx: Transaction, kind: str, now: datetime) -> list[Job]:
    """The first few jobs that a worker may take, longest first."""
    query = select(jobs.c.id, jobs.c.work, jobs.c.seconds)
    query = query.where(jobs.c.kind == kind, jobs.c.stale_at > now, _is_free(now))
    rows = await tx.execute(query.order_by(jobs.c.asked_at, jobs.c.id).limit(4))
    return [Job(*row) for row in rows]


async def take(tx: Transaction, job_id: str, worker: str, now: datetime, until: datetime) -> bool:
    """Have a worker take a job; whether nobody else has it.

    Args:
        tx: the transaction, which is about the job.
        job_id: which.
        worker: who.
        now: the present instant.
        until: when others may take it, if the worker says nothing.
    """
    free = update(jobs).where(jobs.c.id == job_id, _is_free(now))
    values = {"worker": worker, "until": until, "tries": jobs.c.tries + 1}
    is_taken = bool((await tx.execute(free.values(values))).rowcount)
    if is_taken:
        await tx.tell(f"{TAKEN} {job_id}")
    return is_taken


async def keep(tx: Transaction, job_id: str, worker: str, until: datetime) -> bool:
    """Let a worker have its job for longer; False if nobody waits for it any more."""
    return bool((await tx.execute(_of(job_id, worker).values(until=until))).rowcount)


async def give_back(tx: Transaction, kind: str, job_id: str, worker: str) -> None:
    """Let another worker take a job that was only begun."""
    values = {"worker": None, "until": None, "tries": jobs.c.tries - 1}
    await tx.execute(_of(job_id, worker).values(values))
    await tx.tell(f"{WAITING} {kind}")


async def answer(tx: Transaction, job_id: str, worker: str, answered: bytes) -> None:
    """Keep what came of a job until it is read."""
    await tx.execute(_of(job_id, worker).values(answer=answered))
    await tx.tell(f"{ANSWERED} {job_id}")


async def answer_to(tx: Transaction, job_id: str) -> bytes | None:
    """What came of a job; None as long as nothing has."""
    return await tx.scalar(select(jobs.c.answer).where(jobs.c.id == job_id))


async def was_given_up(tx: Transaction, job_id: str, now: datetime) -> bool:
    """Whether all workers that may have a job had it, and say nothing any more."""
    mine = jobs.c.id == job_id, jobs.c.answer.is_(None)
    over = jobs.c.tries >= MOST_TRIES, jobs.c.until <= now
    return await tx.scalar(select(jobs.c.id).where(*mine, *over)) is not None


async def take_back(tx: Transaction, job_id: str) -> bool:
    """Forget a job that no worker has taken so far; whether there was none."""
    untaken = jobs.c.id == job_id, jobs.c.tries == 0
    return bool((await tx.execute(delete(jobs).where(*untaken))).rowcount)


async def drop(tx: Transaction, job_id: str) -> None:
    """Forget a job, and what came of it."""
    await tx.execute(delete(jobs).where(jobs.c.id == job_id))


async def purge(tx: Transaction, now: datetime) -> None:
    """Forget jobs for which nobody waits any more, because their process has ended."""
    await tx.execute(delete(jobs).where(jobs.c.stale_at <= now))


def _of(job_id: str, worker: str) -> Update:
    return update(jobs).where(jobs.c.id == job_id, jobs.c.worker == worker)


def _is_free(now: datetime) -> ColumnElement[bool]:
    is_nobodys = or_(jobs.c.worker.is_(None), jobs.c.until <= now)
    return and_(jobs.c.answer.is_(None), jobs.c.tries < MOST_TRIES, is_nobodys)
