"""The scores of some Runs of one benchmark, and every table that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from triptych.benchmarks import Benchmark
from triptych.records import Aggregate, Layout, Table, TableCell, figure_key
from triptych.reports import words
from triptych.reports.fill import fill, is_empty
from triptych.reports.overview import overview
from triptych.reports.published import Published
from triptych.store.folder import RunFolder

ByLabel = Mapping[str, Mapping[str, Sequence[Aggregate]]]


@dataclass(frozen=True)
class Report:
    """The scores of some Runs of one benchmark, by label and protocol, and the tables that they make.

    `samples`: those that any Run was asked; `prompts`: label -> (model, names of the prompts it was asked with, joined
    by `+`), for tables that set one model's Runs with different prompts beside each other; `folders`: where the Runs
    lie, by label.
    """

    benchmark: Benchmark
    runs: ByLabel
    samples: frozenset[str] = frozenset()
    prompts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    published: Published | None = None
    folders: Mapping[str, RunFolder] = field(default_factory=dict)

    def protocols(self) -> list[str]:
        """The protocols that any Run was scored under, in the benchmark's order."""
        return [p for p in self.benchmark.spec.protocols if any(p in scores for scores in self.runs.values())]

    def of(self, protocol: str) -> dict[str, Sequence[Aggregate]]:
        """Label -> aggregates under one protocol."""
        return {label: scores[protocol] for label, scores in self.runs.items() if protocol in scores}

    def overview(self, protocol: str) -> Table:
        """What is shown first."""
        return self.fill(self._overview_layout(protocol), protocol)

    def tables(self, protocol: str) -> list[Table]:
        """The tables of the benchmark's layouts in which any Run has a figure; a sample's only for its Runs."""
        spec = self.benchmark.spec
        chosen = [layout for layout in spec.layouts if self._applies(layout, protocol)]
        filled = [self.fill(layout, protocol) for layout in chosen]
        return [table for table in filled if not is_empty(table)] or [self.overview(protocol)]

    def totals(self) -> Table | None:
        """The totals under every protocol, below each other; None where there is one protocol, or no total."""
        names = self.protocols()
        columns = tuple(c for c in self._overview_layout(names[0]).columns if not c.slice) if names else ()
        if len(names) < 2 or not columns:
            return None
        layout = Layout("protocols", "Totals under every protocol", columns)
        rows = [structs.replace(row, sub=name) for name in names for row in self._own(layout, name).rows]
        headlines = {name: words.HEADLINES[self.benchmark.protocol(name).headline] for name in names}
        notes = [f"{name}: {self.benchmark.protocol(name).summary}; {headlines[name]}" for name in names]
        return Table(layout.id, layout.title, tuple(c.heading for c in columns), tuple(rows), notes=tuple(notes))

    def protocols_agree(self) -> bool:
        """True where all protocols give the same totals: to show each of them would say nothing."""
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
        """One table, with the published rows where they are wanted."""
        runs = self.of(protocol)
        if _by(layout, "prompt"):
            runs = self._by_prompt(protocol)
        elif _by(layout, "condition"):
            runs = self._by_condition(protocol)
        return fill(layout, runs, self.published, headline=self.benchmark.protocol(protocol).headline)

    def _own(self, layout: Layout, protocol: str) -> Table:
        return fill(layout, self.of(protocol), headline=self.benchmark.protocol(protocol).headline)

    def _applies(self, layout: Layout, protocol: str) -> bool:
        """Is a layout for this protocol, these Runs' sample, and (where it compares prompts) several prompts?"""
        if layout.protocols and protocol not in layout.protocols:
            return False
        if layout.id in self.benchmark.spec.samples and layout.id not in self.samples:
            return False
        return not _by(layout, "prompt") or len({prompt for _, prompt in self.prompts.values()}) > 1

    def _by_prompt(self, protocol: str) -> dict[str, Sequence[Aggregate]]:
        """Model -> the figures of all its Runs, with the prompt as one more facet."""
        found: dict[str, list[Aggregate]] = {}
        for label, aggregates in self.of(protocol).items():
            model, prompts = self.prompts.get(label, (label, ""))
            for prompt in prompts.split("+"):
                found.setdefault(model, []).extend(
                    structs.replace(a, slice={**a.slice, "prompt": prompt}) for a in aggregates
                )
        return dict(found)

    def _by_condition(self, protocol: str) -> dict[str, Sequence[Aggregate]]:
        """Model -> the figures of all its Runs, each of which says under which Condition."""
        found: dict[str, list[Aggregate]] = {}
        for label, aggregates in self.of(protocol).items():
            model = self.folders[label].manifest.model if label in self.folders else label
            found.setdefault(model, []).extend(aggregates)
        return dict(found)

    def _overview_layout(self, protocol: str) -> Layout:
        every = {figure_key(a): a for own in self.of(protocol).values() for a in own}
        return overview(self.benchmark.spec, list(every.values()))


def _by(layout: Layout, facet: str) -> bool:
    return any(facet in column.slice for column in layout.columns)
