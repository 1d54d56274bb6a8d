"""The bot where it may write nothing but its data, as in a container, and as it is built for one.

Nothing here can make images. What the Dockerfile does is done step by step instead: the files that
`.dockerignore` lets through, the first stage's command, the variables and commands of the last.
"""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.deploy.checkout import ROOT
from tests.deploy.contained import USER, Contained, built, status_of
from tests.deploy.dockerfile import copy, copy_context, stages, variables
from tests.process.host import KEY, TOKEN
from tests.process.launch import SILENT_SECONDS as HEARD_WITHIN
from tests.process.loopback import open_loopback
from tests.process.players import Player
from tests.support.asking import Asker, free_port
from tests.support.waiting import until, until_so


def may_mount() -> bool:
    """Whether this is Linux, root's, and lets root make a world of mounts."""
    if sys.platform != "linux" or os.geteuid():
        return False
    command = [shutil.which("unshare") or "false", "--mount", "mount", "--make-rprivate", "/"]
    return not subprocess.run(command, capture_output=True, check=False).returncode


pytestmark = [
    pytest.mark.long(only=True),
    pytest.mark.skipif(not may_mount(), reason="nobody may mount here"),
]
# The bot as it is, but for where Discord is; what says so is not in the image.
LAUNCH = """
import sys
sys.path.append("/srv/code")
from tests.support.redirect import redirect
from bot.hosting.run import run
redirect(sys.argv[1])
sys.exit(run())
"""
LAUNCH_IMPATIENT = f"""
from cogs.ui.host import Hearing
Hearing.patience = {HEARD_WITHIN}
{LAUNCH}"""
"""The same, but for how soon it is noticed that Discord is not heard."""
DRAW = """
import asyncio, os, bot
from bot.text.language import in_this_language
from datetime import date
from bot.statistics.model import CalendarDay, YearReview
from bot.statistics.words import DRAW_YEAR
from bot.pool.pool import Lane, ProcessExecutor, WorkQueue

async def draw():
    queue = WorkQueue(ProcessExecutor())
    day = date(2026, 1, 1)
    played = {day: CalendarDay(4, solved=True)}
    year = YearReview(2026, (day, day), played, 1, 1, 3, None, (0, 0), (0, 0), None, ())
    drawn = (await queue.add(in_this_language(DRAW_YEAR, year), 60, Lane.DRAWING).result).png
    print(bot.__file__, os.listdir(os.environ["MPLCONFIGDIR"]), drawn[1:4])
    await queue.close()

asyncio.run(draw())
"""
WRITE = """
import os, pathlib, sys
print(os.getuid(), [line for line in open("/proc/self/status") if "CapEff" in line][0].split()[1])
for folder in sys.argv[1:]:
    try:
        pathlib.Path(folder, "written").touch()
        print(folder)
    except OSError as error:
        pass
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first stage makes, each of its commands with no more than was copied before it."""
    context, source = tmp_path_factory.mktemp("context"), tmp_path_factory.mktemp("source")
    made = tmp_path_factory.mktemp("made") / "app"
    copy_context(context)
    for step in stages()[0]:
        if step.name == "COPY":
            copy(context, step, source)
        elif step.name == "RUN":
            built(source, made, step.command)
    return made


@pytest.fixture(params=["checkout", "image"])
def contained(request: pytest.FixtureRequest, tmp_path: Path) -> Contained:
    """The last stage, with the bot from this checkout or as it was built."""
    given = {**variables(stages()[-1]), "HOME": "/nonexistent"}
    if request.param == "checkout":
        return Contained(tmp_path, Path(sys.prefix), ROOT, {**given, "PYTHONPATH": "/srv/code"})
    code = tmp_path / "code"
    support = Path("tests", "support")
    (code / support).mkdir(parents=True)
    shutil.copy(ROOT / support / "redirect.py", code / support)
    return Contained(tmp_path, request.getfixturevalue("image"), code, given)


async def test_a_bot_in_a_container_says_that_its_token_is_wrong(contained: Contained):
    """It is in a file, as all secrets are in a container."""
    (contained.secrets / "token").write_text("of-yesterday\n")
    contained.variables["DISCORD_TOKEN_FILE"] = "/srv/secrets/token"
    async with open_loopback(TOKEN) as discord:
        with contained.running("-c", LAUNCH, discord.address) as (process, log):
            assert await status_of(process) == 2
        assert discord.tokens == {"of-yesterday"}
    assert log.read_text().splitlines()[-1].startswith("Discord does not accept DISCORD_TOKEN.")
    assert "Traceback" not in log.read_text()
    assert "of-yesterday" not in log.read_text()


async def test_the_bot_plays_where_only_its_data_directory_is_writable(contained: Contained):
    contained.variables |= {"DISCORD_TOKEN": TOKEN, "PUZZLE_KEY": KEY}
    player = Player(1)
    async with open_loopback(TOKEN) as discord:
        with contained.running("-c", LAUNCH, discord.address) as (process, log):
            session = await discord.next_session()
            assert player.hear(await player.guess(session))
            # A backup under way at the end would read last, and leave the write-ahead log behind.
            await until(lambda: [*contained.data.glob("focdle-backups/*.db")])
            process.send_signal(signal.SIGTERM)
            assert await status_of(process) == 0
    there = sorted(path.name for path in contained.data.iterdir())
    assert there == ["focdle-backups", "focdle.db"]
    assert (contained.data / "focdle.db").stat().st_uid == USER
    with closing(sqlite3.connect(contained.data / "focdle.db")) as database:
        assert database.execute("SELECT code FROM guesses").fetchall() == [(player.guesses[0],)]
    for complaint in ("Traceback", "ERROR", "Read-only", "Permission denied", "chmod"):
        assert complaint not in log.read_text()


async def ends_with(contained: Contained, command: Sequence[str], status: int) -> bool:
    return (await asyncio.to_thread(contained.run, *command)).returncode == status


async def test_in_a_container_the_bot_is_checked_and_its_damaged_database_restored_from_a_backup(
    contained: Contained,
):
    """All that may happen to a host on one day, to a bot in its container."""
    asker = Asker(free_port())
    contained.variables |= {
        "DISCORD_TOKEN": TOKEN,
        "PUZZLE_KEY": KEY,
        "HEALTH_ADDRESS": f"127.0.0.1:{asker.port}",
        "BACKUPS": "backups",
    }
    stays, goes, file = Player(1), Player(2), contained.data / "focdle.db"
    step = next(each for each in stages()[-1] if each.name == "HEALTHCHECK")
    program, *check = step.command
    assert program == "/opt/focdle-bot/bin/python"
    async with open_loopback(TOKEN) as discord:
        discord.heartbeat_milliseconds = 200
        with contained.running("-c", LAUNCH_IMPATIENT, discord.address) as (process, _):
            session = await discord.next_session()
            # A busy machine may be late with a beat, which is the bot's silence for a moment: so
            # each status is waited for, and then stays.
            await until_so(lambda: ends_with(contained, check, 0))
            discord.lets_resume.clear()
            for number in sorted(session.lines):
                session.lines[number].break_off()
            await asker.until_missing(*(f"shard {number}" for number in sorted(session.lines)))
            await until_so(lambda: ends_with(contained, check, 1))
            discord.lets_resume.set()
            await asker.until_missing()
            for player in (stays, goes):
                assert player.hear(await player.guess(session))
            made = await asyncio.to_thread(contained.run, "-m", "bot", "backup")
            assert made.returncode == 0, made.stderr
            gone = await asyncio.to_thread(contained.run, "-m", "bot", "forget", "2", "--yes")
            assert gone.returncode == 0, gone.stderr
            assert stays.hear(await stays.guess(session))  # which no backup has
            process.kill()
        with file.open("r+b") as damaged:
            damaged.write(bytes(8192))
        backup = made.stdout.split()[0]  # not the newest: the bot's own may be later
        restored = contained.run("-m", "bot", "restore", backup)
        assert restored.returncode == 0, restored.stderr
        with contained.running("-c", LAUNCH_IMPATIENT, discord.address) as (process, log):
            session = await discord.next_session()
            assert stays.hear(await stays.guess(session))
            await asker.until_missing()
            process.send_signal(signal.SIGTERM)
            assert await status_of(process) == 0
    with closing(sqlite3.connect(file)) as database:
        guesses = (
            "SELECT player_id, code FROM guesses JOIN plays ON plays.id = play_id ORDER BY turn"
        )
        first, _lost, third = stays.guesses[:3]
        assert sorted(database.execute(guesses)) == sorted([(1, first), (1, third)])
        outages = "SELECT count(*) FROM outages WHERE began_at < ended_at"
        assert database.execute(outages).fetchone() != (0,)
    assert "Traceback" not in log.read_text()


def test_a_worker_draws_inside_the_container(contained: Contained):
    """What the library keeps of fonts goes where the image says."""
    drawn = contained.run("-c", DRAW)
    assert drawn.stderr == ""
    where, *kept, kind = drawn.stdout.split()
    assert where.startswith(
        "/srv/app/" if "PYTHONPATH" not in contained.variables else "/srv/code/"
    )
    assert "fontlist" in "".join(kept)
    assert kind == "b'PNG'"


def test_the_user_of_the_container_may_write_only_to_its_data_and_temporary_files(
    contained: Contained,
):
    folders = ["/", "/etc", "/srv/app", "/srv/code", "/srv/secrets", "/usr", "/srv/data", "/tmp"]
    written = contained.run("-c", WRITE, *folders)
    assert (written.stdout, written.stderr) == (f"{USER} {0:016x}\n/srv/data\n/tmp\n", "")


def test_the_default_command_of_the_image_says_that_the_token_is_missing(contained: Contained):
    """Here its own command is given, as no other test can: they tell it where Discord is."""
    (step,) = [each for each in stages()[-1] if each.name == "CMD"]
    program, *arguments = step.command
    assert program == "/opt/focdle-bot/bin/python"
    done = contained.run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("DISCORD_TOKEN is not set.")


def test_the_image_has_no_pip_no_test_library_and_no_package_of_developers(image: Path):
    names = {
        path.name.partition("-")[0] for path in image.glob("lib/python*/site-packages/*.dist-info")
    }
    assert names >= {"focdle_bot", "aiosqlite", "numpy", "psycopg"}
    assert not names & {"pip", "setuptools", "simcord", "pytest"}
    packages = {path.name for path in image.glob("lib/python*/site-packages/*")}
    assert packages >= {"bot", "cogs", "engine"}
    assert not packages & {"benchmarks", "tests", "tools"}
