"""The data folder of a Run, and the hash of its question files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from triptych.benchmarks import Benchmark
from triptych.benchmarks._imported import reader
from triptych.errors import DataError


def data_folder(bench: Benchmark, data: Path | str | None) -> tuple[Path, str]:
    """Return the folder and its name in the manifest: `mini` for the embedded set.

    Raises DataError for a folder that doesn't exist, and SpecError for an imported log, which has no data.
    """
    if bench.folder == Path(reader.__file__).parent:
        raise reader.cannot_be_asked()
    if bench.home is not None and (data is None or str(data) == "mini"):
        return bench.home, str(bench.home)
    if data is None or str(data) == "mini":
        if not bench.mini.is_dir():
            raise DataError(
                f"{bench.name} has no built-in mini set",
                where=bench.mini,
                fix=f"--data DIR; {_data_instructions(bench)}",
            )
        return bench.mini, "mini"
    folder = Path(data)
    if not folder.is_dir():
        problem = "this is a file, not a data folder" if folder.exists() else "the data folder does not exist"
        fix = "give the folder that contains it" if folder.exists() else _data_instructions(bench)
        raise DataError(problem, where=folder, fix=fix)
    return folder, str(folder)


def _data_instructions(bench: Benchmark) -> str:
    """Return instructions for getting a benchmark's data."""
    release = bench.spec.release
    if release.repo:
        return f"`triptych fetch {bench.name}` gets the data"
    return f"`triptych fetch {bench.name}` says how to get the data" if release.apply else "give the folder of the data"


def data_hash(bench: Benchmark, folder: Path) -> str:
    """Return one hash of all question files, by name and content: another version of the data makes another Run."""
    if content_digest := bench.content_hash(folder):
        return content_digest
    files = bench.source_files(folder)
    if not files:
        fix = f"`triptych check {bench.name} --data {folder}` says which files are expected"
        raise DataError(f"no question files of {bench.name} found", where=folder, fix=fix)
    digest = hashlib.sha256()
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return digest.hexdigest()[:16]


def released_as(bench: Benchmark, folder: Path) -> str:
    """Return `REPO@COMMIT` if the question files are those of the benchmark's release, as `triptych fetch` recorded it;
    otherwise an empty string."""
    from triptych.releases.fetching import fetched_from

    return fetched_from(bench.spec.release, folder, bench.source_files(folder))


def hash_lines(lines: Iterable[str]) -> str:
    """Return 16 hexadecimal digits that identify a set of lines, regardless of their order."""
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]
