"""Items as they are in the benchmark's files, for Items from which a Condition removed media.

A Run's `items.jsonl` has the Items as they were asked. After `blind`, `no_context` or `without` they lack the sounds
and pictures, and after `transcript` or `description` they have texts instead. The Run names its benchmark, the data
folder and the hash of the question files, so that the original is found there and a person can play it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from triptych.benchmarks import Benchmark
from triptych.errors import TriptychError
from triptych.experiment.data import data_hash
from triptych.media.payload import DataFolder
from triptych.records import Item, RunManifest

REMOVES = ("blind", "no_context", "without", "transcript", "description")  # Conditions after which Items lack media


@dataclass(frozen=True, slots=True)
class Original:
    """The Item in the benchmark's files, and the folder with its media; or why it isn't shown."""

    item: Item | None = None
    root: DataFolder | None = None
    problem: str = ""


def original(
    item: Item, manifest: RunManifest, benchmark: Benchmark | None, root: DataFolder | None
) -> Original | None:
    """Return the Item before its Conditions if they removed media from it; None if they didn't.

    The folder's question files must have the hash that the manifest states. A folder that only the manifest names is
    not read: it could be any folder of this computer, and the Run has no hashes of media that nobody read for it.
    """
    if benchmark is None or not manifest.conditions:
        return None
    if root is None or not root.named:
        removes = any(name.partition(":")[0] in REMOVES for name in manifest.conditions)
        fix = f"start the viewer with --data {benchmark.name}=DIR to see what the Condition removed"
        return Original(problem=fix) if removes else None
    try:
        stamp = tuple((str(path), path.stat().st_mtime_ns) for path in benchmark.source_files(root.path))
        if _hash(benchmark, root.path, stamp) != manifest.data_sha256:
            return Original(problem="the question files in the data folder are not those of this Run")
        item_ = _items(benchmark, root.path, item.task, stamp).get(item.id)
    except (TriptychError, OSError) as error:
        return Original(problem=f"the benchmark's files can't be read ({getattr(error, 'problem', error)})")
    paths = {part.path for part in item.all_parts}
    is_missing = item_ is not None and any(part.is_media and part.path not in paths for part in item_.all_parts)
    return Original(item_, root) if is_missing else None


@lru_cache(maxsize=16)
def _hash(benchmark: Benchmark, folder: Path, stamp: object) -> str:
    return data_hash(benchmark, folder)


@lru_cache(maxsize=4)
def _items(benchmark: Benchmark, folder: Path, task: str, stamp: object) -> Mapping[str, Item]:
    """The Items of one Task that have media, by their ids."""
    tasks = [each for each in benchmark.spec.tasks if benchmark.spec.full_id(each) == task]
    read = benchmark.items(folder, tasks, lambda problem: None) if tasks else ()
    return {item.id: item for item in read if any(part.is_media for part in item.all_parts)}
