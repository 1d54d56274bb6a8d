"""What old messages, hosts and databases count on stays as it is, or changes on purpose."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

import pytest

from tests.golden.conftest import Hold
from tests.support import frozen
from tests.support.dashboard import queries
from tests.support.postgres import PostgresServer
from tests.support.programs import CASES, status_of
from tests.support.schemas import of_postgres, of_sqlite
from tests.support.table import Table


def test_ids_of_buttons_lists_and_forms_match_the_golden_file(hold: Hold) -> None:
    hold("routes.txt", frozen.routes())


def without_translations(given: dict[str, object]) -> dict[str, object]:
    return {name: of for name, of in given.items() if not name.endswith("_localizations")}


async def test_commands_sent_to_discord_match_the_golden_file(hold: Hold, table: Table) -> None:
    requests = [r for r in table.env.http_requests if r.method == "PUT"]
    (told,) = [request.json for request in requests if request.path.endswith("/commands")]
    untranslated = json.loads(json.dumps(told), object_hook=without_translations)
    commands = sorted(cast("list[dict[str, Any]]", untranslated), key=itemgetter("name"))
    hold("commands.json", json.dumps(commands, indent=1, ensure_ascii=False, sort_keys=True))


def test_settings_match_the_golden_file(hold: Hold) -> None:
    hold("settings.txt", frozen.settings())


def test_figures_and_queries_of_the_dashboard_match_the_golden_file(hold: Hold) -> None:
    asked = [f"{title}: {query}" for title, query in queries()]
    hold("metrics.txt", "\n".join([frozen.metrics(), "", "of the dashboard:", *asked]))


def test_words_stored_in_the_database_match_the_golden_file(hold: Hold) -> None:
    hold("stored.txt", frozen.stored())


def test_sqlite_tables_match_the_golden_file(hold: Hold, empty_database: Path) -> None:
    with closing(sqlite3.connect(empty_database)) as connection:
        hold("schema_sqlite.txt", of_sqlite(connection))


@pytest.mark.usefixtures("postgres_url")
def test_postgresql_tables_match_the_golden_file(
    hold: Hold, postgres_server: PostgresServer
) -> None:
    hold("schema_postgres.txt", of_postgres(lambda statement: postgres_server.query(statement)[1]))


@pytest.mark.relabelled
def test_names_of_the_engine_match_the_golden_file(hold: Hold) -> None:
    hold("engine.txt", frozen.engine_names())


# Two dozen programs are started, which takes a core for a quarter of a minute.
@pytest.mark.long(only=True)
def test_exit_statuses_match_the_golden_file(
    hold: Hold, tmp_path: Path, empty_database: Path
) -> None:
    def line(number: int) -> str:
        folder = tmp_path / str(number)
        folder.mkdir()
        case = CASES[number]
        return f"{status_of(case, folder, empty_database)} {case.program}: {case.what}"

    with ThreadPoolExecutor(max_workers=2) as pool:
        hold("exits.txt", "\n".join(pool.map(line, range(len(CASES)))))
