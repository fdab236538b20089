"""`triptych judge`: rubrics, and the agreement of judges with people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.arguments import tell
from triptych.cli.options import Json, JudgeCombine, JudgeRepeats, JudgeSameModel, JudgeSettings, JudgeUrls, judges_of

if TYPE_CHECKING:
    from triptych.judges.calibration import Agreement, Calibration
    from triptych.records import Aggregate

HELP = "Calibrate a judge on people's ratings, list the rubrics."
app: typer.Typer = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)


@app.command("rubrics", help="List the built-in rubrics.")
def rubrics(json: Json = False) -> int:
    """List every rubric with its version, scale and slots."""
    from triptych.cli.arguments import print_json
    from triptych.judges.rubric import known_rubrics, load_rubric

    rubrics_ = [load_rubric(name) for name in known_rubrics()]
    if json:
        print_json(
            [
                {
                    "id": r.id,
                    "version": r.version,
                    "hash": r.digest,
                    "title": r.title,
                    "language": r.language,
                    "scale": list(r.scale),
                    "dimensions": list(r.dimensions),
                    "slots": sorted(r.slots),
                    "source": r.source,
                }
                for r in rubrics_
            ]
        )
        return 0
    for r in rubrics_:
        tell(f"{r.id:15} {r.scale[0]:g}-{r.scale[1]:<4g} {r.title}\n{'':15}        {', '.join(sorted(r.slots))}")
    return 0


@app.command(
    "calibrate",
    help="Let a judge rate replies that people have rated, and compute the agreement.",
    short_help="Compute a judge's agreement with people's ratings.",
)
def calibrate(
    ratings: Annotated[Path, typer.Argument(help="JSONL, CSV or XLSX: id, human, system, the rubric's slots")],
    judge: Annotated[list[str] | None, typer.Option(help="a judge; may be repeated")] = None,
    rubric: Annotated[str, typer.Option(help="a rubric's id, or a TOML file")] = "pair",
    judge_base_url: JudgeUrls = None,
    judge_setting: JudgeSettings = None,
    judge_repeats: JudgeRepeats = 1,
    judge_combine: JudgeCombine = "mean",
    human_scale: Annotated[str, typer.Option(help="LOW,HIGH: scale of the people's ratings [the rubric's]")] = "",
    benchmark: Annotated[
        str, typer.Option(help="fill this benchmark's table of agreement between judge and people")
    ] = "",
    with_published: Annotated[bool, typer.Option("--with-published", help="add the paper's rows")] = False,
    verdicts: Annotated[Path | None, typer.Option(help="file for the verdicts [next to the ratings]")] = None,
    figures: Annotated[Path | None, typer.Option(help="draw the agreement as SVG, PNG and PDF in this folder")] = None,
    concurrency: Annotated[int, typer.Option(help="number of concurrent Requests to a judge")] = 16,
    budget_usd: Annotated[float | None, typer.Option(help="budget in USD; stops when it is spent [no limit]")] = None,
    same_model: JudgeSameModel = False,
    json: Json = False,
) -> int:
    """See the help."""
    from triptych import api
    from triptych.cli.arguments import print_json, say, say_written, scoring_exit_code
    from triptych.errors import SpecError
    from triptych.running.loop import RunOptions

    options = RunOptions(concurrency=concurrency, budget_usd=budget_usd, progress=True, same_model=same_model)
    judges = judges_of(judge, judge_base_url, judge_setting, options, evaluations=judge_repeats, combine=judge_combine)
    if judges is None:
        raise SpecError("no judge is given", expected="--judge ADAPTER/NAME", fix="see `triptych list models`")
    calibration = api.calibrate(ratings, judges, rubric=rubric, human_scale=_scale(human_scale), verdicts=verdicts)
    if json:
        print_json(_document(calibration, judges.panel.signature_text({rubric: api.find_rubric(rubric)})))
    else:
        _show(calibration)
    if benchmark and not json:
        _table(calibration, benchmark, with_published)
    if figures:
        from triptych.analysis.raters.calibrated import calibration_table
        from triptych.reports.calibrated import write_calibration

        written = write_calibration(calibration_table(calibration), figures)
        say_written(written)
        if not written:
            say("no figure: none of the agreements can be computed")
    return scoring_exit_code(calibration)


def _scale(text: str) -> tuple[float, float] | None:
    """Return `0,5` as two numbers; None if nothing is given."""
    from triptych.errors import SpecError

    if not text:
        return None
    try:
        low, high = (float(value) for value in text.split(","))
    except ValueError:
        raise SpecError("--human-scale takes two numbers", got=text, expected="LOW,HIGH such as 0,5") from None
    if not low < high:
        raise SpecError("--human-scale: the lowest rating comes first", got=text)
    return low, high


def _numbers(agreement: Agreement) -> dict[str, Any]:
    return {
        "n": agreement.n,
        "counts": dict(agreement.counts),
        "pearson": agreement.pearson,
        "spearman": agreement.spearman,
        "alpha_ordinal": agreement.alpha_ordinal,
        "alpha_interval": agreement.alpha_interval,
        "bias": agreement.bias,
    }


def _document(calibration: Calibration, judge_name: str) -> dict[str, Any]:
    return {
        "judge": judge_name,
        "overall": _numbers(calibration.overall),
        "systems": {name: _numbers(agreement) for name, agreement in calibration.systems.items()},
        "paired_t": [
            {"first": a, "second": b, "n": n, "t": test.t if test else None, "p": test.p if test else None}
            for (a, b), (test, n) in calibration.tests.items()
        ],
    }


def _show(calibration: Calibration) -> None:
    def shown(value: float | None) -> str:
        return f"{'-' if value is None else f'{value:.4f}':>9}"

    tell(f"{'':24}{'n':>5}{'Pearson':>9}{'Spearman':>9}{'α ord.':>9}{'α int.':>9}{'bias':>9}  verdicts")
    for name, a in {"all": calibration.overall, **calibration.systems}.items():
        measures = (a.pearson, a.spearman, a.alpha_ordinal, a.alpha_interval, a.bias)
        counts = ", ".join(f"{n} {status}" for status, n in a.counts.items())
        tell(f"{name[:23]:24}{a.n:5}{''.join(map(shown, measures))}  {counts}")
    for (a_name, b_name), (test, n) in calibration.tests.items():
        text = f"t {test.t:.3f}, p {test.p:.4f}" if test else "no test: too few pairs, or all differences are equal"
        tell(f"{a_name} against {b_name}: {text} (n {n})")


def _table(calibration: Calibration, benchmark: str, with_published: bool) -> None:
    """Return the benchmark's tables of agreement between judge and people: one row per system or pair of systems."""
    from triptych.benchmarks import load_benchmark
    from triptych.errors import SpecError
    from triptych.reports.tables.fill import fill
    from triptych.reports.tables.published import load_published
    from triptych.reports.terminal.tables import print_table, stdout

    bench = load_benchmark(benchmark)
    layouts = [x for x in bench.spec.layouts if any(column.metric == "pearson" for column in x.columns)]
    if not layouts:
        raise SpecError(f"{bench.name} has no table of agreement between judge and people")
    task = next(column.task for column in layouts[0].columns if column.metric == "pearson")
    rows = dict(_rows(calibration, task))
    published = load_published(bench.folder) if with_published else None
    for layout in layouts:
        print_table(fill(layout, rows, published), stdout())


def _rows(calibration: Calibration, task: str) -> list[tuple[str, list[Aggregate]]]:
    from triptych.records import Aggregate

    def figure(metric: str, value: float | None, n: int) -> Aggregate:
        return Aggregate("", task, metric, {}, value, n, {"scored": n}, value, value)

    systems = calibration.systems or {"all": calibration.overall}
    rows = [(name, [figure("pearson", a.pearson, a.n)]) for name, a in systems.items()]
    for (a, b), (test, n) in calibration.tests.items():
        figures = [figure("paired_t", test.t, n), figure("paired_p", test.p, n)] if test else []
        rows.append((f"{a} v.s. {b}", figures))
    return rows
