"""Messages with a name: translators read what each is for, and callers give what it asks for."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple

import pytest

from bot.text.language import CATALOGUES, gettext, speak
from tests.support.messages import LIMIT, is_counted, words
from tools.messages import ARROWS, BOT, extracted, labels_named, template

ROOT: Final = BOT.parent


class Named(NamedTuple):
    """A constant: one message, or a table of them, each with the line it begins in."""

    file: str
    texts: dict[int, str]
    is_table: bool


def dotted(path: Path) -> str:
    """A module's name."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def texts_in(value: ast.expr | None) -> dict[int, str]:
    """The messages that are marked in an expression, by their lines."""
    if isinstance(value, ast.Dict):
        return {line: text for one in value.values for line, text in texts_in(one).items()}
    match value:
        case ast.Call(func=ast.Name("N_"), args=[ast.Constant(str(text), lineno=line)]):
            return {line: text}
        case _:
            return {}


@cache
def named() -> dict[str, Named]:
    """All messages with a name, by module and name."""
    found: dict[str, Named] = {}
    for path in BOT.rglob("*.py"):
        if "N_(" not in (source := path.read_text()):
            continue
        for node in ast.parse(source).body:
            if isinstance(node, ast.AnnAssign) and (texts := texts_in(node.value)):
                file = path.relative_to(BOT).as_posix()
                is_table = isinstance(node.value, ast.Dict)
                name = f"{dotted(path)}.{ast.unparse(node.target)}"
                found[name] = Named(file, texts, is_table)
    return found


def said() -> Iterator[tuple[str, set[str], set[str]]]:
    """Each call that says a named message: where, what it gives, and what the message asks for."""
    for path in sorted([*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/**/*.py")]):
        if "say(" not in (source := path.read_text()):
            continue
        tree = ast.parse(source)
        known = {
            one.asname or one.name: f"{node.module}.{one.name}"
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for one in node.names
        }
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name("say"), args=[message], keywords=facts):
                    message = message.value if isinstance(message, ast.Subscript) else message
                    first, *rest = ast.unparse(message).split(".")
                    name = ".".join([known.get(first, f"{dotted(path)}.{first}"), *rest])
                    if name in named():
                        given = {fact.arg or "**" for fact in facts}
                        yield f"{path.name}:{node.lineno}", given, asked_for(named()[name])
                case _:
                    pass


def asked_for(message: Named) -> set[str]:
    """The placeholders of a message, or of all in a table."""
    parts = (part for text in message.texts.values() for part in Formatter().parse(text))
    return {field for _, field, _, _ in parts if field is not None}


def test_every_message_gets_the_facts_that_it_names() -> None:
    calls = list(said())
    assert len(calls) > 140
    assert [call for call in calls if "**" not in call[1] and call[1] != call[2]] == []
    # A refusal's own facts come in one piece; test_words.py raises each to see that they suffice.
    assert [call for call in calls if "**" in call[1] and not call[1] - {"**"} <= call[2]] == []


def test_translators_are_given_all_messages_with_their_comments() -> None:
    given = {(one.id, one.context): one for one in template() if one.id}
    assert given.keys() == {(one.text, one.context) for one in extracted()}
    assert ("Your preferences", None) in given  # it stands within an f-string
    for one in extracted():
        assert one.comment in " ".join(given[one.text, one.context].auto_comments)


@pytest.mark.parametrize("locale", sorted(path.name for path in CATALOGUES.iterdir()))
async def test_a_sentence_calls_a_button_by_the_name_that_it_has(locale: str) -> None:
    speak(locale.replace("_", "-"))
    sentences = [(one.text, labels_named(one)) for one in extracted() if isinstance(one.text, str)]
    called = [
        (said, name)
        for text, labels in sentences
        for label in labels
        if (said := gettext(text)) != text and (name := gettext(label).strip(ARROWS)) != label
    ]
    assert len(called) > 20
    assert [each for each in called if each[1].casefold() not in each[0].casefold()] == []


def test_every_named_message_has_a_comment_for_translators() -> None:
    told = {(one.file, one.line) for one in extracted() if one.comment}
    single = [
        (name, m.file, line) for name, m in named().items() if not m.is_table for line in m.texts
    ]
    assert len(single) > 100
    assert [name for name, file, line in single if (file, line) not in told] == []


def test_messages_keep_the_limits_stated_in_their_comments() -> None:
    limits = [
        (one.text, int(limit[1]))
        for one in extracted()
        if isinstance(one.text, str) and (limit := LIMIT.search(one.comment))
    ]
    assert len(limits) > 30
    assert [text for text, limit in limits if len(text) > limit] == []


def test_all_texts_for_players_together_are_short() -> None:
    told = [one.text for one in extracted() if is_counted(one)]
    assert sum(words(text if isinstance(text, str) else text[0]) for text in told) <= 6_760
