"""Writes a software bill of materials: `python3 tasks.py sbom`.

It lists what `python3 tasks.py build` installs, and the page's libraries: versions, licences,
dependencies.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from deploy.commands import ROOT, VENV, call, in_venv, say
from deploy.installing import PROJECT, build
from engine import __version__

SBOM: Final = ROOT / "sbom.cdx.json"
# `web/static/preact.js` is htm's, and has Preact in it, of which htm names no version.
_OF_THE_PAGE: Final = (("htm", "3.1.1", "Apache-2.0"), ("preact", "", "MIT"))


def main() -> int:
    """Write it; return the exit status."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "focdle-bot"
        command = ("cyclonedx-py", "environment", "--output-reproducible", "--mc-type=application")
        files = ("--pyproject", str(PROJECT), "--output-file", str(SBOM), str(folder))
        status = build(folder) or call(in_venv(VENV, (*command, *files)))
    if not status:
        bill = json.loads(SBOM.read_text(encoding="utf-8"))
        SBOM.write_text(json.dumps(complete(bill), indent=2) + "\n", encoding="utf-8")
        say(f"{SBOM.name} is written.")
    return status


def complete(bill: dict[str, Any]) -> dict[str, Any]:
    """Add the bot's version and the page's libraries, with the hash of the file they are in."""
    digest = (ROOT / "locks" / "page.sha256").read_text(encoding="utf-8").split()[0]
    bill["metadata"]["component"]["version"] = __version__
    for name, version, licence in _OF_THE_PAGE:
        at = f"@{version}" if version else ""
        bill["components"].append(
            {
                "type": "library",
                "bom-ref": f"pkg:npm/{name}{at}",
                "purl": f"pkg:npm/{name}{at}",
                "name": name,
                **({"version": version} if version else {}),
                "licenses": [{"license": {"id": licence}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
        )
    return bill


if __name__ == "__main__":
    sys.exit(main())
