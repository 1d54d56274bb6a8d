"""Compiles the catalogues into the wheel; all else about it is in `pyproject.toml`."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCatalogues(build_py):
    def run(self) -> None:
        super().run()
        for source in () if self.editable_mode else Path("bot").glob("text/locales/*/*/*.po"):
            target = Path(self.build_lib, source).with_suffix(".mo")
            target.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as written, target.open("wb") as compiled:
                write_mo(compiled, read_po(written))


setup(cmdclass={"build_py": BuildWithCatalogues})
