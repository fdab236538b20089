"""Merge, pack and unpack Runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.store.finding import open_runs
from triptych.store.folder import RunFolder


def merge(
    runs: Sequence[Path | str], out: Path | str, *, name: str = "", same_model: bool = False, partial: bool = False
) -> RunFolder:
    """Merge Runs of one model into one Run: shards, or Runs over disjoint Items.

    Scores that all shards have, computed in the same way, are joined, and the merged Run's figures computed from them;
    nothing is compared or encoded again.

    Args:
        runs: The Run folders.
        out: The folder of the merged Run, which must not exist.
        name: Name of the merged Run in tables.
        same_model: Accept Runs that asked the model at different endpoints.
        partial: Merge shards although some are missing.

    Raises:
        SpecError: For fewer than two Runs.
        RunFolderError: If they don't fit together, if shards are missing (with the commands that run them), or if
            `out` exists.
    """
    from triptych.experiment.settings import checked_name
    from triptych.reports.merging import merge_runs

    return merge_runs(open_runs(runs), Path(out), name=checked_name(name), same_model=same_model, partial=partial)


def shard_command(folder: RunFolder, shard: str) -> str:
    """Return the command that runs another shard of a Run, in a folder next to this one, or that resumes this Run if
    `shard` is its own.
    """
    from triptych.reports import merging

    return merging.shard_command(folder, shard)


def pack(run: Path | str) -> RunFolder:
    """Replace a Run's journals by Parquet files: see `store.parquet.pack.pack`. Raises RunFolderError, DataError."""
    from triptych.store.parquet import pack as packing

    folder = RunFolder.open(Path(run))
    packing.pack(folder)
    return folder


def unpack(run: Path | str) -> RunFolder:
    """Turn a packed Run into journals again. Raises RunFolderError, DataError."""
    from triptych.store.parquet import pack as packing

    folder = RunFolder.open(Path(run))
    packing.unpack(folder)
    return folder
