"""Programs as a container has them: nobody's, without rights, with two folders to fill."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.needed import needed

USER: Final = 10001
# Mounts, in a world of mounts of its own, and then becomes the program.
_MOUNTING: Final = """
set -eu
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /srv
mkdir /srv/app /srv/code /srv/data /srv/secrets /srv/python
for each in app code data secrets python; do
    eval mount --bind "\\"\\$$each\\"" "/srv/$each"
done
if [ -n "$hidden" ]; then  # where the program's Python lies is only the owner's
    mount -t tmpfs -o mode=755 tmpfs "$hidden"
    mkdir -p "$python"
    mount --bind /srv/python "$python"
    mount -o remount,bind,ro "$hidden"
fi
mount -t tmpfs -o mode=1777 tmpfs /tmp
for each in / /srv /srv/app /srv/code /srv/secrets /srv/python; do
    mount -o remount,bind,ro "$each"
done
cd /srv/data
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all \\
    --inh-caps=-all -- env -i "$@"
"""


class Contained:
    """A world in which only `/srv/data` and `/tmp` may be written.

    Args:
        folder: has what is written, `data`, and what is handed in, `secrets`.
        app: a virtual environment; it is in `/srv/app`.
        code: what else is to be found; it is in `/srv/code`.
        variables: what programs are started with.
    """

    def __init__(self, folder: Path, app: Path, code: Path, variables: Mapping[str, str]) -> None:
        self.data = folder / "data"
        self.secrets = folder / "secrets"
        self.variables = dict(variables)
        for made in (self.data, self.secrets):
            made.mkdir()
        os.chown(self.data, USER, USER)
        python = Path(sys.base_prefix)
        closed = (
            path for path in [*reversed(python.parents), python] if not path.stat().st_mode & 1
        )
        self._places = {
            "app": str(app),
            "code": str(code),
            "data": str(self.data),
            "secrets": str(self.secrets),
            "python": str(python),
            "hidden": str(next(closed, "")),
            "user": str(USER),
            "PATH": os.environ["PATH"],
        }

    def command(self, *arguments: str) -> list[str]:
        """What runs Python in there."""
        mounting = [needed("unshare"), "--mount", "sh", "-c", _MOUNTING, "sh"]
        given = [f"{name}={value}" for name, value in self.variables.items()]
        return [*mounting, *given, "/srv/app/bin/python", *arguments]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """What comes of a program."""
        return subprocess.run(
            self.command(*arguments),
            env=self._places,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )

    @contextmanager
    def running(self, *arguments: str) -> Generator[tuple["subprocess.Popen[str]", Path]]:
        """A program that goes on, and its log."""
        log = self.data.parent / "log"
        with log.open("w") as stderr:
            process = subprocess.Popen(
                self.command(*arguments), env=self._places, stderr=stderr, text=True
            )
        try:
            yield process, log
        finally:
            process.kill()
            process.wait()


async def status_of(process: "subprocess.Popen[str]") -> int:
    """The exit status of a program that is about to end."""
    return await asyncio.wait_for(asyncio.to_thread(process.wait), 60)


def built(source: Path, folder: Path, command: Sequence[str]) -> None:
    """Carry out a step of the image's: in its folder, as nobody's and without an environment.

    Args:
        source: where it is carried out.
        folder: takes the place of the one that it names last.
        command: the step's.
    """
    assert command[0] == "python3"
    python = str(Path(sys.base_prefix) / "bin" / "python3")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"}
    subprocess.run([python, *command[1:-1], str(folder)], cwd=source, env=environment, check=True)
