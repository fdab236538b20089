"""Attach judges' verdicts to Units: ask for those that are missing, read the rest from the folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from triptych.benchmarks.registry import Benchmark
from triptych.errors import SpecError, nearest
from triptych.judges.asking import Judging, VerdictReader, ask_panel
from triptych.judges.cases import Case
from triptych.judges.panel import Panel, load_panel
from triptych.judges.rubric import Rubric, messages
from triptych.judges.verdicts import Verdict, Verdicts
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response
from triptych.running.loop import RunOptions
from triptych.scoring.notes.cost import cost_text
from triptych.store.journals.replies import ReplyJournal


@dataclass(frozen=True, slots=True)
class JudgeSession:
    """A panel of judges and the folder that keeps their verdicts.

    `adapters`: None if no judge is to be asked and only existing verdicts are read. `media`: reads what judges are sent
    besides texts.
    """

    panel: Panel
    path: Path
    adapters: tuple[Adapter, ...] | None = None
    options: RunOptions | None = None
    media: MediaReader | None = None


class JudgedUnits:
    """Units that come a part at a time, with the judges' verdicts from the journals; each iteration reads them again.

    Without a session there are no verdicts, and the Units are returned unchanged. Raises SpecError for a custom rubric
    that judges no metric of the benchmark.
    """

    def __init__(
        self,
        chunks: Iterable[Sequence[Unit]],
        session: JudgeSession | None,
        benchmark: Benchmark,
        protocols: Collection[str],
    ) -> None:
        self._chunks, self._session, self._benchmark, self._protocols = chunks, session, benchmark, protocols
        self._verdicts = VerdictReader(session.panel, session.path) if session else None
        self._rubrics: dict[str, Rubric] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        if session is not None:
            check_rubrics(session.panel, benchmark, ())

    def __iter__(self) -> Iterator[Sequence[Unit]]:
        self._counts.clear()
        for units in self._chunks:
            session = self._session
            yield units if session is None else [self._with_verdicts(unit, session) for unit in units]

    @property
    def signature_text(self) -> str:
        """The judges of the Units that were read, for signatures; empty if nothing was to be judged."""
        return self._session.panel.signature_text(self._rubrics) if self._session and self._rubrics else ""

    def notes(self, judging: Judging | None = None) -> Iterator[str]:
        """Yield notes on the judges: which one gave how many verdicts, at what cost, and how many are missing.

        `judging`: how the asking of judges ended, if any were asked.
        """
        if self._session is None or not self._rubrics:
            return
        for judge in self._session.panel.judges:
            for rubric in self._rubrics.values():
                name = judge.signature(rubric)
                kinds = [s for s in ("given", "unparsed", "failed", "missing") if self._counts[name, s]]
                text = ", ".join(f"{self._counts[name, s]:,} {s}" for s in kinds)
                cost = cost_text(ReplyJournal(self._session.path, name))
                yield f"judge {judge.model} with {rubric.name}: verdicts {text}; {cost}"
        if any("description" in rubric.slots for rubric in self._rubrics.values()):
            yield f"the judge saw descriptions of the media from: {self._session.panel.descriptions_from or 'none'}"
        if judging and (judging.stopped or judging.interrupted):
            yield f"judging ended early: {judging.stopped or 'interrupted'}; run the same command again to continue"

    def _with_verdicts(self, unit: Unit, session: JudgeSession) -> Unit:
        assert self._verdicts is not None
        verdicts: list[Verdict] = []
        panel = session.panel
        for case in self._benchmark.cases(
            unit, self._protocols, panel.descriptions, panel.rubrics, media=panel.takes_media
        ):
            self._rubrics.setdefault(case.rubric.name, case.rubric)
            verdicts += self._verdicts.verdicts_on(case)
        self._counts.update((verdict.judge, verdict.status) for verdict in verdicts)
        return replace(unit, verdicts=Verdicts(tuple(verdicts), panel.combine))


def last_session(path: Path) -> JudgeSession | None:
    """Return the panel that was asked last, for reading only; None if there was none."""
    panel = load_panel(path)
    return JudgeSession(panel, path) if panel else None


def ask_judges(
    chunks: Iterable[Sequence[Unit]], benchmark: Benchmark, protocols: Collection[str], session: JudgeSession
) -> Judging:
    """Ask the session's judges for the verdicts on the Units that are missing.

    Raises SpecError, before anything is asked, for a rubric that doesn't fit the benchmark.
    """
    assert session.adapters is not None
    panel, cases = session.panel, list[Case]()
    for units in chunks:
        check_rubrics(panel, benchmark, (unit.item for unit in units))
        for unit in units:
            cases += benchmark.cases(unit, protocols, panel.descriptions, panel.rubrics, media=panel.takes_media)
    if not cases:
        return Judging()
    return ask_panel(cases, panel, session.adapters, session.path, session.options or RunOptions(), session.media)


def check_rubrics(panel: Panel, benchmark: Benchmark, items: Iterable[Item]) -> None:
    """Raise SpecError for a custom rubric that judges no metric of this benchmark, before anything is asked.

    `items`: the Items that will be asked.
    """
    if not panel.rubrics:
        return
    judged = {metric for task in benchmark.spec.tasks for metric in task.rubrics}
    for metric in panel.rubrics:
        if metric not in judged:
            expected = ", ".join(sorted(judged)) or "a benchmark with judged metrics"
            raise SpecError(
                f"no judged metric {metric!r} in {benchmark.name}",
                where="--rubric",
                expected=expected,
                fix=nearest(metric, judged),
            )
    for item in items:
        unit = Unit((item,), (Response(item.id, "", 0, "answered", "."),))
        for case in benchmark.cases(unit, benchmark.protocols, panel.descriptions, panel.rubrics):
            messages(case.rubric, case.slots)
