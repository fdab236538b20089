"""`triptych list`: list what is available, and which package provides it."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable
from enum import StrEnum
from itertools import zip_longest
from typing import Annotated, Any
from unicodedata import east_asian_width

import typer

from triptych.cli.options import Json, OwnCatalogue

HELP = "List benchmarks, tasks, models, metrics, protocols, conditions, presets, recipes, stages or datasets."

_OF_BENCHMARKS = ("benchmarks", "tasks", "protocols", "presets")
_NARROWEST = 12  # letters of a column


class Kind(StrEnum):
    """The kinds of things that can be listed."""

    benchmarks = "benchmarks"
    tasks = "tasks"
    models = "models"
    metrics = "metrics"
    protocols = "protocols"
    conditions = "conditions"
    presets = "presets"
    recipes = "recipes"
    stages = "stages"
    datasets = "datasets"


def command(
    what: Annotated[Kind, typer.Argument(help="what to list", metavar="WHAT")],
    benchmark: Annotated[
        str | None,
        typer.Argument(help="limit the list to this benchmark; `models`, `datasets` and `stages NAME` show one"),
    ] = None,
    status: Annotated[str, typer.Option(help="models: open, gated, retired or unpublished")] = "",
    tag: Annotated[str, typer.Option(help="models: a family or property, such as qwen, chinese, rl, thinks")] = "",
    catalogue: OwnCatalogue = None,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.errors import SpecError

    if catalogue is not None and what is not Kind.models:
        raise SpecError("--catalogue adds models", got=what.value, fix=f"triptych list models --catalogue {catalogue}")
    if benchmark and what in (Kind.conditions, Kind.recipes):
        raise SpecError(f"{what.value} don't belong to a benchmark", got=benchmark, fix=f"triptych list {what.value}")
    if (status or tag) and what is not Kind.models:
        raise SpecError("--status and --tag select models", got=what.value, fix="triptych list models --tag chinese")
    if what is Kind.models:
        from triptych.cli.list_models import list_models
        from triptych.models.catalogue import use_catalogue

        use_catalogue(catalogue)
        return list_models(benchmark, status, tag, json, _print)
    if what is Kind.datasets:
        from triptych.cli.list_datasets import list_datasets

        return list_datasets(benchmark, json, _print)
    if what is Kind.stages and not json:
        from triptych.cli.list_stages import list_stages

        list_stages(benchmark)
        return _tell_broken(what)
    rows = globals()[f"_{what.value}"](benchmark)
    if json:
        from triptych.cli.arguments import print_json

        print_json(rows + _catalogue_rows(benchmark) if what is Kind.benchmarks else rows)
    else:
        _print(_spread(rows, facts=bool(benchmark)) if what is Kind.tasks else rows)
        if what is Kind.benchmarks:
            _print_known(benchmark)
    return _tell_broken(what) if not benchmark else 0


def _found_or_reported(bench: Any, named: str | None, find: Callable[[Any], list[Any]]) -> list[Any]:
    """Return what a benchmark has. If its code or data fails and it was not named, print that, and go on with the
    others."""
    from triptych.cli.arguments import say

    try:
        return find(bench)
    except Exception as error:
        if named:
            raise
        say(f"{bench.name} ({bench.origin}): {error}")
        return []


def _tell_broken(what: Kind) -> int:
    """Print the plug-ins that can't be loaded; the others are listed. Returns 1 if any is missing."""
    from triptych.benchmarks import broken_benchmarks
    from triptych.cli.arguments import say
    from triptych.conditions.condition import broken_conditions
    from triptych.construction.recipe import broken_recipes
    from triptych.construction.stages import broken_stages
    from triptych.metrics.metric import broken_metrics

    kind = "benchmark" if what in _OF_BENCHMARKS else what.value.removesuffix("s")
    broken = broken_benchmarks() if what in _OF_BENCHMARKS else {}
    if what is Kind.metrics:
        broken = broken_metrics()
    elif what is Kind.conditions:
        broken = broken_conditions()
    elif what is Kind.stages:
        broken = broken_stages()
    elif what is Kind.recipes:
        broken = broken_recipes()
    for name, why in broken.items():
        say(f"\nthe {kind} {name!r} can't be loaded and is left out: {why}")
    return 1 if broken else 0


def _selected_benchmarks(benchmark: str | None) -> list[Any]:
    from triptych.benchmarks import known_benchmarks, load_benchmark

    return [load_benchmark(benchmark)] if benchmark else list(known_benchmarks().values())


def _benchmarks(benchmark: str | None) -> list[dict[str, Any]]:
    from triptych.benchmarks import broken_benchmarks

    rows = [
        {
            "name": b.name,
            "version": b.spec.version,
            "tasks": len(b.spec.tasks),
            "title": b.spec.title,
            "licence": b.spec.licence,
            "languages": list(b.spec.languages),
            "from": b.origin,
            "broken": None,
        }
        for b in _selected_benchmarks(benchmark)
        if not (benchmark and _catalogue_rows(benchmark))
    ]
    return rows + [
        {
            "name": name,
            "version": "",
            "tasks": None,
            "title": "can't be loaded",
            "licence": "",
            "languages": [],
            "from": why.partition(": ")[0],
            "broken": why.partition(": ")[2],
        }
        for name, why in ({} if benchmark else broken_benchmarks()).items()
    ]


def _print_known(benchmark: str | None) -> None:
    """Print the sets of the catalogue below the benchmarks, apart from them."""
    from triptych.benchmarks import MAPPED

    if rows := _catalogue_rows(benchmark):
        print(f"\n{len(rows)} more {MAPPED}; their data is given by --data:")
        _print(
            [
                {**row, "questions": row["questions"] or "?"}
                for row in _without_columns(rows, "from", "basis", "languages")
            ]
        )


def _catalogue_rows(benchmark: str | None) -> list[dict[str, Any]]:
    """Return the sets of the catalogue, each with the obstacle to its use and the rule of its protocol official."""
    from triptych.benchmarks import known_sets

    return known_sets([benchmark] if benchmark else [])


def _without_columns(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in names} for row in rows]


def _tasks(benchmark: str | None) -> list[dict[str, Any]]:
    from triptych.benchmarks.published import published_tasks

    return [
        {
            "name": b.spec.full_id(t),
            "title": t.title,
            "count": t.count,
            "answer": t.answer,
            "metrics": list(t.metrics),
            "facets": t.facets,
            **({"paper": facts[t.id]} if t.id in facts else {}),
        }
        for b in _selected_benchmarks(benchmark)
        for facts in [published_tasks(b.folder / "published")]
        for t in b.spec.tasks
    ]


def _spread(rows: list[dict[str, Any]], *, facts: bool) -> list[dict[str, Any]]:
    """Return the Tasks with a column for each facet and fact of the paper (if `facts`), without columns that are empty
    for all."""
    flat_rows = [{**row, **(row["facets"] if facts else {}), **(row.get("paper", {}) if facts else {})} for row in rows]
    keys = [key for key in dict.fromkeys(key for row in flat_rows for key in row) if key not in ("facets", "paper")]
    used = [key for key in keys if any(row.get(key) not in (None, "") for row in flat_rows)]
    return [{key: row.get(key) for key in used} for row in flat_rows]


def _metrics(benchmark: str | None) -> list[dict[str, Any]]:
    from triptych.metrics.metric import known_metrics, metric_name

    metrics = known_metrics()
    named = (
        {m for b in _selected_benchmarks(benchmark) for t in b.spec.tasks for m in t.metrics}
        if benchmark
        else set(metrics)
    )
    named |= {id_ for id_ in metrics if metric_name(id_) in named - set(metrics)}  # `f1` of a task: all its rules
    return [
        {"name": m.id, "what": m.name, "unit": m.unit, "better": m.better, "source": m.source, "from": origin}
        for m, origin in sorted(metrics.values(), key=lambda pair: pair[0].id)
        if m.id in named
    ]


def _protocols(benchmark: str | None) -> list[dict[str, Any]]:
    return [
        {"name": p.name, "benchmark": b.name, "version": p.version, "headline": p.headline, "what": p.summary}
        for b in _selected_benchmarks(benchmark)
        for p in _found_or_reported(
            b, benchmark, lambda benchmark_protocols: list(benchmark_protocols.protocols.values())
        )
    ]


def _conditions(_: str | None) -> list[dict[str, Any]]:
    from triptych.conditions.condition import known_conditions, usage

    return [
        {"name": name, "usage": usage(name, k.arguments or ()), "what": k.summary, "from": k.origin}
        for name, k in sorted(known_conditions().items())
    ]


def _presets(benchmark: str | None) -> list[dict[str, Any]]:
    from triptych.benchmarks.presets import load_presets

    return [
        {"name": p.name, "benchmark": b.name, "arms": [a.label for a in p.arms], "what": p.title, "paper": p.paper}
        for b in _selected_benchmarks(benchmark)
        for p in _found_or_reported(
            b, benchmark, lambda benchmark_presets: list(load_presets(benchmark_presets).values())
        )
    ]


def _recipes(_: str | None) -> list[dict[str, Any]]:
    from triptych.construction.recipe import broken_recipes, known_recipes, load_recipe

    rows = []
    broken = broken_recipes()
    for name, (_, origin) in known_recipes().items():
        if name in broken:  # reported below
            continue
        r = load_recipe(name)
        rows.append({"name": r.name, "version": r.version, "models": sorted(r.roles), "what": r.about, "from": origin})
    return rows


def _stages(name: str | None) -> list[dict[str, Any]]:
    from triptych.cli.list_stages import stages_named
    from triptych.construction.parameters import fields_of

    return [
        {
            "name": each.stage.name,
            "version": each.stage.version,
            "kind": each.stage.kind,
            "reads": list(each.stage.reads),
            "writes": list(each.stage.writes),
            "parameters": sorted(each.stage.parameters),
            "fields": [
                {"name": f.name, "expected": f.expected, "default": f.default, "meaning": f.meaning}
                for f in fields_of(each.stage.parameters)
            ],
            "what": each.stage.about,
            "from": each.origin,
            "recipes": list(each.recipes),
            "shared": each.shared,
        }
        for each in stages_named(name)
    ]


def _print(rows: list[dict[str, Any]]) -> None:
    """Print columns padded to their widest value. If the terminal is too narrow, the widest columns are wrapped."""
    rows = [{key: value for key, value in row.items() if key != "broken"} for row in rows]  # reported below
    if not rows:
        return
    cells = [[_text(v) for v in row.values()] for row in rows]
    heads = list(rows[0])
    widths = [max(_width(line[i]) for line in [heads, *cells]) for i in range(len(heads))]
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    for line in [heads, *cells]:
        broken = [
            textwrap.wrap(text, width, break_on_hyphens=False) or [""] for text, width in zip(line, widths, strict=True)
        ]
        for parts in zip_longest(*broken, fillvalue=""):
            padded = (part + " " * (width - _width(part)) for part, width in zip(parts, widths, strict=True))
            print("  ".join(padded).rstrip())


def _width(text: str) -> int:
    """Return the width in terminal columns, of which a Chinese character takes two."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(sign) in "WF") for sign in text)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
