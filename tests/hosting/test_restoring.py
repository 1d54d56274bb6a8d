"""A restored database is what the backup was, without whoever has deleted their data since."""

import asyncio
import errno
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from bot.db import copies
from bot.db.copies import UnflushedError
from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.errors import (
    NewerDatabaseError,
    NoDatabaseError,
    TrialDatabaseError,
    UnfitDatabaseError,
)
from bot.games.model import Channel, GameName, Source
from bot.hosting.backup import (
    NotWholeError,
    ReplacingError,
    Restored,
    StillOpenError,
    back_up,
    put_back,
    restore,
)
from bot.moderation.game import SERVER, USER
from bot.page.model import TicketGoneError
from bot.privacy.model import Keeps
from bot.services import Services, open_services
from bot.streaks.model import Streak
from tests.support import later
from tests.support.clock import FakeClock
from tests.support.no_room import no_room
from tests.support.table import KEY

pytestmark = pytest.mark.sqlite

ANN, BEN, CAT, DAN = (770_000_000_000_000_000 + n for n in range(1, 5))
HERE, CHANNEL, ELSEWHERE = 55, 66, 77


class Host:
    """Somebody with a folder, a clock, and a bot that runs now and then."""

    def __init__(self, folder: Path, url: str, clock: FakeClock) -> None:
        self.url = url
        self.file = Path(url.removeprefix("sqlite:///"))
        self.backups = folder / "backups"
        self.clock = clock

    def at(self, moment: str) -> None:
        self.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))

    def bot(self) -> AbstractAsyncContextManager[Services]:
        return open_services(self.url, self.clock, puzzle_key=KEY)

    async def back_up(self) -> Path:
        found = await back_up(self.url, self.backups, self.clock)
        with closing(sqlite3.connect(self.file)) as alone:
            alone.execute("PRAGMA user_version")  # the only one leaves no empty log
        return found.file

    async def back_up_beside(self) -> Path:
        """A backup of the second in which there is one already."""
        return (await back_up(self.url, self.backups / "beside", self.clock)).file

    async def restore(self, backup: Path) -> Restored:
        return await put_back(self.url, backup, {self.backups}, self.clock)

    def dump(self, file: Path | None = None) -> str:
        """All that a database has, as text."""
        with closing(sqlite3.connect(file or self.file)) as database:
            return "\n".join(database.iterdump())

    def query(self, statement: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.file)) as database, database:
            return database.execute(statement).fetchall()

    def names(self) -> list[str]:
        """What lies beside the database."""
        return sorted(each.name for each in self.file.parent.iterdir() if each.is_file())


@pytest.fixture
def host(tmp_path: Path, database_url: str, clock: FakeClock) -> Host:
    return Host(tmp_path, database_url, clock)


async def solve(services: Services, player: int) -> Streak:
    play = await services.daily.open(player, HERE)
    play = await services.daily.guess(player, play.id, play.game.secret)
    assert play.ending.streak is not None
    return play.ending.streak


async def test_a_restore_brings_back_streaks_and_duels_excuses_lost_dates_and_repeats_deletions(
    host: Host,
) -> None:
    host.at("2026-11-18T19:00")
    async with host.bot() as services:
        for day in (18, 19, 20):
            host.at(f"2026-11-{day}T19:00")
            for player in (ANN, BEN):
                streak = await solve(services, player)
        assert streak.length == 3
        duel = await begin_duel(services)
        await services.heartbeat.beat()
        host.clock.advance(seconds=30)
        backup = await host.back_up()
        services.privacy.deletions.keep_in(host.backups)
        host.clock.advance(minutes=10)
        await services.privacy.players.delete(ANN, "DELETE")
        await solve(services, DAN)
        host.at("2026-11-21T12:00")
        assert (await solve(services, BEN)).length == 4
    damage(host.file)
    host.at("2026-11-21T15:00")
    found = await host.restore(backup)
    assert (found.deleted, found.unread, found.has_lists) == (1, 0, True)
    assert found.heard_at == datetime(2026, 11, 20, 19, tzinfo=UTC)
    assert str(ANN) not in host.dump()
    assert str(DAN) not in host.dump()  # came later, and is lost
    ((began, ended),) = host.query("SELECT began_at, ended_at FROM outages")
    assert (began, ended) == ("2026-11-20 19:00:00.000000", "2026-11-21 15:00:00.000000")
    host.at("2026-11-21T15:05")
    async with host.bot() as services:
        await services.heartbeat.beat()
        host.clock.advance(seconds=20)
        assert await services.duels.games.sweep() == []  # the day is not counted
        assert (await services.duels.playing.view(BEN, duel)).duel.ending is None
        host.at("2026-11-22T12:00")
        streak = await solve(services, BEN)
        assert streak.length == 4  # what was lost is excused
        assert [change.day.day for change in streak.changes] == [18, 19, 20, 21, 22]


async def begin_duel(services: Services, by: int = BEN, to: int = CAT) -> int:
    """A duel in which somebody is to move."""
    inviting = services.duels.inviting
    game = await inviting.challenge(Challenge(by, to, HERE, CHANNEL), DuelOptions(), "0123")
    await inviting.accept(to, game.duel.id, 0, "4567")
    return game.duel.id


def damage(file: Path) -> None:
    """Overwrite the beginning of a database."""
    with file.open("r+b") as database:
        database.write(b"\0" * 8192)


async def test_a_deleted_server_is_deleted_again_after_a_restore_and_its_members_play_on(
    host: Host,
) -> None:
    host.at("2026-11-18T19:00")
    async with host.bot() as services:
        for server in (HERE, ELSEWHERE):
            await services.settings.set_equations(server, on=False)
        await solve(services, ANN)
        backup = await host.back_up()
        services.privacy.deletions.keep_in(host.backups)
        host.clock.advance(minutes=10)
        await services.privacy.servers.delete_unasked(HERE)
    assert (await host.restore(backup)).deleted == 1
    assert host.query("SELECT guild_id FROM guilds WHERE NOT takes_equations") == [(ELSEWHERE,)]
    assert host.query("SELECT player_id FROM plays") == [(ANN,)]
    assert host.query("SELECT player_id FROM members") == []


async def test_after_a_restore_the_seven_days_count_from_the_original_deletion(host: Host) -> None:
    async with host.bot() as services:
        await services.daily.open(ANN, HERE)
        backup = await host.back_up()
        services.privacy.deletions.keep_in(host.backups)
        host.clock.advance(hours=1)
        await services.privacy.players.delete(ANN, "DELETE")
    kept = host.query("SELECT ends_at FROM recent_deletions")
    host.clock.advance(hours=5)
    await host.restore(backup)
    assert host.query("SELECT ends_at FROM recent_deletions") == kept
    assert len(kept) == 1


@pytest.mark.parametrize("keeps", [Keeps.CHOICES, Keeps.NOTHING])
async def test_digests_that_a_deletion_did_not_keep_do_not_return_with_a_restore(
    host: Host, keeps: Keeps
) -> None:
    async with host.bot() as services:
        await services.daily.open(ANN, HERE)
        await services.blocking.block(BEN, ANN)
        backup = await host.back_up()
        services.privacy.deletions.keep_in(host.backups)
        await services.privacy.players.delete(ANN, "DELETE", keeps)
    assert (await host.restore(backup)).deleted == 1
    assert host.query("SELECT * FROM recent_deletions") == []
    assert (str(ANN) in host.dump()) is (keeps is Keeps.CHOICES)


async def test_a_player_named_only_in_others_data_is_deleted_again_after_a_restore(
    host: Host,
) -> None:
    async with host.bot() as services:
        challenge = Challenge(ANN, BEN, HERE, CHANNEL)
        await services.duels.inviting.challenge(challenge, DuelOptions(), "0123")
        backup = await host.back_up()
        services.privacy.deletions.keep_in(host.backups)
        await services.privacy.players.delete(BEN, "DELETE")
    await host.restore(backup)
    assert str(BEN) not in host.dump()
    assert str(ANN) in host.dump()


async def test_a_player_who_returned_after_a_deletion_keeps_their_new_data_after_a_restore(
    host: Host,
) -> None:
    async with host.bot() as services:
        services.privacy.deletions.keep_in(host.backups)
        await host.back_up()
        await services.privacy.players.delete(ANN, "DELETE")
        # In the very same instant: no clock could tell what was first.
        await services.daily.open(ANN, HERE)
        backup = await host.back_up_beside()
    assert (await host.restore(backup)).deleted == 0
    assert host.query("SELECT player_id FROM plays") == [(ANN,)]


async def test_a_restore_repeats_only_deletions_made_after_its_backup(host: Host) -> None:
    async with host.bot() as services:
        services.privacy.deletions.keep_in(host.backups)
        await services.daily.open(ANN, HERE)
        backup = await host.back_up()
        await services.privacy.players.delete(ANN, "DELETE")
    host.clock.advance(days=2)
    assert (await host.restore(backup)).deleted == 1
    async with host.bot() as services:
        await services.daily.open(ANN, HERE)
        later = await host.back_up()
    host.clock.advance(days=1)
    assert (await host.restore(later)).deleted == 0
    assert host.query("SELECT player_id FROM plays") == [(ANN,)]
    host.clock.advance(days=1)
    assert (await host.restore(backup)).deleted == 1


async def test_a_restore_keeps_the_replaced_database_including_its_write_ahead_log(
    host: Host,
) -> None:
    backup = await host.back_up()
    leave_as_if_killed(host.file)
    found = await host.restore(backup)
    assert found.replaced is not None
    assert found.replaced.name == "test.db.replaced-2026-11-20T120000Z"
    assert "'left','behind'" in host.dump(found.replaced)
    assert "'left','behind'" not in host.dump()
    assert host.names() == ["test.db", found.replaced.name]
    assert host.file.stat().st_mode & 0o777 == 0o600


async def test_a_restore_keeps_a_damaged_database_with_its_whole_write_ahead_log(
    host: Host,
) -> None:
    backup = await host.back_up()
    leave_as_if_killed(host.file)
    damage(host.file)
    found = await host.restore(backup)
    assert found.replaced is not None
    assert b"leftbehind" in found.replaced.read_bytes()
    assert host.names() == ["test.db", found.replaced.name]
    async with host.bot():
        pass


@pytest.mark.parametrize("has_second_names", [True, False])
async def test_an_orphaned_write_ahead_log_is_not_applied_to_the_restored_database(
    host: Host, monkeypatch: pytest.MonkeyPatch, *, has_second_names: bool
) -> None:
    backup = await host.back_up()
    leave_as_if_killed(host.file)
    host.file.unlink()
    log = host.file.with_name("test.db-wal").read_bytes()
    if not has_second_names:
        monkeypatch.setattr(Path, "hardlink_to", refuse)
    found = await host.restore(backup)
    assert found.replaced is not None
    assert found.replaced.name == "test.db.replaced-2026-11-20T120000Z-wal"
    assert found.replaced.read_bytes() == log
    assert host.names() == ["test.db", found.replaced.name]
    assert "'left','behind'" not in host.dump()


async def test_a_restore_copies_files_where_hard_links_are_unsupported(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = await host.back_up()
    before = host.dump()
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    found = await host.restore(backup)
    assert found.replaced is not None
    assert host.dump(found.replaced) == before
    assert found.replaced.stat().st_mode & 0o777 == 0o600


def refuse(*_: object) -> None:
    """What a file system does that has no second names."""
    raise PermissionError


async def test_a_restore_brings_back_a_missing_database(host: Host) -> None:
    backup = await host.back_up()
    host.file.unlink()
    found = await host.restore(backup)
    assert found.replaced is None
    assert host.names() == ["test.db"]
    async with host.bot():
        pass


async def test_a_restored_backup_of_an_earlier_version_is_migrated(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host.bot() as services:
        for player in (ANN, BEN):
            await solve(services, player)
    backup = await host.back_up()
    later.come(monkeypatch.setattr)
    host.clock.advance(minutes=1)
    async with host.bot() as services:
        services.privacy.deletions.keep_in(host.backups)
        await services.privacy.players.delete(ANN, "DELETE")
    assert (await host.restore(backup)).deleted == 1
    assert host.query("SELECT * FROM alembic_version") == [(later.REVISION,)]
    assert host.query("SELECT player_id FROM plays") == [(BEN,)]
    async with host.bot():
        pass


def is_of(version: str) -> Callable[[Path], None]:
    """A backup with another version of the schema."""

    def change(backup: Path) -> None:
        with closing(sqlite3.connect(backup)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = ?", (version,))

    return change


def overwrite(backup: Path) -> None:
    backup.write_bytes(b"no database" * 1000)


def overwrite_a_page(backup: Path) -> None:
    with backup.open("r+b") as file:
        file.seek(40960)
        file.write(b"\xff" * 4096)


def store_what_no_table_takes(backup: Path) -> None:
    """Damage it so that it can be read, and has as many rows as it says."""
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        values = "VALUES (1, 0, 1, '', '2026-11-20 11:00:00.000000')"
        database.execute(f"INSERT INTO analyses (id, seat, version, facts, made_at) {values}")


def let_it_be_another_programs(backup: Path) -> None:
    backup.unlink()
    with closing(sqlite3.connect(backup)) as database:
        database.execute("CREATE TABLE bookmarks (url)")


def let_it_have_a_trigger(backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as database:
        change = "UPDATE facts SET value = 'mine'"
        database.execute(f"CREATE TRIGGER mine AFTER INSERT ON facts BEGIN {change}; END")


SPOILT: Final[list[tuple[Callable[[Path], None], type[Exception]]]] = [
    (is_of("9999"), NewerDatabaseError),
    (is_of("0065"), TrialDatabaseError),
    (overwrite, NotWholeError),
    (overwrite_a_page, NotWholeError),
    (store_what_no_table_takes, NotWholeError),
    (let_it_be_another_programs, NotWholeError),
    (let_it_have_a_trigger, UnfitDatabaseError),
    (Path.unlink, NoDatabaseError),
]


@pytest.mark.parametrize(("spoil", "why"), SPOILT)
async def test_an_incomplete_or_foreign_backup_replaces_nothing(
    host: Host, spoil: Callable[[Path], object], why: type[Exception]
) -> None:
    backup = await host.back_up()
    spoil(backup)
    before = host.dump()
    with pytest.raises(why):
        await host.restore(backup)
    assert host.names() == ["test.db"]
    assert host.dump() == before


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_restore_without_enough_disk_space_changes_nothing(
    host: Host, *, is_there: bool
) -> None:
    backup = await host.back_up()
    if not is_there:
        host.file.unlink()
    with no_room(100_000), pytest.raises(ReplacingError):
        await host.restore(backup)
    assert host.names() == (["test.db"] if is_there else [])


async def test_a_disk_that_fails_after_the_last_step_of_a_restore_is_reported_as_such(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = await host.back_up()
    async with host.bot() as services:
        await services.daily.open(ANN, HERE)
    flushed = list[Path]()

    def flush(folder: Path) -> None:
        flushed.append(folder)
        if not [each for each in host.names() if each.endswith(".restoring")]:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(copies, "flush_folder", flush)
    with pytest.raises(UnflushedError) as failed:
        await host.restore(backup)
    assert flushed
    assert failed.value.advice.startswith("The backup is in place, but the disk did not confirm")
    assert host.query("SELECT * FROM plays") == []


async def test_a_restore_is_refused_while_a_program_has_the_database_open(host: Host) -> None:
    backup = await host.back_up()
    async with host.bot() as services:
        await services.daily.open(ANN, HERE)
        with pytest.raises(StillOpenError):
            await host.restore(backup)
        await services.daily.open(BEN, HERE)
    assert len(host.query("SELECT * FROM plays")) == 2
    await host.restore(backup)
    assert host.query("SELECT * FROM plays") == []


async def test_a_restore_ends_all_tickets_and_sessions_also_those_that_were_put_into_the_copy(
    host: Host,
) -> None:
    async with host.bot() as services:
        sessions = services.sessions
        tickets = [await sessions.earn(ANN, None, GameName(Source.PLAY, 1)) for _ in range(2)]
        kept = await sessions.enter(tickets.pop())
        framed, _ = await sessions.begin(BEN, Channel(HERE, CHANNEL), "i-1")
        backup = await host.back_up()
    await host.restore(backup)
    async with host.bot() as services:
        for each in (kept, framed):
            assert await services.sessions.whose(each)  # the key is the same
            assert await services.sessions.find(each) is None
        with pytest.raises(TicketGoneError):
            await services.sessions.enter(tickets[0])
        assert not await services.sessions.instances()


async def test_a_restore_tells_who_was_kept_out_or_taken_off_since_the_backup(
    host: Host, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host.bot() as services:
        await services.privacy.keeping_out.keep_out(USER, ANN)
        backup = await host.back_up()
        services.privacy.deletions.keep_in(host.backups)
        host.clock.advance(minutes=1)
        await services.privacy.keeping_out.keep_out(USER, BEN)
        await services.privacy.keeping_out.keep_out(USER, DAN)
        await services.privacy.keeping_out.keep_out(SERVER, ELSEWHERE)
        await services.standings.members.seen(CAT, "Cat", guild_id=HERE, guild_name="Cat")
        await services.settings.take_off(ANN, HERE, CAT)
        await services.privacy.players.delete(DAN, "DELETE")
    monkeypatch.setenv("DATABASE_URL", host.url)
    monkeypatch.setenv("BACKUPS", str(host.backups))
    monkeypatch.chdir(host.backups)
    assert await asyncio.to_thread(restore, backup) == 0
    told = capsys.readouterr().out
    for line in (
        f"Kept out since then, and let in again: user {BEN}. See python -m bot keep-out.",
        f"Kept out since then, and let in again: server {ELSEWHERE}. See python -m bot keep-out.",
        "Kept out since then, and let in again: user one whose data are deleted. See python -m",
        f"Off the boards of server {HERE} since then, and on them again: {CAT}.",
    ):
        assert line in told
    assert str(ANN) not in told
    damage(host.file)
    assert await asyncio.to_thread(restore, backup) == 0
    assert "the database that was there cannot tell who" in capsys.readouterr().out


async def test_a_new_game_after_a_restore_gets_no_id_of_a_game_that_the_restore_removed(
    host: Host,
) -> None:
    async with host.bot() as services:
        await services.daily.open(ANN, HERE)
        backup = await host.back_up()
        lost = [await services.practice.open(ANN, HERE) for _ in range(3)]
    await host.restore(backup)
    async with host.bot() as services:
        later = await services.practice.open(ANN, HERE)
    assert later.id > max(play.id for play in lost)


def leave_as_if_killed(file: Path) -> None:
    """Commit something that is only in the log, and let the files be as a kill leaves them."""
    copies = file.parent / "copies"
    copies.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("INSERT INTO facts VALUES ('left', 'behind')")
        for each in file.parent.glob(f"{file.name}*"):
            shutil.copy(each, copies)
    for each in copies.iterdir():
        each.replace(file.with_name(each.name))
    assert file.with_name(file.name + "-wal").stat().st_size
