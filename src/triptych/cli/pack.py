"""`triptych pack` and `triptych unpack`: a finished Run as two Parquet files, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.options import Json

if TYPE_CHECKING:
    from triptych.store.folder import RunFolder

HELP = (
    "Pack finished Runs: their journals become two Parquet files, a fraction of the size, that every command reads as "
    "before. Failed attempts that were repeated are left out. A packed Run can't be resumed: see `triptych unpack`."
)
UNPACK_HELP = "Turn packed Runs into journals again, so that they can be resumed."

_Runs = Annotated[list[Path], typer.Argument(help="Run folders, or folders that contain them")]


def command(runs: _Runs, json: Json = False) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import say
    from triptych.store.journals.entries import count_done

    for folder in (done := _change_runs(runs, api.pack, json)):
        if (planned := folder.manifest.planned) and (done_now := count_done(folder)) < planned:
            say(f"{folder.path} is unfinished: {done_now:,} of {planned:,}; `triptych unpack` lets it go on")
    return 0 if done else 1


def unpack_command(runs: _Runs, json: Json = False) -> int:
    """See UNPACK_HELP."""
    from triptych import api

    return 0 if _change_runs(runs, api.unpack, json) else 1


def count_entries(folder: RunFolder) -> dict[str, Any]:
    """Return the number of entries of a Run and the size of its journals or Parquet files in bytes."""
    from triptych.store.journals.entries import count_done, count_items

    files = [path for name in ("items", "responses") for path in folder.path.glob(f"{name}.*")]
    return {
        "run": str(folder.path),
        "packed": folder.is_packed,
        "items": count_items(folder),
        "responses": count_done(folder, ()),
        "bytes": sum(path.stat().st_size for path in files),
    }


def _change_runs(runs: Sequence[Path], change: Callable[[Path], RunFolder], json: bool) -> list[RunFolder]:
    """Change every Run and print the result; an error stops after the Runs already changed."""
    from triptych.cli.arguments import print_json, say
    from triptych.store.finding import open_runs

    settings, done = [], []
    for folder in open_runs(runs):
        before = count_entries(folder)
        done.append(change(folder.path))
        settings.append({**count_entries(done[-1]), "bytes_before": before["bytes"]})
        if not json:
            say(
                f"{folder.path}: {settings[-1]['responses']:,} Responses, {before['bytes']:,} bytes, now "
                f"{settings[-1]['bytes']:,}"
            )
    if json:
        print_json({"runs": settings})
    return done
