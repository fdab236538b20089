"""The page of one Item: question, reply, parsed answer, scores, and other forms of the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec

from triptych.analysis.errors.kinds import OFFERED
from triptych.benchmarks import Benchmark
from triptych.errors import MediaError
from triptych.experiment.sent_requests import sent_messages
from triptych.media.payload import DataFolder
from triptych.records import Annotation, Item, Part, Response, RunManifest
from triptych.reports.html.links import item_key, item_path, items_path, origin_path, run_path
from triptych.reports.html.origin import origin
from triptych.scoring.notes.labels import label_of
from triptych.store.annotations import read_annotations
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import Catalogue, benchmark_of
from triptych.viewer.index.files import RunIndex, open_index
from triptych.viewer.index.query import Filter, Questions, Row
from triptych.viewer.index.rows import target_text
from triptych.viewer.pages.comparison import KINDS, Pair
from triptych.viewer.pages.exchange import judge_replies, part_numbers
from triptych.viewer.pages.lists import filter_of
from triptych.viewer.pages.originals import original
from triptych.web.media import differs, media_file


@dataclass(frozen=True, slots=True)
class File:
    """A media Part as a page shows it: its address, or why it isn't shown."""

    url: str
    problem: str
    differs: bool


def item_page(
    catalogue: Catalogue, slug: str, folder: RunFolder, key: str, parameters: Mapping[str, str]
) -> dict[str, Any]:
    """Return everything that the page shows. Raises KeyError if the Run has no Item of this key and repeat."""
    index = open_index(folder)
    questions, repeat = Questions(index), repeat_of(parameters)
    other = catalogue.run(parameters["vs"]) if parameters.get("vs") else None
    wanted = filter_of(folder, index, parameters, Pair(index, open_index(other)).sides if other else None)
    row = questions.item(key, repeat)
    if row is None:
        raise KeyError(key)
    item, response = row["record"], row["response"]
    benchmark, root = benchmark_of(folder.manifest), catalogue.data_root(folder)
    scores = questions.scores(item.unit_id, repeat)
    mine = [a for a in read_annotations(folder.path) if (a.item, a.repeat) == (item.id, repeat)]
    return {
        **_neighbour_links(questions, wanted, slug, key, repeat, parameters, open_index(other) if other else None),
        "slug": slug,
        "run": run_path(slug),
        "items": items_path(slug),
        "label": label_of(folder),
        "item": item,
        "repeat": repeat,
        "permanent": item_path(slug, item.id, repeat),
        "response": response,
        "asked": sent_messages(item, response, folder.manifest, benchmark.spec if benchmark else None, root),
        "elsewhere": _not_sent_reason(folder.manifest),
        "media": files(slug, item, root),
        "scores": scores,
        "target": _target(questions, item, repeat),
        "options": options(item, _reading(scores, wanted.protocol)),
        "verdicts": judge_replies(folder, questions.verdicts(item.unit_id)),
        "annotations": mine,
        "annotate": f"{run_path(slug)}items/{key}/annotate",
        "error_kinds": OFFERED,
        "original": _original(slug, item, folder.manifest, benchmark, root),
        "origin": origin(item, root),
        "made": origin_path(slug, item.id),
        "back": "?" + urlencode(dict(parameters)),
        "filtered": bool(_narrowing(wanted)) or other is not None,
        "other": _item_in_run(parameters.get("vs", ""), other, item, repeat),
        **_neighbours(questions, slug, item, repeat, wanted, root),
        "raw": _raw(item, response),
    }


def repeat_of(parameters: Mapping[str, str]) -> int:
    """Return the repeat asked for; 0 if it isn't a number."""
    text = parameters.get("repeat", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def own_word(annotations: Sequence[Annotation], person: str) -> Annotation:
    """Return this person's annotation of the Item; an empty one if there is none."""
    return next((a for a in annotations if a.by == person), Annotation(""))


def files(slug: str, item: Item, root: DataFolder | None, below: str = "media") -> dict[Part, File]:
    """Return every media Part of the Item with its address or its problem. `below`: a step of the address, `original`
    for an Item of the benchmark's files."""
    return {part: _file(slug, item, number, root, below) for part, number in part_numbers(item).items()}


def _original(
    slug: str, item: Item, manifest: RunManifest, benchmark: Benchmark | None, root: DataFolder | None
) -> dict[str, Any] | None:
    """Return the Item as the benchmark's files have it, if Conditions removed media from it; otherwise None."""
    original_item = original(item, manifest, benchmark, root)
    if original_item is None:
        return None
    shown_item = original_item.item
    return {
        "problem": original_item.problem,
        "parts": shown_item.parts if shown_item else (),
        "options": options(shown_item, None) if shown_item else [],
        "media": files(slug, shown_item, original_item.root, "original") if shown_item else {},
        "conditions": manifest.conditions,
    }


def _file(slug: str, item: Item, number: int, root: DataFolder | None, below: str) -> File:
    url = f"{run_path(slug)}items/{item_key(item.id)}/{below}/{number}"
    try:
        part, path, _ = media_file(item, number, root)
        return File(url, "", bool(differs(part, path)))
    except MediaError as error:
        return File(url, f"{error.problem} ({error.fix})" if error.fix else error.problem, False)
    except OSError as error:
        return File(url, f"it can't be read ({error.strerror})", False)


def options(item: Item, reading: str | None) -> list[dict[str, Any]]:
    """Return the options with their letters, marked if correct and if parsed as the reply."""
    keys = set(item.targets)
    read = set() if reading is None else set(reading.split(" · "))
    shown_options = []
    for number, parts in enumerate(item.options):
        label = item.labels[number] if number < len(item.labels) else str(number + 1)
        names = {label, "".join(part.text for part in parts)} - {""}
        shown_options.append({"label": label, "parts": parts, "key": bool(names & keys), "chosen": bool(names & read)})
    return shown_options


def _reading(scores: Iterable[Row], protocol: str) -> str | None:
    """Return the answer that the protocol's main metric extracted from the reply, or that another metric did."""
    matching_scores = [row for row in scores if row["main"] and row["extraction"] is not None]
    return next(
        (row["extraction"] for row in sorted(matching_scores, key=lambda row: row["protocol"] != protocol)), None
    )


def _target(questions: Questions, item: Item, repeat: int) -> str:
    """Return the reference answer; for a Unit of several Items, the Unit's, which its first Item has."""
    first = questions.first_of(item.unit_id, repeat) if item.place else None
    return target_text(first["record"] if first else item)


def _not_sent_reason(manifest: RunManifest) -> str:
    """Return why no model was sent anything in this Run; empty if one was."""
    adapter = manifest.model.partition("/")[0]
    fields = {
        "replay": "the replies were imported from a file of results",
        "baseline": "a baseline answers without a Request",
    }
    return fields.get(adapter, "")


def _narrowing(wanted: Filter) -> bool:
    return bool(wanted.task or wanted.status or wanted.outcome or wanted.q or wanted.annotated or wanted.facets)


def _neighbour_links(
    questions: Questions,
    wanted: Filter,
    slug: str,
    key: str,
    repeat: int,
    parameters: Mapping[str, str],
    vs: RunIndex | None,
) -> dict[str, Any]:
    """Return the Items before and after this one in the selection that the reader comes from: a list, or the pairs of
    two Runs."""
    kind = parameters.get("kind", "")
    more = {name: parameters[name] for name in ("vs", "kind") if parameters.get(name)}
    if vs is not None:
        pair = Pair(questions.index, vs)
        before, position, after = pair.neighbours(wanted, kind, key, repeat)
        counts = pair.counts(wanted)
        number = counts[kind] if kind in counts else sum(counts[name] for name in KINDS)
        selection = "/compare?" + urlencode({"a": slug, "b": parameters["vs"], "kind": kind}) + f"&{wanted.query()}"
    else:
        before, position, after = questions.neighbours(wanted, key, repeat)
        counts = questions.counts(wanted)
        number = counts.get(wanted.outcome, 0) if wanted.outcome else sum(counts.values())
        selection = f"{items_path(slug)}?{wanted.query()}"

    def address(row: Row | None) -> str:
        if row is None:
            return ""
        fields = {**({"repeat": row["repeat"]} if row["repeat"] else {}), **more}
        return f"{run_path(slug)}items/{row['key']}?{wanted.query()}" + (f"&{urlencode(fields)}" if fields else "")

    return {"before": address(before), "after": address(after), "place": position, "found": number, "list": selection}


def _neighbours(
    questions: Questions, slug: str, item: Item, repeat: int, wanted: Filter, root: DataFolder | None
) -> dict[str, Any]:
    """Return all Items of the Instance, each named by the facets in which they differ."""
    rows = questions.instance(item.instance_id, repeat, wanted.protocol)
    pairs = [(row, row["record"]) for row in rows]
    names = _names([neighbour for _, neighbour in pairs])
    shown = [
        {
            "name": name,
            "here": neighbours.id == item.id,
            "href": item_path(slug, neighbours.id, repeat),
            "parts": neighbours.parts,
            "media": files(slug, neighbours, root),
            "options": options(neighbours, row["extraction"]),
            "outcome": row["outcome"],
            "reply": row["reply"],
        }
        for name, (row, neighbours) in zip(names, pairs, strict=True)
    ]
    right = sum(row["outcome"] == "right" for row in rows)
    scored = sum(row["outcome"] is not None for row in rows)
    return {"neighbours": shown, "tally": f"{right} of {scored} right under {wanted.protocol}" if scored else ""}


def _names(items: Sequence[Item]) -> list[str]:
    """Return distinct names for the Items of an Instance: the facets that differ, otherwise their ids."""
    facets = sorted({name for item in items for name in item.facets})
    telling = [name for name in facets if len({item.facets.get(name) for item in items}) > 1]
    named = [" · ".join(dict.fromkeys(item.facets[n] for n in telling if n in item.facets)) for item in items]
    unique = len(set(named)) == len(items) and all(named)
    return [name.replace("_", " ") for name in named] if unique else [item.id for item in items]


def _item_in_run(slug: str, folder: RunFolder | None, item: Item, repeat: int) -> dict[str, Any] | None:
    """Return the same Item in another Run; None if it doesn't have it."""
    if folder is None:
        return None
    questions = Questions(open_index(folder))
    row = questions.item(item_key(item.id), repeat)
    if row is None:
        return None
    return {
        "label": label_of(folder),
        "href": item_path(slug, item.id, repeat),
        "response": row["response"],
        "scores": questions.scores(item.unit_id, repeat),
    }


def _raw(item: Item, response: Response | None) -> str:
    records = [msgspec.json.encode(record) for record in (item, response) if record is not None]
    return "\n\n".join(msgspec.json.format(record, indent=2).decode() for record in records)
