"""Writes a software bill of materials: `python3 tasks.py sbom`.

It lists what `python3 tasks.py build` installs: versions, licences, dependencies.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final

from deploy.commands import ROOT, VENV, call, in_venv, say
from deploy.installing import PROJECT, build

SBOM: Final = ROOT / "sbom.cdx.json"


def main() -> int:
    """Write it; return the exit status."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "focdle-bot"
        command = ("cyclonedx-py", "environment", "--output-reproducible", "--mc-type=application")
        files = ("--pyproject", str(PROJECT), "--output-file", str(SBOM), str(folder))
        status = build(folder) or call(in_venv(VENV, (*command, *files)))
    if not status:
        say(f"{SBOM.name} is written.")
    return status


if __name__ == "__main__":
    sys.exit(main())
