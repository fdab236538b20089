"""`triptych build`: make a benchmark from raw material, with a history of every record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
import typer.core

from triptych.cli.arguments import say, tell
from triptych.cli.build_messages import (
    describe_counts,
    document,
    emptied_part,
    merged_end,
    page_of,
    print_end,
    rerecording_text,
    show_estimate,
    show_life,
    show_preview,
    show_reasons,
)
from triptych.cli.options import Json, ending

if TYPE_CHECKING:
    import click

    from triptych.construction.report.estimate import StageEstimate

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
    help=HELP,
    short_help="Make a benchmark from raw material.",
    no_args_is_help=True,
    rich_markup_mode=None,
    cls=_RecipeOrCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_Folder = Annotated[Path, typer.Argument(help="the build folder", metavar="DIR")]
_Recipe = Annotated[str, typer.Argument(help="a recipe: `triptych list recipes`")]
_Config = Annotated[Path, typer.Option("--config", help="the recipe's TOML file: material, models, parameters")]


@app.command("recipe", help="Start a build, or continue one that was interrupted or changed.")
def recipe(
    name: _Recipe,
    config: _Config,
    to: Annotated[Path, typer.Option("--to", help="the build folder")],
    limit: Annotated[int | None, typer.Option(help="number of records of the raw material, for a pilot [all]")] = None,
    only: Annotated[list[str] | None, typer.Option(help="stop after this stage")] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="estimate Requests, tokens, cost and time (by a pilot or the prompts), and stop"
        ),
    ] = False,
    concurrency: Annotated[int, typer.Option(help="number of concurrent Requests to a model")] = 16,
    budget_usd: Annotated[
        float | None, typer.Option(help="budget in USD for each stage that asks models [no limit]")
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="budget in tokens for each stage that asks models [no limit]")
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            help="file of prices (TOML or JSON) that come before the built-in ones [`prices` of the recipe's file]"
        ),
    ] = None,
    segments: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="recipe mcif: SHAS's YAML file with the segments of all talks"),
    ] = None,
    json: Json = False,
) -> int:
    """Exit code 0: complete and sound; 1: records wait or failed, nothing is left, also of a single
    subtask, or the verdict is not sound; 2: wrong use; 130: interrupted."""
    from triptych.api.build_verdict import verdict_on
    from triptych.cli.arguments import print_json, split_values
    from triptych.construction.build import build, estimate
    from triptych.running.loop import RunOptions

    changes = {"segments": segments} if segments else None
    if dry_run:
        records, stages = estimate(name, config, to, limit=limit, changes=changes, prices=prices)
        if json:
            print_json({"records": records, "stages": stages, "basis": _basis(stages)})
        else:
            show_estimate(records, stages)
        return 0
    options = RunOptions(
        concurrency=concurrency, budget_usd=budget_usd, budget_tokens=budget_tokens, prices=prices, progress=True
    )
    built = build(
        name,
        config,
        to,
        limit=limit,
        only=split_values(only),
        options=options,
        examine=verdict_on,
        changes=changes,
        progress=None if json else lambda counts: tell(describe_counts(counts)),
    )
    page = None if built.interrupted else page_of(to)
    if json:
        print_json({**document(built), "report": page and str(page)})
    return print_end(built, page, pilot=limit is not None or bool(only))


@app.command("report", help="Write the page of a build: funnel, statistics, samples.")
def report(
    folder: _Folder,
    to: Annotated[
        Path | None, typer.Option("--to", callback=ending(".html"), help="file to write [DIR/report.html]")
    ] = None,
    json: Json = False,
) -> int:
    """See the help. With --json the statistics are printed."""
    from triptych.cli.arguments import print_json
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.report.page import write_report
    from triptych.construction.report.statistics import as_json, records_of, statistics

    build = BuildFolder.open(folder)
    page = write_report(build, to)
    if json:
        print_json({"report": str(page), "statistics": as_json(statistics(records_of(build), build.path))})
    else:
        say(f"written to {page}")
    return 0


@app.command("status", help="Show how many records came into each stage, and their outcomes.")
def status(
    folder: _Folder,
    reason: Annotated[
        str, typer.Option(help="list the records with this reason, such as too-long, instead of the counts")
    ] = "",
    unused: Annotated[
        bool, typer.Option("--unused", help="list people's results that aren't used, such as those about older texts")
    ] = False,
    json: Json = False,
) -> int:
    """Exits with 1 if records are waiting or failed, or if a subtask has raw material and no record left."""
    from triptych.cli.arguments import print_json
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.people.unused import unused_results
    from triptych.construction.report.reasons import emptied_parts_of, records_with

    build = BuildFolder.open(folder)
    if unused:
        results = list(unused_results(build))
        if json:
            print_json({"unused": results})
        else:
            for one in results:
                tell(f"{one.stage}  {one.id}  {one.person}  {one.why}")
        return 0
    if reason:
        records = records_with(build, reason)
        if json:
            print_json({"records": records})
        else:
            show_reasons([(each.stage, each.id, f"{each.decision}: {each.reason}", each.note) for each in records])
        return 0
    counts = build.funnel()
    parts = emptied_parts_of(build)
    if json:
        print_json({"stages": counts, "emptied": parts})
    else:
        for each in counts:
            tell(describe_counts(each))
        for part in parts:
            tell(emptied_part(part, folder))
        if again := rerecording_text(folder):
            say(again)
    unfinished = any(each.decisions.get("pending") or each.decisions.get("failed") for each in counts)
    return int(unfinished or bool(parts))


@app.command(
    "why",
    help="Show the history of one record: sources, the maker of each field, each decision.",
    short_help="Show the history of one record.",
)
def why(
    folder: _Folder, record: Annotated[str, typer.Argument(help="id of the record", metavar="ID")], json: Json = False
) -> int:
    """See the help."""
    from triptych.cli.arguments import print_json
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.release.provenance import life_of

    life = life_of(BuildFolder.open(folder), record)
    if json:
        print_json({"id": life.id, "sources": life.sources, "steps": life.steps})
    else:
        show_life(life)
    return 0


@app.command(
    "withdraw",
    help="Remove a source (a text, a film, a speaker) and everything derived from it from the output.",
    short_help="Remove a source and everything derived from it.",
)
def withdraw(
    folder: _Folder,
    sources: Annotated[
        list[str],
        typer.Argument(
            help="sources, as `build why` shows them: film:ID, work:ID …; person:NAME for a reviewer",
            metavar="SOURCE…",
        ),
    ],
    config: _Config,
    json: Json = False,
) -> int:
    """Withdraw sources without asking a model. Exit code 1 if records now wait for replies."""
    from triptych.cli.arguments import print_json
    from triptych.construction.build import withdraw as take_out
    from triptych.construction.engine.folder import BuildFolder

    manifest = BuildFolder.open(folder).manifest()
    assert manifest is not None
    built = take_out(
        manifest.recipe, config, folder, sources, progress=None if json else lambda c: tell(describe_counts(c))
    )
    page = page_of(folder)
    if json:
        print_json({**document(built), "report": page and str(page)})
    return print_end(built, page, emptied=True)


_Stage = Annotated[
    str, typer.Argument(help="the stage that waits for people: `build status` shows it", metavar="STAGE")
]


@app.command("tasks", help="Write a stage's open tasks for people as a spreadsheet (CSV).")
def tasks(
    folder: _Folder,
    stage: _Stage,
    to: Annotated[
        Path, typer.Option("--to", callback=ending(".csv"), help="the CSV file; a column `your FIELD` for each answer")
    ],
) -> int:
    """See the help."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.people.sheets import open_tasks, write_sheet

    tasks = open_tasks(BuildFolder.open(folder), stage)
    write_sheet(tasks, to)
    say(f"{len(tasks):,} open tasks written to {to}; media are named relative to {folder}")
    if again := [task for task in tasks if task.again]:
        say(f"{len(again):,} of them were returned before and are sent back; {again[0].id}: {again[0].again}")
    say(tasks[0].guide)
    return 0


@app.command(
    "results",
    help="Read the results that a person filled in; run `triptych build` again afterwards.",
    short_help="Read the results that a person filled in.",
)
def results(
    folder: _Folder,
    stage: _Stage,
    sheet: Annotated[Path, typer.Argument(help="the CSV file, as `build tasks` wrote it", metavar="SHEET")],
    person: Annotated[str, typer.Option("--person", help="a pseudonym, for provenance")],
    settle: Annotated[bool, typer.Option("--settle", help="where people disagree, use only these rows")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="let these rows replace this person's earlier results")
    ] = False,
) -> int:
    """Exit code 0: all rows that were filled in are taken; 1: some are about an older version of their record; 2: some
    are filled in wrongly. The other rows are taken."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.people.sheets import take_sheet

    taken = take_sheet(BuildFolder.open(folder), stage, sheet, person, settles=settle, replaces=replace)
    say(f"{taken.results:,} results of {person} taken in" + (f", {taken.unchanged:,} known" if taken.unchanged else ""))
    if taken.stale:
        named = "; ".join(taken.stale[:10]) + (f"; and {len(taken.stale) - 10} more" if len(taken.stale) > 10 else "")
        say(f"{len(taken.stale):,} rows left out, since the build asks something else about these now: {named}")
        say("write the sheet again: `triptych build tasks` shows these records as they are")
    if taken.faults:
        say(f"{len(taken.faults):,} faults in the sheet, whose rows were not taken:")
        for fault in taken.faults:
            say(f"  {fault}")
        say("correct these rows and give the sheet again: rows that were taken are known then")
    return 2 if taken.faults else int(bool(taken.stale))


@app.command(
    "preview",
    help="Show what a stage would send to models or people, before anything is asked or paid.",
    short_help="Show what a stage would send to models or people.",
)
def preview(
    folder: _Folder,
    stage: Annotated[str, typer.Argument(help="a stage that asks models or people", metavar="STAGE")],
    config: _Config,
    name: Annotated[str, typer.Option("--recipe", help="the recipe [that of the build in DIR]")] = "",
    n: Annotated[int, typer.Option("--n", help="number of records", min=1)] = 5,
    json: Json = False,
) -> int:
    """DIR need not exist yet: the first rows of the raw material are then tried in a temporary folder."""
    from triptych.cli.arguments import print_json
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.report.preview import preview as shown_by
    from triptych.errors import SpecError

    manifest = BuildFolder(folder).manifest()
    if manifest is None and not name:
        raise SpecError("there is no build in this folder", where=folder, fix="name the recipe: --recipe mcga")
    shown = shown_by(name or (manifest.recipe if manifest else ""), config, folder, stage, n=n)
    if json:
        print_json({"stage": stage, "shown": shown})
    else:
        show_preview(shown)
    return 0


@app.command(
    "merge",
    help="Merge finished builds of one recipe into one benchmark; duplicates of other builds are dropped.",
    short_help="Merge finished builds of one recipe.",
)
def merge(
    builds: Annotated[list[Path], typer.Argument(help="build folders, two or more", metavar="DIR…")],
    to: Annotated[Path, typer.Option("--to", help="the folder of the merged benchmark")],
    name: Annotated[str, typer.Option("--name", help="its name [that of the first build]")] = "",
    json: Json = False,
) -> int:
    """Exit code 1 if nothing is written because a constant answer is above chance, or the verdict is not sound."""
    from triptych.api.build_verdict import verdict_on
    from triptych.cli.arguments import print_json
    from triptych.construction.merge import merge_builds

    merged = merge_builds(builds, to, name=name, examine=verdict_on)
    if json:
        print_json(
            {
                "folder": str(merged.folder),
                "builds": merged.builds,
                "stages": merged.counts,
                "written": merged.written,
                "refused": merged.refused,
                "verdict": merged.verdict,
            }
        )
    return merged_end(merged)


@app.command("push", help="Push a finished benchmark to the Hugging Face Hub as a data set.")
def push(
    folder: _Folder,
    target: Annotated[str, typer.Argument(help="the data set on the Hub", metavar="hf/ORG/NAME")],
    private: Annotated[bool, typer.Option("--private", help="create the data set as a private one")] = False,
    message: Annotated[str, typer.Option(help="the commit's message [the version of the benchmark]")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would be sent, and stop")] = False,
) -> int:
    """The token is read from HF_TOKEN. The number of waiting records is printed."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.release.versions import version_of
    from triptych.releases.pushing import carry_out_push, in_words, plan_push

    build = BuildFolder.open(folder)
    plan = plan_push(build.path / "out", target)
    waiting = sum(each.decisions.get(kind, 0) for each in build.funnel() for kind in ("pending", "failed"))
    if waiting:
        say(f"{waiting:,} records of this build still wait or failed")
    if dry_run:
        tell(f"would send {in_words(plan)}")
        return 0
    say(f"sending {in_words(plan)}")
    message_text = message or f"Version {version_of(build) or 1}"
    tell(carry_out_push(plan, message_text, private=private))
    return 0


def _basis(stages: list[StageEstimate]) -> str:
    return "the prompts" if any(each.basis == "prompts" for each in stages) else "a pilot's means"
