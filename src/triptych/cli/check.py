"""`triptych check`: check that a benchmark's data is complete and well-formed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.arguments import say, tell
from triptych.cli.options import Json

if TYPE_CHECKING:
    from pathlib import Path

    from triptych.benchmarks import Benchmark
    from triptych.records import Problem

HELP = "Check a benchmark's data: counts, media, targets, pairing. Exit code 1 when there are errors."
_SHOWN = 8  # findings of one kind shown in full; --all shows every one


def command(
    benchmark: Annotated[str, typer.Argument(help="BENCH, BENCH/TASK, or a file of questions")],
    data: Annotated[str, typer.Option(help="data folder [the built-in mini set]")] = "mini",
    everything: Annotated[
        bool, typer.Option("--all", help="show all findings instead of the first of each kind")
    ] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="compute the paper's data statistics on this copy, next to the printed ones")
    ] = False,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", help="role=COLUMN: what a column of a question file is (answer=gold, id=, …)"),
    ] = None,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.benchmarks import addressed
    from triptych.cli.arguments import print_json
    from triptych.cli.questions import questions_of
    from triptych.experiment.data import data_folder

    questions_file = questions_of(benchmark, None, map_, "")
    bench, task = addressed(questions_file) if isinstance(questions_file, str) else (questions_file, "")
    folder, _ = data_folder(bench, data)
    for line in bench.mapping_lines(folder):
        say(line)
    if stats:
        return _statistics(bench, folder, task, json)
    problems = list(bench.check(folder, bench.spec.select([task])))
    errors = sum(p.severity == "error" for p in problems)
    if json:
        print_json({"benchmark": bench.name, "data": str(folder), "problems": problems})
    else:
        _show(problems, everything)
    return 1 if errors else 0


def _statistics(bench: Benchmark, folder: Path, task: str, json: bool) -> int:
    """Print the statistics; the exit code does not depend on whether they agree."""
    import msgspec

    from triptych.cli.arguments import print_json

    figures = list(bench.statistics(folder, bench.spec.select([task])))
    if json:
        rows = [msgspec.to_builtins(one) | {"value": one.value, "agrees": one.agrees} for one in figures]
        print_json({"benchmark": bench.name, "data": str(folder), "statistics": rows})
    else:
        from triptych.reports.terminal.statistics import show_statistics

        show_statistics(figures)
        if folder.resolve() == bench.mini.resolve():
            say("this is the built-in mini set; the paper's figures are of the released data (--data DIR)")
    return 0


def _show(problems: list[Problem], everything: bool) -> None:
    """Print findings by severity and kind, the most severe first; long lists end with a count of the rest."""
    order = {"error": 0, "warning": 1, "note": 2}
    problems = sorted(problems, key=lambda p: (order[p.severity], p.kind))
    shown: Counter[tuple[str, str]] = Counter()
    totals = Counter((p.severity, p.kind) for p in problems)
    for problem in problems:
        key = (problem.severity, problem.kind)
        shown[key] += 1
        if not everything and shown[key] > _SHOWN:
            if shown[key] == _SHOWN + 1:
                tell(f"{'':9}… and {totals[key] - _SHOWN} more of kind {problem.kind} (--all shows them)")
            continue
        task = f"{problem.task}: " if problem.task and problem.task not in problem.message else ""
        tell(f"{problem.severity:8} {problem.kind}: {task}{problem.message}\n{'':9}{problem.where}")
    by_severity = Counter[str](p.severity for p in problems)
    words = ", ".join(f"{by_severity[s]} {s}{'s' * (by_severity[s] != 1)}" for s in order)
    tell(f"\n{words}" if problems else "no findings: the data is complete and well-formed")
