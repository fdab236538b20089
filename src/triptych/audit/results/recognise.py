"""Recognition of the benchmark to which result files belong, from the files alone."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from triptych.benchmarks.registry import known_benchmarks
from triptych.errors import SpecError

_LOOKED_AT = 40  # files of a folder
_KINDS = (".json", ".jsonl", ".xml")


def recognise(path: Path) -> str:
    """Return the benchmark's name. Raises SpecError if no benchmark or several benchmarks recognise the files."""
    files = [path] if path.is_file() else (f for f in sorted(path.rglob("*")) if f.suffix in _KINDS and f.is_file())
    looked_at = list(islice(files, _LOOKED_AT))
    names = [name for name, bench in known_benchmarks().items() if any(map(bench.recognises, looked_at))]
    if len(names) == 1:
        return names[0]
    text = f"they look like {' and '.join(names)}" if names else "no benchmark recognises the files"
    raise SpecError("the benchmark of these results is not clear", where=path, got=text, fix="--benchmark NAME")
