"""`triptych merge`: merge shards, or Runs over disjoint Items."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.options import Json

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
    from triptych.cli.pack import counted
    from triptych.store.shards import unfinished

    merged = api.merge(runs, out, name=name, same_model=same_model, partial=partial)
    if json:
        print_json({**counted(merged), "tasks": list(merged.manifest.tasks), "note": merged.manifest.note})
    else:
        about = counted(merged)
        say(f"{about['responses']:,} Responses to {about['items']:,} Items in {out}")
        if left := unfinished(merged):
            say(f"{left:,} of {merged.manifest.planned:,} Requests have no answer yet; this resumes the Run:")
            say(f"  {api.shard_command(merged, merged.manifest.shard)}")
        if merged.summary_path.exists():
            say("the scores of the shards were joined")
        else:
            say(f"`triptych score {out}` computes its scores")
    return 0
