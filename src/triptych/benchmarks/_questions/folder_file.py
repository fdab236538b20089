"""`benchmark.toml`: what a folder of questions says about itself, and the mapping of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks._questions.mapping import SEPARATOR, Columns
from triptych.errors import SpecError
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

FILE = "benchmark.toml"


class FolderFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file's content. `questions`: the question file, a name inside the folder."""

    name: str = ""
    questions: str = ""
    title: str = ""
    version: str = ""
    licence: str = ""
    citation: str = ""
    authors: str = ""
    year: int = 0
    url: str = ""
    map: dict[str, Any] = {}

    def stated_mapping(self) -> dict[str, str]:
        """Return the mapping as `--map` takes it."""
        return {
            role: SEPARATOR.join(map(str, value)) if isinstance(value, list) else str(value)
            for role, value in self.map.items()
        }


def read_folder(path: Path) -> FolderFile:
    """Return the content of a `benchmark.toml`. Raises SpecError if it is damaged or names a file elsewhere."""
    try:
        folder_file = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), FolderFile)
    except FileNotFoundError:
        fix = "name a question file, or write the folder with `triptych new NAME --from QUESTIONS`"
        raise SpecError("the folder contains no benchmark", where=path.parent, expected=FILE, fix=fix) from None
    except (OSError, msgspec.ValidationError, *NO_TOML) as error:
        raise SpecError("benchmark.toml can't be read", where=path, got=reason(error)) from None
    real = (path.parent / folder_file.questions).resolve()
    if not folder_file.questions or not real.is_relative_to(path.parent.resolve()) or real.suffix == ".toml":
        raise SpecError(
            "`questions` does not name a file inside the folder", where=path, got=folder_file.questions or "nothing"
        )
    return folder_file


def benchmark_toml(about: FolderFile, columns: Columns) -> str:
    """Return the text of a `benchmark.toml`, with the mapping and empty slots for what only a person knows."""
    lines = [f"{key} = {_toml(getattr(about, key))}" for key in ("name", "questions", "title", "version")]
    lines += [f"{key} = {_toml(getattr(about, key))}" for key in ("licence", "citation", "authors", "year", "url")]
    roles = {"id": columns.id, **msgspec.to_builtins(columns)}
    return "\n".join([*lines, "", "[map]", *(f"{role} = {_toml(value)}" for role, value in roles.items()), ""])


def _toml(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value) if isinstance(value, int) else msgspec.json.encode(str(value)).decode()
