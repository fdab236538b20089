"""Training examples: the questions of a split as they are asked in a Run, with their reference answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.errors import DataError, SpecError
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.media.hashes import with_hashes
from triptych.records import Item, Problem, Request

SEPARATOR = "；"  # between several correct options, as Runs expect them
SPLIT = "split"  # the facet with an Item's split
DOUBLED = "id-doubled"  # kind of the problem that readers report for a row whose id an earlier one has


@dataclass(frozen=True)
class Example:
    """A question with its answer. `request`: as it is asked in a Run, with the instructions of its Task."""

    request: Request
    item: Item
    answer: str


@dataclass(frozen=True)
class Chosen:
    """The examples of a training split.

    ready    the plan that they were read with: benchmark, data folder, settings
    left_out questions without a reference answer, or that can't be asked
    leaking  examples that were dropped because the test data contain them
    tested   questions of the test data that the examples were compared with
    unread   rows of the data that can't be read, so that nothing was compared with them
    """

    ready: Plan
    examples: tuple[Example, ...]
    left_out: int
    leaking: int
    tested: int
    unread: int = 0


def choose_examples(
    benchmark: str,
    *,
    data: Path | str,
    tasks: Sequence[str] = (),
    split: str = "train",
    test: Path | str | None = None,
    filters: Mapping[str, Iterable[str]] | None = None,
    prompt: str | None = None,
    conditions: Sequence[str] = (),
    limit: int | None = None,
    drop_leaks: bool = False,
) -> Chosen:
    """Return the training examples of a benchmark, and check that none of them is in the test data.

    `split`: value of the facet `split` that is trained on; empty for all of `data`, which then requires `test`. The
    test data are the questions of all other splits, and those of the folder `test`: those of all files, also questions
    that a Run doesn't ask because another one has their id. An example leaks if it shares a recording, picture, video
    or text with them (the rule of `audit data`), or is the same question.

    Raises SpecError if nothing can be compared or chosen, DataError for leaks, unless they are dropped.
    """
    wanted = {**(filters or {}), **({SPLIT: [split]} if split else {})}
    how: dict[str, Any] = {"tasks": tasks, "prompt": prompt}
    ready = plan(benchmark, "baseline/reference", data=data, filters=wanted, limit=limit, conditions=conditions, **how)
    requests = [(request, request.item) for request in ready.requests()]
    examples = [
        Example(request, item, SEPARATOR.join(item.targets))
        for request, item in requests
        if item is not None and item.targets and not request.unaskable
    ]
    unread: list[Problem] = []
    tested = _other_split_items(benchmark, data, split, how, unread)
    tested += _all_items(benchmark, test, how, unread) if test else []
    if not tested:
        raise SpecError(
            "there are no test data to compare with, so leaks can't be excluded",
            got=f"split {split!r} of {data}",
            fix="name the test data with --test DIR",
        )
    if not examples:
        splits = sorted({item.facets[SPLIT] for item, _ in tested if SPLIT in item.facets})
        raise SpecError(
            "no example to train on was found",
            got=f"split {split!r} of {data}",
            expected=f"questions with a reference answer; other splits of the data: {', '.join(splits) or 'none'}",
            fix="choose the split with --split, and the tasks and --filter so that it has questions",
        )
    leaks = leaking_ids(ready.items(), ready.data, tested)
    remaining = [one for one in examples if one.item.id not in leaks]
    leaking = len(examples) - len(remaining)
    if leaking and not drop_leaks:
        first = next(one.item.id for one in examples if one.item.id in leaks)
        raise DataError(
            f"{leaking:,} of {len(examples):,} examples are in the test data",
            got=f"such as {first}",
            where=data,
            fix="correct the splits, or leave these examples out with --drop-leaks",
        )
    return Chosen(ready, tuple(remaining), len(requests) - len(examples), leaking, len(tested), len(unread))


def leaking_ids(items: Iterable[Item], root: Path, tested: Iterable[tuple[Item, Path]]) -> frozenset[str]:
    """Return the ids of the Items of which anything is in the test Items, which come with their data folders."""
    contents_known = {content for item, folder in tested for content in contents(with_hashes(item, folder))}
    return frozenset(item.id for item in items if contents_known & set(contents(with_hashes(item, root))))


def contents(item: Item) -> Collection[object]:
    """Return what must not be in two splits: media by hash, content texts, and the whole question with its options.

    A text that the question has, too, is a mark of a file (`<audio 1>`), which says nothing.
    """
    question = " ".join(part.text for part in item.parts if part.role == "question")
    parts = [
        part.sha256 or part.path or part.text
        for part in item.parts
        if part.is_media or (part.role == "content" and part.text not in question)
    ]
    stem = tuple(part.sha256 or part.path or part.text for part in item.parts)
    return {*parts, (stem, tuple(sorted(item.option_texts())))}


def _other_split_items(
    benchmark: str, data: Path | str, split: str, how: Mapping[str, Any], unread: list[Problem]
) -> list[tuple[Item, Path]]:
    """Return the Items of the other splits of the same data."""
    examples = _all_items(benchmark, data, how, unread) if split else []
    return [(item, folder) for item, folder in examples if item.facets.get(SPLIT, split) != split]


def _all_items(
    benchmark: str, data: Path | str, how: Mapping[str, Any], unread: list[Problem]
) -> list[tuple[Item, Path]]:
    """Return all Items of the data, also those whose id another one has; `unread` gets the faults of other rows."""
    ready = plan(benchmark, "baseline/reference", data=data, **how)
    doubled: list[Item] = []
    problems: list[Problem] = []
    items = [*ready.benchmark.items(ready.data, ready.tasks, problems.append, doubled.append)]
    unread += [one for one in problems if one.severity == "error" and one.kind != DOUBLED]
    return [(item, ready.data) for item in (*items, *doubled)]
