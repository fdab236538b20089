"""The first screen: title, matrix of models and benchmarks, and a sentence for each benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triptych.reports.tables.matrix import MIN_UNITS, Block, Tick, order_labels, runs_without_rank
from triptych.reports.tables.restrictions import is_baseline

MAX_COLUMNS = 14  # of a matrix that fits next to the contents on a screen of 1,400 pixels
MANY = 6  # Runs above which the rows are lower, so that all of them are on the first screen
MAX_NAMED = 3


@dataclass(frozen=True)
class Screen:
    """Content of the first screen. `matrices`: the blocks, in as many tables as are needed for their columns; `labels`:
    the Runs, best first."""

    title: str
    lead: str
    labels: tuple[str, ...]
    matrices: tuple[tuple[Block, ...], ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of all tables."""
        return tuple(block for row in self.matrices for block in row)

    @property
    def min_units(self) -> int:
        """The Units that a figure of a sample needs to be a column."""
        return MIN_UNITS

    @property
    def has_many_runs(self) -> bool:
        """True for so many Runs that their rows must be low to fit on a screen."""
        return len(self.labels) > MANY

    @property
    def mini(self) -> bool:
        """True if any Run was asked the built-in mini set."""
        return any(is_mini(mark) for one in self.blocks for mark in all_marks(one))

    @property
    def unranked_runs(self) -> frozenset[str]:
        """The Runs over a part of the questions, which have no rank."""
        return frozenset(runs_without_rank(self.blocks))

    @staticmethod
    def notes(matrix: Sequence[Block], label: str) -> list[str]:
        """Return what concerns a Run in one of the tables: each caveat once, with the benchmarks that it concerns
        unless it is all of them."""
        there = [one.title for one in matrix if label in one.cells]
        labels_by_note: dict[str, list[str]] = {}
        for one in matrix:
            for mark in (one.by_run or {}).get(label, ()):
                labels_by_note.setdefault(mark, []).append(one.title)
        return [mark if labels == there else f"{', '.join(labels)}: {mark}" for mark, labels in labels_by_note.items()]

    @property
    def bases(self) -> tuple[str, ...]:
        """Basis of the ticks on the axes, column by column."""
        ticks: list[tuple[str, Tick]] = [
            (f"{one.title}, {column.heading}", tick)
            for one in self.blocks
            for column in one.columns
            for tick in (column.chance, column.published)
            if tick
        ]
        return tuple(f"{where}: {tick.basis}" for where, tick in ticks)

    @property
    def ticks(self) -> str:
        """Meaning of the colours of the ticks that occur."""
        columns = [column for one in self.blocks for column in one.columns]
        explanations = ["grey tick: chance"] if any(column.chance for column in columns) else []
        printed = [column.published for column in columns if column.published]
        explanations += ["red tick: best published model"] if any(not tick.people for tick in printed) else []
        explanations += (
            ["red tick, where no model is published: people"] if any(tick.people for tick in printed) else []
        )
        return "; ".join(explanations).capitalize()


def screen(blocks: Sequence[Block], title: str = "") -> Screen:
    """Return the first screen. `title`: the user's own."""
    labels = order_labels(blocks)
    return Screen(title or _title(blocks, labels), _lead(blocks), tuple(labels), tuple(_packed(blocks)))


def is_mini(mark: str) -> bool:
    """Return True if a mark says that a Run was asked the built-in mini set."""
    return "mini set" in mark


def all_marks(block: Block) -> list[str]:
    """Return the restrictions of a benchmark's Runs, those of all first."""
    return [*block.shared, *(mark for label_marks in (block.by_run or {}).values() for mark in label_marks)]


def _packed(blocks: Sequence[Block]) -> list[tuple[Block, ...]]:
    """Return the blocks in tables of at most MAX_COLUMNS columns, unless one block alone has more."""
    packed: list[list[Block]] = []
    for block in blocks:
        width = sum(max(1, len(one.columns)) for one in packed[-1]) if packed else MAX_COLUMNS
        if width + max(1, len(block.columns)) > MAX_COLUMNS:
            packed.append([])
        packed[-1].append(block)
    return [tuple(row) for row in packed]


def _title(blocks: Sequence[Block], labels: Sequence[str]) -> str:
    who = _listed(labels) if len(labels) <= MAX_NAMED else _counted(blocks, labels)
    names = [block.title for block in blocks]
    return f"{who} on {_listed(names) if len(names) < 7 else f'{len(names)} benchmarks'}" if names else who


def _counted(blocks: Sequence[Block], labels: Sequence[str]) -> str:
    """Return `10 models and 2 baselines`: guessing isn't a model."""
    folders = {label: folder for block in blocks for label, folder in block.report.folders.items()}
    baselines = sum(label in folders and is_baseline(folders[label].manifest) for label in labels)
    fields = {"model": len(labels) - baselines, "baseline": baselines}
    return _listed([f"{count} {name}{'s' if count != 1 else ''}" for name, count in fields.items() if count])


def _lead(blocks: Sequence[Block]) -> str:
    """Return when and over what: dates, Runs, Units, protocols."""
    folders = [folder for block in blocks for folder in block.report.folders.values()]
    days = sorted({folder.manifest.created[:10] for folder in folders if folder.manifest.created})
    when = f"Runs of {days[0]}" + (f" to {days[-1]}" if len(days) > 1 else "") if days else ""
    runs = sum(len(block.cells) for block in blocks)
    protocols = list(dict.fromkeys(block.protocol for block in blocks))
    parts = [when, f"{runs} Run{'s' if runs != 1 else ''}", f"protocol {_listed(protocols)}" if protocols else ""]
    return " · ".join(filter(None, parts))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}" if names else "No Run"
