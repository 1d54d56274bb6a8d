"""The doctor: what it says of a bot that is well, and of each ailment, which is provoked."""

import re
import shutil
import signal
import sqlite3
from asyncio import (
    StreamReader,
    StreamWriter,
    create_subprocess_exec,
    open_connection,
    start_server,
)
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Generator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.db.copies import Name
from bot.version import version
from tests.process.host import KEY, TOKEN, Diagnosis, Host, Run
from tests.process.launch import SECONDS
from tests.process.loopback import Loopback
from tests.support.asking import free_port
from tests.support.databases import Databases, used
from tests.support.payloads import APPLICATION
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.long(only=True)

LINK = (
    f"https://discord.com/oauth2/authorize?client_id={APPLICATION}"
    "&scope=bot+applications.commands&permissions=360777354240"
)
IN_PORTAL = "https://discord.com/developers/applications"
PASSWORD = "hunter2-of-the-database"
Ailment = Callable[[Host, Loopback], None]


@pytest.fixture(autouse=True)
def no_secret_is_told(host: Host) -> Generator[None]:
    """Whatever the doctor comes upon, it tells no secret."""
    yield
    for secret in (TOKEN, KEY, PASSWORD):
        assert secret not in host.output


@pytest.fixture
def database(host: Host, databases: Databases) -> Path:
    """A database of this version's, with which no bot was started yet."""
    databases.new(host.folder)
    return host.database


def masked(diagnosis: Diagnosis, host: Host) -> list[str]:
    """What was said, with a sign for the version, each number and the folder."""
    said = diagnosis.said.replace(str(host.folder), "FOLDER").replace(version(), "#")
    return [re.sub(r"\d[\d,.]*\d|\d", "#", line) for line in said.splitlines()]


async def until_settled(host: Host, discord: Loopback) -> Run:
    """Start the bot, and wait until it has nothing more to give to Discord."""
    discord.emojis = []
    run = host.fork()
    await host.until_logged("pegs complete")
    return run


@pytest.mark.sqlite  # of its file, more is told
async def test_the_doctor_guides_a_host_from_an_empty_folder_to_a_running_bot(
    host: Host, discord: Loopback
) -> None:
    discord.emojis, discord.guilds = [], [42]
    (host.folder / ".env").touch(mode=0o600)
    files = {*host.folder.iterdir()}
    before = await host.see_doctor()
    assert {*host.folder.iterdir()} == files
    assert before.status == 0
    said = "\n".join(masked(before, host))
    assert "There is no database at FOLDER/focdle.db yet: the first start makes it." in said
    assert "No commands are registered yet: the first start does that." in said
    assert "# pictures of tiles and pegs are to come: the first start uploads them" in said
    run = await until_settled(host, discord)
    beside = await host.see_doctor()
    assert beside.status == 0
    assert "A bot answers from it, last heard # s ago. Start no other one with the same file." in (
        "\n".join(masked(beside, host))
    )
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    after = await host.see_doctor()
    assert after.status == 0
    assert masked(after, host) == [
        "",
        "Settings",
        "  fine      Settings are read from the environment and from .env in FOLDER.",
        "",
        "Python",
        "  fine      focdle-bot # on Python #.",
        "  fine      # libraries, all in the versions that tests ran with.",
        "  fine      # time zones are known.",
        "",
        "Files",
        "  fine      Nobody else on this machine can read .env, FOLDER/focdle.db.",
        "  fine      The bot may write in FOLDER.",
        "  fine      # GB are free on the disk of FOLDER.",
        "  fine      Backups can be written to FOLDER/focdle-backups; the newest is of #-#-# #:#.",
        "",
        "Database",
        "  fine      The tables are those of this version (#).",
        "  fine      Its file was looked through, and is whole.",
        "  fine      It takes # kB.",
        "  fine      Writing takes # ms, and was taken back.",
        "  fine      No bot answers from it now.",
        "",
        "Discord",
        "  fine      The token is that of Codebreaker, application #.",
        "  fine      This machine's clock agrees with Discord's.",
        "  fine      It is in # server.",
        "  fine      No privileged intent is on, and none is needed.",
        "  fine      # of # logins are left for today; a start takes #.",
        "  fine      All # commands are registered.",
        "  fine      All # pictures of tiles and pegs are uploaded.",
        "  fine      Add it to a server (permissions #): " + re.sub(r"\d[\d,.]*\d|\d", "#", LINK),
        "",
        "All is well.",
    ]
    assert LINK in after.said
    # Then somebody takes away what the bot has given to Discord.
    discord.emojis = discord.emojis[3:]
    discord.commands = [*discord.commands[2:], {**discord.commands[0], "name": "ping"}]
    lost = await host.see_doctor()
    assert lost.status == 1
    assert lost.errors == []
    commands, emojis = lost.warnings
    assert commands == (
        "Discord does not have the commands of this version. Missing: focdle, play. Of another "
        "version: ping. Start the bot anew: it tells Discord."
    )
    assert emojis == (
        "3 of 166 pictures of tiles and pegs are missing or older: boards show squares until a "
        "running bot has uploaded them. If that takes more than some minutes, start it anew and "
        "read its log."
    )
    assert lost.said.endswith("\n2 warnings. The bot runs.\n")
    # And at last the token is another application's.
    host.change("UPDATE facts SET value = '77' WHERE name = 'application'")
    assert (
        "This database is that of the application 77, and the token that of 6000"
        in ((await host.see_doctor()).warnings[0])
    )


async def test_the_doctor_says_whether_a_running_bot_uses_the_database(
    host: Host, discord: Loopback
) -> None:
    discord.emojis = []
    run = host.fork()
    await discord.next_session()
    await host.until_logged("ready as")
    seen = await host.see_doctor()
    assert seen.errors == []
    assert "answers from" in seen.said
    if "postgres" in host.environment["DATABASE_URL"]:
        assert "PostgreSQL answers, version 1" in seen.said
        assert "1 process of the bot answers from this database, by 2 shards, last" in seen.said
    else:
        # One in another container is heard as well, though its process cannot be seen from here.
        await run.kill()
        beside = await host.see_doctor("--offline")
        assert re.search(r"A bot answers from it, last heard \d+ s ago\. Start no", beside.said)


# What is the host's to set.


def _no_token(host: Host, _: Loopback) -> None:
    del host.environment["DISCORD_TOKEN"]


def _other_token(host: Host, _: Loopback) -> None:
    host.environment["DISCORD_TOKEN"] = "a-token-of-yesterday"


def _bad_settings(host: Host, _: Loopback) -> None:
    host.environment |= {"LOG_LEVEL": "chatty", "AVATARS": "maybe", "WORKERS": "9"}


def _page_without_name(host: Host, _: Loopback) -> None:
    host.environment["WEB_ADDRESS"] = "8070"


def _page_without_tls(host: Host, _: Loopback) -> None:
    host.environment |= {"WEB_ADDRESS": "8070", "WEB_URL": "http://focdle.example.org"}


def _token_in_no_file(host: Host, _: Loopback) -> None:
    del host.environment["DISCORD_TOKEN"]
    host.environment["DISCORD_TOKEN_FILE"] = "nowhere"


def _bad_url(host: Host, _: Loopback) -> None:
    host.environment["DATABASE_URL"] = f"mysql://bot:{PASSWORD}@localhost/focdle"


def _unreadable_env(host: Host, _: Loopback) -> None:
    (host.folder / ".env").write_bytes(b"\xff\xfe=\xff")
    (host.folder / ".env").chmod(0o600)


def _open_env(host: Host, _: Loopback) -> None:
    (host.folder / ".env").touch()
    (host.folder / ".env").chmod(0o644)


def _weak_key(host: Host, _: Loopback) -> None:
    host.environment["PUZZLE_KEY"] = "hunter2"


def _no_folder(host: Host, _: Loopback) -> None:
    host.environment["DATABASE_URL"] = "sqlite:///nowhere/focdle.db"


def _url_of_a_folder(host: Host, _: Loopback) -> None:
    host.environment["DATABASE_URL"] = f"sqlite:///{host.folder}"


def _backups_in_a_file(host: Host, _: Loopback) -> None:
    host.environment["BACKUPS"] = "/etc/passwd"


def _no_backups(host: Host, _: Loopback) -> None:
    host.environment["BACKUPS"] = "off"


def _old_backups(host: Host, _: Loopback) -> None:
    folder = host.folder / "focdle-backups"
    folder.mkdir()
    at = datetime.now(UTC) - timedelta(days=27)
    (folder / str(Name(at))).touch()
    (folder / str(Name(at - timedelta(days=1)))).touch()
    (folder / str(Name(at + timedelta(days=1000)))).touch()  # by a clock that was wrong


def _slip(host: Host, _: Loopback) -> None:
    (host.folder / ".env").write_text("BACKUP=off\nCOMPOSE_PROFILES=postgres\n")
    (host.folder / ".env").chmod(0o600)


def _small_letters(host: Host, _: Loopback) -> None:
    host.environment["log_level"] = "DEBUG"


# What is the matter with a database of SQLite's.


def _trial(host: Host, _: Loopback) -> None:
    host.change("UPDATE alembic_version SET version_num = '0065'")


def _newer(host: Host, _: Loopback) -> None:
    host.change("UPDATE alembic_version SET version_num = '9999'")


def _table_lost(host: Host, _: Loopback) -> None:
    host.change("DROP TABLE hints")


def _column_lost(host: Host, _: Loopback) -> None:
    host.change("ALTER TABLE hints RENAME COLUMN place TO spot")


def _index_lost(host: Host, _: Loopback) -> None:
    host.change("DROP INDEX ix_masterminds_unshown")


def _damaged(host: Host, _: Loopback) -> None:
    with host.database.open("r+b") as file:
        file.seek(20 * 4096)
        file.write(b"\xa5" * 100 * 4096)


def _no_database(host: Host, _: Loopback) -> None:
    host.database.write_text("not a database, but long enough to be read as one" * 20)


# What is the matter at Discord.


def _intents(_: Host, discord: Loopback) -> None:
    discord.application = {"flags": 1 << 15 | 1 << 18}


def _elsewhere(_: Host, discord: Loopback) -> None:
    discord.application = {"interactions_endpoint_url": "https://example.org/interactions"}


def _code_grant(_: Host, discord: Loopback) -> None:
    discord.application = {"bot_require_code_grant": True}


def _install_lacks(_: Host, discord: Loopback) -> None:
    parameters = {"scopes": ["bot"], "permissions": str(1 << 11)}
    discord.application = {
        "integration_types_config": {"0": {"oauth2_install_params": parameters}, "1": {}}
    }


def _few_logins(_: Host, discord: Loopback) -> None:
    discord.remaining = 5


def _no_logins(_: Host, discord: Loopback) -> None:
    discord.remaining = 1


def _clock_behind(_: Host, discord: Loopback) -> None:
    discord.seconds_ahead = 20


def _clock_far_ahead(_: Host, discord: Loopback) -> None:
    discord.seconds_ahead = -3600


def _out_of_order(_: Host, discord: Loopback) -> None:
    discord.out_of_order["/api/users/@me"] = 503


def _no_emojis(_: Host, discord: Loopback) -> None:
    discord.out_of_order[f"/api/applications/{APPLICATION}/emojis"] = 404


def _never_answers(host: Host, discord: Loopback) -> None:
    host.environment[SECONDS] = "0.2"
    discord.lets_log_in.clear()


WARNING, ERROR = 1, 2
AILMENTS: list[tuple[Ailment, int, str]] = [
    (_no_token, ERROR, r"DISCORD_TOKEN is not set\. Copy \.env\.example to \.env and put .*"),
    (
        _other_token,
        ERROR,
        rf"Discord does not accept DISCORD_TOKEN\. Reset it on the page Bot of {IN_PORTAL} .*",
    ),
    (_bad_settings, ERROR, r"LOG_LEVEL is chatty; use DEBUG, .*"),
    (_page_without_name, ERROR, r"WEB_URL is not set; use .* together with WEB_ADDRESS, or .*"),
    (_page_without_tls, ERROR, r"WEB_URL is http://focdle\.example\.org; use .*"),
    (
        _token_in_no_file,
        ERROR,
        r"DISCORD_TOKEN_FILE names a file that cannot be used \(nowhere: .*",
    ),
    (_bad_url, ERROR, r"DATABASE_URL must name a file of SQLite, such as .*"),
    (_unreadable_env, ERROR, r"The file \.env is not UTF-8 text\. Copy .*"),
    (_open_env, WARNING, r"Other users .* read \.env, .* Type: chmod 600 \.env"),
    (_weak_key, ERROR, r"PUZZLE_KEY is easy to guess, .* Use another one, or leave it out.*"),
    (_no_folder, ERROR, r"The folder .*/nowhere for the database is not there\. Make it, or .*"),
    (
        _url_of_a_folder,
        ERROR,
        r"The database cannot be used \(Is a directory\)\. Check DATABASE_URL.*",
    ),
    (
        _backups_in_a_file,
        ERROR,
        r"No backup can be made in /etc/passwd: /etc/passwd is no folder\. .*",
    ),
    (_no_backups, WARNING, r"BACKUPS is off: nothing is copied\. .*"),
    (_old_backups, WARNING, r"The newest backup in .*focdle-backups is 27 days old\. .*"),
    (_slip, WARNING, r"BACKUP is no setting\. Did you mean BACKUPS\?"),
    (_small_letters, WARNING, r"log_level is no setting\. Did you mean LOG_LEVEL\?"),
    (_trial, ERROR, r"The database was made by a trial version; 1\.0 begins a new one\. .*"),
    (_newer, ERROR, r"The database was written by a newer version of this bot\. Update .*"),
    (_table_lost, ERROR, r"These are missing: hints\. Stop the bot, and restore a backup\."),
    (_column_lost, ERROR, r"These are missing: hints\.place\. Stop the bot, and restore a .*"),
    (
        _index_lost,
        ERROR,
        r"These are missing: ix_masterminds_unshown\. Stop the bot, and restore a .*",
    ),
    (_damaged, ERROR, r"Its file is damaged \(.+\)\. Stop the bot, .* and restore a backup\."),
    (_no_database, ERROR, r"Its file is damaged \(file is not a database\)\. Stop the bot, .*"),
    (
        _intents,
        WARNING,
        r"Privileged intents are on, .* none: Server Members Intent, Message Content Intent\. .*",
    ),
    (_elsewhere, ERROR, r"Discord sends commands and clicks to an address .* Endpoint URL .*"),
    (_code_grant, ERROR, r"Nobody can add the bot by a link\. Switch off .* Code Grant .*"),
    (
        _install_lacks,
        WARNING,
        r"The install link .* lacks for servers: applications\.commands, View Channel, Attach .*",
    ),
    (_few_logins, WARNING, r"5 of 1000 logins are left for today; a start takes 2\. All are .*"),
    (_no_logins, ERROR, r"1 of 1000 logins are left .* Do not start the bot before all .*"),
    (_clock_behind, WARNING, r"This machine's clock is (19|20) s behind Discord's\. .* set-ntp .*"),
    (_clock_far_ahead, ERROR, r"This machine's clock is 3,[56]\d\d s ahead of Discord's\. .*"),
    (_out_of_order, ERROR, r"Discord cannot be reached for users/@me \(503 .*\)\. Check the .*"),
    (_no_emojis, ERROR, r"Discord cannot be reached for applications/\d+/emojis \(404 .*"),
    (_never_answers, ERROR, r"Discord has not answered for users/@me within 0 s\. Check .*"),
]


@pytest.mark.sqlite  # much is about its file, and the rest is the same
@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("provoke", "status", "says"), AILMENTS, ids=[each.__name__[1:] for each, *_ in AILMENTS]
)
async def test_the_doctor_says_what_to_do_about_each_problem(
    host: Host, discord: Loopback, provoke: Ailment, status: int, says: str
) -> None:
    discord.emojis = []
    provoke(host, discord)
    seen = await host.see_doctor()
    told = seen.errors if status == ERROR else seen.warnings
    assert [line for line in told if re.fullmatch(says, line)], seen.said
    assert "is not set" not in seen.said or provoke in {_no_token, _page_without_name}
    assert seen.status == status, seen.said
    # One that was found hides no other: all groups are there.
    groups = [line for line in seen.said.splitlines() if line and not line.startswith(" ")]
    assert groups[:-1] == ["Settings", "Python", "Files", "Database", "Discord"]


async def test_the_doctor_names_all_invalid_settings_at_once(host: Host, discord: Loopback) -> None:
    _bad_settings(host, discord)
    seen = await host.see_doctor("--offline")
    assert [error.partition(" ")[0] for error in seen.errors] == ["AVATARS", "WORKERS", "LOG_LEVEL"]


async def test_the_doctor_masks_a_secret_in_the_wrong_setting(host: Host) -> None:
    host.environment["AVATARS"] = TOKEN
    seen = await host.see_doctor("--offline")
    assert seen.errors == ["AVATARS is [hidden]; use on or off."]


@pytest.mark.sqlite  # it is about its files
@pytest.mark.usefixtures("database")
async def test_the_doctor_names_a_file_that_it_may_not_read(host: Host) -> None:
    (host.folder / "focdle-backups").mkdir(mode=0o300)
    seen = await host.see_doctor_without_power("--offline")
    (error,) = seen.errors
    assert error.startswith(f"No backup can be made in {host.folder}/focdle-backups: the bot may ")


async def test_a_password_of_one_letter_does_not_mask_ordinary_words(host: Host) -> None:
    host.environment["DATABASE_URL"] = "postgresql://bot:a@127.0.0.1:1/focdle"
    seen = await host.see_doctor("--offline")
    assert "hidden" not in seen.said


@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_an_unreachable_discord(host: Host, discord: Loopback) -> None:
    discord.address = "http://127.0.0.1:1"
    elsewhere = Host(host.folder, discord.address, host.environment["DATABASE_URL"])
    seen = await elsewhere.see_doctor()
    (error,) = seen.errors
    assert error.startswith("Discord cannot be reached for users/@me (Cannot connect to host 127.")
    assert seen.status == 2


@pytest.mark.usefixtures("database")
async def test_the_doctor_asks_discord_nothing_in_offline_mode(
    host: Host, discord: Loopback
) -> None:
    seen = await host.see_doctor("--offline")
    assert "Not looked at, because of --offline." in seen.said
    assert seen.status == 0
    assert discord.tokens == set()


@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_a_locked_database(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.hosting.deep_checks.PATIENCE_SECONDS", 0.1)
    with used().held(host.folder):
        seen = await host.see_doctor("--offline")
    (error,) = seen.errors
    assert error.startswith("Another program has held the database for more than 0 s, so nobody")
    assert seen.status == 2


async def test_the_doctor_says_that_an_empty_database_will_be_filled_by_the_bot(
    host: Host, databases: Databases
) -> None:
    databases.new(host.folder)
    if "postgres" in host.environment["DATABASE_URL"]:
        host.change("DROP SCHEMA public CASCADE")
        host.change("CREATE SCHEMA public")
    else:
        host.database.write_bytes(b"")
    seen = await host.see_doctor("--offline")
    assert "There are no tables yet: the first start makes them." in seen.said
    assert "Writing takes" in seen.said
    assert seen.status == 0, seen.said


async def test_the_doctor_reports_an_unreachable_database_server(host: Host) -> None:
    host.environment["DATABASE_URL"] = f"postgresql://bot:{PASSWORD}@127.0.0.1:1/focdle"
    seen = await host.see_doctor("--offline")
    (error,) = seen.errors
    assert error.startswith("The database's server cannot be reached (")
    assert seen.status == 2


async def test_the_doctor_reports_a_postgresql_user_without_write_permission(
    host: Host, postgres_url: str, postgres_server: PostgresServer
) -> None:
    """From PostgreSQL 15 on, a new user may make no tables in a database of somebody else's."""
    postgres_server.query("CREATE ROLE guest LOGIN")
    try:
        postgres_server.query("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
        url = make_url(postgres_url).set(username="guest", password=PASSWORD)
        host.environment["DATABASE_URL"] = url.render_as_string(hide_password=False)
        seen = await host.see_doctor("--offline")
    finally:
        postgres_server.query("DROP OWNED BY guest")
        postgres_server.query("DROP ROLE guest")
    (error,) = seen.errors
    assert error.startswith(
        "Nothing can be written to the database (permission denied for schema public). Check "
    )
    assert "The tables are those of this version" in seen.said


# What this machine is to be made ill for.


@pytest.fixture
def closed(host: Host, database: Path) -> Generator[Path]:
    """A database that may only be read, in a folder that may only be looked into."""
    database.chmod(0o400)
    host.folder.chmod(0o500)
    yield database
    host.folder.chmod(0o700)


@pytest.mark.sqlite  # it is about its file
async def test_the_doctor_reports_an_unwritable_folder(host: Host, closed: Path) -> None:
    seen = await host.see_doctor_without_power("--offline")
    told = [error.partition(". ")[0] for error in seen.errors]
    assert told[:2] == [
        f"The bot may not write to {host.folder}",
        f"The bot may not write to {closed}",
    ]
    assert told[2].startswith(f"No backup can be made in {host.folder}/focdle-backups: the bot may")
    assert "Nothing can be written to the database (" in seen.errors[3]
    assert "Its file was looked through, and is whole." in seen.said
    assert seen.status == 2


async def test_the_doctor_reports_an_unreadable_settings_file(host: Host) -> None:
    (host.folder / ".env").touch(mode=0o000)
    seen = await host.see_doctor_without_power("--offline")
    assert "The file .env cannot be read (Permission denied)." in seen.errors[0]


@pytest.mark.sqlite  # which one process has
@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_a_second_bot_on_one_database_file(
    host: Host, discord: Loopback
) -> None:
    runs: list[Run] = []
    for _ in range(2):
        runs.append(host.fork())
        await discord.next_session()
    seen = await host.see_doctor()
    (warning,) = [line for line in seen.warnings if "the file open" in line]
    both = ", ".join(str(run.pid) for run in sorted(runs, key=lambda run: run.pid))
    assert warning.startswith(f"These programs have the file open: {both}. Only one of them may")


@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_missing_and_untested_libraries(host: Host) -> None:
    for name, requires in (("numpy-0.1", ""), ("focdle_bot-9", "Requires-Dist: nosuch>=1\n")):
        folder = host.folder / f"{name}.dist-info"
        folder.mkdir()
        library, version = name.split("-")
        told = f"Metadata-Version: 2.1\nName: {library}\nVersion: {version}\n{requires}"
        (folder / "METADATA").write_text(told)
    seen = await host.see_doctor("--offline")
    (error,), (warning,) = seen.errors, seen.warnings
    assert error.startswith("These libraries are missing: nosuch. In the bot's folder: python3 ")
    assert re.match(r"Tests ran with other versions of these libraries: numpy 0\.1 \(not ", warning)


@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_missing_time_zone_data(host: Host) -> None:
    (host.folder / "tzdata").mkdir()  # found in place of the library, as is all in this folder
    (host.folder / "tzdata" / "__init__.py").touch()
    host.environment["PYTHONTZPATH"] = ""
    seen = await host.see_doctor_apart("--offline")
    (error,) = seen.errors
    assert error.startswith("No time zones are known, so no server and no player can choose one.")
    assert seen.status == 2


@pytest.mark.sqlite  # a server's disk is elsewhere
async def test_the_doctor_reports_a_full_disk(host: Host, database: Path) -> None:
    unshare = shutil.which("unshare")
    may = [unshare or "false", "--map-root-user", "--mount"]
    if (await (await create_subprocess_exec(*may, "true", stderr=DEVNULL)).wait()) != 0:
        pytest.skip("this machine lets nobody mount a disk of a test's own")
    leave_a_log(database)  # which has room for what is tried, as it has while a bot runs
    disk = host.folder / "disk"
    disk.mkdir()
    host.environment["DATABASE_URL"] = f"sqlite:///{disk}/focdle.db"
    fill = (
        f"mount -t tmpfs -o size=2m none {disk} && cp {database}* {disk} && "
        f'head -c 4M /dev/zero > {disk}/filler 2> /dev/null; exec "$@"'
    )
    seen = await host.see_doctor_apart("--offline", before=[*may, "sh", "-c", fill, "sh"])
    full, refused = seen.errors
    assert re.match(r"Only 0 kB are free on the disk of .*/disk: writing may fail at any", full)
    assert refused.startswith("Nothing can be written to the database (No space left on device).")
    assert seen.status == 2


# It changes nothing.


@pytest.mark.sqlite  # its files
@pytest.mark.parametrize("was_killed", [False, True])
async def test_the_doctor_changes_no_file(host: Host, database: Path, *, was_killed: bool) -> None:
    if was_killed:
        leave_a_log(database)
    before = content(host.folder)
    assert len(before) == 1 + was_killed
    seen = await host.see_doctor("--offline")
    assert "Writing takes" in seen.said
    assert content(host.folder) == before


def leave_a_log(database: Path) -> None:
    """Leave what a bot leaves that is killed: what it wrote last is in a log beside the file."""
    files = [database, database.with_name("focdle.db-wal"), database.with_name("focdle.db-shm")]
    with closing(sqlite3.connect(database)) as bot:
        bot.execute("INSERT INTO facts VALUES ('left', 'in the log')")
        bot.commit()
        left = [file.read_bytes() for file in files]
    for file, content in zip(files, left, strict=True):
        file.write_bytes(content)


def content(folder: Path) -> dict[str, bytes]:
    """What is in the database and its log. The log's index is made anew at need, and left out."""
    names = ("focdle.db", "focdle.db-wal")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_a_proxy_that_does_not_lead_to_the_page(
    host: Host, discord: Loopback
) -> None:
    discord.emojis = []
    port, other = free_port(), free_port()
    url, wrong = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{other}"
    host.environment |= {"WEB_ADDRESS": str(port), "WEB_URL": url}
    for name in ("PRIVACY", "TERMS"):
        (host.folder / f"{name}.md").write_text("# Ours\n\n**Who**: `LINK`, me.\n")
    before = await host.see_doctor()
    assert f"The page was not looked at: it does not answer at {url} (Cannot" in before.said
    run = host.fork()
    await host.until_logged("ready as")
    there = await host.see_doctor()
    assert (there.errors, f"The page answers at {url}, by" in there.said) == ([], True)
    assert (
        f"{url}/privacy has places that you are to fill in: LINK. Copy "
        f"{host.folder}/PRIVACY.md beside .env, if it is not there, and fill them in."
    ) in there.warnings
    (host.folder / "PRIVACY.md").write_bytes("# Ours, of Jürgen\n".encode("latin-1"))
    (host.folder / "TERMS.md").unlink()
    (host.folder / "TERMS.md").mkdir()  # as Docker makes one for a file that is not there
    host.environment |= {"WEB_URL": wrong, "HEALTH_ADDRESS": str(port)}
    lost = await host.see_doctor()
    both, terms, at = lost.errors
    assert both.startswith(
        f"HEALTH_ADDRESS is 127.0.0.1:{port}, like WEB_ADDRESS; use a port, such"
    )
    assert at.startswith(f"The page answers at 127.0.0.1:{port}, but not at {wrong} (Cannot")
    assert f"PRIVACY.md is no UTF-8 text: {wrong}/privacy shows \ufffd for some" in lost.said
    assert terms.startswith(f"{host.folder}/TERMS.md cannot be read, so {wrong}/terms shows")
    assert (
        f"{wrong}/terms has places that you are to fill in: NAME OF THE HOST; E-MAIL" in lost.said
    )
    await run.kill()


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("passes", "says"),
    [
        (True, "by WebSocket, too."),
        (False, "no WebSocket gets through (426 Upgrade Required): what is played in"),
    ],
)
async def test_the_doctor_reports_a_proxy_without_websockets(
    host: Host, discord: Loopback, *, passes: bool, says: str
) -> None:
    discord.emojis = []
    port = free_port()

    async def hand_on(reader: StreamReader, writer: StreamWriter) -> None:
        """Hand one request on as a proxy does, with its headers about the connection or without."""
        asked = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        own = ("connection:", *(() if passes else ("upgrade:",)))
        kept = [line for line in asked[:-2] if not line.lower().startswith(own)]
        is_upgrade = passes and any(line.lower().startswith("upgrade:") for line in asked)
        kept.append(f"Connection: {'upgrade' if is_upgrade else 'close'}")
        there, back = await open_connection("127.0.0.1", port)
        back.write("\r\n".join([*kept, "", ""]).encode())
        writer.write(await there.read())
        for each in (back, writer):
            each.close()

    async with await start_server(hand_on, "127.0.0.1", 0) as proxy:
        url = f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
        host.environment |= {"WEB_ADDRESS": str(port), "WEB_URL": url}
        host.fork()
        await host.until_logged("ready as")
        seen = await host.see_doctor()
    assert f"The page answers at {url}, " in seen.said
    assert says in seen.said


@pytest.mark.usefixtures("database")
async def test_the_doctor_reports_whether_an_activity_can_open_the_page(
    host: Host, discord: Loopback
) -> None:
    discord.emojis = []
    port = free_port()
    host.environment |= {"WEB_ADDRESS": str(port), "WEB_URL": f"http://127.0.0.1:{port}"}
    assert "Activities" not in (await host.see_doctor()).said
    host.environment["DISCORD_CLIENT_SECRET"] = "a-client-secret-of-discord"
    assert "Activities are off for this application, so the" in (await host.see_doctor()).said
    discord.application = {"flags": 1 << 17}
    assert "Activities are on, but no command opens the page" in (await host.see_doctor()).said
    entry = {"id": "7", "type": 4, "name": "launch", "description": "", "handler": 2}
    discord.commands = [*discord.commands, entry]
    assert "Activities are on, and there is a command that" in (await host.see_doctor()).said
