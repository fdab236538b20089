"""The environments of models that transformers 5 can't load, as data: `environments.toml`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import SpecError
from triptych.models.environments import PYTHON_VERSION, folder_of, is_ready, make_environment, python_of

_FILE = Path(__file__).with_name("environments.toml")
RUNNERS = Path(__file__).with_name("runners")


class ModelEnvironment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The software of one or more models.

    key          its name, and the beginning of its folder's
    models       keys of the catalogue
    requires     what pip installs
    python       version of Python; empty: the one that runs Triptych
    runner       file of `runners/`, without its ending; empty if there is none
    remote_code  whether its runner loads code from the Hub
    repository   where the code is, if it is not a package
    clone        folder of the repository with the code that the runner imports from a clone (`-M code=FOLDER`), `.`
                 for the repository itself; empty if no clone is needed
    checkout     branch or commit of the clone; empty if the newest one has the code
    entry        file of the code by which the right checkout is recognised
    files        further files that the clone must contain, below `clone` -> where they are published
    parts        options that the runner needs (`-M options=…`) -> what each of them is
    weights      pattern of a file by which the model's weights are recognised
    note         why there is no runner, or why pip can't install what the runner needs
    """

    key: str
    models: tuple[str, ...]
    requires: tuple[str, ...] = ()
    python: str = ""
    runner: str = ""
    remote_code: bool = False
    repository: str = ""
    clone: str = ""
    checkout: str = ""
    entry: str = ""
    files: dict[str, str] = {}
    parts: dict[str, str] = {}
    weights: str = "config.json"
    note: str = ""

    @property
    def folder(self) -> Path:
        """Where it is made."""
        return folder_of(self.key, self.requires, self.python or PYTHON_VERSION)

    @property
    def file(self) -> Path:
        """The runner's file."""
        return RUNNERS / f"{self.runner}.py"

    def code(self, model: str, folder: str) -> Path:
        """Return the folder of the clone `folder` that has the code.

        Raises:
            SpecError: If it is not there, if another version is checked out, or if one of `files` is missing.
        """
        code = Path(folder) / self.clone
        if not folder or not code.is_dir() or not (code / self.entry).exists():
            other = folder and Path(folder).is_dir() and self.entry
            raise SpecError(
                f"the clone has no {self.entry}, which {model} needs"
                if other
                else f"the code of {model} is a repository, which pip can't install",
                got=folder or None,
                where="-M code",
                expected=f"a clone of {self.repository}{self._checkout_note()}",
                fix=f"{self._command()}, read the code, and add -M code=FOLDER --trust-remote-code",
            )
        for name, source in self.files.items():
            if not (code / name).is_file():
                raise SpecError(
                    f"the clone of {model} lacks a file of weights that its code reads",
                    got=name,
                    where=code,
                    fix=f"get it from {source} and put it there",
                )
        return code.resolve()

    def check_parts(self, model: str, options: Mapping[str, Any]) -> None:
        """Raise SpecError unless the options name everything that the runner needs besides the weights."""
        missing = {name: what for name, what in self.parts.items() if not options.get(name)}
        if missing:
            example = json.dumps(dict.fromkeys(self.parts, "PATH"))
            raise SpecError(
                f"{model} is put together from several parts, and some are not given",
                where="-M options",
                expected="; ".join(f"{name}: {what}" for name, what in missing.items()),
                fix=f"download them, and add -M options='{example}'",
            )

    def _checkout_note(self) -> str:
        return f" at {self.checkout}" if self.checkout else ""

    def _command(self) -> str:
        if not self.checkout:
            return f"git clone {self.repository}"
        if re.fullmatch(r"[0-9a-f]{7,40}", self.checkout):
            return f"git clone {self.repository} FOLDER && git -C FOLDER checkout {self.checkout}"
        return f"git clone -b {self.checkout} {self.repository}"

    def interpreter(self, *, install: bool, report: Callable[[str], None]) -> Path:
        """Return its Python, making the environment if `install` allows it. Raises SpecError or WeightsError."""
        if not self.requires:
            raise SpecError(
                f"the environment {self.key} can't be made by Triptych: {self.note}",
                got=self.repository,
                fix="set it up as its authors say, and add -M python=PATH",
            )
        if not is_ready(self.folder):
            if not install:
                raise SpecError(
                    f"the environment {self.key} doesn't exist yet",
                    expected=", ".join(self.requires),
                    where=self.folder,
                    fix="-M install=true makes it there, by uv or by venv and pip (several GB); or "
                    "-M python=PATH names a Python that has these packages",
                )
            make_environment(
                self.folder, self.requires, f"the environment {self.key}", report, self.python or PYTHON_VERSION
            )
        return python_of(self.folder)


@cache
def environments() -> dict[str, ModelEnvironment]:
    """Return the environments: key -> environment."""
    environments_ = tomllib.loads(_FILE.read_text(encoding="utf-8"))["environment"]
    return {one.key: one for one in msgspec.convert(environments_, list[ModelEnvironment])}


def environment_of(model: str) -> ModelEnvironment | None:
    """Return the environment of a model of the catalogue; None if there is none.

    Example:
        >>> environment_of("qwen-audio-chat").runner
        'qwen_chat'
    """
    return next((one for one in environments().values() if model in one.models), None)


def commit_of(folder: Path) -> str:
    """Return the first 12 digits of the commit that a clone, or the clone that a folder is in, is at.

    If that can't be read, the folder's name is returned.
    """
    if not (folder / ".git").exists() and (folder.parent / ".git").exists():
        folder = folder.parent
    try:
        head = (folder / ".git" / "HEAD").read_text(encoding="utf-8").strip()
        if head.startswith("ref: "):
            head = (folder / ".git" / head.removeprefix("ref: ")).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return folder.name
    return head[:12]
