"""Build the files of a Run's index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from triptych.errors import DataError, TriptychError
from triptych.records import Item, Response
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import benchmark_of, scores_of
from triptych.viewer.index.database import Database, Unfit
from triptych.viewer.index.journals import Lines, write_lines
from triptych.viewer.index.rows import search_texts, verdicts_of
from triptych.viewer.index.tables import ItemFacts, Pair, item_table, metrics_of, pairs_of, score_table

TEXTS = ("question", "target", "reply")  # columns of the texts that searches look at
PART = 1 << 16  # rows whose texts are in memory at once
Made = TypeVar("Made")


class Built(msgspec.Struct, frozen=True):
    """The values that filters offer: facet -> values, protocol -> metrics; and problems found.

    `sizes`: bytes of the two journals. `copied`: the index has a copy of them, since they can't be read in bulk.
    """

    rows: int
    facets: dict[str, list[str]]
    tasks: list[str]
    metrics: dict[str, list[str]]
    statuses: list[str]
    repeats: int
    problems: list[str]
    sizes: list[int]
    copied: bool


def journal_paths(folder: RunFolder, path: Path, stamp: str, *, copied: bool) -> tuple[Path, Path]:
    """Return the files of JSON lines with the Items and Responses: the Run's own, or the index's copies."""
    names = ("items", "responses")
    items, responses = (path / f"{n}-{stamp}.jsonl" if copied else folder.path / f"{n}.jsonl" for n in names)
    return items, responses


def build(folder: RunFolder, location: Path, stamp: str) -> Built:
    """Build `items`, `verdicts` and the Scores of the first protocol. Raises DataError if the Run is damaged."""
    problems = list[str]()
    with Database(location) as base:
        facts, copied = _items(base, folder, location, stamp)
        base.table("verdicts", verdicts_of(folder))
        base.write(location / f"verdicts-{stamp}.parquet", "SELECT rowid AS n, * FROM verdicts ORDER BY rowid")
        metrics = {}
        for number, protocol in enumerate(_protocols(folder)):
            try:
                to = location / f"scores-{number}-{stamp}.parquet"
                pairs = _pairs(base, folder, protocol) if number else _scores(base, folder, protocol, to)
            except TriptychError as error:
                problems.append(f"{protocol}: {error.problem}")
                pairs = []
            metrics[protocol] = metrics_of(pairs)
    paths = journal_paths(folder, location, stamp, copied=copied)
    return Built(
        rows=facts.rows,
        facets=facts.facets,
        tasks=facts.tasks,
        metrics=metrics,
        statuses=facts.statuses,
        repeats=folder.manifest.repeats,
        problems=problems,
        copied=copied,
        sizes=[path.stat().st_size if path.exists() else 0 for path in paths],
    )


def _items(base: Database, folder: RunFolder, path: Path, stamp: str) -> tuple[ItemFacts, bool]:
    to, repeats, uneven = path / f"items-{stamp}.parquet", folder.manifest.repeats, folder.manifest.uneven
    if not folder.is_packed:
        try:
            return item_table(
                base, *journal_paths(folder, path, stamp, copied=False), repeats, to, uneven=uneven
            ), False
        except (Unfit, OSError):
            pass  # reading the records says what is wrong, or they are sound
    items, responses = journal_paths(folder, path, stamp, copied=True)
    write_lines(items, folder.items())
    write_lines(responses, folder.responses())
    try:
        return item_table(base, items, responses, repeats, to, uneven=uneven), True
    except Unfit as error:
        raise DataError("the Run can't be indexed", where=folder.path, got=str(error)[:300]) from None


def build_scores(folder: RunFolder, protocol: str, to: Path) -> None:
    """Build the table of a protocol's Scores; an empty one if they can't be read."""
    with Database(to.parent) as base:
        try:
            _scores(base, folder, protocol, to)
        except TriptychError:
            score_table(base, to.with_suffix(".none"), protocol, None, to)


def _scores(base: Database, folder: RunFolder, protocol: str, to: Path) -> list[Pair]:
    benchmark = benchmark_of(folder.manifest)
    spec = benchmark.spec if benchmark else None
    return _fit(base, folder, protocol, lambda path: score_table(base, path, protocol, spec, to))


def _pairs(base: Database, folder: RunFolder, protocol: str) -> list[Pair]:
    return _fit(base, folder, protocol, partial(pairs_of, base))


def _fit(base: Database, folder: RunFolder, protocol: str, make: Callable[[Path], Made]) -> Made:
    """Return what is made of a file of Scores, or of the Scores themselves if the file isn't fit for the database.

    Raises TriptychError if they can't be read either.
    """
    try:
        return make(folder.scores_path(protocol))
    except (Unfit, OSError):
        copy = base.folder / f"scores-{protocol.encode().hex()[:32]}.tmp"
        try:
            write_lines(copy, load_scores(folder, protocol))
            return make(copy)
        except Unfit as error:
            raise DataError("the Scores can't be indexed", where=folder.path, got=str(error)[:300]) from None
        finally:
            copy.unlink(missing_ok=True)


def _protocols(folder: RunFolder) -> list[str]:
    """Return the protocols under which the Run was scored, in the order of the summary; files that it doesn't name come
    last."""
    there = sorted(path.stem for path in (folder.path / "scores").glob("*.jsonl"))
    order = list(scores_of(folder) or ())
    return [name for name in order if name in there] + [name for name in there if name not in order]


def build_texts(items: Path, item_lines: Path, response_lines: Path, done: Path) -> None:
    """Write the texts of all rows in parts; the first part last, under the name `done`. Raises DataError for a damaged
    line."""
    import polars as pl

    rows = pl.read_parquet(items, columns=["n", "item_start", "reply_start"])
    for begin in [*range(PART, rows.height, PART), 0]:
        part = rows.slice(begin, PART)
        path = done.with_name(f"{done.stem}-{begin}.parquet") if begin else done
        temporary = path.with_suffix(".tmp")
        texts = list(_texts(part.iter_rows(), item_lines, response_lines))
        columns = zip(TEXTS, zip(*texts, strict=True) if texts else ((), (), ()), strict=True)
        frame = pl.DataFrame([part["n"], *(pl.Series(name, list(type_), pl.String) for name, type_ in columns)])
        frame.write_parquet(temporary, compression="lz4", row_group_size=4096)
        temporary.replace(path)


def _texts(rows: Iterator[tuple[int, int, int | None]], items: Path, responses: Path) -> Iterator[tuple[str, str, str]]:
    with Lines(items, Item) as item_lines, Lines(responses, Response) as replies:
        for _, start, reply in rows:
            yield search_texts(item_lines.record_at(start), replies.record_at(reply) if reply is not None else None)
