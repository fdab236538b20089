"""Merge, pack and unpack Runs."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from triptych.errors import SpecError
from triptych.records.checked_calls import checked_arguments
from triptych.running.shards import Shard
from triptych.store.finding import open_runs
from triptych.store.folder import RunFolder


@checked_arguments
def merge(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    out: Path | str,
    *,
    name: str = "",
    same_model: bool = False,
    partial: bool = False,
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

    Returns:
        The folder of the merged Run.

    Raises:
        SpecError: For fewer than two Runs.
        RunFolderError: If they don't fit together, if shards are missing (with the commands that run them), or if
            `out` exists.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     for shard in ("1/2", "2/2"):
        ...         run = triptych.run("cmdar/main", "baseline/longest", shard=shard, out=f"{folder}/{shard[0]}")
        ...     merged = triptych.merge([f"{folder}/1", f"{folder}/2"], f"{folder}/merged")
        ...     len(list(merged.responses()))
        24
    """
    from triptych.experiment.settings import checked_name
    from triptych.reports.merging import merge_runs

    return merge_runs(open_runs(runs), Path(out), name=checked_name(name), same_model=same_model, partial=partial)


@checked_arguments
def shard_command(folder: PathLike[str] | str, shard: str) -> str:
    """Return the command that runs another shard of a Run.

    Args:
        folder: The folder of one shard, or what `run` returned for it.
        shard: `k/n`, the shard to run. Its Run folder is next to this one; for this Run's own shard the command
            resumes it.

    Returns:
        The command, quoted for a POSIX shell.

    Raises:
        SpecError: If `shard` is not of the form `k/n`, the Run is not a shard, or is one of another number of shards.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/random", shard="1/2", out=f"{folder}/1")
        ...     print(triptych.shard_command(run.folder, "2/2"))
        triptych run cmdar main --model baseline/random --shard 2/2 --out ...
    """
    from triptych.reports import merging

    run, part = RunFolder.open(folder), Shard.parse(shard)
    if not run.manifest.shard:
        fix = f"ask all shards from the beginning: triptych run … --shard {part}"
        raise SpecError("this Run is not a shard of another", where=run.path, fix=fix)
    if (run_part := Shard.parse(run.manifest.shard)).of != part.of:
        raise SpecError("the Run is divided into another number of shards", got=shard, expected=f"k/{run_part.of}")
    return merging.shard_command(run, str(part))


@checked_arguments
def pack(run: PathLike[str] | str) -> RunFolder:
    """Replace the journals of a Run by Parquet files, which are smaller and faster to read; see docs/run-folder.md.

    Args:
        run: The Run folder. A packed Run can be scored, compared, viewed and resumed like any other.

    Returns:
        The Run folder, opened again.

    Raises:
        RunFolderError: If there is no Run, or another process writes to it.
        DataError: If a journal is damaged.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/longest", limit=8, out=folder)
        ...     packed = triptych.pack(folder)
        ...     (packed.path / "responses.parquet").exists()
        True
    """
    from triptych.store.parquet import pack as packing

    folder = RunFolder.open(run)
    packing.pack(folder)
    return folder


@checked_arguments
def unpack(run: PathLike[str] | str) -> RunFolder:
    """Turn the Parquet files of a packed Run into journals again.

    Args:
        run: The Run folder; nothing is changed if it is not packed.

    Returns:
        The Run folder, opened again.

    Raises:
        RunFolderError: If there is no Run, or another process writes to it.
        DataError: If a file is damaged.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/longest", limit=8, out=folder)
        ...     _ = triptych.pack(folder)
        ...     (triptych.unpack(folder).path / "responses.jsonl").exists()
        True
    """
    from triptych.store.parquet import pack as packing

    folder = RunFolder.open(run)
    packing.unpack(folder)
    return folder
