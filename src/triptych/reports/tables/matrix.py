"""The first screen of a report: models by benchmarks, with what each headline figure rests on and what is decided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triptych.analysis.comparing.verdict import MAX_NAMED, Pair, pairs_among, pairs_of, verdict
from triptych.analysis.observed import headlines
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import TriptychError
from triptych.metrics.metric import find_metric
from triptych.records import Aggregate, Column, FigureKey, Layout, Section, TableCell, TableRow, figure_key
from triptych.records.estimates import Better
from triptych.records.findings import Finding
from triptych.reports.tables import words
from triptych.reports.tables.book import Report
from triptych.reports.tables.coverage import NO_REPLY, is_measured
from triptych.reports.tables.marks import of_figures, of_questions, shared_marks
from triptych.reports.tables.measured import why_apart
from triptych.reports.tables.overview import stated_direction
from triptych.reports.tables.published import PublishedRows, basis_of, load_published, published_rows
from triptych.reports.tables.ranking import mark_best

if TYPE_CHECKING:
    from triptych.records import Item

DIGITS = 1
MIN_UNITS = 24  # Units behind a column: over fewer, a Run with --limit or --sample shows that it works, not how well


@dataclass(frozen=True)
class Tick:
    """A value to compare with, on the axis of a column: guessing, or the best published row. `basis`: where from;
    `beside`: of a published row, the Runs that it can be compared with; `people`: it is people's, not a model's."""

    value: float
    basis: str
    beside: frozenset[str] = frozenset()
    people: bool = False


@dataclass(frozen=True)
class MatrixColumn:
    """A column: one headline figure of a benchmark. `n`: the Units behind the figures of most Runs, 0 if there is no
    such number; `part`: what is missing in most Runs alike (`25 of 92 not scored`), and something in all others."""

    key: FigureKey
    heading: str
    better: str
    n: int = 0
    part: str = ""
    low: float = 0.0
    high: float = 100.0
    chance: Tick | None = None
    published: Tick | None = None

    def axis_position(self, value: float) -> float:
        """Return where a value is on the column's axis, out of 100."""
        return round(100 * min(1.0, max(0.0, (value - self.low) / (self.high - self.low))), 2)


@dataclass(frozen=True)
class Cell:
    """A Run's figure in a column.

    `units`: those asked; `answered`: those with a reply; `unscored`: those with a reply that has no score, because a
    judge or weights are missing. `rank`: `1`, or `2–4` if Runs with these ranks do not differ significantly; `among`:
    the number of Runs that are ranked; `best`, `second`: as in every table (`ranking.mark_best`); `lacks`: what the
    reader must know about this figure; `apart`: it is over a part of what other Runs' figures are over, and has no
    rank; `parts`: (subtasks behind a partial average, all subtasks).
    """

    value: float | None
    interval: tuple[float, float] | None = None
    n: int = 0
    units: int = 0
    answered: int = 0
    unscored: int = 0
    rank: str = ""
    among: int = 0
    best: bool = False
    second: bool = False
    lacks: str = ""
    apart: bool = False
    parts: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """The value as printed."""
        return words.minus(words.number(self.value, DIGITS))

    @property
    def part(self) -> str:
        """`asked 724, answered 44`, if not all Units were; `25 of 92 not scored`; `partial average: 6 of 102
        subtasks`; else empty."""
        notes = [] if self.answered == self.units else [f"asked {self.units:,}, answered {self.answered:,}"]
        notes += [f"{self.unscored:,} of {self.units:,} not scored"] if self.unscored else []
        notes += [f"partial average: {self.parts[0]:,} of {self.parts[1]:,} subtasks"] if self.parts else []
        return "; ".join(notes)

    @property
    def spread(self) -> str:
        """The interval as printed, or why there is none."""
        if self.value is None:
            return ""
        if self.interval is None:
            return words.no_interval(self.n)
        return words.minus(words.range_words(self.interval, DIGITS))


@dataclass(frozen=True)
class Block:
    """A benchmark's part of the matrix: its columns, label -> cells, and its caveats.

    `shared`: what holds for all Runs (the mini set); `by_run`: label -> what holds for that Run alone; `absent`:
    headline figures that no Run has, each with the reason; `few`: those over fewer than MIN_UNITS Units of a sample,
    which have no column, each with its n; `summary`: what is known, in words; `severe`: the number of severe findings
    of the audit.
    """

    report: Report
    protocol: str
    columns: tuple[MatrixColumn, ...]
    cells: Mapping[str, tuple[Cell, ...]]
    shared: tuple[str, ...] = ()
    by_run: Mapping[str, tuple[str, ...]] | None = None
    absent: tuple[str, ...] = ()
    few: tuple[str, ...] = ()
    summary: str = ""
    severe: int = 0

    @property
    def id(self) -> str:
        """The anchor of the benchmark's chapter."""
        return self.report.benchmark.name.replace("_", "-")

    @property
    def title(self) -> str:
        """The benchmark's name up to the colon."""
        return self.report.benchmark.spec.title.partition(":")[0]


_DOUBTS = {
    "mislabelled": "replies as similar as repeats of {others}: is it another model?",
    "mixed": "holds replies of several models",
    "served": "the endpoint named another model",
    "version": "reference answers of another version",
}


def doubts(findings: Sequence[Finding], labels: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return label -> what the audit says against the Run's figures as those of its model."""
    doubts_by_label: dict[str, dict[str, dict[str, None]]] = {}  # label -> kind -> the other Runs
    labels = tuple(labels)
    for finding in findings:
        labels_in_rows = [label for label in labels if label in finding.rows] if finding.kind in _DOUBTS else []
        for label in labels_in_rows:
            others = doubts_by_label.setdefault(label, {}).setdefault(finding.kind, {})
            others.update(dict.fromkeys(row for row in finding.rows if row != label))
    return {
        label: tuple(_DOUBTS[kind].format(others=", ".join(others) or "another Run") for kind, others in kinds.items())
        for label, kinds in doubts_by_label.items()
    }


def block(
    report: Report,
    protocol: str,
    sections: Sequence[Section] = (),
    findings: Sequence[Finding] = (),
    *,
    every: bool = False,
) -> Block:
    """Return a benchmark's part of the matrix, under one protocol. `sections`: the results of the analyses, for ranks
    and for what is known; `findings`: the audit's; `every`: a column also for each figure over few Units of a
    sample."""
    runs = report.aggregates_of(protocol)
    figures = {label: {figure_key(a): a for a in headlines(report.benchmark, run)} for label, run in runs.items()}
    keys = list(dict.fromkeys(key for figure_group in figures.values() for key in figure_group))
    there = [
        key
        for key in keys
        if any(figure_group[key].value is not None for figure_group in figures.values() if key in figure_group)
    ]
    few = {} if every else {key: n for key in there if (n := _too_few(key, figures, report))}
    there = [key for key in there if key not in few]
    names = {key: heading_of(key, report.benchmark.spec) for key in keys}
    marks = report.run_marks()
    shared = shared_marks(marks.values())
    grid = {label: tuple(m for m in label_marks if m not in shared) for label, label_marks in marks.items()}
    parts = {label: of_figures(remarks) for label, remarks in grid.items()}
    compared = [one for one in sections if one.id.partition(".")[0] == "significance"]
    pairs: dict[FigureKey, list[Pair]] = {}
    for section in compared:
        for key, pair in pairs_of(section).items():
            pairs.setdefault(key, []).extend(pair)
    doubted = doubts(findings, marks)
    marked = _marked(there, figures, marks, report.benchmark.spec)
    ranked = {key: _ranked(key, figures, parts) for key in there}
    cells = {
        label: tuple(
            _cell(label_figures.get(key), label, pairs.get(key, ()), ranked[key], marked[label][number])
            for number, key in enumerate(there)
        )
        for label, label_figures in figures.items()
    }
    printed = {
        key: {label: label_figures[key].value for label, label_figures in figures.items() if key in label_figures}
        for key in there
    }
    shown = {
        key: {label: value for label, value in printed_cells.items() if value is not None}
        for key, printed_cells in printed.items()
    }
    sentences = [verdict(one, {key: names[key] for key in there}, ranked, shown) for one in compared]
    sentences += [_not_ranked(cells)] if any(sentences) else []
    return Block(
        report=report,
        protocol=protocol,
        columns=tuple(
            _matrix_column(key, names[key], [row[number] for row in cells.values()], report, protocol)
            for number, key in enumerate(there)
        ),
        cells=cells,
        shared=shared,
        by_run={
            label: all_marks
            for label, row_cells in grid.items()
            if (all_marks := (*row_cells, *doubted.get(label, ())))
        },
        absent=tuple(f"{names[key]}: {_why_absent(key, figures)}" for key in keys if key not in {*there, *few}),
        few=tuple(f"{names[key]} (n {n:,})" for key, n in few.items()),
        summary=" ".join(filter(None, sentences)),
        severe=sum(one.severity == "severe" for one in findings),
    )


def order_labels(blocks: Sequence[Block]) -> list[str]:
    """Return the labels of all Runs, the best first: by their mean place over the columns, the share of Runs that are
    better. Runs whose figures are all over a part of the questions come after them, and Runs without any figure last.
    """
    labels = list(dict.fromkeys(label for one in blocks for label in one.cells))
    apart = set(runs_without_rank(blocks))
    places: dict[str, list[float]] = {label: [] for label in labels}
    for one in blocks:
        for number, column in enumerate(one.columns):
            sign = -1.0 if column.better == "lower" else 1.0
            values = {
                label: sign * value
                for label, row in one.cells.items()
                if (value := row[number].value) is not None and (label in apart or not row[number].apart)
            }
            for label, value in values.items():
                better = sum(other > value for name, other in values.items() if name not in apart or label in apart)
                places[label].append(better / max(1, len(values) - 1))
    mean = {
        label: sum(label_places) / len(label_places) if label_places else 2.0 for label, label_places in places.items()
    }
    return sorted(labels, key=lambda label: (bool(places[label]) and label in apart, mean[label]))


def runs_without_rank(blocks: Sequence[Block]) -> list[str]:
    """Return the Runs whose figures are all over a part of what those of other Runs are over: they have no rank."""
    cells: dict[str, list[Cell]] = {}
    for one in blocks:
        for label, row in one.cells.items():
            cells.setdefault(label, []).extend(cell for cell in row if cell.value is not None)
    return [label for label, label_cells in cells.items() if label_cells and all(cell.apart for cell in label_cells)]


def _ranked(
    key: FigureKey, figures: Mapping[str, Mapping[FigureKey, Aggregate]], parts: Mapping[str, Sequence[str]]
) -> frozenset[str]:
    """Return the Runs that are ranked in a column: those over all questions and with the wholest average; all of them
    if each is over a part. `parts`: label -> what restricts the Run, unless it restricts all of them."""
    figures_by_label = {
        label: label_figures[key]
        for label, label_figures in figures.items()
        if key in label_figures and label_figures[key].value is not None
    }
    chosen = [label for label in figures_by_label if not parts.get(label)] or list(figures_by_label)
    made = {label: pieces[0] / pieces[1] if (pieces := figures_by_label[label].parts) else 1.0 for label in chosen}
    return frozenset(label for label in chosen if made[label] == max(made.values()))


def _not_ranked(cells: Mapping[str, Sequence[Cell]]) -> str:
    """Name the Runs that are compared with no other, because they are over a part of the questions."""
    there = {label: [cell for cell in label_cells if cell.value is not None] for label, label_cells in cells.items()}
    apart = [label for label, reasons in there.items() if reasons and all(cell.apart for cell in reasons)]
    if not apart or len(there) <= 2:
        return ""
    who = ", ".join(apart) if len(apart) <= MAX_NAMED else f"{len(apart)} Runs"
    return f"Not ranked, since over a part of the questions: {who}."


def _marked(
    keys: Sequence[FigureKey],
    figures: Mapping[str, Mapping[FigureKey, Aggregate]],
    marks: Mapping[str, tuple[str, ...]],
    spec: BenchmarkSpec,
) -> dict[str, tuple[TableCell, ...]]:
    """Return label -> its cells with the best and the second best marked, by the rule of all tables."""
    columns = [Column("", key[0], key[1], dict(key[2]), DIGITS, _direction(key[1], spec)[0]) for key in keys]
    rows = [
        TableRow(
            label,
            tuple(_measured_cell(label_figures.get(key)) for key in keys),
            counts={"scored": 1},
            marks=marks.get(label, ()),
        )
        for label, label_figures in figures.items()
    ]
    return {row.label: row.cells for row in mark_best(columns, rows)}


def _measured_cell(aggregate: Aggregate | None) -> TableCell:
    if aggregate is None or not is_measured(aggregate):
        return TableCell(None, DIGITS)
    return TableCell(aggregate.value, DIGITS, n=aggregate.n, interval=aggregate.interval, parts=aggregate.parts)


def _cell(
    aggregate: Aggregate | None, label: str, every: Sequence[Pair], ranked: frozenset[str], marked: TableCell
) -> Cell:
    if aggregate is None:
        return Cell(None, lacks="not asked")
    pairs = pairs_among(every, ranked)
    rank = _rank(label, pairs)
    counts = aggregate.counts
    answered = sum(n for status, n in counts.items() if status not in NO_REPLY)
    unscored = sum(counts.get(status, 0) for status in words.UNSCORED)
    if not is_measured(aggregate):
        return Cell(None, n=0, units=aggregate.units, lacks=words.losses(counts))
    return Cell(
        aggregate.value,
        aggregate.interval,
        aggregate.n,
        aggregate.units,
        answered,
        unscored,
        rank,
        among=len({run for pair in pairs for run in pair.difference.runs}),
        best=marked.best,
        second=marked.second,
        lacks=words.losses(counts),
        apart=label not in ranked,
        parts=aggregate.parts if aggregate.parts and aggregate.parts[0] < aggregate.parts[1] else None,
    )


def _rank(label: str, pairs: Sequence[Pair]) -> str:
    """Return the range of the Run's ranks."""
    matching_pairs = [pair for pair in pairs if label in pair.difference.runs]
    if not matching_pairs:
        return ""
    better = sum(pair.decided and pair.better_first[1] == label for pair in matching_pairs)
    worse = sum(pair.decided and pair.better_first[0] == label for pair in matching_pairs)
    first, last = better + 1, len(matching_pairs) + 1 - worse
    return f"{first}" if first == last else f"{first}–{last}"


def _matrix_column(key: FigureKey, heading: str, cells: Sequence[Cell], report: Report, protocol: str) -> MatrixColumn:
    matching_cells = [cell for cell in cells if cell.value is not None]
    ((usual, times),) = Counter(cell.n for cell in matching_cells).most_common(1) or [(0, 0)]
    parts = Counter(cell.part for cell in matching_cells).most_common(1)
    alike = (
        parts[0][0]
        if parts and all(cell.part for cell in matching_cells) and 2 * parts[0][1] > len(matching_cells)
        else ""
    )
    better, percent = _direction(key[1], report.benchmark.spec)
    bounds = [x for cell in matching_cells for x in (cell.value, *(cell.interval or ())) if x is not None]
    low, high = min([0.0, *bounds]), max([0.0, *bounds])
    high = max(high, 100.0) if percent and better != "lower" else high
    chance = _chance(key, report)
    printed = _published(key, better, report, protocol)
    ticks = [tick.value for tick in (chance, printed) if tick]
    high = max([high, *ticks])
    return MatrixColumn(
        key,
        heading,
        better,
        usual if 2 * times > len(matching_cells) else 0,
        alike,
        low,
        high if high > low else low + 1.0,
        chance,
        printed,
    )


def _direction(metric: str, spec: BenchmarkSpec) -> tuple[Better, bool]:
    """Return (which direction is better, whether the metric is in percent)."""
    try:
        definition = find_metric(metric)
    except TriptychError:
        return stated_direction(metric, spec), True
    return definition.better, definition.unit == "%"


def heading_of(key: FigureKey, spec: BenchmarkSpec) -> str:
    """Return a short heading: the layout's for a figure of the whole benchmark, else the Task or slice and its
    metric."""
    task, metric, slice_ = key
    try:
        named = find_metric(metric).heading
    except TriptychError:
        named = metric
    if slice_:
        return f"{' '.join(value for _, value in slice_)} {named}".replace("_", " ")
    if task != spec.name:
        return f"{task.partition('/')[2]} {named}"
    heading = next((c.heading for layout in spec.layouts for c in layout.columns if figure_key(c) == key), "")
    return heading or named


def _too_few(key: FigureKey, figures: Mapping[str, Mapping[FigureKey, Aggregate]], report: Report) -> int:
    """Return the Units behind a figure if they are fewer than MIN_UNITS in each Run, and each Run was asked a sample
    (`--limit`, `--sample`); else 0. A small set that was asked as a whole keeps its figures."""
    few = {
        label: label_figures[key]
        for label, label_figures in figures.items()
        if key in label_figures and label_figures[key].value is not None
    }
    folders = [report.folders[label] for label in few if label in report.folders]
    sampled = [folder.manifest.limit is not None or bool(folder.manifest.sample) for folder in folders]
    max_n = max((one.n for one in few.values()), default=0)
    return max_n if max_n < MIN_UNITS and len(sampled) == len(few) and all(sampled) else 0


def _why_absent(key: FigureKey, figures: Mapping[str, Mapping[FigureKey, Aggregate]]) -> str:
    """Return the reason in most Runs."""
    reasons = Counter(
        filter(
            None, (words.losses(figure_group[key].counts) for figure_group in figures.values() if key in figure_group)
        )
    )
    return reasons.most_common(1)[0][0] if reasons else "no Unit to compute it from"


# ---- what a figure is compared with


def _chance(key: FigureKey, report: Report) -> Tick | None:
    """Return what guessing would score, for the accuracy of single-choice questions with known options."""
    task, metric, slice_ = key
    if metric.partition(".")[0] != "acc":
        return None
    for folder in report.folders.values():
        items = [i for i in folder.all_items() if not i.place and _is_in_slice(i, task, slice_)]
        sizes = [len(i.options) or len(i.labels) for i in items if i.answer in ("letter", "option")]
        if items and len(sizes) == len(items) and all(sizes):
            value = 100 * sum(1 / size for size in sizes) / len(sizes)
            return Tick(
                value,
                f"chance {value:.1f}: the mean of 1 / options over {len(sizes):,} question{'s' * (len(sizes) > 1)}",
            )
    return None


def _is_in_slice(item: Item, task: str, slice_: Sequence[tuple[str, str]]) -> bool:
    is_inside = (item.task + "/").startswith(task + "/")
    return is_inside and all(item.facets.get(name) == value for name, value in slice_)


def _is_measured_otherwise(
    label: str, layout: Layout, report: Report, rows: PublishedRows, marks: Sequence[str]
) -> bool:
    """Return True if the Run was not measured as the printed figures of a layout were."""
    manifest, spec = report.folders[label].manifest, report.benchmark.spec
    return any(True for _ in why_apart(manifest, spec, basis_of(rows), layout, of_questions(marks)))


_PEOPLE = re.compile(r"(?:human|people|annotator|人类|人)", re.IGNORECASE)  # rows of people in a paper's table


def _published(key: FigureKey, better: str, report: Report, protocol: str) -> Tick | None:
    """Return the best printed value of a figure, if at least one Run was measured as the paper's were: Runs of the mini
    set or of a subset are not compared with printed figures."""
    published = load_published(report.benchmark.folder)
    marks = report.run_marks()
    for layout in report.benchmark.spec.layouts:
        places = [n for n, c in enumerate(layout.columns) if not c.rank and figure_key(c) == key]
        if not layout.paper or not places or layout.rows:
            continue
        alike = [
            label
            for label in report.folders
            if not _is_measured_otherwise(label, layout, report, published, marks.get(label, ()))
        ]
        if not alike or ((rules := basis_of(published).rules(layout.paper)) and protocol not in rules):
            continue
        printed = [
            (row.cells[places[0]].value, row.label)
            for row, _ in published_rows(layout, None, published, protocol, {places[0]: {key[1]}})
            if row.cells[places[0]].value is not None
        ]
        if printed:
            models = [(value, label) for value, label in printed if not _PEOPLE.match(label)]
            people = [(value, label) for value, label in printed if _PEOPLE.match(label)]
            value, label = (min if better == "lower" else max)(models or people)
            assert value is not None
            words_ = f"best published {'model' if models else 'people'}: {label} {words.number(value, DIGITS)}"
            words_ += "".join(f"; people: {who} {words.number(figures, DIGITS)}" for figures, who in people if models)
            words_ += "" if models else ", no model's row"
            basis = f"{words_} ({layout.title}, protocol {protocol})"
            return Tick(value, basis, frozenset(alike), people=not models)
    return None
