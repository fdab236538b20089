"""`triptych fetch`: download a benchmark's released data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.options import Json

HELP = "Download a benchmark's released data from the Hugging Face Hub (HF_ENDPOINT, HF_TOKEN). Resumable."


def command(
    benchmark: Annotated[str, typer.Argument(help="name of the benchmark")],
    to: Annotated[Path | None, typer.Option(help="target folder [data/BENCH]")] = None,
    revision: Annotated[
        str, typer.Option(help="commit, branch or tag [the one fetched before, otherwise the pinned one]")
    ] = "",
    only: Annotated[list[str] | None, typer.Option(help="`questions` (no media), or patterns of file names")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would be downloaded, and stop")] = False,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.benchmarks import load_benchmark
    from triptych.cli.arguments import print_json, say, split_values
    from triptych.releases.fetching import carry_out_fetch, plan_fetch, size_words

    bench = load_benchmark(benchmark)
    release = bench.spec.release
    if release.results:
        say(f"results released by the authors (not fetched here): {release.results}")
    if not release.repo:
        say(f"{bench.name} can't be fetched.\n{release.apply or 'No source of its data is known.'}")
        if json:
            print_json({"benchmark": bench.name, "repo": None, "apply": release.apply})
        return 1
    folder = to or Path("data") / bench.name
    plan = plan_fetch(release, folder, revision=revision, only=split_values(only))
    say(
        f"{release.repo} at {plan.commit[:12]} ({plan.revision}), from {plan.endpoint}: {len(plan.wanted):,} of"
        f" {plan.listed:,} files wanted, {len(plan.missing):,} to fetch ({size_words(plan.bytes)}), to {folder}"
    )
    fields: dict[str, object] = {
        "benchmark": bench.name,
        "repo": release.repo,
        "commit": plan.commit,
        "to": str(folder),
        "results": release.results or None,
        "files": len(plan.wanted),
        "fetched": 0 if dry_run else len(plan.missing),
        "bytes": plan.bytes,
    }
    if not dry_run:
        carry_out_fetch(plan, say)
        if releases := bench.releases(folder):
            fields["releases"] = releases
            others = f"; it also holds {' and '.join(releases[1:])}" if releases[1:] else ""
            say(f"{folder} is read as the release {releases[0]}{others}")
        fields["problems"] = _check(bench.name, folder)
    if json:
        print_json(fields)
    return 0


def _check(name: str, folder: Path) -> dict[str, int]:
    """Print what `triptych check` finds in the data: counts, and how to see the rest."""
    from collections import Counter

    from triptych.benchmarks import load_benchmark
    from triptych.cli.arguments import say
    from triptych.errors import TriptychError

    bench = load_benchmark(name)
    try:
        problems = list(bench.check(folder, bench.spec.tasks))
    except TriptychError as error:
        say(f"`triptych check {name} --data {folder}` says: {error}")
        return {"error": 1}
    counts = Counter[str](problem.severity for problem in problems)
    words = ", ".join(f"{counts[s]} {s}{'s' * (counts[s] != 1)}" for s in ("error", "warning", "note") if counts[s])
    say(f"`triptych check {name} --data {folder}` says: {words or 'complete and well-formed'}")
    for problem in [p for p in problems if p.severity == "error"][:3]:
        say(f"  {problem.kind}: {problem.message} ({problem.where})")
    return dict(counts)
