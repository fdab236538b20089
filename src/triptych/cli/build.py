"""`triptych build`: make a benchmark from raw material, with a history of every record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

from triptych.cli.arguments import say, tell
from triptych.cli.options import Json

if TYPE_CHECKING:
    import click

    from triptych.construction.build import Built
    from triptych.construction.estimate import StageEstimate
    from triptych.construction.folder import StageCounts
    from triptych.construction.provenance import Life
    from triptych.records.provenance import Maker

HELP = "Make a benchmark from raw material: `triptych build RECIPE --config FILE --to DIR`."


class _RecipeOrCommand(typer.core.TyperGroup):
    """`build RECIPE …` is `build recipe RECIPE …`: a name that isn't a subcommand is a recipe."""

    otherwise = "recipe"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            return super().resolve_command(ctx, [self.otherwise, *args])
        return super().resolve_command(ctx, args)


app: typer.Typer = typer.Typer(
    help=HELP, short_help="Make a benchmark from raw material.", no_args_is_help=True, rich_markup_mode=None,
    cls=_RecipeOrCommand, context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
_Folder = Annotated[Path, typer.Argument(help="the build folder", metavar="DIR")]
_Recipe = Annotated[str, typer.Argument(help="a recipe: `triptych list recipes`")]
_Config = Annotated[Path, typer.Option("--config", help="the recipe's TOML file: material, models, parameters")]


@app.command("recipe", help="Start a build, or continue one that was interrupted or changed.")
def recipe(
    name: _Recipe,
    config: _Config,
    to: Annotated[Path, typer.Option("--to", help="the build folder")],
    limit: Annotated[int | None, typer.Option(help="number of records of the raw material, for a pilot")] = None,
    only: Annotated[list[str] | None, typer.Option(help="stop after this stage")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="estimate Requests, tokens, cost and time from a pilot, and stop")
    ] = False,
    concurrency: Annotated[int, typer.Option(help="number of concurrent Requests to a model")] = 16,
    budget_usd: Annotated[float | None, typer.Option(help="budget in USD for each stage that asks models")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="budget in tokens for each stage that asks models")] = None,
    json: Json = False,
) -> int:
    """Exit code 0: complete; 1: records wait or failed; 2: wrong use; 130: interrupted."""
    from triptych.cli.arguments import listed, print_json
    from triptych.construction.build import build, estimate
    from triptych.running.loop import RunOptions

    if dry_run:
        records, stages = estimate(name, config, to, limit=limit)
        if json:
            print_json({"records": records, "stages": stages, "basis": "a pilot's means"})
        else:
            _show_estimate(records, stages)
        return 0
    options = RunOptions(
        concurrency=concurrency, budget_usd=budget_usd, budget_tokens=budget_tokens, progress=True
    )  # fmt: skip
    built = build(
        name, config, to, limit=limit, only=listed(only), options=options,
        progress=None if json else lambda counts: tell(_counted(counts)),
    )  # fmt: skip
    page = None if built.interrupted else _page(to)
    if json:
        print_json({**_document(built), "report": page and str(page)})
    return _ended(built, page, pilot=limit is not None or bool(only))


@app.command("report", help="Write the page of a build: funnel, statistics, samples.")
def report(
    folder: _Folder,
    to: Annotated[Path | None, typer.Option("--to", help="file to write [DIR/report.html]")] = None,
    json: Json = False,
) -> int:
    """See the help. With --json the statistics are printed."""
    from triptych.cli.arguments import print_json
    from triptych.construction.folder import BuildFolder
    from triptych.construction.report import write_report
    from triptych.construction.statistics import as_json, records_of, statistics

    build = BuildFolder.open(folder)
    page = write_report(build, to)
    if json:
        print_json({"report": str(page), "statistics": as_json(statistics(records_of(build), build.path))})
    else:
        say(f"written to {page}")
    return 0


@app.command("status", help="Show how many records came into each stage, and their outcomes.")
def status(folder: _Folder, json: Json = False) -> int:
    """Exits with 1 if records are waiting or failed."""
    from triptych.cli.arguments import print_json
    from triptych.construction.folder import BuildFolder

    counts = BuildFolder.open(folder).funnel()
    if json:
        print_json({"stages": counts})
    else:
        for each in counts:
            tell(_counted(each))
    return int(any(each.decisions.get("pending") or each.decisions.get("failed") for each in counts))


@app.command("why", help="Show the history of one record: sources, the maker of each field, each decision.")
def why(
    folder: _Folder, record: Annotated[str, typer.Argument(help="id of the record", metavar="ID")], json: Json = False
) -> int:
    """See the help."""
    from triptych.cli.arguments import print_json
    from triptych.construction.folder import BuildFolder
    from triptych.construction.provenance import life_of

    life = life_of(BuildFolder.open(folder), record)
    if json:
        print_json({"id": life.id, "sources": life.sources, "steps": life.steps})
    else:
        _show_life(life)
    return 0


@app.command(
    "withdraw", help="Withdraw a source (a text, a film, a speaker) and everything derived from it from the output."
)
def withdraw(
    folder: _Folder,
    sources: Annotated[list[str], typer.Argument(help="ids of sources, as `build why` shows them", metavar="SOURCE…")],
    config: _Config,
    json: Json = False,
) -> int:
    """Withdraw sources without asking a model. Exit code 1 if records now wait for replies."""
    from triptych.cli.arguments import print_json
    from triptych.construction.build import withdraw as take_out
    from triptych.construction.folder import BuildFolder

    manifest = BuildFolder.open(folder).manifest()
    assert manifest is not None
    built = take_out(manifest.recipe, config, folder, sources, progress=None if json else lambda c: tell(_counted(c)))
    page = _page(folder)
    if json:
        print_json({**_document(built), "report": page and str(page)})
    return _ended(built, page)


_Stage = Annotated[
    str, typer.Argument(help="the stage that waits for people: `build status` shows it", metavar="STAGE")
]


@app.command("tasks", help="Write a stage's open tasks for people as a spreadsheet (CSV).")
def tasks(
    folder: _Folder,
    stage: _Stage,
    to: Annotated[Path, typer.Option("--to", help="the CSV file; a column `your FIELD` for each answer")],
) -> int:
    """See the help."""
    from triptych.construction.folder import BuildFolder
    from triptych.construction.sheets import open_tasks, write_sheet

    found = open_tasks(BuildFolder.open(folder), stage)
    write_sheet(found, to)
    say(f"{len(found):,} open tasks written to {to}; media are named relative to {folder}")
    say(found[0].guide)
    return 0


@app.command("results", help="Read the results that a person filled in; run `triptych build` again afterwards.")
def results(
    folder: _Folder,
    stage: _Stage,
    sheet: Annotated[Path, typer.Argument(help="the CSV file, as `build tasks` wrote it", metavar="SHEET")],
    person: Annotated[str, typer.Option("--person", help="a pseudonym, for provenance")],
    settle: Annotated[
        bool, typer.Option("--settle", help="these rows settle what others disagree about: they alone count")
    ] = False,
) -> int:
    """Exit code 0: all rows that were filled in are taken; 1: some are about an older version of their record."""
    from triptych.construction.folder import BuildFolder
    from triptych.construction.sheets import take_sheet

    taken = take_sheet(BuildFolder.open(folder), stage, sheet, person, settles=settle)
    say(f"{taken.results:,} results of {person} taken in" + (f", {taken.known:,} known" if taken.known else ""))
    if taken.stale:
        named = "; ".join(taken.stale[:10]) + (f"; and {len(taken.stale) - 10} more" if len(taken.stale) > 10 else "")
        say(f"{len(taken.stale):,} rows left out, since the build asks something else about these now: {named}")
        say("write the sheet again: `triptych build tasks` shows these records as they are")
    return int(bool(taken.stale))


def _counted(counts: StageCounts) -> str:
    """Describe a stage in at most two lines: the counts, and the most frequent reasons."""
    decided = ", ".join(f"{n:,} {decision}" for decision, n in counts.decisions.items()) or "nothing came in"
    after = (
        f" -> {counts.went:,}" if counts.went != sum(counts.decisions.get(d, 0) for d in ("kept", "revised")) else ""
    )
    reasons = [f"{reason} {n:,}" for reason, n in counts.reasons.items()]
    more = f"; and {len(reasons) - 5} more reasons" if len(reasons) > 5 else ""
    line = f"{counts.stage:20} {counts.came:>9,} in: {decided}{after}"
    return "\n".join([line, *([f"{'':20} {'; '.join(reasons[:5])}{more}"] if reasons else [])])


def _show_estimate(records: int, stages: list[StageEstimate]) -> None:
    def shown(value: float | None, form: str) -> str:
        return "unknown" if value is None else format(value, form)

    tell(f"{records:,} records of raw material; the rest is projected from the means of the records built so far")
    tell(f"{'stage':20} {'records':>10} {'pilot':>8} {'Requests':>10} {'tokens':>12} {'USD':>9} {'answer hours':>13}")
    for each in stages:
        tokens = None if each.input_tokens is None else each.input_tokens + (each.output_tokens or 0)
        hours = None if each.seconds is None else each.seconds / 3600
        tell(
            f"{each.stage:20} {shown(each.came, ',.0f'):>10} {each.pilot:>8,} {shown(each.requests, ',.0f'):>10} "
            f"{shown(tokens, ',.0f'):>12} {shown(each.usd, ',.2f'):>9} {shown(hours, ',.1f'):>13}"
        )
    if any(each.requests is None for each in stages):
        say("unknown: no record has reached this stage; build a pilot first (--limit 20)")


def _show_life(life: Life) -> None:
    tell(f"{life.id}: made of {', '.join(life.sources) or 'no named source'}")
    for step in life.steps:
        told = f": {step.reason}" if step.reason else ""
        told += f" ({step.note})" if step.note else ""
        tell(f"{step.stage:20} {step.decision}{told}" + (f"  {step.id}" if step.id != life.id else ""))
        for field, maker in step.wrote.items():
            tell(f"{'':20}   {field} = {_short(step.values.get(field))}  [{_who(maker)}]")
        if step.by and step.by not in step.wrote.values():
            tell(f"{'':20}   decided by {_who(step.by)}")


def _who(maker: Maker) -> str:
    return " ".join(filter(None, (maker.kind, maker.name, maker.at, maker.prompt)))


def _short(value: Any) -> str:
    import json

    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:69] + "…"


def _document(built: Built) -> dict[str, Any]:
    return {
        "folder": str(built.folder), "stages": built.counts, "written": built.written, "waiting": built.waiting,
        "complete": built.complete, "interrupted": built.interrupted, "stopped": built.stopped,
        "refused": built.refused,
    }  # fmt: skip


def _page(folder: Path) -> Path | None:
    """Write the page of a build; None if the packages that it needs are missing."""
    from triptych.construction.folder import BuildFolder
    from triptych.construction.report import write_report
    from triptych.errors import SpecError

    try:
        return write_report(BuildFolder.open(folder))
    except SpecError as error:
        say(f"no page of the build was written: {error.problem}" + (f" ({error.fix})" if error.fix else ""))
        return None


def _ended(built: Built, page: Path | None, *, pilot: bool = False) -> int:
    if built.interrupted:
        say("interrupted; the same command resumes")
        return 130
    if built.stopped:
        say(f"stopped: {built.stopped}")
        return 1
    for how in built.refused:
        say(f"guessable: {how}")
    if built.refused:
        say("no benchmark was written, since it can be guessed; add material, another seed, or allow_guessable = true")
        return 1
    if built.counts and not built.counts[0].came + built.counts[0].passed_by:
        say("the raw material has no rows: its tables are empty, or all sources are withdrawn")
    for each in built.counts:
        if waits := _waits(each, built.folder):
            say(waits)
    if pilot:
        say("no benchmark was written: --limit and --only build a part")
    elif built.written or not built.waiting:
        say(f"{built.written:,} records written to {built.folder / 'out'}")
    else:
        say(f"no record is finished yet, so {built.folder / 'out'} has no questions")
    if page:
        say(f"funnel, statistics and samples: {page}")
    return int(bool(built.waiting))


def _waits(counts: StageCounts, folder: Path) -> str:
    """Say why a stage holds records, and the commands that go on; empty if it holds none."""
    waiting, failed = counts.decisions.get("pending", 0), counts.decisions.get("failed", 0)
    if not waiting + failed:
        return ""
    why = ", ".join(
        f"{reason.partition(': ')[2]} {n:,}" for reason, n in counts.reasons.items()
        if reason.startswith(("pending: ", "failed: "))
    )  # fmt: skip
    held = [f"{n:,} {word}" for n, word in ((waiting, "waiting"), (failed, "failed")) if n]
    told = f"{counts.stage}: {' and '.join(held)} ({why})"
    if waiting and (folder / "tasks" / f"{counts.stage}.jsonl").is_file():
        sheet = f"{counts.stage}.csv"
        return (
            f"{told}; people are needed: `triptych build tasks {folder} {counts.stage} --to {sheet}` writes their "
            f"tasks, `triptych build results {folder} {counts.stage} {sheet} --person NAME` takes in what they "
            "return; then run this command again"
        )
    return f"{told}; `triptych build why {folder} ID` shows the reason of one; run this command again"
