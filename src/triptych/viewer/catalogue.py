"""The Runs below a folder, and their names in addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from triptych.benchmarks import Benchmark, load_benchmark
from triptych.benchmarks.data_folders import data_folder
from triptych.errors import DataError, TriptychError
from triptych.media.payload import DataFolder
from triptych.records import RunManifest
from triptych.records.natural_order import natural
from triptych.reports.html.links import run_slug
from triptych.scoring.outcome import Scored
from triptych.scoring.runs import load_summary
from triptych.store.finding import run_paths
from triptych.store.folder import RunFolder, read_manifest


@dataclass(frozen=True, slots=True)
class Listed:
    """Runs by slug, and folders that look like Runs but can't be read: path and reason."""

    runs: Mapping[str, RunFolder]
    unreadable: tuple[tuple[str, str], ...] = ()


class Catalogue:
    """The Runs under `root` (or `root` itself, if it is a Run), looked up on every call because Runs come and go.

    `data`: benchmark -> data folder, if it isn't the one in the manifest (any longer).
    """

    def __init__(self, root: Path, data: Mapping[str, Path] | None = None) -> None:
        if not root.is_dir():
            raise DataError("no such folder of Runs", where=root, fix="triptych view RUNS_DIR")
        self.root: Path = root.resolve()
        self.data: dict[str, Path] = dict(data or {})

    def list_runs(self) -> Listed:
        """Return all Runs by slug, in the order of their names."""
        runs, unreadable = {}, []
        for path in run_paths(self.root):
            slug = run_slug(path.relative_to(self.root)) or self.root.name
            try:
                runs[slug] = RunFolder(path, _manifest(path / "manifest.json"))
            except TriptychError as error:
                unreadable.append((slug, error.problem))
        return Listed(dict(sorted(runs.items(), key=lambda pair: natural(pair[0]))), tuple(unreadable))

    def run(self, slug: str) -> RunFolder | None:
        """Return one Run; None if there is none of this name. Only names that were found are opened.

        Reports name Runs by their path below a folder of their own, so the end of a single Run's name is accepted too.
        """
        runs = self.list_runs().runs
        ending = [name for name in runs if slug and name.endswith(f"~{slug}")]
        return runs.get(slug) or (runs[ending[0]] if len(ending) == 1 else None)

    def data_root(self, folder: RunFolder) -> DataFolder | None:
        """Return the folder of a Run's media; None if it doesn't exist."""
        benchmark = benchmark_of(folder.manifest)
        return data_folder(folder.manifest, benchmark.mini if benchmark else None, self.data)


def benchmark_of(manifest: RunManifest) -> Benchmark | None:
    """Return a Run's benchmark; None if it isn't installed here."""
    return _benchmark(manifest.benchmark)


@lru_cache(maxsize=64)
def _benchmark(name: str) -> Benchmark | None:
    """Return a benchmark, cached: reading a specification takes some 50 ms, which every page would wait for."""
    try:
        return load_benchmark(name)
    except TriptychError:
        return None


def scores_of(folder: RunFolder) -> Scored | None:
    """Return the summary of a Run's latest scores; None if it isn't scored or the summary is damaged."""
    try:
        stamp = folder.summary_path.stat().st_mtime_ns
    except OSError:
        return None
    return _summary(folder.path, stamp)


@lru_cache(maxsize=256)
def _summary(path: Path, stamp: int) -> Scored | None:
    try:
        return load_summary(RunFolder.open(path))
    except TriptychError:
        return None


def _manifest(path: Path) -> RunManifest:
    return _manifest_at(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _manifest_at(path: Path, stamp: int) -> RunManifest:
    return read_manifest(path)
