"""The pages with lists: all Runs, one Run, its Items, two Runs compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import msgspec

from triptych.benchmarks import Benchmark
from triptych.errors import TriptychError
from triptych.records import RESPONSE_STATUSES, Annotation, RunManifest, RunNote, signature_of
from triptych.reports.html.links import item_path, items_path, run_path
from triptych.reports.tables.restrictions import describe_partial_scores
from triptych.scoring.notes.labels import label_of
from triptych.scoring.runs import is_outdated
from triptych.store.annotations import read_annotations
from triptych.store.folder import RunFolder
from triptych.store.run_notes import NAME as NOTES
from triptych.store.run_notes import read_run_note
from triptych.viewer.catalogue import Listed, benchmark_of, scores_of
from triptych.viewer.commands import command
from triptych.viewer.index.files import RunIndex, open_index
from triptych.viewer.index.outcomes import OUTCOMES
from triptych.viewer.index.query import PAGE, Filter, Questions, Sides, entries_of, names_of, read_filter
from triptych.viewer.pages.comparison import Pair
from triptych.viewer.pages.difference import difference
from triptych.viewer.pages.figures import Cell, Shown, figure_name, overview_of, run_tables
from triptych.viewer.pages.notes import run_fields, run_filter

MAX_COLUMNS = 8  # figures a Run in the list of all Runs, as many as fit on a screen, the total first
_KIND_WORDS = {
    "a": "only A right",
    "b": "only B right",
    "both": "both right",
    "neither": "neither right",
    "unscored": "no score",
}
_GRADED_WORDS = _KIND_WORDS | {"a": "A better", "b": "B better", "neither": "alike"}


def home(listed: Listed, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return all Runs by benchmark, each with its first figures. Hidden Runs are listed if they are asked for."""
    q, benchmark, where = (
        parameters.get("q", "").strip(),
        parameters.get("benchmark", ""),
        parameters.get("where", "").strip(),
    )
    unreadable = list(listed.unreadable)
    notes = {slug: run_note(slug, folder, unreadable) for slug, folder in listed.runs.items()}
    wanted, names, problem = run_filter(where, listed.runs, notes)
    fitting = {
        slug: folder
        for slug, folder in listed.runs.items()
        if benchmark in ("", folder.manifest.benchmark)
        and _fits(slug, folder.manifest, notes[slug], q)
        and wanted(slug)
    }
    all_shown = bool(parameters.get("hidden")) or "hidden" in names
    shown = {slug: folder for slug, folder in fitting.items() if all_shown or not notes[slug].hidden}
    benchmarks = sorted({folder.manifest.benchmark for folder in listed.runs.values()})
    groups = [
        _group_or_bare({s: f for s, f in shown.items() if f.manifest.benchmark == name}, unreadable)
        | {"report": _report_of(name, shown, listed.runs)}
        for name in sorted({folder.manifest.benchmark for folder in shown.values()})
    ]
    return {
        "count": len(listed.runs),
        "shown": len(shown),
        "q": q,
        "benchmark": benchmark,
        "benchmarks": benchmarks,
        "groups": groups,
        "unreadable": unreadable,
        "notes": notes,
        "where": where,
        "problem": problem,
        "hidden": len(fitting) - len(shown),
        "all_shown": all_shown,
        "fields": run_fields(listed.runs),
        "with_hidden": "/?" + _query(q=q, benchmark=benchmark, where=where, hidden="1"),
    }


def _report_of(name: str, shown: Mapping[str, RunFolder], every: Mapping[str, RunFolder]) -> str:
    """Return the address of the report over the Runs of a benchmark that are shown; short if these are all."""
    slugs = [slug for slug, folder in shown.items() if folder.manifest.benchmark == name]
    if len(slugs) == sum(folder.manifest.benchmark == name for folder in every.values()):
        return "/report?" + urlencode({"benchmark": name})
    return "/report?" + urlencode([("run", slug) for slug in slugs])


def run_note(slug: str, folder: RunFolder, unreadable: list[tuple[str, str]]) -> RunNote:
    """Return what people say of a Run; if it can't be read, an empty note, and the problem is added to the list."""
    try:
        return read_run_note(folder.path)
    except TriptychError as error:
        unreadable.append((f"{slug}: {NOTES}", error.problem))
        return RunNote()


def _fits(slug: str, manifest: RunManifest, note: RunNote, q: str) -> bool:
    hay = " ".join(
        (
            slug,
            manifest.called,
            manifest.model,
            manifest.benchmark,
            manifest.condition,
            manifest.prompt,
            note.note,
            *note.tags,
        )
    ).casefold()
    return all(word in hay for word in q.casefold().split())


def _group_or_bare(runs: Mapping[str, RunFolder], unreadable: list[tuple[str, str]]) -> dict[str, Any]:
    """Return a benchmark's Runs with their figures. A Run from elsewhere can contain anything: one that can't be shown
    is reported, and the others are shown."""
    try:
        return _group(runs)
    except Exception:  # noqa: BLE001
        good = {slug: folder for slug, folder in runs.items() if not _fault(slug, folder, unreadable)}
        try:
            return _group(good)
        except Exception:  # noqa: BLE001 (they can't be shown together: without figures they can)
            return _plain_list(good, next(iter(runs.values())).manifest.benchmark)


def _fault(slug: str, folder: RunFolder, unreadable: list[tuple[str, str]]) -> bool:
    try:
        _group({slug: folder})
    except Exception as error:  # noqa: BLE001
        unreadable.append((slug, error.problem if isinstance(error, TriptychError) else type(error).__name__))
        return True
    return False


def _plain_list(runs: Mapping[str, RunFolder], name: str) -> dict[str, Any]:
    listed = [_row(slug, folder.manifest, (), "") for slug, folder in runs.items()]
    return {"name": name, "title": name, "headings": (), "more": 0, "caption": "", "runs": listed}


def _group(runs: Mapping[str, RunFolder]) -> dict[str, Any]:
    first = next(iter(runs.values()))
    benchmark = benchmark_of(first.manifest)
    scored = {slug: scores for slug, folder in runs.items() if (scores := scores_of(folder))}
    shown = overview_of(benchmark, scored, runs) if benchmark and scored else None
    columns = _columns(shown) if shown else []
    rows = {label: ([cells[n] for n in columns], coverage) for label, _, cells, coverage in shown.rows} if shown else {}
    protocol = shown.table.protocol if shown else ""
    listed = []
    for slug, folder in runs.items():
        cells, coverage = rows.get(slug, ((), ""))
        alone = describe_partial_scores(scored[slug].get(protocol, [])) if slug in scored else ""
        listed.append(_row(slug, folder.manifest, cells, coverage, alone))
    return {
        "name": first.manifest.benchmark,
        "title": benchmark.spec.title if benchmark else first.manifest.benchmark,
        "headings": [shown.table.headings[n] for n in columns] if shown else (),
        "more": len(shown.table.headings) - len(columns) if shown else 0,
        "caption": f"Protocol {shown.table.protocol}" if shown else "",
        "runs": listed,
    }


def _part(manifest: RunManifest) -> str:
    """Return the Run's restriction to less than the whole benchmark in a few words; empty for all of it."""
    mini = "mini set" if manifest.data == "mini" else ""
    sample = f"sample {manifest.sample}" if manifest.sample else ""
    return ", ".join(filter(None, [mini, sample, f"limit {manifest.limit}" if manifest.limit else ""]))


def _columns(shown: Shown) -> list[int]:
    """Return the indices of the columns of the list: the total first, since a screen may be narrow, then the others in
    order."""
    columns = shown.table.columns
    split = {(column.task, column.metric) for column in columns if column.slice}
    totals = [n for n, column in enumerate(columns) if not column.slice and (column.task, column.metric) in split]
    return [*totals, *(n for n in range(len(columns)) if n not in totals)][:MAX_COLUMNS]


def _row(slug: str, manifest: RunManifest, cells: Sequence[Cell], coverage: str, alone: str = "") -> dict[str, Any]:
    return {
        "slug": slug,
        "href": run_path(slug),
        "model": manifest.called,
        "condition": manifest.condition,
        "part": _part(manifest),
        "created": manifest.created[:10],
        "cells": cells,
        "coverage": coverage,
        "alone": alone,
    }


def run(slug: str, folder: RunFolder, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return one Run: outcomes, figures, annotations, settings."""
    manifest, scored, index = folder.manifest, scores_of(folder), open_index(folder)
    benchmark, problems = benchmark_of(manifest), list(index.contents.problems)
    if benchmark is None:
        problems.append(f"The benchmark {manifest.benchmark!r} isn't installed here: there are no tables.")
    if is_outdated(folder):
        problems.append(
            "The scores are older than the latest replies, verdicts or decisions. To update them, run: "
            + command("score", folder.path)
        )
    protocols = list(scored or ())
    protocol = parameters.get("protocol", "")
    protocol = protocol if protocol in protocols else next(iter(protocols), "")
    annotations = _annotations(folder, problems)
    broken = list[tuple[str, str]]()
    noted = run_note(slug, folder, broken)
    problems += [f"{NOTES}: {problem}" for _, problem in broken]
    return {
        "slug": slug,
        "here": run_path(slug),
        "items": items_path(slug),
        "score": command("score", folder.path),
        "label": label_of(folder),
        "title": benchmark.spec.title if benchmark else manifest.benchmark,
        "manifest": manifest,
        "problems": problems,
        "statuses": _statuses(slug, index),
        "total": index.contents.rows,
        "asked": index.contents.rows,
        "notes": scored.notes if scored else (),
        "protocol": protocol,
        "protocols": [{"name": name} for name in protocols],
        "summary": _summary(benchmark, protocol),
        "tables": run_tables(benchmark, slug, scored, protocol, index, folder)
        if benchmark and scored and protocol
        else [],
        "signature": signature_of(scored[protocol]) if scored and protocol else "",
        "annotations": annotations,
        "kinds": Counter(word for a in annotations for word in (a.kind, a.verdict) if word),
        "facts": list(_facts(manifest)),
        "noted": noted,
        "whole": msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode(),
    }


def _summary(benchmark: Benchmark | None, protocol: str) -> str:
    from triptych.reports.tables.words import HEADLINES

    if benchmark is None or protocol not in benchmark.spec.protocols:
        return ""
    protocol_ = benchmark.protocol(protocol)
    return (
        f"{protocol_.summary}; {HEADLINES[protocol_.headline]}. Below each value: 95% interval and number of Units (n)."
    )


def _statuses(slug: str, index: RunIndex) -> list[dict[str, Any]]:
    """Return replies by status, each with its part of a bar of 100."""
    statuses = Questions(index).statuses()
    every, bars, x = max(1, sum(statuses.values())), [], 0.0
    for name in (*RESPONSE_STATUSES, "missing"):
        if n := statuses.get(name, 0):
            href = f"{items_path(slug)}?status={name}"
            bars.append({"name": name, "n": n, "href": href, "x": round(x, 3), "width": round(100 * n / every, 3)})
            x += 100 * n / every
    return bars


def _facts(manifest: RunManifest) -> Iterable[tuple[str, str]]:
    yield "benchmark", f"{manifest.benchmark} {manifest.benchmark_version}"
    yield "data", f"{manifest.data} ({manifest.data_sha256})"
    yield "tasks", f"{len(manifest.tasks)}: {', '.join(manifest.tasks[:4])}{' …' if len(manifest.tasks) > 4 else ''}"
    yield "prompt", manifest.prompt
    yield "decoding", ", ".join(f"{name} {value}" for name, value in manifest.decoding.items()) or "the model's own"
    yield "seed, repeats", f"{manifest.seed}, {manifest.repeats}"
    if manifest.revision:
        yield "revision", manifest.revision
    if manifest.filters:
        yield "only", "; ".join(f"{name} {', '.join(values)}" for name, values in manifest.filters.items())
    if manifest.sample or manifest.limit:
        yield "sample", " ".join(filter(None, [manifest.sample, f"limit {manifest.limit}" if manifest.limit else ""]))
    yield "made", f"{manifest.created} by triptych {manifest.code_version}, Python {manifest.python}"
    if manifest.note:
        yield "note", manifest.note


def _annotations(folder: RunFolder, problems: list[str]) -> list[Annotation]:
    try:
        return read_annotations(folder.path)
    except TriptychError as error:
        problems.append(f"annotations.jsonl: {error.problem}")
        return []


def filter_of(folder: RunFolder, index: RunIndex, parameters: Mapping[str, str], sides: Sides | None = None) -> Filter:
    """Return the filter in a query string, with the annotated Items and the figure's Tasks if it needs them."""
    wanted = read_filter(parameters, index, sides)
    if wanted.figure:
        scored = scores_of(folder)
        figures = scored.get(wanted.protocol, []) if scored else []
        tasks: tuple[str, ...] = next((figure.tasks for figure in figures if figure_name(figure) == wanted.figure), ())
        wanted = replace(wanted, tasks=tasks, figure=wanted.figure if tasks else "")
    if not wanted.annotated:
        return wanted
    annotated = entries_of((a.item, a.repeat) for a in _annotations(folder, []))
    return replace(wanted, entries=annotated)


def items(slug: str, folder: RunFolder, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return a page of a Run's Items, filtered."""
    index = open_index(folder)
    wanted, questions = filter_of(folder, index, parameters), Questions(index)
    counts, number = questions.counts(wanted), page_number(parameters)
    total = counts.get(wanted.outcome, 0) if wanted.outcome else sum(counts.values())
    notes = {(a.item, a.repeat): a.verdict or a.kind or "note" for a in _annotations(folder, [])}
    rows = questions.page(wanted, number)
    for row in rows:
        row["href"] = _item_href(slug, row, wanted.query())
        row["said"] = notes.get((row["item"], row["repeat"]), "")
    return {
        "slug": slug,
        "run": run_path(slug),
        "here": items_path(slug),
        "label": label_of(folder),
        "wanted": wanted,
        "contents": index.contents,
        "names": names_of(index),
        "total": sum(counts.values()),
        "found": total,
        "rows": rows,
        "outcomes": [(name, counts[name]) for name in OUTCOMES if counts.get(name)],
        "page": number,
        "pages": -(-total // PAGE),
        "sorter": _sorter(items_path(slug), wanted),
    }


def _item_href(slug: str, row: Mapping[str, Any], query: str) -> str:
    path = item_path(slug, row["item"], row["repeat"])
    return path + (("&" if "?" in path else "?") + query if query else "")


def page_number(parameters: Mapping[str, str]) -> int:
    """Return the page asked for; 1 if it isn't a number."""
    text = parameters.get("page", "1")
    return min(max(1, int(text)), 1_000_000) if text.isascii() and text.isdigit() and len(text) < 8 else 1


def _sorter(here: str, wanted: Filter) -> Any:
    from markupsafe import Markup

    def link(words: str, name: str) -> Markup:
        """Return a heading that sorts by its column: best or longest first, then reversed, then unsorted."""
        turn = {f"-{name}": name, name: ""}.get(wanted.sort, f"-{name}")
        arrow = {f"-{name}": " ↓", name: " ↑"}.get(wanted.sort, "")
        return Markup('<a href="{}?{}">{}{}</a>').format(here, wanted.query(sort=turn), words, arrow)

    return link


def compare(a: str, b: str, runs: Mapping[str, RunFolder], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Compare two Runs Item by Item."""
    first, second = open_index(runs[a]), open_index(runs[b])
    pair, number = Pair(first, second), page_number(parameters)
    wanted = read_filter(parameters, first, pair.sides)
    counts = pair.counts(wanted)
    words = _GRADED_WORDS if counts["partly"] else _KIND_WORDS
    kinds = [("", "all", sum(counts[kind] for kind in words))]
    kinds += [(name, words[name], counts[name]) for name in ("a", "b", "both", "neither")]
    kinds += [("unscored", words["unscored"], counts["unscored"])] if counts["unscored"] else []
    kinds += [("differ", "scores differ", counts["differ"]), ("replies", "replies differ", counts["replies"])]
    kind = parameters.get("kind", "")
    kind = kind if kind in {name for name, _, _ in kinds} else ""
    rows = pair.page(wanted, kind, number)
    for row in rows:
        row["href"] = _item_href(a, row, f"{wanted.query()}&{_query(vs=b, kind=kind)}")
    base = f"/compare?{_query(a=a, b=b)}&{wanted.query()}"
    return {
        "a": _side(a, runs[a]),
        "b": _side(b, runs[b]),
        "swapped": f"/compare?{_query(a=b, b=a)}&{wanted.query()}",
        "report": f"/report?{urlencode([('run', a), ('run', b)])}",
        "wanted": wanted,
        "contents": first.contents,
        "names": names_of(first),
        "counts": counts,
        "difference": difference(runs[a], runs[b], wanted.protocol),
        "kinds": kinds,
        "kind": kind,
        "rows": rows,
        "links": {name: f"{base}&{_query(kind=name)}" for name, _, _ in kinds},
        "total": kinds[0][2],
        "page": number,
        "pages": -(-{name: n for name, _, n in kinds}[kind] // PAGE),
        "here": f"{base}&{_query(kind=kind)}",
        **dict(zip(("only_a", "only_b"), pair.unpaired_counts(), strict=True)),
    }


def _side(slug: str, folder: RunFolder) -> dict[str, str]:
    return {"slug": slug, "href": run_path(slug), "label": label_of(folder)}


def _query(**query_string: str) -> str:
    return urlencode(query_string)
