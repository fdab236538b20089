"""The environments of models that transformers 5 can't load, as data: `environments.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from triptych.errors import SpecError
from triptych.models.environments import OWN, folder_of, is_ready, make_environment, python_of

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
    note: str = ""

    @property
    def folder(self) -> Path:
        """Where it is made."""
        return folder_of(self.key, self.requires, self.python or OWN)

    @property
    def file(self) -> Path:
        """The runner's file."""
        return RUNNERS / f"{self.runner}.py"

    def code(self, model: str, folder: str) -> Path:
        """Return the folder of the clone `folder` that has the code. Raises SpecError if it is not there."""
        if not folder or not (Path(folder) / self.clone).is_dir():
            raise SpecError(
                f"the code of {model} is a repository, which pip can't install",
                got=folder or None, where="-M code", expected=f"a clone of {self.repository}",
                fix=f"git clone {self.repository}, read the code, and add -M code=FOLDER",
            )  # fmt: skip
        return (Path(folder) / self.clone).resolve()

    def interpreter(self, *, install: bool, report: Callable[[str], None]) -> Path:
        """Return its Python, making the environment if `install` allows it. Raises SpecError or WeightsError."""
        if not self.requires:
            raise SpecError(
                f"the environment {self.key} can't be made by Triptych: {self.note}", got=self.repository,
                fix="set it up as its authors say, and add -M python=PATH",
            )  # fmt: skip
        if not is_ready(self.folder):
            if not install:
                raise SpecError(
                    f"the environment {self.key} doesn't exist yet", expected=", ".join(self.requires),
                    where=self.folder, fix="-M install=true makes it there, by uv or by venv and pip (several GB); or "
                    "-M python=PATH names a Python that has these packages",
                )  # fmt: skip
            make_environment(self.folder, self.requires, f"the environment {self.key}", report, self.python or OWN)
        return python_of(self.folder)


@cache
def environments() -> dict[str, ModelEnvironment]:
    """Return the environments: key -> environment."""
    told = tomllib.loads(_FILE.read_text(encoding="utf-8"))["environment"]
    return {one.key: one for one in msgspec.convert(told, list[ModelEnvironment])}


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
