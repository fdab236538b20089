"""Folders in the layouts of Hugging Face's `datasets`: which files hold the questions, and of which split.

Known: tables by split (`data/test-00000-of-00002.parquet`, `test.jsonl`, `CONFIG/test.csv`), `save_to_disk` (Arrow),
audiofolder and imagefolder with `metadata.csv|jsonl|parquet`, and folders named for the labels of the files in them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from triptych.benchmarks._questions.media_cells import kind_of
from triptych.benchmarks._questions.rows import FORMATS, Row
from triptych.errors import DataError, SpecError, nearest

MAX_FILES = 500_000
_SPLITS = {
    "train": "train",
    "training": "train",
    "validation": "validation",
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
    "test": "test",
    "testing": "test",
    "eval": "test",
    "evaluation": "test",
}
_NO_QUESTIONS = {
    "dataset_info.json",
    "state.json",
    "dataset_dict.json",
    "fetched.json",
    "dataset_infos.json",
    "package.json",
    "config.json",
    "manifest.json",
    "croissant.json",
}
_SHARD = re.compile(r"-\d{3,5}-of-\d{3,5}$")
METADATA = re.compile(r"metadata\.(csv|jsonl|parquet)")


class Source(NamedTuple):
    """The question files of a folder; or, for a folder of labels, their rows. `chosen`: what was taken, in words."""

    files: tuple[Path, ...]
    rows: tuple[Row, ...] = ()
    chosen: Mapping[str, str] = {}


class _Table(NamedTuple):
    """Files that belong together: a table, or its shards."""

    name: str
    config: str
    split: str
    files: tuple[Path, ...]


def source_of(folder: Path, stated: Mapping[str, str]) -> Source:
    """Return the question files of a folder.

    `stated`: `file`, `config` and `split`, if the user names them. Of several splits, `test` is taken unless another is
    named. Raises SpecError, with the readings, if files or configurations are ambiguous; DataError if there are none.
    """
    files = list(_files(folder))
    tables = _tables(folder, [path for path in files if path.suffix.lower() in FORMATS])
    if not tables:
        return _labelled(folder, [path for path in files if kind_of(path.name)], stated)
    chosen: dict[str, str] = {}
    for role in ("file", "config", "split"):
        tables = _choose_tables(folder, role, tables, stated.get(role, ""), chosen)
    return Source(tuple(path for table in tables for path in table.files), (), chosen)


def _choose_tables(folder: Path, role: str, tables: list[_Table], wanted: str, chosen: dict[str, str]) -> list[_Table]:
    """Return the tables of one file, configuration or split, and note which. Raises SpecError if it is ambiguous."""
    by_value: dict[str, list[_Table]] = {}
    for table in tables:
        value = {"file": _stem(table), "config": table.config, "split": table.split}[role]
        by_value.setdefault(value, []).append(table)
    if wanted:
        key = wanted if wanted in by_value else _SPLITS.get(wanted, wanted)
        if role == "split" and key not in by_value:  # test_mini is of the split whose files are called test_mini
            named = {table.split for paths in by_value.values() for table in paths if wanted in Path(table.name).stem}
            key = named.pop() if len(named) == 1 else key
        if key not in by_value:
            fix = nearest(wanted, [value for value in by_value if value])
            raise SpecError(f"the folder has no {role} {wanted!r}", where=folder, fix=fix)
        chosen[role] = key
        return by_value[key]
    if len(by_value) == 1:
        return tables
    if role == "split" and "test" in by_value:
        others = ", ".join(sorted(value or "the rest" for value in by_value if value != "test"))
        chosen["split"] = f"test (also there: {others}; --map split=NAME)"
        return by_value["test"]
    ways = " or ".join(f"--map {role}={value}" for value in list(by_value)[:3] if value)
    got = "; ".join(f"{value or 'none'}: {rows[0].name}" for value, rows in list(by_value.items())[:6])
    raise SpecError(f"the folder has several {role}s of questions", where=folder, got=got, fix=ways or "name the file")


def _stem(table: _Table) -> str:
    """Return the name of a table without folder and split: what distinguishes tables that are not splits of one."""
    words = [word for word in re.split(r"[-_.]", Path(table.name).stem) if word.lower() not in _SPLITS]
    ending = Path(table.name).suffix
    return "" if not words or words in (["data"], ["metadata"]) else Path(table.name).stem + ending


def _tables(folder: Path, paths: Sequence[Path]) -> list[_Table]:
    """Return the tables among the files of a folder; where there are files called metadata, only these."""
    paths = [path for path in paths if path.name.lower() not in _NO_QUESTIONS]
    if metadata := [path for path in paths if METADATA.fullmatch(path.name.lower())]:
        paths = metadata
    groups: dict[str, list[Path]] = {}
    for path in paths:
        within = path.relative_to(folder)
        name = (within.parent / (_SHARD.sub("", path.stem) + path.suffix)).as_posix()
        groups.setdefault(name, []).append(path)
    return [_Table(name, *_config_and_split(name), tuple(sorted(files))) for name, files in groups.items()]


def _config_and_split(name: str) -> tuple[str, str]:
    """Return configuration and split of a table, by its folders and the words of its name.

    Example:
        >>> _config_and_split("data/test.parquet"), _config_and_split("en/dev/x.csv"), _config_and_split("qa.json")
        (('', 'test'), ('en', 'validation'), ('', ''))
    """
    *folders, file = name.split("/")
    splits = [_SPLITS[one.lower()] for one in folders if one.lower() in _SPLITS]
    words = [_SPLITS[word.lower()] for word in re.split(r"[-_.]", Path(file).stem) if word.lower() in _SPLITS]
    configs = [one for one in folders if one.lower() not in {*_SPLITS, "data"}]
    return "/".join(configs), next(iter([*splits, *words]), "")


def _labelled(folder: Path, media: Sequence[Path], stated: Mapping[str, str]) -> Source:
    """Return the rows of a folder whose files are in folders named for their labels.

    Each row has the file, its label, and all labels as options; the question must be stated (`ask`).
    """
    rows = [path.relative_to(folder) for path in media]
    splits = {_SPLITS[path.parts[0].lower()] for path in rows if path.parts[0].lower() in _SPLITS}
    wanted = stated.get("split") or ("test" if "test" in splits else next(iter(splits)) if len(splits) == 1 else "")
    chosen_paths = [
        path for path in rows if not splits or _SPLITS.get(path.parts[0].lower()) == _SPLITS.get(wanted, wanted)
    ]
    labels = sorted({path.parent.name for path in chosen_paths if len(path.parts) > 1})
    if not chosen_paths or len(labels) < 2 or any(len(path.parts) < 2 for path in chosen_paths):
        raise DataError(
            "the folder has no questions",
            where=folder,
            expected="benchmark.toml, a table (Parquet, JSONL, CSV …), metadata.csv, or folders by label",
            fix="name the file of questions",
        )
    cells = [{"file_name": path.as_posix(), "options": labels, "label": path.parent.name} for path in chosen_paths]
    matching_rows = tuple(Row(one["file_name"], one) for one in cells)  # type: ignore[arg-type]
    return Source((), matching_rows, {"split": wanted} if wanted else {})


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder in a fixed order, without hidden folders and those that embedded files went to."""
    number = 0
    for folder_path, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith((".", "_")) and not one.endswith(".media"))
        for name in sorted(files):
            number += 1
            if number > MAX_FILES:
                raise DataError(
                    "the folder has too many files",
                    where=folder,
                    expected=f"at most {MAX_FILES:,}",
                    fix="name the file of questions",
                )
            if not name.startswith("."):
                yield Path(folder_path) / name
