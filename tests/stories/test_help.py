"""`/help`: one page after another in one message, with commands to click."""

import re
from typing import Any

from discord import ui
from simcord import ResponseMessage

from bot.duels.words import HELP_TOPIC as DUELS
from bot.duels.words import RULES_TOPIC as DUEL_RULES
from bot.focdle.words import HELP_TOPIC as FOCDLE
from bot.focdle.words import RULES_TOPIC as FOCDLE_RULES
from bot.focdle.words import STREAKS_TOPIC as STREAKS
from bot.home.words import COMMANDS, FAIRNESS, TOPICS, exact_rules
from bot.mastermind.words import HELP_TOPIC as MASTERMIND
from bot.mastermind.words import RULES_TOPIC as MASTERMIND_RULES
from bot.text.markup import clickable
from tests.support.loose import post
from tests.support.overwrites import overwrite
from tests.support.screen import custom_ids, parts, seen, text
from tests.support.table import Table

MENTION = re.compile(r"</([^:>]+):(\d+)>")
LONGEST_ID = 20


def topics(page: ResponseMessage) -> dict[str, Any]:
    """The list of topics."""
    (found,) = [part for part in parts(page) if part["type"] == 3]
    return found


async def test_the_list_of_help_topics_leads_from_topic_to_topic_in_one_message(
    table: Table,
) -> None:
    page = seen(await table.ann.slash(table.channel, "help"))
    assert page.ephemeral
    assert [option["label"] for option in topics(page)["options"]] == [
        topic.title for topic in TOPICS
    ]
    for topic in (DUELS, FAIRNESS, COMMANDS):
        listed = topics(page)["custom_id"]
        after = seen(await table.ann.select(page, [topic.name], custom_id=listed))
        assert after.id == page.id
        shown = [option for option in topics(after)["options"] if option.get("default")]
        assert [option["value"] for option in shown] == [topic.name]
        page = after
    assert "### A new FoCdle every day" in text(page)


async def test_the_how_to_play_button_opens_a_new_page_with_the_list_of_topics(
    table: Table,
) -> None:
    board = await table.focdle(table.ann)
    page = seen(await table.ann.click(board, label="How to play"))
    assert page.id != board.id
    listed = topics(page)["custom_id"]
    await table.ann.select(page, [STREAKS.name], custom_id=listed)
    assert "### Points and streaks" in text(page)


async def test_a_removed_help_topic_leads_to_the_first_one(table: Table) -> None:
    page = seen(await table.ann.slash(table.channel, "help", topic="fairness"))
    (topic,) = [each for each in custom_ids(page) if each.startswith("topics:")]
    old = ui.Select[Any](custom_id=topic)
    old.add_option(label="Old", value="gone")
    answer = seen(await table.ann.select(await post(table.world, old), ["gone"], custom_id=topic))
    assert "### A new FoCdle every day" in text(answer)


async def test_the_rules_are_sent_as_a_file_where_files_are_allowed(table: Table) -> None:
    page = seen(await table.ann.slash(table.channel, "help"))
    paper = seen(await table.ann.click(page, label="All the rules"))
    assert paper.ephemeral
    (file,) = paper.attachments
    assert file.filename == "focdle-rules.txt"
    assert table.env.backend.cdn.get(file.url) == exact_rules().encode()
    overwrite(table, table.channel, attach_files=False)
    refused = seen(await table.ann.click(page, label="All the rules"))
    assert text(refused) == "I can't send files here. Send me `/help` in a direct message."
    page = seen(await table.ann.user.slash("help"))
    (file,) = seen(await table.ann.user.click(page, label="All the rules")).attachments
    assert file.filename == "focdle-rules.txt"


async def test_commands_in_the_help_can_be_clicked_even_after_a_restart(table: Table) -> None:
    there = {name: int(c["id"]) for (name, _), c in table.env.backend.commands[None].items()}
    first = text(seen(await table.ann.slash(table.channel, "help", topic="commands")))
    found = dict(MENTION.findall(first))
    assert {"focdle", "practice", "mastermind play", "duel", "stats", "play"} <= {*found}
    assert {name: int(number) for name, number in found.items()} == {
        name: there[name.split()[0]] for name in found
    }
    await table.restart()
    assert text(seen(await table.ann.slash(table.channel, "help", topic="commands"))) == first


async def test_commands_are_in_code_style_until_discord_has_sent_their_ids(table: Table) -> None:
    bot = table.bot
    bot.command_ids = {}
    page = text(seen(await table.ann.slash(table.channel, "help")))
    assert not MENTION.search(page)
    assert "`/mastermind play`" in page


async def test_every_page_of_help_fits_a_message_whatever_the_ids_of_commands(table: Table) -> None:
    for topic in TOPICS:
        table.clock.advance(seconds=5)  # nobody asks so much at once
        page = text(seen(await table.ann.slash(table.channel, "help", topic=topic.name)))
        longer = MENTION.sub(lambda m: m[0].replace(m[2], m[2].zfill(LONGEST_ID)), page)
        assert 0 < len(longer) <= 4000, topic


GAMES = {
    FOCDLE: FOCDLE_RULES,
    MASTERMIND: MASTERMIND_RULES,
    DUELS: DUEL_RULES,
}
ONE_SCREEN, PHONE = 26, 28
"""Lines of a phone, and their characters: what is read before anything is scrolled."""


async def test_the_help_for_newcomers_fits_one_screen_of_a_phone(table: Table) -> None:
    for topic in (COMMANDS, *GAMES):
        page = text(seen(await table.ann.slash(table.channel, "help", topic=topic.name)))
        lines = [re.sub("<:[^>]+>", "TT", line) for line in MENTION.sub(r"/\1", page).splitlines()]
        assert sum(-(-len(line) // PHONE) for line in lines) <= ONE_SCREEN, topic


def test_the_rules_of_a_game_follow_its_help_page_in_the_list_of_topics() -> None:
    order = list(TOPICS)
    assert all(order.index(rules) == order.index(topic) + 1 for topic, rules in GAMES.items())


def test_only_known_commands_without_arguments_can_be_clicked() -> None:
    words = "`/duel`, `/duel opponent:@member`, `/mastermind`, `/mastermind play` and `duel`"
    known = {"duel": 1, "mastermind play": 2}
    assert clickable(words, known) == (
        "</duel:1>, `/duel opponent:@member`, `/mastermind`, </mastermind play:2> and `duel`"
    )
