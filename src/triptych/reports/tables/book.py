"""All tables of some Runs of one benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from triptych.benchmarks import Benchmark
from triptych.records import Aggregate, Layout, Table, TableCell, TableRow, figure_key
from triptych.reports.tables import words
from triptych.reports.tables.cascades import cascade_grid
from triptych.reports.tables.fill import RunRemarks, fill, is_empty
from triptych.reports.tables.marks import of_questions
from triptych.reports.tables.measured import why_apart
from triptych.reports.tables.overview import overview
from triptych.reports.tables.published import Published, basis_of
from triptych.reports.tables.restrictions import (
    data_versions,
    describe_partial_scores,
    pooled_facets,
    remarks_of,
    settings_marks,
)
from triptych.scoring.notes.credited import credit_notes
from triptych.scoring.outcome import Scored
from triptych.store.folder import RunFolder

UNKNOWN_DATA = (
    "it is not known which version of the question files the published figures were measured on: only the number of "
    "questions was compared with the Runs'"
)
RELEASED_DATA = (
    "the paper doesn't state the version of its question files: the Runs' are the released ones ({files}), and the "
    "number of questions is the published one"
)
ByLabel = Mapping[str, Mapping[str, Sequence[Aggregate]]]


@dataclass(frozen=True)
class Report:
    """The scores of some Runs of one benchmark, by label and protocol, and the tables made of them.

    `samples`: the samples that any Run was asked; `prompts`: label -> (model, names of its prompts joined by `+`), for
    tables that compare the prompts of one model; `folders`: the Run folders by label; `data`: benchmark -> the media
    folder named by the user.
    """

    benchmark: Benchmark
    runs: ByLabel
    samples: frozenset[str] = frozenset()
    prompts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    published: Published | None = None
    folders: Mapping[str, RunFolder] = field(default_factory=dict)
    data: Mapping[str, Path] = field(default_factory=dict)
    _filled: dict[str, list[Table]] = field(default_factory=dict, init=False, compare=False, repr=False)
    _remarks: dict[str, dict[str, RunRemarks]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def protocols(self) -> list[str]:
        """Return the protocols under which any Run was scored, in the benchmark's order."""
        return [p for p in self.benchmark.spec.protocols if any(p in scores for scores in self.runs.values())]

    def aggregates_of(self, protocol: str) -> dict[str, Sequence[Aggregate]]:
        """Return label -> aggregates under one protocol."""
        return {label: scores[protocol] for label, scores in self.runs.items() if protocol in scores}

    def overview(self, protocol: str) -> Table:
        """Return the first table of a report. A Run is marked if its figures pool what the paper keeps separate
        (modalities), or if it has figures of parts only."""
        table, runs = self.fill(self._overview_layout(protocol), protocol), self.aggregates_of(protocol)
        rows = [
            structs.replace(row, marks=(*row.marks, *self._row_notes(row, runs.get(row.label, ()))))
            for row in table.rows
        ]
        return structs.replace(table, rows=tuple(rows), notes=(*table.notes, *self._credit_notes(protocol)))

    def _credit_notes(self, protocol: str) -> Iterator[str]:
        """Yield how often a protocol counts replies as correct that choose another option."""
        counts = {label: one.credited for label, one in self.runs.items() if isinstance(one, Scored)}
        return credit_notes(protocol, counts)

    def _row_notes(self, row: TableRow, figures: Sequence[Aggregate]) -> Iterator[str]:
        yield from pooled_facets(self.benchmark.spec, figures)
        if not any(cell.n for cell in row.cells) and (alone := describe_partial_scores(figures)):
            yield f"{alone}: a report of this Run alone shows them"

    def tables(self, protocol: str) -> list[Table]:
        """Return the benchmark's tables in which any Run has a figure.

        A table of a sample contains only Runs on this sample, a table of a group of models only this group. Cascades
        also get a grid of text source by answering model.
        """
        if protocol not in self._filled:
            self._filled[protocol] = self._tables(protocol)
        return list(self._filled[protocol])

    def _tables(self, protocol: str) -> list[Table]:
        spec = self.benchmark.spec
        chosen = [layout for layout in spec.layouts if self._applies(layout, protocol)]
        filled = [self.fill(layout, protocol) for layout in chosen]
        overview = self.overview(protocol)
        layouts_by_id = {layout.id: layout for layout in chosen}
        there = [table for table in filled if not is_empty(table)]
        if there:
            there[0] = structs.replace(there[0], notes=(*there[0].notes, *self._credit_notes(protocol)))
        shown = [
            one for table in there for one in (table, *self._published_tables(layouts_by_id[table.id], protocol))
        ] or [overview]
        grid = cascade_grid(overview, self.folders)
        return [*shown, grid] if grid else shown

    def totals(self) -> Table | None:
        """Return the totals under every protocol in one table; None for a single protocol or without totals."""
        names = self.protocols()
        columns = tuple(c for c in self._overview_layout(names[0]).columns if not c.slice) if names else ()
        if len(names) < 2 or not columns:
            return None
        layout = Layout("protocols", "Totals under every protocol", columns)
        rows = [structs.replace(row, sub=name) for name in names for row in self._table_of_runs(layout, name).rows]
        headlines = {name: words.HEADLINES[self.benchmark.protocol(name).headline] for name in names}
        notes = [f"{name}: {self.benchmark.protocol(name).summary}; {headlines[name]}" for name in names]
        notes += [note for name in names[1:] for note in self._credit_notes(name)]  # the overview has the first one's
        return Table(layout.id, layout.title, tuple(c.heading for c in columns), tuple(rows), notes=tuple(notes))

    def protocols_agree(self) -> bool:
        """Return True if all protocols give the same totals, so that one of them is enough."""
        table = self.totals()
        if table is None:
            return False
        seen: dict[str, set[tuple[TableCell, ...]]] = {}
        for row in table.rows:
            seen.setdefault(row.label, set()).add(
                tuple(structs.replace(cell, best=False, second=False) for cell in row.cells)
            )
        return all(len(cells) == 1 for cells in seen.values())

    def fill(self, layout: Layout, protocol: str) -> Table:
        """Return one table, with the published rows if they were asked for."""
        runs = {
            label: aggregates
            for label, aggregates in self.aggregates_of(protocol).items()
            if self._belongs(label, layout)
        }
        apart = _has_facet(layout, "prompt") or _has_facet(layout, "condition")
        if _has_facet(layout, "prompt"):
            runs = self._by_prompt(runs)
        elif _has_facet(layout, "condition"):
            runs = self._by_condition(runs)
        filled = self._fill(
            layout, runs, protocol, None if self.paper_differences(layout, protocol) else self.published
        )
        if runs and not basis_of(self.published).data and any(row.origin == "published" for row in filled.rows):
            filled = structs.replace(filled, notes=(*filled.notes, *self._of_data(layout, protocol)))
        # Where columns are prompts or Conditions, a Run under none of them has no place.
        return structs.replace(filled, rows=tuple(row for row in filled.rows if _is_asked(row))) if apart else filled

    def _of_data(self, layout: Layout, protocol: str) -> Iterator[str]:
        """Yield what is known of the Runs' question files, where the paper doesn't state its own."""
        labels = [label for label in self.aggregates_of(protocol) if self._belongs(label, layout)]
        released = {self.folders[label].manifest.released if label in self.folders else "" for label in labels}
        if files := sorted(released - {""}):
            yield RELEASED_DATA.format(files=", ".join(files))
        if "" in released:
            yield UNKNOWN_DATA

    def paper_differences(self, layout: Layout, protocol: str) -> dict[str, list[str]]:
        """Return label -> what the Run differs in from the paper's measurement of a table; without Runs that don't."""
        if self.published is None or not layout.paper:
            return {}
        labels_by_remark, remarks = dict[str, list[str]](), self._run_remarks(protocol)
        for label, folder in self.folders.items():
            if label in self.aggregates_of(protocol) and self._belongs(label, layout):
                marks = of_questions(remarks[label].marks if label in remarks else ())
                why = list(why_apart(folder.manifest, self.benchmark.spec, basis_of(self.published), layout, marks))
                labels_by_remark |= {label: why} if why else {}
        return labels_by_remark

    def _published_tables(self, layout: Layout, protocol: str) -> Iterator[Table]:
        """Yield the published rows of a table as one of their own, with the reasons why they are not next to the
        Runs."""
        why = self.paper_differences(layout, protocol)
        table = fill(layout, {}, self.published, protocol=protocol) if why else None
        if table and table.rows:
            reasons = tuple(f"not next to {label}: {'; '.join(all_reasons)}" for label, all_reasons in why.items())
            yield structs.replace(
                table,
                id=f"{layout.id}-published",
                title=f"{layout.title}: published figures, measured otherwise",
                notes=(*reasons, *table.notes),
            )

    def _table_of_runs(self, layout: Layout, protocol: str) -> Table:
        return self._fill(layout, self.aggregates_of(protocol), protocol)

    def _fill(
        self, layout: Layout, runs: Mapping[str, Sequence[Aggregate]], protocol: str, published: Published | None = None
    ) -> Table:
        headline = self.benchmark.protocol(protocol).headline
        return fill(layout, runs, published, headline=headline, protocol=protocol, remarks=self._run_remarks(protocol))

    def marks(self) -> dict[str, tuple[str, ...]]:
        """Return label -> the restrictions of the Run that a reader must know (the mini set, a subset)."""
        return {
            label: remarks_of_run.marks
            for name in reversed(self.protocols())
            for label, remarks_of_run in self._run_remarks(name).items()
        }

    def run_marks(self) -> dict[str, tuple[str, ...]]:
        """Return `marks` by Run label only."""
        marks = self.marks()
        return {label: marks.get(label, ()) for label in self.runs}

    def _run_remarks(self, protocol: str) -> dict[str, RunRemarks]:
        """Return label -> marks and model description; if a table has one row per model, those of all Runs of the
        model."""
        if protocol not in self._remarks:
            self._remarks[protocol] = self._remarks_of_runs(protocol)
        return self._remarks[protocol]

    def _remarks_of_runs(self, protocol: str) -> dict[str, RunRemarks]:
        remarks: dict[str, RunRemarks] = {}
        versions, settings = data_versions(self.folders), settings_marks(self.folders)
        for label, figures in self.aggregates_of(protocol).items():
            scored = self.runs[label]
            notes = scored.notes if isinstance(scored, Scored) else ()
            run_remarks = remarks_of(self.benchmark.spec, self.folders.get(label), figures, notes)
            run_remarks = run_remarks._replace(
                marks=(*run_remarks.marks, *versions.get(label, ()), *settings.get(label, ()))
            )
            for name in dict.fromkeys((label, self._model(label), self.prompts.get(label, (label, ""))[0])):
                earlier = remarks.get(name, RunRemarks())
                remarks[name] = RunRemarks(
                    tuple(dict.fromkeys((*earlier.marks, *run_remarks.marks))),
                    {**run_remarks.about, **earlier.about},
                    baseline=run_remarks.baseline,
                )
        return remarks

    def _belongs(self, label: str, layout: Layout) -> bool:
        """Return True if the Run belongs into the table (its sample, its group of models)."""
        folder = self.folders.get(label)
        if folder is None:
            return not layout.groups
        sampled = layout.id not in self.benchmark.spec.samples or folder.manifest.sample.partition("@")[0] == layout.id
        values = {folder.manifest.about.get(name) for name in ("group", "type")}
        return sampled and (not layout.groups or bool(values & set(layout.groups)))

    def _applies(self, layout: Layout, protocol: str) -> bool:
        """Return True if the layout is for this protocol, a sample of these Runs and, if it compares prompts, several
        prompts."""
        if (layout.protocols and protocol not in layout.protocols) or (layout.beside and self.published is None):
            return False
        if layout.id in self.benchmark.spec.samples and layout.id not in self.samples:
            return False
        return not _has_facet(layout, "prompt") or len({prompt for _, prompt in self.prompts.values()}) > 1

    def _by_prompt(self, runs: Mapping[str, Sequence[Aggregate]]) -> dict[str, Sequence[Aggregate]]:
        """Return model -> the figures of all its Runs, with the prompt as an additional facet."""
        by_prompt: dict[str, list[Aggregate]] = {}
        for label, aggregates in runs.items():
            model, prompts = self.prompts.get(label, (label, ""))
            for prompt in prompts.split("+"):
                by_prompt.setdefault(model, []).extend(
                    structs.replace(a, slice={**a.slice, "prompt": prompt}) for a in aggregates
                )
        return dict(by_prompt)

    def _by_condition(self, runs: Mapping[str, Sequence[Aggregate]]) -> dict[str, Sequence[Aggregate]]:
        """Return model -> the figures of all its Runs, each with its Condition."""
        by_condition: dict[str, list[Aggregate]] = {}
        for label, aggregates in runs.items():
            by_condition.setdefault(self._model(label), []).extend(aggregates)
        return dict(by_condition)

    def _model(self, label: str) -> str:
        return self.folders[label].manifest.called if label in self.folders else label

    def _overview_layout(self, protocol: str) -> Layout:
        every = {figure_key(a): a for aggregates in self.aggregates_of(protocol).values() for a in aggregates}
        return overview(self.benchmark.spec, list(every.values()))


def _has_facet(layout: Layout, facet: str) -> bool:
    return any(facet in column.slice for column in layout.columns)


def _is_asked(row: TableRow) -> bool:
    return row.origin == "published" or bool(row.counts)
