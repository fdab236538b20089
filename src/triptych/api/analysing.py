"""Comparing and analysing stored Runs, in functions: nothing is asked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.errors import SpecError
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.analysis.comparing import Comparison


def compare(
    runs: Sequence[Path | str], *, protocol: str | None = None, replicates: int = 10_000, seed: int = 0
) -> Comparison:
    """Two or more Runs of one benchmark over the questions that they share.

    `protocol`: None for the benchmark's headline one. Raises SpecError for fewer than two Runs, the same one twice, or
    Runs of several benchmarks; Runs that share no question give a Comparison that says so.
    """
    from triptych.analysis.comparing import compare_runs
    from triptych.analysis.observed import observe

    folders = [RunFolder.open(Path(path)) for path in runs]
    if len(folders) < 2:
        raise SpecError("a comparison needs two Runs at least", got=len(folders), fix="triptych report RUN for one")
    if len({folder.path.resolve() for folder in folders}) < len(folders):
        raise SpecError("the same Run twice", got=", ".join(str(folder.path) for folder in folders))
    if replicates < 100:
        raise SpecError("too few replicates for an interval", got=replicates, expected="at least 100")
    return compare_runs(observe(folders, protocol), replicates=replicates, seed=seed)
