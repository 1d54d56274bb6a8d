"""A fresh checkout, with an empty environment, up to the bot itself."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.installing import lock_of
from tests.deploy.checkout import ROOT
from tests.support.needed import needed

IGNORED = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "tests")


@pytest.mark.long(only=True)
def test_a_package_with_another_hash_than_the_locked_one_is_not_installed(tmp_path: Path):
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT, folder, ignore=IGNORED)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    python, make = Path(sys.base_prefix) / "bin" / "python3", needed("make")

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [make, "run", f"PYTHON={python}"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    lock = folder / "locks" / "run.txt"
    text = lock.read_text()
    # As if somebody had put another file into the place of this one.
    lock.write_text(re.sub(r"(?s)(?<=aiosignal==)(.*?)(?=\n\w)", forged, text))
    refused = run()
    assert refused.returncode == 2
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr
    assert not [*folder.glob(".venv/lib/python*/site-packages/aiosignal")]
    lock.write_text(text)
    for said in ("Installing...\n", ""):  # and the second time nothing
        done = run()
        assert done.returncode == 2
        assert done.stdout == said
        assert "DISCORD_TOKEN is not set" in done.stderr
    names = {
        path.name.partition("-")[0]
        for path in folder.glob(".venv/lib/python*/site-packages/*.dist-info")
    }
    locked = {*re.findall(r"(?m)^([\w-]+)==", text + lock_of("backend").read_text())}
    installed = {name.lower().replace("_", "-").replace(".", "-") for name in names}
    assert installed - locked == {"focdle-bot", "pip"}
    # The rest is for other systems and Pythons.
    assert locked - installed <= {"audioop-lts", "tomli"}


def forged(found: re.Match[str]) -> str:
    """An entry with other hashes."""
    return re.sub(r"sha256:\w{64}", f"sha256:{0:064x}", found[0])
