"""`triptych merge`: merge shards, or Runs over disjoint Items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.options import Json

if TYPE_CHECKING:
    from triptych.store.folder import RunFolder

HELP = (
    "Make one Run of several that asked the same model disjoint questions (shards of several machines, several tasks). "
    "The Runs are not changed; verdicts, readings and annotations are merged too, and scores are computed again. "
    "If shards overlap, the first answer counts."
)


def command(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders, packed or not, or folders that contain them; at least two Runs")
    ],
    out: Annotated[Path, typer.Option(help="the folder of the merged Run: new, or empty")],
    name: Annotated[str, typer.Option(help="name of the merged Run in tables")] = "",
    same_model: Annotated[
        bool, typer.Option("--same-model", help="confirm that the Runs' endpoints serve the same model")
    ] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="merge although shards are missing; `run` without --shard adds the rest")
    ] = False,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import print_json, say
    from triptych.cli.pack import count_entries
    from triptych.reports.merging import shard_command
    from triptych.store.shards import count_unfinished

    merged = api.merge(runs, out, name=name, same_model=same_model, partial=partial)
    if json:
        print_json({**count_entries(merged), "tasks": list(merged.manifest.tasks), "note": merged.manifest.note})
    else:
        about = count_entries(merged)
        say(f"{about['responses']:,} Responses to {about['items']:,} Items in {out}")
        if left := count_unfinished(merged):
            say(f"{left:,} of {merged.manifest.planned:,} Requests have no answer yet; this resumes the Run:")
            say(f"  {shard_command(merged, merged.manifest.shard)}")
        for note in merged.manifest.note.split("; ")[1:]:
            say(f"note: {note}")
        _show_scored(merged, say)
    return 0


def _show_scored(merged: RunFolder, say: Callable[[str], None]) -> None:
    """Print the tables of the protocols under which the shards' scores were joined, and say how to get the others."""
    from triptych.benchmarks import load_benchmark
    from triptych.reports.report import show_scores
    from triptych.scoring.notes.labels import label_of
    from triptych.scoring.runs import load_summary

    benchmark = load_benchmark(merged.manifest.benchmark)
    joined = load_summary(merged) if merged.summary_path.exists() else {}
    if joined:
        label = label_of(merged)
        show_scores(benchmark, {label: joined}, {label: merged})
        say(f"the scores of the shards were joined: {', '.join(sorted(joined))}")
    if left := [name for name in benchmark.protocols if name not in joined]:
        say(f"`triptych score {merged.path}` computes its scores" + (f": {', '.join(left)}" if joined else ""))
