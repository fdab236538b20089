"""The Runs of a report: manifest, outcomes of the Requests, cost, and the command that repeats the Run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from triptych.analysis.response_cost import Cost
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.experiment.run_commands import run_command
from triptych.records import RESPONSE_STATUSES, RunManifest, signature_of
from triptych.reports.tables.book import Report
from triptych.scoring.outcome import Scored
from triptych.store.folder import RunFolder


@dataclass(frozen=True)
class RunDescription:
    """One Run as the report describes it."""

    label: str
    folder: RunFolder
    spec: BenchmarkSpec
    counts: dict[str, int]
    notes: tuple[str, ...]
    signatures: dict[str, str]

    @property
    def manifest(self) -> RunManifest:
        """Everything needed to repeat the Run."""
        return self.folder.manifest

    @cached_property
    def cost(self) -> Cost:
        """The cost according to the Responses."""
        return Cost.sum_of(self.folder.all_responses())

    @property
    def units(self) -> int:
        """The number of all Units."""
        return sum(self.counts.values())

    @cached_property
    def requests(self) -> int:
        """The number of Requests: more than Units if replies to several questions are scored together."""
        return len(self.folder.all_items()) * self.manifest.repeats

    @property
    def in_data(self) -> int:
        """The number of Units of the Run's Tasks in its data; 0 if it is not known (part of a mini set)."""
        manifest = self.manifest
        chosen = manifest.limit or manifest.filters or manifest.sample or manifest.items_file or manifest.shard
        if manifest.planned and not chosen and self.requests == self.units:  # each Request is a Unit
            return max(manifest.planned, self.units)
        if manifest.data == "mini":
            return 0 if chosen else self.units
        counts = [task.units or task.count for task in self.spec.tasks if task.id in manifest.tasks]
        return sum(count or 0 for count in counts) if counts and all(counts) else 0 if chosen else self.units

    @property
    def bars(self) -> list[tuple[str, int, float, float]]:
        """(status, Units, start of its bar, length of its bar), out of 100."""
        pieces, start = [], 0.0
        for status in (*RESPONSE_STATUSES, "missing"):
            if n := self.counts.get(status, 0):
                share = 100 * n / self.units
                pieces.append((status, n, round(start, 3), round(share, 3)))
                start += share
        return pieces

    @property
    def command(self) -> str:
        """The command that asks the same questions again."""
        return run_command(self.manifest, self.spec, self.folder)


def runs_with_folder(report: Report) -> list[RunDescription]:
    """Return every Run of the report that has a folder, in the report's order."""
    rows = []
    for label, folder in report.folders.items():
        scored = report.runs[label]
        counts, notes = (scored.counts, scored.notes) if isinstance(scored, Scored) else ({}, ())
        counts = counts or dict(Counter(response.status for response in folder.responses()))
        signatures = {protocol: signature_of(figures) for protocol, figures in scored.items()}
        rows.append(
            RunDescription(
                label, folder, report.benchmark.spec, counts, notes, {k: v for k, v in signatures.items() if v}
            )
        )
    return rows
