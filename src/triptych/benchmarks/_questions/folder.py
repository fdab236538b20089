"""A question file with its media and mapping as a folder of its own."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

import msgspec

from triptych.benchmarks._questions.benchmark import QuestionFileBenchmark
from triptych.benchmarks._questions.folder_file import FILE, benchmark_toml
from triptych.errors import SpecError

DATA = "data"  # the folder of the questions, if they are in a layout of several files
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_README = """# {name}

{count:,} questions, from `{questions}`. The mapping of its columns is in `benchmark.toml`.

    triptych check {name}
    triptych run {name} --model ADAPTER/NAME

## Licence

State the licence of the questions and of the media, and set `licence` in `benchmark.toml`.

## Citation

State who made the questions and how to cite them, and set `citation`, `authors`, `year` and `url` in `benchmark.toml`.

## How the data was made

State where the questions, the answers and the media come from, and who checked them.
"""


def write_folder(name: str, bench: QuestionFileBenchmark, data: Path, to: Path) -> Path:
    """Write `to/name` with `benchmark.toml`, README.md, the questions and the media that they name; return the folder.

    Media are linked where the file system allows it, otherwise copied. The folder appears as a whole or not at all.
    Raises SpecError for a name that a folder can't have, or that exists; DataError for faults of the questions.
    """
    if not _NAME.fullmatch(name):
        raise SpecError("a benchmark's name has small letters, digits, - and _", got=name)
    folder = to / name
    if folder.exists():
        raise SpecError("the folder exists already", where=folder, fix="choose another name, or remove it")
    bench.require_sound(data)
    assert bench.file is not None
    question_set = bench.load_questions(data)
    within = DATA if bench.set_folder is not None else bench.file.name
    about = msgspec.structs.replace(bench.about, name=name, questions=within, title=bench.about.title or name)
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecError("the folder can't be made", got=error.strerror, where=to, fix="name another folder") from None
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=to) as temporary:
        made = Path(temporary) / name
        made.mkdir()
        data_folder = made / DATA if bench.set_folder is not None else made
        data_folder.mkdir(exist_ok=True)
        if bench.task is not None:
            about = msgspec.structs.replace(about, questions=(within := "questions.jsonl"))
            (made / within).write_bytes(msgspec.json.Encoder().encode_lines(bench.rows(data)))
            data_folder = made
        for path in bench.source.files if bench.task is None else ():
            _placed(path, data_folder / path.relative_to(bench.set_folder or path.parent))
        columns = (
            question_set.columns
            if bench.task is None
            else msgspec.structs.replace(question_set.columns, config="", split="")
        )
        (made / FILE).write_text(benchmark_toml(about, columns), encoding="utf-8")
        readme = _README.format(name=name, count=len(question_set.items), questions=within)
        (made / "README.md").write_text(readme, encoding="utf-8")
        for medium in sorted({part.path for item in question_set.items for part in item.all_parts if part.is_media}):
            # embedded files are in the table, and are written again when it is read
            if bench.task is not None or not medium.startswith(bench.embedded_folder):
                _placed(data / medium, data_folder / medium)
        made.rename(folder)
    return folder


def _placed(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), to)
    except OSError:
        shutil.copyfile(source, to)
