"""Compare and analyse stored Runs; nothing is asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.records.checked_calls import checked_arguments
from triptych.store.decoded import keep_files

if TYPE_CHECKING:
    from triptych.analysis.comparing.comparison import Comparison
    from triptych.records import Section


@checked_arguments
@keep_files()
def compare(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    *,
    protocol: str | None = None,
    replicates: int = 10_000,
    seed: int = 0,
    labels: Sequence[str] | None = None,
    baseline: PathLike[str] | str | None = None,
) -> Comparison:
    """Compare two or more Runs of one benchmark over the questions that they share.

    Args:
        runs: Run folders, or folders of them (all Runs below).
        protocol: None for the benchmark's headline protocol.
        replicates: Number of bootstrap replicates and of random exchanges.
        seed: Seed of the resampling; 0 or more.
        labels: Names of the Runs; by default those of their models.
        baseline: The Run with which each other is compared, in place of all pairs; `Comparison.worse` has what is
            significantly worse than it.

    Returns:
        Differences with intervals and p-values. If the Runs share no question, it says so.

    Raises:
        SpecError: For fewer than two Runs, Runs of several benchmarks, or a seed below 0.
        RunFolderError: If a folder has no Run, or one is given twice.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     wanted = triptych.crossed(["cmdar/main"], ["baseline/longest", "baseline/random"], limit=8)
        ...     several = triptych.run_many(wanted, out=folder)
        ...     comparison = triptych.compare([folder])
        >>> comparison.shared, [run.model for run in comparison.runs]
        (8, ['baseline/longest', 'baseline/random'])
    """
    from triptych.analysis.stored import compare_stored

    return compare_stored(runs, protocol, replicates=replicates, seed=seed, labels=labels, baseline=baseline)


@checked_arguments
@keep_files()
def compare_all(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    *,
    protocol: str | None = None,
    replicates: int = 10_000,
    seed: int = 0,
    baseline: PathLike[str] | str | None = None,
) -> tuple[list[Comparison], dict[str, str]]:
    """Compare the Runs of each benchmark, as `compare` does.

    Args:
        runs: Run folders, or folders of them (all Runs below), of any benchmarks.
        protocol: None for the headline protocol of each benchmark.
        replicates: Number of bootstrap replicates and of random exchanges.
        seed: Seed of the resampling; 0 or more.
        baseline: The Run with which each other is compared, or a folder with one Run of each benchmark.

    Returns:
        The comparisons, one per benchmark; and for each Run that is in none of them, its path and the reason.

    Raises:
        SpecError: If no benchmark has two Runs, or the seed is below 0.
        RunFolderError: If a folder has no Run, or one is given twice.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     wanted = triptych.crossed(["cmdar/main"], ["baseline/longest", "baseline/random"], limit=8)
        ...     several = triptych.run_many(wanted, out=folder)
        ...     comparisons, left_out = triptych.compare_all([folder])
        >>> [comparison.benchmark for comparison in comparisons], left_out
        (['cmdar'], {})
    """
    from triptych.analysis.stored import compare_all_stored

    return compare_all_stored(runs, protocol, replicates=replicates, seed=seed, baseline=baseline)


@checked_arguments
@keep_files()
def analyse(
    target: PathLike[str] | str | Iterable[PathLike[str] | str],
    *,
    protocol: str | None = None,
    kinds: Sequence[str] | None = None,
    predictions: Iterable[Path | str] = (),
    data: Path | str | None = None,
    ratings: Path | str | None = None,
    seed: int = 0,
) -> list[Section]:
    """Run every analysis that applies, or only those in `kinds`.

    Args:
        target: One Run, or several of one benchmark; with `predictions` the benchmark's name.
        protocol: None for the benchmark's headline protocol.
        kinds: Any of `consistency`, `robustness`, `ablation`, `significance`, `agreement`, `cost`.
        predictions: Results in the authors' own format, one system each.
        data: The folder of the questions that the predictions answer.
        ratings: A CSV or JSONL file with people's ratings of the replies (`item`, `value`, `rater`), for agreement.
        seed: Seed of the resampling; 0 or more.

    Returns:
        One Section per analysis, with sentences, tables and figures.

    Raises:
        SpecError: For an unknown kind or a seed below 0.
        DataError: For a file that can't be read.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     wanted = triptych.crossed(["cmdar/main"], ["baseline/longest", "baseline/random"], limit=8)
        ...     several = triptych.run_many(wanted, out=folder)
        ...     sections = triptych.analyse([folder], kinds=["significance"])
        >>> [section.title for section in sections]
        ['Differences between Runs']
    """
    from triptych.analysis.stored import analyse_stored

    return analyse_stored(target, protocol, kinds, predictions=predictions, data=data, ratings=ratings, seed=seed)
