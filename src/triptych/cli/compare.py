"""`triptych compare`: paired comparison of Runs over the questions that they share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.options import Json, ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.analysis.comparing.comparison import Comparison

HELP = (
    "Compare Runs over the questions that each two of them share: differences, intervals, p-values. Runs of several "
    "benchmarks are compared within each. For CI: --baseline RUN --fail-if-worse --junit FILE."
)


def command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or folders that contain them; at least two Runs")],
    baseline: Annotated[
        Path | None,
        typer.Option(help="compare each Run with this one only; for several benchmarks a folder with a Run of each"),
    ] = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option("--fail-if-worse", help="exit with 1 if a Run is significantly worse than the baseline"),
    ] = False,
    junit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=ending(".xml"),
            help="write JUnit XML: a test case for each Run and headline figure",
        ),
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(help="the protocol whose scores are compared [the benchmark's first]")
    ] = None,
    replicates: Annotated[int, typer.Option(help="number of resamples for intervals and p-values")] = 10_000,
    seed: Annotated[int, typer.Option(help="seed of the resampling")] = 0,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import print_json, say
    from triptych.errors import SpecError

    if (fail_if_worse or junit) and baseline is None:
        option = "--fail-if-worse" if fail_if_worse else "--junit"
        raise SpecError(f"{option} needs a baseline", fix="add --baseline RUN")
    comparisons, alone = api.compare_all(
        list(runs), protocol=protocol, replicates=replicates, seed=seed, baseline=baseline
    )
    for path, why in alone.items():
        say(f"warning: {path} is not compared: {why}")
    if junit is not None:
        from triptych.reports.files.junit import junit as as_junit
        from triptych.store.files.atomic import write_atomically

        junit.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(junit, as_junit(comparisons).encode())
    if json:
        print_json(comparisons[0] if len(comparisons) == 1 else comparisons)
    else:
        from triptych.reports.terminal.compared import show_comparisons

        show_comparisons(comparisons)
    return _exit_code(comparisons, fail_if_worse)


def _exit_code(comparisons: Sequence[Comparison], fail_if_worse: bool) -> int:
    """Return 1 if nothing could be compared, or a Run is worse than the baseline and that was asked for."""
    from triptych.cli.arguments import say

    if fail_if_worse:
        worse = [(one.benchmark, each) for one in comparisons for each in one.worse]
        for benchmark, each in worse:
            say(f"worse than the baseline: {each.runs[0]} on {benchmark}: {each.label} {each.value:+.1f} {each.unit}")
        if worse:
            return 1
    return 0 if all(one.headlines for one in comparisons) else 1
