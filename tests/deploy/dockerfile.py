"""What the Dockerfile says, as far as tests ask."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.checkout import ROOT


@dataclass(frozen=True)
class Step:
    """An instruction, and what follows it in its line or lines."""

    name: str
    text: str

    @property
    def command(self) -> list[str]:
        """The program and its arguments, of one that is written as a list."""
        return json.loads(self.text[self.text.index("[") :])


def stages() -> list[list[Step]]:
    """The steps of each stage, from its FROM on."""
    found: list[list[Step]] = [[]]
    lines = re.sub(r"(?m)^#.*\n", "", (ROOT / "Dockerfile").read_text()).replace("\\\n", " ")
    for line in filter(None, lines.splitlines()):
        name, _, text = line.partition(" ")
        if name == "FROM":
            found.append([])
        found[-1].append(Step(name, " ".join(text.split())))
    return found[1:]


def variables(stage: list[Step]) -> dict[str, str]:
    """What a stage puts into the environment."""
    pairs = (
        pair.partition("=") for step in stage if step.name == "ENV" for pair in step.text.split()
    )
    return {name: value for name, _, value in pairs}


def copy_context(folder: Path) -> None:
    """Copy what the image is made of, as `.dockerignore` has it."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    anywhere = [line.removeprefix("**/") for line in lines if line.startswith("**/")]
    assert "*" in lines
    for line in lines:
        source, target = (place / line.removeprefix("!") for place in (ROOT, folder))
        if line.startswith("!") and source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(*anywhere))
        elif line.startswith("!") and source.exists():  # not each checkout has all files of git's
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
    for line in lines:
        if re.match(r"\w", line):
            shutil.rmtree(folder / line)


def copy(context: Path, step: Step, folder: Path) -> None:
    """Do what a COPY from the context does: of a folder, it copies what is in it."""
    source, target = step.text.split()
    if (context / source).is_dir():
        shutil.copytree(context / source, folder / target, dirs_exist_ok=True)
    else:
        shutil.copy(context / source, folder / target)
