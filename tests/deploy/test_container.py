"""compose.yaml and the image hold to what hosts rely on."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from dotenv import dotenv_values

from bot.config import IN_FILES
from bot.outages import ShardRange
from tests.deploy.checkout import ROOT
from tests.deploy.dockerfile import stages
from tests.support.needed import needed

pytestmark = pytest.mark.long(only=True)

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
# Of Compose's own: what a variable is when it is set, or when it is not.
DEFAULT = re.compile(r"\$\{(\w+)(?::([-+])(.*?))?\}")


def test_several_processes_in_compose_cover_each_shard_once():
    services = yaml.safe_load((ROOT / "deploy" / "shards.yaml").read_text())["services"]
    typed = [each["command"] for each in services.values()]
    assert all(each[:3] == ["focdle-bot", "run", "--shards"] for each in typed)
    parts = [ShardRange(*map(int, re.split("[-/]", each[-1]))) for each in typed]
    assert [number for part in parts for number in part.numbers] == [*range(parts[0].count)]
    assert [each.get("extends", {}).get("service", "bot") for each in services.values()] == [
        "bot" for _ in services
    ]


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_of_compose_has_few_privileges(name: str):
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"cap_add", "privileged", "ports", "network_mode"} & service.keys()
    assert any(each.partition(":")[0] == "/tmp" for each in service["tmpfs"])
    assert not any(volume.startswith(("/", ".", "~")) for volume in service["volumes"])


def as_composed(text: str, **variables: str) -> str:
    """A value as Compose has it."""

    def chosen(found: re.Match[str]) -> str:
        value = variables.get(found[1], "")
        return (found[3] if value else "") if found[2] == "+" else value or found[3] or ""

    return DEFAULT.sub(chosen, text)


def test_compose_defaults_to_sqlite_in_the_volume_and_the_token_in_a_file():
    bot = SERVICES["bot"]
    given = {name: as_composed(value) for name, value in bot["environment"].items()}
    assert {name: value for name, value in given.items() if value} == {
        "DISCORD_TOKEN_FILE": "/run/secrets/discord_token",
        "HEALTH_ADDRESS": "127.0.0.1:8080",
    }
    files = {name: as_composed(each["file"]) for name, each in COMPOSE["secrets"].items()}
    assert files["discord_token"] == "./secrets/discord_token"
    # Whatever the umask of a checkout is, the container need not read any other file of it.
    assert {*files.values()} == {
        "./secrets/discord_token",
        "./secrets/postgres_password",
        "/dev/null",
    }
    (where,) = [step.text for step in stages()[-1] if step.name == "WORKDIR"]
    assert where == "/data"  # where SQLite's file is by default
    assert "data:/data" in bot["volumes"]
    assert "profiles" not in bot


def test_compose_passes_each_setting_to_the_bot_and_secrets_only_by_files():
    given = SERVICES["bot"]["environment"]
    settings = dotenv_values(ROOT / ".env.example").keys()
    assert given.keys() == {f"{name}_FILE" if name in IN_FILES else name for name in settings}
    for name in settings - {*IN_FILES}:
        assert as_composed(given[name], **{name: "as set"}) == "as set"
    for name in {*IN_FILES} - {"DISCORD_TOKEN"}:
        file = as_composed(given[f"{name}_FILE"], **{f"{name}_SECRET": "secrets/it"})
        assert file == f"/run/secrets/{name.lower()}"


def test_compose_serves_the_page_by_itself_only_on_request_and_as_the_bot_is_set():
    web, bot = SERVICES["web"], SERVICES["bot"]
    own = {"profiles": ["web"], "command": ["focdle-bot", "web"]}
    assert web == {**bot, **own}
    check = web["healthcheck"]
    assert check["test"] == ["CMD", "focdle-bot", "health"]
    assert check["start_interval"] == "2s"  # so that `--wait` does not wait for the first 30 s


def test_the_image_has_the_command_that_the_papers_type(tmp_path: Path):
    (line,) = re.findall(r"printf .* > \S+/bin/focdle-bot", (ROOT / "Dockerfile").read_text())
    script = tmp_path / "focdle-bot"
    made = re.sub(r" > \S+", f" > {script}", line)
    subprocess.run(["sh", "-c", made], check=True)
    text = script.read_text().replace("/opt/focdle-bot/bin/python", sys.executable)
    script.write_text(text)
    typed = ["sh", str(script), "health", "a b"]
    said = subprocess.run(typed, capture_output=True, text=True, check=False, cwd=ROOT).stderr
    assert "unrecognized arguments: a b" in said
    paper = (ROOT / "docs" / "hosting" / "container.md").read_text()
    assert "focdle-bot doctor" in paper
    assert "python -m bot" not in paper


def test_git_ignores_each_file_that_the_papers_let_hosts_make():
    papers = [ROOT / "docs" / "HOSTING.md", *(ROOT / "docs" / "hosting").glob("*.md")]
    made = {"PRIVACY.md", "TERMS.md", ".env", "focdle.db", "focdle.db-wal"}
    for paper in papers:
        made |= {*re.findall(r"> ([\w./]*[./][\w./]*\w)(?=\s|`)", paper.read_text())}
    assert {
        "compose.override.yaml",
        "focdle.dump",
        "backups.tar.gz",
        "secrets/database_url",
    } <= made
    command = [needed("git"), "check-ignore", *sorted(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert {*done.stdout.split()} == made


def test_compose_starts_postgresql_only_on_request_and_waits_for_it():
    postgres, bot = SERVICES["postgres"], SERVICES["bot"]
    assert postgres["profiles"] == ["postgres"]
    assert re.fullmatch(r"postgres:\d+-\w+", postgres["image"])
    assert postgres["user"] == "postgres"
    assert postgres["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]
    assert bot["depends_on"] == {"postgres": {"condition": "service_healthy", "required": False}}
    assert postgres["environment"]["POSTGRES_PASSWORD_FILE"] == "/run/secrets/postgres_password"
    (network,) = postgres["networks"]
    assert network in bot["networks"]
    assert COMPOSE["networks"][network] == {"internal": True}


def test_every_secret_network_and_volume_that_a_service_of_compose_uses_is_declared():
    for service in SERVICES.values():
        assert {*service["secrets"]} <= COMPOSE["secrets"].keys()
        assert {*service["networks"]} <= COMPOSE["networks"].keys()
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= COMPOSE[
            "volumes"
        ].keys()
