"""All tasks of a checkout, on any system: `python3 tasks.py play`, or another one.

It needs only Python: requirements of a task are first installed into `.venv`.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# Up to here, and in its whole syntax, an older Python understands this file, and can say so.
if sys.version_info < (3, 11):
    for minor in range(20, 10, -1):
        newer = shutil.which(f"python3.{minor}")
        # Some installed launchers only say that their Python is not installed.
        if newer and not subprocess.call([newer, "-c", ""], stderr=subprocess.DEVNULL):
            os.execv(newer, [newer, *sys.argv])
    sys.exit("Python 3.11 or newer is needed: https://www.python.org/downloads/")

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.commands import ROOT, VENV, call, in_venv, module, say, until_done
from deploy.installing import SETS, build, build_bot, build_libraries, provide, requirements
from deploy.releasing import release

Command = tuple[str, ...]
# The caller's folder, for relative paths.
HERE: Final = Path.cwd()

# Tests that need a server, or are about PostgreSQL.
_OF_POSTGRES: Final = (
    *(f"tests/db/test_{name}.py" for name in ("keys", "leases", "measured", "postgres")),
    *(f"tests/db/test_{name}.py" for name in ("spent_clicks", "transactions", "two_processes")),
    "tests/db/test_waiting.py",
    *(f"tests/{name}" for name in ("champions", "coach", "duels", "equations", "focdle", "games")),
    *(f"tests/{name}" for name in ("golden", "home", "hosting", "leaderboards", "mastermind")),
    *(f"tests/{name}" for name in ("people", "posts", "privacy", "races", "page")),
    *(f"tests/{name}" for name in ("settings", "shards", "statistics")),
    # Of the stories those that ask the database what no feature's test and no walk over all screens
    # (in `golden`) does, and those of accidents; the long form has all of them.
    *(f"tests/stories/test_{name}.py" for name in ("accidents", "ends")),
    *(f"tests/stories/duels/test_{name}.py" for name in ("accidents", "challenges", "defend")),
    "tests/stories/focdle/test_playing.py",
    "tests/stories/privacy/test_server_deletion.py",
    *(f"tests/stories/server/test_{name}.py" for name in ("daily_posts", "morning")),
)
# A third of the time of these, for statements that the others execute too: for the long form.
_SLOW_ON_POSTGRES: Final = (
    "tests/duels/test_machine.py",
    *(f"tests/focdle/test_{name}.py" for name in ("assisted_streaks", "streak_sums", "streaks")),
    *(
        f"tests/posts/test_{name}.py"
        for name in ("finishers_threads", "first_evening", "monthly_recap", "card_histories")
    ),
    "tests/champions/test_giving.py",
    "tests/leaderboards/test_boards.py",
    "tests/people/test_invitations.py",
    "tests/settings/test_zone_rules.py",
)


# A container image is made in two steps, so that a new version reuses the first.
_PARTS: Final = {"": build, "--libraries": build_libraries, "--bot": build_bot}


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        about: its line in `help`; empty for a part of another task.
        needs: the set that must be installed.
        commands: run one after the other until one fails: a program in `.venv` and its arguments.
        beside: tasks that follow, two at a time.
        takes: further arguments go to its last command, or to those of `beside` that take more.
        do: a function in place of commands; it gets the arguments, and returns the exit status.
    """

    about: str = ""
    needs: str = ""
    commands: tuple[Command, ...] = ()
    beside: tuple[str, ...] = ()
    takes: bool = False
    do: Callable[[Sequence[str]], int] | None = None


def main(typed: Sequence[str]) -> int:
    """Run a task; return the exit status.

    It is that of the first command that failed, or 2 for an unknown task.
    """
    # Many tests start the program: compiling it each time would be slow.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.chdir(ROOT)
    name, *more = typed or ["help"]
    task = TASKS.get(name)
    if task is None:
        return _refuse(f"There is no task {name}. This lists them: python3 tasks.py help")
    if more and not task.takes:
        return _refuse(f"{name} takes nothing more. Leave out: {' '.join(more)}")
    status = provide(task.needs) if task.needs else 0
    if status:
        return status
    is_one = len(task.commands) == 1 and not task.beside
    if is_one and os.name == "posix":  # signals and the exit status are then the program's own
        program, *rest = in_venv(VENV, task.commands[0])
        os.execv(program, [program, *rest, *more])
    return _carry_out(task, more, is_shown=not is_one)


def _carry_out(task: Task, more: Sequence[str], *, is_shown: bool = True) -> int:
    """Run a task's commands in processes of their own."""
    if task.do is not None:
        return task.do(more)
    for command in task.commands:
        is_for_it = command is task.commands[-1] and not task.beside
        line = [*in_venv(VENV, command), *(more if is_for_it else ())]
        status = call(line, is_shown=is_shown)
        if status:
            return status
    return _carry_out_two_at_a_time([TASKS[name] for name in task.beside], more)


def _carry_out_two_at_a_time(tasks: Iterable[Task], more: Sequence[str]) -> int:
    """Run tasks two at a time; after a failure no other is begun."""
    failed: list[int] = []

    def carry_out(task: Task) -> None:
        if not failed:
            status = _carry_out(task, more if task.takes else ())
            failed.extend([status] if status else [])

    with ThreadPoolExecutor(max_workers=2) as pool:
        for done in [pool.submit(carry_out, task) for task in tasks]:
            until_done(done.result)
    return failed[0] if failed else 0


def _install(names: Sequence[str]) -> int:
    strange = [name for name in names if name not in SETS]
    if strange:
        return _refuse(f"{strange[0]} is nothing to install. These are: {', '.join(SETS)}")
    for name in names or ["run"]:
        status = provide(name)
        if status:
            return status
    return 0


def _build(names: Sequence[str]) -> int:
    *parts, folder = names or [""]
    make = _PARTS.get(" ".join(parts))
    if make is None or folder[:1] in {"", "-"}:
        return _refuse("Name one folder, which is made: python3 tasks.py build /opt/focdle-bot")
    return make((HERE / folder).resolve())


def _help(_: Sequence[str]) -> int:
    say("python3 tasks.py ...")
    for name, task in TASKS.items():
        if task.about:
            say(f"  {name:16}{task.about}")
    return 0


def _refuse(line: str) -> int:
    sys.stderr.write(line + "\n")
    return 2


def _wheel(source: str) -> Command:
    alone = ("--no-index", "--no-deps", "--no-build-isolation")
    return module("pip", "wheel", "--quiet", *alone, "--wheel-dir", "dist", source)


TASKS: Final = {
    "play": Task(
        "the whole bot in your browser, no account, no token",
        needs="playground",
        commands=(module("bot.playground"),),
        takes=True,
    ),
    "run": Task(
        "the bot on Discord, token from .env",
        needs="run",
        commands=(module("bot"),),
        takes=True,
    ),
    "doctor": Task(
        "what is wrong with the bot on Discord, or that all is well; changes nothing",
        needs="run",
        commands=(module("bot", "doctor"),),
        takes=True,
    ),
    "install": Task(
        "what the bot needs, and more that is named, as in: install postgres",
        takes=True,
        do=_install,
    ),
    "build": Task(
        "a folder that runs the bot without this one, as in: build /opt/focdle-bot",
        takes=True,
        do=_build,
    ),
    "test": Task("the tests", needs="dev", commands=(module("pytest"),), takes=True),
    "check": Task(
        "what every change must pass besides: format, lint, contracts, types",
        needs="dev",
        commands=(
            ("ruff", "format", "--check", "."),
            ("ruff", "check", "."),
            ("lint-imports",),
            ("basedpyright", "--level", "error"),
        ),
    ),
    "test-long": Task(
        "the long form: more examples and kills, browser, hosting; some minutes",
        needs="dev",
        beside=("check-long", "check-processes"),
        takes=True,
    ),
    "check-long": Task(
        needs="dev", commands=(module("pytest", "--long", "--timeout=900"),), takes=True
    ),
    "check-postgres": Task(
        "features, some stories and what is PostgreSQL's own, on PostgreSQL",
        needs="dev",
        commands=(
            module(
                "pytest",
                "--postgres",
                *_OF_POSTGRES,
                *(f"--ignore={name}" for name in _SLOW_ON_POSTGRES),
            ),
        ),
        takes=True,
    ),
    "check-processes": Task(
        needs="dev",
        commands=(
            module("pytest", "--postgres", "tests/process", "tests/stories", *_SLOW_ON_POSTGRES),
            module("pytest", "--postgres", "--long", "--timeout=900", "tests/process"),
        ),
        takes=True,
    ),
    "golden": Task(
        "write golden files anew, where what they hold was changed on purpose",
        needs="dev",
        commands=tuple(
            module("pytest", *kind, "--golden-write", "tests/golden")
            for kind in ((), ("--postgres",), ("--long",))
        ),
    ),
    "format": Task(
        "put the code into its format",
        needs="dev",
        commands=(
            ("ruff", "check", "--fix", "--exit-zero", "--quiet", "."),
            ("ruff", "format", "."),
        ),
    ),
    "bench": Task(
        "how strong and fast the solvers are, or a guesser of yours; --quick takes a minute",
        needs="run",
        commands=(module("benchmarks.solvers"),),
        takes=True,
    ),
    "bench-load": Task(
        "how soon a crowd is answered, beside a bot that does nothing; some minutes",
        needs="run",
        commands=(module("benchmarks.load"),),
        takes=True,
    ),
    "messages": Task(
        "bring the catalogues up to date with what the bot says; messages de begins German",
        needs="dev",
        commands=(module("tools.messages"),),
        takes=True,
    ),
    "pictures": Task(
        "make the papers' pictures and the film anew, from the playground",
        needs="dev",
        commands=(module("tools.pictures"),),
    ),
    "lock": Task(
        "lock the newest versions of everything the project allows; --keep: only what is new",
        needs="dev",
        commands=(module("deploy.make_locks"),),
        takes=True,
    ),
    "wheels": Task(
        "both packages as files, in dist",
        needs="backend",
        commands=(_wheel("."), _wheel("./engine")),
    ),
    "sbom": Task(
        "a bill of materials of what the bot is installed with, in CycloneDX's format",
        needs="supply",
        commands=(module("deploy.make_sbom"),),
    ),
    "audit": Task(
        "known holes in what is locked, slips in Dockerfile and workflows; on Linux",
        needs="supply",
        commands=(
            ("hadolint", "Dockerfile"),
            ("zizmor", "--offline", "--quiet", ".github"),
            ("pip-audit", "--strict", "--disable-pip", "--require-hashes", *requirements(SETS)),
        ),
    ),
    "release": Task(
        "what the release of a tag says, if version and CHANGELOG are its own: release v1.0.0",
        takes=True,
        do=release,
    ),
    "help": Task("this list", do=_help),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
