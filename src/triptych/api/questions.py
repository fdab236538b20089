"""Benchmarks made from question files."""

from __future__ import annotations

from pathlib import Path

from triptych.benchmarks import Benchmark, known_benchmarks, known_sets, own_questions
from triptych.errors import SpecError
from triptych.experiment.data import data_folder
from triptych.records.checked_calls import checked_arguments


@checked_arguments
def new_benchmark(
    name: str, questions: str | Path | Benchmark, *, data: str | Path | None = None, to: Path | str = "."
) -> Path:
    """Write the folder of a benchmark that is made from a question file; nothing is left half written.

    Args:
        name: Name of the benchmark, which no other has.
        questions: A question file, or the benchmark that `own_questions` returned for it.
        data: The folder of the media; None if the question file's folder has them.
        to: The folder in which the benchmark's folder is made.

    Returns:
        The folder of the benchmark: its `benchmark.toml`, the questions, their media and a README. Its path is
        accepted wherever a benchmark is named.

    Raises:
        SpecError: If a benchmark has this name, or `questions` is not a question file.
        DataError: If a question is malformed or a medium is missing.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     questions = Path(folder, "capitals.csv")
        ...     _ = questions.write_text("question,A,B,answer\\nCapital of Peru?,Lima,Quito,A\\n")
        ...     made = triptych.new_benchmark("capitals", questions, to=Path(folder))
        ...     sorted(path.name for path in made.iterdir())
        ['README.md', 'benchmark.toml', 'capitals.csv']
    """
    from triptych.benchmarks._questions.benchmark import QuestionFileBenchmark
    from triptych.benchmarks._questions.folder import write_folder

    if name in known_benchmarks() or known_sets([name]):
        raise SpecError("a benchmark has this name already", got=name, fix="choose another name")
    bench = questions if isinstance(questions, Benchmark) else own_questions(str(questions))
    if not isinstance(bench, QuestionFileBenchmark):
        raise SpecError("not a file of questions", where=questions)
    folder, _ = data_folder(bench, data)
    return write_folder(name, bench, folder, Path(to))
