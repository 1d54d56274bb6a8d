"""What the code promises about itself, beyond the import contracts."""

import ast
import gc
import importlib
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from dotenv import dotenv_values
from PIL import Image, ImageSequence

from bot.__main__ import main
from bot.config import IN_FILES
from cogs.ui.routes import HANDLERS, Route
from tests.support.ids import SAMPLES
from tests.support.table import Table
from tools.messages import extracted

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "bot", "cogs", "web")
OF_DEVELOPERS = ("benchmarks", "tools")
# Calls whose text is for logs and developers, not for players.
STARTING = re.compile(r"\b(subprocess\.\w+|Popen|create_subprocess_exec)$")
TECHNICAL_CALLS = {"debug", "info", "warning", "error", "exception", "__init__"}


def folder(name: str) -> list[Path]:
    return sorted((ROOT / name).rglob("*.py"))


def modules(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in (path for each in folders for path in folder(each)):
        yield path.relative_to(ROOT), parsed(path)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Everything in a tree, looked through once for all tests."""
    return tuple(ast.walk(tree))


def docstrings(tree: ast.AST) -> set[ast.expr]:
    """Strings that stand as statements: docstrings, of attributes too."""
    return {
        node.value
        for node in nodes(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def technical_strings(tree: ast.AST) -> set[ast.AST]:
    """Strings in exceptions and log calls."""
    found: set[ast.AST] = set()
    for node in nodes(tree):
        is_log = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TECHNICAL_CALLS
        if is_log or isinstance(node, ast.Raise):
            found.update(ast.walk(node))
    return found


def is_sentence(text: str) -> bool:
    if " | " in text:  # a type
        return False
    words = text.split()
    return len(words) > 3 or (len(words) > 1 and text[0].isupper())


def is_wordless(path: Path) -> bool:
    """Whether a module has no sentence for anybody: a front end, a rule, a use case."""
    if path.parts[0] == "bot":
        return not {"model", "game"}.isdisjoint(path.parts)
    # Errors and deductions say themselves to builders on the engine; a program has its own words.
    says_itself = path in {Path("engine/errors.py"), Path("engine/deductions.py")}
    return not says_itself and not path.is_relative_to("engine/terminal")


def test_sentences_for_players_stand_only_in_modules_for_words() -> None:
    strays: list[str] = []
    for path, tree in modules(*PACKAGES):
        if not is_wordless(path):
            continue
        exempt = docstrings(tree) | technical_strings(tree)
        strays += [
            f"{path}:{node.lineno} {node.value!r}"
            for node in nodes(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and is_sentence(node.value)
            and node not in exempt
        ]
    assert strays == []


def test_imports_are_at_the_top_of_modules() -> None:
    inside = [
        f"{path}:{node.lineno}"
        for path, tree in modules(*PACKAGES)
        for function in nodes(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in nodes(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert inside == []


def test_modules_and_functions_stay_within_their_size_limits() -> None:
    for path, tree in modules(*PACKAGES, *OF_DEVELOPERS):
        assert len((ROOT / path).read_text().splitlines()) <= 700, path
        for node in nodes(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 50, f"{path}:{node.lineno}"


# What the bot says by itself, when it is time or a game has moved on.
ITS_OWN_WORDS = {
    ("cogs/posts/delivery.py", "_send"),
    ("cogs/focdle/sharing.py", "_do"),
    ("cogs/duels/messages.py", "_send_nudge"),
    ("cogs/posts/delivery.py", "_thread"),
    ("cogs/posts/delivery.py", "deliver_reminder"),
    ("cogs/posts/delivery.py", "remind"),
}


def test_one_module_alone_knows_which_language_discord_names() -> None:
    asked = {"locale", "guild_locale", "preferred_locale"}
    found = {
        path.as_posix()
        for path, tree in modules("cogs", "web")
        for node in nodes(tree)
        if isinstance(node, ast.Attribute) and node.attr in asked
    }
    assert found == {"cogs/ui/languages.py"}


def test_only_one_module_posts_publicly_for_a_member() -> None:
    strays: list[tuple[str, str]] = []
    for path, tree in modules("cogs"):
        for function in nodes(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            calls = [node for node in nodes(function) if isinstance(node, ast.Call)]
            for call in calls:
                is_sent = getattr(call.func, "attr", "") in {"send", "send_message"}
                if is_sent and "ephemeral" not in {word.arg for word in call.keywords}:
                    strays.append((path.as_posix(), function.name))
    assert {stray for stray in strays if stray[0] != "cogs/ui/voices.py"} == ITS_OWN_WORDS


def programs_named(command: ast.expr, values: dict[str, list[ast.expr]]) -> Iterator[str]:
    """The mere names with which a command begins: itself, or the values of its variables."""
    match command:
        case ast.Constant(str(program)):
            yield program
        case ast.List([first, *_]) | ast.Tuple([first, *_]) | ast.Starred(first):
            yield from programs_named(first, values)
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from programs_named(one, values)
            yield from programs_named(other, values)
        case ast.Name(name):
            for value in values.pop(name, []):
                yield from programs_named(value, values)
        case _:
            pass


def programs_called(tree: ast.Module) -> set[str]:
    """The programs that a module calls by a mere name."""
    values: dict[str, list[ast.expr]] = {}
    calls: list[ast.expr] = []
    for node in nodes(tree):
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=value):
                values.setdefault(name, []).extend([value] if value else [])
            case ast.Call(called, [command, *_]) if STARTING.search(ast.unparse(called)):
                calls.append(command)
            case _:
                pass
    return {program for command in calls for program in programs_named(command, values)}


@pytest.mark.parametrize(
    ("source", "program"),
    [
        ("subprocess.run(['git', 'init'])", "git"),
        ("command = ('make', *more)\nsubprocess.Popen([*command, 'x'])", "make"),
        ("await create_subprocess_exec('npm', 'pack')", "npm"),
        ("subprocess.run([needed('git'), 'init'])", ""),
        ("subprocess.run([shutil.which('unshare') or 'false', 'true'])", ""),
    ],
)
def test_the_check_finds_a_program_that_is_called_by_its_name(source: str, program: str) -> None:
    assert "".join(programs_called(ast.parse(source))) == program


def test_tests_look_for_a_program_before_they_call_it() -> None:
    found = {
        str(path.relative_to(ROOT)): programs
        for path in folder("tests")
        if "subprocess" in path.read_text()
        if (programs := programs_called(parsed(path)) - {"sh"})
    }
    assert found == {}


def test_no_module_evaluates_code() -> None:
    for path in (path for each in (*PACKAGES, *OF_DEVELOPERS, "tests") for path in folder(each)):
        if not re.search(r"\b(eval|exec)\b", path.read_text()):
            continue  # most need no closer look
        calls = (node for node in nodes(parsed(path)) if isinstance(node, ast.Call))
        called = {getattr(call.func, "id", "") for call in calls}
        assert not called & {"eval", "exec"}, path


def test_every_module_named_in_the_project_exists() -> None:
    """What is loaded by its name, in a program or among the settings of tools, can be found."""
    named = {
        (path.as_posix(), text)
        for path, tree in modules(*PACKAGES, *OF_DEVELOPERS)
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(text := node.value, str)
        if re.fullmatch(rf"({'|'.join(PACKAGES)})(\.[a-z_0-9]+)+", text)
    }
    assert len(named) > 10
    lost = {
        (where, name)
        for where, name in named
        if not (path := ROOT.joinpath(*name.split("."))).with_suffix(".py").exists()
        and not path.is_dir()
    }
    assert lost == set()
    settings = (ROOT / "pyproject.toml").read_text()
    paths = set(re.findall(r'(?m)^"((?:bot|cogs|engine|tools|benchmarks)/[\w/.]+)" =', settings))
    assert paths
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def test_the_engines_wheel_lists_all_packages_of_the_engine() -> None:
    packages = {path.parent.relative_to(ROOT) for path in folder("engine")}
    settings = tomllib.loads((ROOT / "engine" / "pyproject.toml").read_text())
    assert {*settings["tool"]["setuptools"]["packages"]} == {
        ".".join(package.parts) for package in packages
    }


def test_programs_written_in_strings_import_existing_names() -> None:
    """Tests and tools start programs that they have as text, which no type checker reads."""
    lost: list[str] = []
    sources = [path for each in (*OF_DEVELOPERS, "tests", "deploy") for path in folder(each)]
    for path in sources:  # with what the file itself imports, which costs nothing
        text = path.read_text()
        for module, names in re.findall(r"(?m)^from ((?:bot|cogs)[\w.]*) import ([^(\n]+)$", text):
            found, place = importlib.import_module(module), ROOT / module.replace(".", "/")
            lost += [
                f"{path}: {module} {name}"
                for name in re.sub(r" as \w+|  #.*", "", names).split(", ")
                if not hasattr(found, name) and not [*place.glob(f"{name}*")]
            ]
    assert lost == []


DECORATORS = {"pressed", "picked", "submitted"}
# From below upward, with what each must not bring along.
LAYERS = {
    "engine": {"numpy", "discord", "sqlalchemy", "asyncio", "sqlite3"},
    "bot.services": {"discord", "simcord"},
    "bot.refusals": {"discord", "simcord"},
    "bot.hosting.run": {
        "simcord",
        "matplotlib",
        "numpy",
        "prometheus_client",
        "aiohttp.web",
        "web",
    },
    "web.app": {"web.activity"},
}
# One Python imports one after the other, and then tells what the bot knows.
IMPORTING = f"""
import importlib, sys
for layer in {[*LAYERS]}:
    importlib.import_module(layer)
    print(*sys.modules)
from cogs.ui.routes import HANDLERS
print(*(each.answer.__module__ + "." + each.answer.__name__ for each in HANDLERS))
"""


@pytest.fixture(scope="module")
def imported() -> list[list[str]]:
    """The modules after each layer; last, what the bot does for buttons, lists and forms."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORTING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split() for line in done.stdout.splitlines()]


def test_lower_layers_load_no_module_of_upper_layers(imported: list[list[str]]) -> None:
    for loaded, (layer, absent) in zip(imported, LAYERS.items(), strict=False):
        assert layer in loaded
        assert not absent & set(loaded), layer


async def test_every_command_has_a_description_within_discords_limits(table: Table) -> None:
    bot = table.bot
    tree = bot.tree
    names = [command.name for command in tree.get_commands()]
    assert sorted(names) == [
        "Challenge to a duel",
        "Game stats",
        "duel",
        "equation",
        "focdle",
        "help",
        "leaderboard",
        "mastermind",
        "play",
        "practice",
        "preferences",
        "privacy",
        "race",
        "settings",
        "stats",
    ]
    for command in tree.walk_commands():
        assert 1 <= len(command.description) <= 100
        assert command.description != "…"


def test_modules_that_show_a_duel_read_no_attribute_with_hidden_numbers_or_guesses() -> None:
    """A side is read by its view, which hides numbers, and guesses of a race that goes on."""
    hidden = {"secret", "salt", "moves", "replayed", "own_turns"}
    read = [
        f"{path}:{node.lineno}: .{node.attr}"
        for path, tree in modules("bot/duels", "cogs/duels")
        if "cogs" in path.parts or path.stem.endswith(("words", "picture"))
        for node in nodes(tree)
        if isinstance(node, ast.Attribute) and node.attr in hidden
    ]
    assert read == []


def handlers_in(tree: ast.Module) -> Iterator[str]:
    """The functions of a module that are put on routes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef):
            calls = [each.func for each in node.decorator_list if isinstance(each, ast.Call)]
            if any(isinstance(f, ast.Name) and f.id in DECORATORS for f in calls):
                yield node.name


def test_the_bot_imports_every_handler_that_is_put_on_a_route(imported: list[list[str]]) -> None:
    """What is put on a route stands in a module that the bot imports."""
    ours = {
        f"{'.'.join(path.with_suffix('').parts)}.{name}"
        for path, tree in modules("cogs")
        for name in handlers_in(tree)
    }
    assert len(ours) > 80
    assert set(imported[-1]) == ours


def test_every_custom_id_matches_exactly_one_route() -> None:
    tried: set[Route] = set()
    for sample in SAMPLES:
        understood = [h.route for h in HANDLERS if h.route.read(sample) is not None]
        assert len(understood) == 1, sample
        (route,) = understood
        assert route(**(route.read(sample) or {})) == sample
        tried.add(route)
    assert {h.route for h in HANDLERS} - tried == set()


def papers() -> Iterator[tuple[Path, str]]:
    """What says how things are now; the list of changes says how they were."""
    for paper in sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}):
        if paper.name != "CHANGELOG.md":
            yield paper, re.sub(r"(?s)^```.*?^```$", "", paper.read_text(), flags=re.MULTILINE)


def test_every_file_named_in_the_documents_exists() -> None:
    """In backticks what looks like a path is one from the root, and links lead somewhere."""
    lost: list[str] = []
    for paper, text in papers():
        named = re.findall(r"`([A-Za-z][\w.-]*/[\w./-]*)`", text)
        linked = re.findall(r"\]\(([^):#]+)(?:#[\w-]+)?\)", text)
        lost += [f"{paper.name}: {name}" for name in named if not (ROOT / name).exists()]
        lost += [f"{paper.name}: {link}" for link in linked if not (paper.parent / link).exists()]
    assert lost == []


# What documents name of SQL, of other programs and of what readers write themselves.
OF_OTHERS = {"COMMIT", "NORMAL", "NOTIFY", "pg_notify", "py", "python3", "start_interval"}
OF_READERS = {"mine.py", "compose.override.yaml"}


def names_in(tree: ast.Module) -> Iterator[str]:
    """What a module defines, or has as a text."""
    for node in nodes(tree):
        for field in ("name", "id", "value"):
            name = getattr(node, field, None)
            if isinstance(name, str) and not isinstance(getattr(node, "ctx", None), ast.Load):
                yield name


def test_every_name_in_the_documents_exists_in_the_code() -> None:
    """A name in backticks in `docs` is one of the code's, so that it can be looked up there."""
    known = {*OF_OTHERS, *OF_READERS}
    for path, tree in modules(*PACKAGES, *OF_DEVELOPERS):
        known.update(path.parts, [path.stem], names_in(tree))
    strange = [
        f"{paper.name}: {name}"
        for paper, text in papers()
        for name in re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`", text)
        if paper.parent != ROOT and not (ROOT / name).exists()
        if not known & {name, re.sub("^focdle_|_FILE$", "", name)}
        if not known >= {*name.split(".")}
    ]
    assert strange == []


def test_the_list_of_features_names_their_folders_and_modules() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text()
    strange = [
        f"bot/{feature}/{name}.py"
        for feature, told in re.findall(r"(?m)^- `(\w+)`: (.*)", text)
        for name in ("__init__", *re.findall(r"`([a-z_]+)`", told))
        if not (ROOT / "bot" / feature / f"{name}.py").exists()
    ]
    assert strange == []


def test_every_program_named_in_the_documents_exists() -> None:
    """Programs of ours, and tasks, wherever a paper has them."""
    tasks = (ROOT / "tasks.py").read_text()
    made = set(re.findall(r'^    "([\w-]+)": Task\(', tasks, flags=re.MULTILINE))
    folders, lost = f"(?:{'|'.join((*PACKAGES, *OF_DEVELOPERS, 'tests'))})", list[str]()
    for paper in (paper for paper, _ in papers()):
        if paper.parent.name == "decisions":  # they may say how things were
            continue
        text = paper.read_text()
        for name in re.findall(rf"python -m ({folders}[\w.]*\w)", text):
            path = ROOT.joinpath(*name.split("."))
            if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists():
                lost.append(f"{paper.name}: {name}")
        lost += [
            f"{paper.name}: task {it}"
            for it in re.findall(r"(?:`make|tasks\.py) ([\w-]+)", text)
            if it not in made
        ]
    assert lost == []


# As far as the command goes: to the end of the line, of what quotes it, or of it in a shell.
TYPED = re.compile(r"(?:python -m bot|(?:[`']|bot )focdle-bot)(?![\w.-])([^`'#;|\n]*)")
STANDING_IN = {"PLAYER_ID": "123456789012345678", "%i/${SHARDS}": "0-24/50", "$@": "run"}


class Carrying:
    """Takes the place of the modules of the bot's commands, and only notes that they are called."""

    def __init__(self) -> None:
        self.called = 0

    def __getattr__(self, _: str) -> Callable[..., int]:
        def call(*_: object, **__: object) -> int:
            self.called += 1
            return 0

        return call


def typed_in_papers() -> Iterator[tuple[str, str]]:
    """Where a command of the bot's is, and what follows the program's name."""
    told = [path for path, _ in papers() if path.parent.name != "decisions"]
    deployed = [path for path in (ROOT / "deploy").glob("*[!y]") if path.is_file()]
    for path in (*told, *deployed, ROOT / ".env.example", ROOT / "Dockerfile"):
        text = path.read_text().replace('", "', " ").replace('"]', "\n")
        for found in TYPED.finditer(text):
            if not found[1].startswith(" ["):  # the list of them
                yield path.name, found[1].strip()


def test_every_command_line_in_the_documents_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the bot's is one, and takes the arguments that it has there."""
    carrying = Carrying()

    def load(_: str) -> Carrying:
        return carrying

    monkeypatch.setattr("bot.__main__.import_module", load)
    typed = [*typed_in_papers()]
    for name, command in typed:
        try:
            status = main([STANDING_IN.get(word, word) for word in shlex.split(command)])
        except SystemExit as ended:
            status = ended.code
        assert status == 0, f"{name}: {command}"
    gc.enable()  # which `run` has turned off
    assert carrying.called == len(typed) > 25


def test_the_main_document_for_hosts_is_short_and_links_to_the_others_for_hosts() -> None:
    lines = (ROOT / "docs" / "HOSTING.md").read_text().splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 200
    linked = set(re.findall(r"\(hosting/(\w+)\.md", "\n".join(lines)))
    assert linked == {path.stem for path in (ROOT / "docs" / "hosting").glob("*.md")}


async def test_every_bot_command_named_in_the_documents_exists(table: Table) -> None:
    bot = table.bot
    known = {command.name for command in bot.tree.get_commands() if command.name.islower()}
    named = {
        paper.name: set(re.findall(r"`/([a-z]+)[ `]", text))
        for paper, text in papers()
        if paper.parent in {ROOT, ROOT / "docs"}
    }
    others = {"healthz", "readyz", "metrics", "tmp"}  # which are paths
    strange = {paper: names - known - others for paper, names in named.items()}
    assert not any(strange.values()), strange
    assert named["HOSTING.md"] >= {"settings", "privacy"}


async def test_what_documents_and_players_texts_say_of_commands_is_registered(table: Table) -> None:
    """Their subcommands and options, and where they work."""
    requests = [each for each in table.env.http_requests if each.method == "PUT"]
    (sent,) = [each.json for each in requests if each.path.endswith("/commands")]
    commands = {each["name"]: each for each in cast("list[dict[str, Any]]", sent)}
    texts = [text for paper, text in papers() if paper.parent in {ROOT, ROOT / "docs"}]
    texts += [one if isinstance(one, str) else one[0] for one in (e.text for e in extracted())]
    typed = re.findall(r"`/([a-z]+)((?: [a-z]+)?)((?: [a-z]+:[^` ]*)*)`", "\n".join(texts))
    assert len(typed) > 80
    for name, word, written in typed:
        if name not in commands:
            continue
        offered = {each["name"]: each for each in commands[name].get("options", [])}
        topics = [choice["name"] for choice in offered.get("topic", {}).get("choices", [])]
        assert not word or word.strip() in offered or word.strip().capitalize() in topics, word
        assert {*re.findall(r" ([a-z]+):", written)} <= offered.keys(), written
    listing = (ROOT / "docs" / "LISTING.md").read_text()
    (but,) = re.findall(r"All but (.*?) work in direct messages too, and wherever", listing)
    private = 1  # Discord's number of direct messages with the bot, and of installing for oneself
    for where in ("contexts", "integration_types"):
        lacking = {name for name, each in commands.items() if private not in each[where]}
        assert {name for name in lacking if name.islower()} == {*re.findall(r"`/([a-z]+)`", but)}


def test_the_documents_for_hosts_mention_each_setting() -> None:
    text = (ROOT / "docs" / "hosting" / "settings.md").read_text()
    settings = list(dotenv_values(ROOT / ".env.example"))
    table = re.findall(r"^\| `([A-Z_]+)` \|", text, flags=re.MULTILINE)
    assert sorted(table) == sorted(settings)
    named = re.findall(r"`([A-Z][A-Z_]+)(?:=[^`]*)?`", text)
    files = {f"{name}_FILE" for name in IN_FILES}
    assert files <= set(named)
    levels = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}
    assert set(named) - files <= {*settings, *levels}


def test_the_readme_is_read_in_a_minute_and_all_papers_in_an_hour() -> None:
    readme, *others = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"))
    text = re.sub(r"(?s)```.*?```|\]\([^)]*\)|<[^>]*?>", " ", readme.read_text())
    (alternative,) = re.findall(r'alt="([^"]+)"', readme.read_text())
    assert len(re.findall(r"\S*\w\S*", text + alternative)) <= 450
    assert sum(len(paper.read_text().split()) for paper in (readme, *others)) <= 11_000


def test_papers_use_every_picture_and_directories_get_five_of_their_size() -> None:
    names = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    texts = "".join(text for _, text in papers())
    assert names == set(re.findall(r"pictures/([\w.]+)", texts))
    listing = (ROOT / "docs" / "LISTING.md").read_text()
    shown = re.findall(r"^\| \[\w+\]\((pictures/\w+\.png)\)", listing, flags=re.MULTILINE)
    assert len(shown) == 5
    for each in shown:
        with Image.open(ROOT / "docs" / each) as picture:
            assert picture.size == (1920, 1080)
    film = ROOT / "docs" / "pictures" / "playing.gif"
    assert film.stat().st_size <= 1_600_000
    with Image.open(film) as moving, Image.open(film.with_suffix(".png")) as still:
        assert moving.size == still.size == (360, 640)
        frames = ImageSequence.Iterator(moving)
        assert sum(frame.info["duration"] for frame in frames) == pytest.approx(15_000, rel=0.1)


def test_texts_for_bot_directories_are_within_their_limits() -> None:
    text = (ROOT / "docs" / "LISTING.md").read_text()
    limits = re.findall(
        r"^## .*?(\d+) characters.*\n\n```\w+\n((?:.*\n)*?)```$", text, flags=re.MULTILINE
    )
    assert len(limits) == text.count("characters\n\n```") + text.count("most\n\n```") == 6
    for most, words in limits:
        parts = words.split() if most == "20" else [words.strip()]
        assert 0 < max(map(len, parts)) <= int(most)
    (tags,) = (words.split() for most, words in limits if most == "20")
    assert len(tags) <= 5
    assert len(limits[-1][1]) > 300


SOMEBODYS = re.compile(r"\b(?:wordle|nerdle)\b", re.IGNORECASE)
OF_THEM = ("if you like Wordle or Nerdle", "the owners of Wordle, Nerdle or Mastermind")
SAID_OF_THEM = re.compile("|".join(OF_THEM).replace(" ", r"\s+"), re.IGNORECASE)


def test_no_text_calls_our_game_by_the_name_of_somebody_elses() -> None:
    """A table that compares may name theirs, and so may the sentences above."""
    kinds = {".py", ".md", ".txt", ".toml", ".html", ".js", ".yaml"}
    folders = (ROOT / name for name in (*PACKAGES, "deploy", "docs"))
    told = [path for each in folders for path in each.rglob("*") if path.suffix in kinds]
    told += [*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Dockerfile"]
    calling = [
        f"{path.name}: {line}"
        for path in told
        for line in SAID_OF_THEM.sub("", path.read_text()).splitlines()
        if SOMEBODYS.search(line) and not line.startswith("|")
    ]
    assert calling == []
