"""Findings about the database, in words."""

from typing import Final

from bot.presentation import console
from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.doctor.machine import Sentences, size
from bot.services.doctor import of_database as findings
from bot.services.doctor.database import OLDEST_POSTGRES


def _processes(finding: findings.ProcessesRun) -> str:
    shards = ngettext("{n} shard", "{n} shards", finding.shards).format(n=finding.shards)
    return ngettext(
        "{n} process of the bot answers from this database, by {shards}, last heard {seconds} s "
        "ago.",
        "{n} processes of the bot answer from this database, by {shards}, last heard {seconds} s "
        "ago.",
        finding.processes,
    ).format(n=finding.processes, shards=shards, seconds=finding.seconds)


SENTENCES: Final[Sentences] = {
    findings.DatabaseToCome: N_(
        "There is no database at {path} yet: the first start makes it. If there should be one, "
        "start this and the bot in its folder, or check DATABASE_URL."
    ),
    findings.DatabaseUnusable: lambda finding: console.bad_database(finding.error),
    findings.ServerFound: N_("PostgreSQL answers, version {version}."),
    findings.ServerTooOld: lambda finding: _(
        "PostgreSQL {version} is too old. The bot needs version {oldest} or newer."
    ).format(version=finding.version, oldest=OLDEST_POSTGRES),
    findings.SchemaCurrent: N_("The tables are those of this version ({revision})."),
    findings.SchemaEmpty: N_("There are no tables yet: the first start makes them."),
    findings.SchemaOlder: N_(
        "The tables are those of an earlier version ({revision}; this one has {newest}): the next "
        "start brings them up to date. Make a backup before."
    ),
    findings.TablesMissing: N_("Tables are missing: {tables}. Stop the bot, and restore a backup."),
    findings.SizeFound: lambda finding: _("It takes {size}.").format(size=size(finding.size)),
    findings.Whole: N_("Its file was looked through, and is whole."),
    findings.Damaged: N_(
        "Its file is damaged ({problem}). Stop the bot, put the file and those beside it aside, "
        "and restore a backup."
    ),
    findings.TooLargeToLookThrough: N_(
        "Its file was not looked through for damage: that took more than {seconds} s."
    ),
    findings.WriteTook: N_("Writing takes {milliseconds} ms, and was taken back."),
    findings.WriteSlow: N_(
        "Writing takes {milliseconds} ms: players wait for that with each guess. Is the disk slow "
        "or busy, or another program at the database?"
    ),
    findings.WriteBusy: N_(
        "Another program has held the database for more than {seconds} s, so nobody can write. End "
        "it, if it is none of yours, or wait for it: a backup, sqlite3, another bot."
    ),
    findings.WriteRefused: N_(
        "Nothing can be written to the database ({reason}). Check whether the disk has room, and "
        "whether the bot may write there (to a file's folder, too)."
    ),
    findings.NoBotRuns: N_("No bot answers from it now."),
    findings.BotRuns: N_(
        "A bot answers from it, last heard {seconds} s ago. Start no other one with the same file."
    ),
    findings.BotVanished: N_(
        "A bot was heard {seconds} s ago, but no program has the file open that can be seen from "
        "here: it was killed, or runs as another user or in a container."
    ),
    findings.ProcessesRun: _processes,
    findings.LeasesHeld: N_(
        "No bot was heard of late, but one is at work ({names}): it starts, ends, or was killed "
        "within the last minute."
    ),
    findings.SeveralPrograms: N_(
        "These programs have the file open: {pids}. Only one of them may be a bot. Find out what "
        "they are with: ps -fp {pids}"
    ),
}
