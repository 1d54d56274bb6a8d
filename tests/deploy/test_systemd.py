"""The unit for systemd: understood, and tight."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.checkout import ROOT
from tests.support.needed import needed

pytestmark = pytest.mark.long(only=True)

UNIT = ROOT / "deploy" / "focdle-bot.service"
SHARDS = ROOT / "deploy" / "shards.conf"
WEB = ROOT / "deploy" / "web.conf"
LOOSEST = 1.5
"""Of ten, which are for a service that may do everything; whom Discord must reach has some."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with a program that is here."""
    unit = tmp_path / UNIT.name
    text = UNIT.read_text()
    assert "ExecStart=/opt/focdle-bot/bin/python -m bot\n" in text
    unit.write_text(text.replace("/opt/focdle-bot/bin/python", sys.executable))
    return unit


def template(unit: Path, drop_in: Path, name: str, instance: str) -> Path:
    """The unit as a template, with what makes it start something else."""
    there = unit.rename(unit.with_stem(f"{name}@"))
    (folder := there.with_name(f"{there.name}.d")).mkdir()
    text = drop_in.read_text().replace("/opt/focdle-bot/bin/python", sys.executable)
    (folder / drop_in.name).write_text(text)
    return there.with_stem(f"{name}@{instance}")


def analysed(*arguments: str | Path) -> str:
    command = [needed("systemd-analyze"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_systemd_understands_the_unit(unit: Path):
    assert analysed("verify", "--man=no", unit) == ""


@pytest.mark.parametrize(
    ("drop_in", "name", "instance"), [(SHARDS, "focdle-bot", "0-24"), (WEB, "focdle-web", "8071")]
)
def test_systemd_understands_the_unit_for_one_of_several_processes(
    unit: Path, drop_in: Path, name: str, instance: str
):
    part = template(unit, drop_in, name, instance)
    assert analysed("verify", "--man=no", part) == ""


def test_the_systemd_service_has_few_privileges(unit: Path):
    said = analysed("security", "--offline=true", "--no-pager", unit)
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert float(exposure) <= LOOSEST


def test_the_systemd_unit_passes_the_token_and_prevents_restarts_after_exit_status_2():
    lines = UNIT.read_text().splitlines()
    assert "RestartPreventExitStatus=2" in lines
    assert "LoadCredential=discord_token:/etc/focdle-bot/discord_token" in lines
    assert "Environment=DISCORD_TOKEN_FILE=%d/discord_token" in lines


def test_an_update_of_several_processes_in_turn_updates_the_hosts_commands_as_well(tmp_path: Path):
    paper = (ROOT / "docs" / "hosting" / "processes.md").read_text()
    (command,) = re.findall(r"(?m)^    (sed -i .*) && systemctl daemon-reload$", paper)
    files = (SHARDS, WEB, ROOT / "deploy" / "focdle-bot")
    for file in files:
        shutil.copy(file, tmp_path)
    here = re.sub(r" /\S*/", f" {tmp_path}/", command)
    for version in ("1.1.0", "1.2.0"):
        subprocess.run(["sh", "-c", here.replace("1.1.0", version)], check=True)
        for file in files:
            named = re.findall("/opt/[^/]*/", (tmp_path / file.name).read_text())
            assert named == [f"/opt/focdle-bot-{version}/"]
