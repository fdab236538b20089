"""Benchmarks made from question files."""

from __future__ import annotations

from pathlib import Path

from triptych.benchmarks import Benchmark, known_benchmarks, known_sets, own_questions
from triptych.errors import SpecError
from triptych.experiment.data import data_folder


def new_benchmark(name: str, questions: str | Path | Benchmark, *, data: str | None = None, to: Path = Path()) -> Path:
    """Write the folder of a benchmark made from a question file, and return it. `data`: the folder of the media.

    Raises SpecError, DataError; nothing is left half written.
    """
    from triptych.benchmarks._questions.benchmark import QuestionFileBenchmark
    from triptych.benchmarks._questions.folder import write_folder

    if name in known_benchmarks() or known_sets([name]):
        raise SpecError("a benchmark has this name already", got=name, fix="choose another name")
    bench = questions if isinstance(questions, Benchmark) else own_questions(str(questions))
    if not isinstance(bench, QuestionFileBenchmark):
        raise SpecError("not a file of questions", where=questions)
    folder, _ = data_folder(bench, data)
    return write_folder(name, bench, folder, to)
