"""Merge Runs, and write the tables of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from triptych.benchmarks import load_benchmark
from triptych.errors import RunFolderError, SpecError
from triptych.experiment.run_commands import run_command
from triptych.reports.report import write_tables
from triptych.scoring.outcome import Joined
from triptych.scoring.runs import score_run
from triptych.scoring.stored.joining import joined_scores
from triptych.store import merge as merging
from triptych.store.folder import RunFolder
from triptych.store.shards import are_shards, missing_shards

_NAMED = 5  # missing shards whose commands an error lists


def merge_runs(folders: Sequence[RunFolder], out: Path, *, name: str, same_model: bool, partial: bool) -> RunFolder:
    """Merge Runs of one model into one Run at `out`, and write its tables if the shards' scores can be joined.

    Raises SpecError for fewer than two Runs, RunFolderError if shards are missing and not `partial`, if they don't fit
    together, or if `out` exists.
    """
    if not partial and (missing := missing_shards(folders)):
        raise _missing(folders, missing)
    if len(folders) < 2:
        raise SpecError("merging needs at least two Runs", got=len(folders), fix="triptych merge RUN RUN --out DIR")
    merged = merging.merge(folders, out, name=name, same_model=same_model)
    if are_shards(folders) and (stored := joined_scores(folders, merged)):
        write_tables(merged, score_run(merged, tuple(stored), joined=Joined(folders, stored)))
    return merged


def shard_command(folder: RunFolder, shard: str) -> str:
    """Return the command that runs another shard of a Run, in a folder next to this one, or that resumes this Run if
    `shard` is its own.
    """
    folder_path = folder.path
    if shard != folder.manifest.shard:
        own_shard, other = folder.manifest.shard.replace("/", "-of-"), shard.replace("/", "-of-")
        folder_path = folder_path.with_name(
            folder_path.name.replace(own_shard, other) if own_shard in folder_path.name else f"shard-{other}"
        )
    manifest = msgspec.structs.replace(folder.manifest, shard=shard)
    return run_command(manifest, load_benchmark(manifest.benchmark).spec, RunFolder(folder_path, manifest))


def _missing(folders: Sequence[RunFolder], missing: Sequence[str]) -> RunFolderError:
    first = next(folder for folder in folders if folder.manifest.shard)
    commands = [shard_command(first, shard) for shard in missing[:_NAMED]]
    more = [f"and {len(missing) - _NAMED:,} more"] if len(missing) > _NAMED else []
    count = "1 shard is" if len(missing) == 1 else f"{len(missing):,} shards are"
    return RunFolderError(
        f"{count} missing",
        got=", ".join([*missing[:_NAMED], *more]),
        fix="; ".join(
            [
                f"run {'it' if len(missing) == 1 else 'them'}: {commands[0]}",
                *commands[1:],
                "or merge what there is with --partial",
            ]
        ),
    )
