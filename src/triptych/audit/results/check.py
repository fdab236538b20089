"""`audit run`: whether stored scores follow from the replies, what they consist of, and whether each system is the
stated one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain, combinations
from pathlib import Path

import numpy as np

from triptych.audit.results.agreement import compare
from triptych.audit.results.answers import check_answers
from triptych.audit.results.credited import check_credited
from triptych.audit.results.log_figures import check_log_figures
from triptych.audit.results.makers import check_makers
from triptych.audit.results.mislabelled import MIN_STANDARD_ERRORS, MIN_WRONG_QUESTIONS, check_mislabelled
from triptych.audit.results.missing import check_lost
from triptych.audit.results.random_answers import check_drawn
from triptych.audit.results.references import check_references
from triptych.audit.results.repeated_keys import check_twice
from triptych.audit.results.shifted import check_shifted
from triptych.audit.results.stored import check_published, check_stored
from triptych.audit.results.systems import Answer, Report, System, load_systems, unreadable
from triptych.audit.results.truncated import check_cut
from triptych.audit.tables.rules import load_rules
from triptych.audit.verdict import count_in_words, verdict
from triptych.errors import DataError, SpecError, nearest
from triptych.models.families import family_of
from triptych.protocols.outcomes import ANY_TEXT
from triptych.records import AS_IN_RESULTS, FINDING_SEVERITIES, Finding, FindingSeverity, finding
from triptych.records.checked import Audited, CheckedCell
from triptych.scoring.notes.served_models import asked_model, count_served_models, in_words, other_model_counts
from triptych.store.folder import RunFolder

_SAME = 0.995  # share of equal replies from which two Tasks are taken for one file under two names

_SYSTEM_KINDS = ("lost", "shifted", "mislabelled")  # findings on whole systems come before those on single figures


def audit_run(
    paths: Sequence[Path],
    benchmark: str | None,
    data: Path | None,
    repeats: Sequence[tuple[str, str]] = (),
    say: Report = lambda line: None,
    rows: Mapping[str, str] | None = None,
    recover: bool = False,
    unread: Sequence[Finding] = (),
) -> Audited:
    """Findings on Run folders and released results, the gravest first. See `triptych.api.audit_run`.

    A Run that can't be read is left out, with a finding, if another one can be; otherwise its DataError is raised.

    `unread`: findings on files that could not be read as results at all.
    """
    replies = 0
    systems: list[System] = []
    findings: list[Finding] = []
    failed: list[tuple[Path, DataError]] = []

    def left_out(path: Path, error: DataError) -> None:
        failed.append((path, error))

    for system in load_systems(paths, benchmark, data, say, recover=recover, left_out=left_out):
        system.row = _row_named(system, rows or {})
        try:
            findings += _findings_on_system(system, data)
        except DataError as error:
            left_out(system.path, error)
            continue
        systems.append(system)
        replies += sum(response.status in ANY_TEXT for response in system.responses.values())
        system.forget()
    if failed and not systems:
        raise failed[0][1]
    findings += [unreadable(path, error, "run") for path, error in failed]
    _check_named(systems, rows or {})
    findings += [*check_mislabelled(systems, repeats), *_other_data(systems), *check_references(systems), *unread]
    findings.sort(key=lambda f: (FINDING_SEVERITIES.index(f.severity), f.kind not in _SYSTEM_KINDS))
    cells = [cell for system in systems for cell in system.cells]
    return Audited(findings, _verdict(systems, replies, findings, cells), cells)


def _findings_on_system(system: System, data: Path | None) -> list[Finding]:
    """Return the findings on a system by itself."""
    return [
        *_malformed(system),
        *check_twice(system),
        *check_lost(system),
        *check_stored(system),
        *check_log_figures(system),
        *check_published(system),
        *check_answers(system),
        *_benchmark_findings(system),
        *_notes(system),
        *check_credited(system),
        *check_drawn(system),
        *check_cut(system),
        *check_shifted(system),
        *_mixed(system),
        *_other_model_findings(system),
        *_copied_tasks(system),
        *_families(system),
        *check_makers(system, data),
        *_versions(system),
        *_doubled(system),
    ]


def _verdict(systems: Sequence[System], replies: int, findings: Sequence[Finding], cells: Sequence[CheckedCell]) -> str:
    runs = sum(system.manifest is not None for system in systems)
    others = len(systems) - runs
    named = [
        count_in_words(runs, "Run") if runs else "",
        f"released results of {count_in_words(others, 'system')}" if others else "",
    ]
    malformed = sum(f.kind == "malformed" for f in findings)
    figures = [follows for system in systems for follows in system.figures if follows is not None]
    drawn = sum(system.drawn for system in systems)
    lost_findings = sum(f.kind == "lost" for f in findings)
    return verdict(
        f"{' and '.join(part for part in named if part)}, {count_in_words(replies, 'reply')}",
        findings,
        cells,
        _stated_figures_note(figures),
        f"{count_in_words(drawn, 'answer')} {'was' if drawn == 1 else 'were'} drawn at random" if drawn else "",
        f"{count_in_words(malformed, 'file')} can't be read" if malformed else "",
        f"replies are missing in {lost_findings} of {count_in_words(len(systems), 'system')}" if lost_findings else "",
    )


def _stated_figures_note(figures: Sequence[bool]) -> str:
    """Return how many of the figures that logs state follow; empty if they state none."""
    verb = "follows" if len(figures) == 1 else "follow"
    return (
        f"{sum(figures):,} of {count_in_words(len(figures), 'stated figure')} {verb} from the samples"
        if figures
        else ""
    )


def _row_named(system: System, rows: Mapping[str, str]) -> str:
    """Return the published row that was named for a system, by its name or its folder's, or for all (`*`)."""
    return next((rows[name] for name in (system.name, system.path.name, "*") if name in rows), "")


def _check_named(systems: Sequence[System], rows: Mapping[str, str]) -> None:
    """Raise SpecError if a row was named for a result that is not here."""
    names = {"*", *(system.name for system in systems), *(system.path.name for system in systems)}
    if unknown := [name for name in rows if name not in names]:
        raise SpecError("no such result", where="--row", got=unknown[0], fix=nearest(unknown[0], names - {"*"}))


def _malformed(system: System) -> Iterator[Finding]:
    """Yield a finding for each file that can't be read; the others are audited."""
    for malformed in system.malformed:
        yield finding(
            "malformed",
            "warning",
            system.benchmark.name,
            f"{system.name}: {malformed.file.name} can't be read and was left out: {malformed.problem}",
            file=str(malformed.file),
            rows=[system.name],
            columns=[malformed.file.name],
            effect="its replies are not in this audit",
        )


# Words of a reader's note -> the kind of finding. Other notes repeat what the checks above report in full.
_KIND_BY_NOTE = {
    "of another version": "version",
    "contradict": "version",
    "another runner": "version",
    "malformed": "malformed",
    "are not there": "missing",
    "have no reference": "missing",
}

_EFFECTS = {"version": "joined or compared only where reference answers and questions agree"}


def _notes(system: System) -> Iterator[Finding]:
    for note in system.notes:
        kind = next((kind for words, kind in _KIND_BY_NOTE.items() if words in note), None)
        if kind:
            severity: FindingSeverity = "note" if kind == "missing" else "warning"
            yield finding(
                kind,
                severity,
                system.benchmark.name,
                f"{system.name}: {note}",
                file=str(system.path),
                effect=_EFFECTS.get(kind, "") if "another runner" not in note else "one system, asked in two ways",
                about=note[:80],
            )


def _benchmark_findings(system: System) -> Iterator[Finding]:
    """Yield the findings of checks on replies that the benchmark brings."""
    answered = [
        (unit.items[0], unit.responses[0])
        for unit in system.units
        if len(unit.items) == 1 and unit.responses[0] is not None and unit.responses[0].status in ANY_TEXT
    ]
    if answered:
        module = f"{system.benchmark.package}.audit"
        checks = import_module(module) if (system.benchmark.folder / "audit.py").is_file() else None
        if checks is not None and hasattr(checks, "audit_replies"):
            yield from checks.audit_replies(system.benchmark.name, system.name, str(system.path), answered)


def _mixed(system: System) -> Iterator[Finding]:
    """Yield a finding on a Run whose replies come from several models, by the names that the endpoint reported."""
    served_models = count_served_models(system.responses.values())
    if system.manifest is None or len(served_models) < 2:
        return
    less = served_models.total() - served_models.most_common(1)[0][1]
    yield finding(
        "mixed",
        "severe" if less >= 0.1 * served_models.total() else "warning",
        system.benchmark.name,
        f"{system.name}: the endpoint named {len(served_models)} models in its replies: {in_words(served_models)}",
        file=str(system.path),
        rows=list(served_models),
        columns=["served_model"],
        effect="its figures don't belong to a single model",
    )


def _other_model_findings(system: System) -> Iterator[Finding]:
    """Yield a finding on a Run that was answered by another model than the one asked for."""
    if system.manifest is None:
        return
    other_models = other_model_counts(system.manifest.model, system.responses.values())
    if other_models:
        yield finding(
            "served",
            "severe",
            system.benchmark.name,
            f"{system.name}: asked for {asked_model(system.manifest.model)}, but the endpoint named another model in "
            f"its replies: {in_words(other_models)}",
            file=str(system.path),
            rows=list(other_models),
            columns=["served_model"],
            effect="its figures belong to the model that answered",
        )


def _doubled(system: System) -> Iterator[Finding]:
    if system.doubled:
        yield finding(
            "duplicate",
            "severe",
            system.benchmark.name,
            f"{system.name}: {system.doubled}",
            file=str(system.path),
            rows=[system.name],
            effect="it is unknown which of them counts, so nothing else of these results was checked",
        )


def _copied_tasks(system: System) -> Iterator[Finding]:
    """Yield findings on Tasks of one system with equal replies, wrong ones included: one file under two names."""
    by_task: dict[str, dict[str, Answer]] = defaultdict(dict)
    for unit, unit_answers in system.answers.items():
        by_task[unit_answers[0]][unit.rpartition("/")[2]] = unit_answers
    groups: dict[str, list[str]] = defaultdict(list)
    for task in by_task:
        groups[task.rpartition("/")[0]].append(task)
    for tasks in groups.values():
        for one, other in _nearly_equal({task: by_task[task] for task in tasks}):
            mine, yours = by_task[one], by_task[other]
            alike = compare(
                (one, rows[1], rows[2], yours[instance][2])
                for instance, rows in mine.items()
                if instance in yours and yours[instance][1] == rows[1]
            )
            if alike.wrong >= MIN_WRONG_QUESTIONS and alike.z >= MIN_STANDARD_ERRORS and alike.same >= _SAME * alike.n:
                yield finding(
                    "copy",
                    "severe",
                    system.benchmark.name,
                    f"{system.name}: {one} and {other} have the same reply to {alike.same:,} of {alike.n:,} questions, "
                    f"also to {alike.same_wrong:,} of {alike.wrong:,} that are wrong in both",
                    file=str(system.path),
                    rows=[one, other],
                    columns=["replies"],
                    effect="one of the two is the other's results under another name",
                )


def _nearly_equal(tasks: Mapping[str, Mapping[str, Answer]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of Tasks with equal replies to nearly all questions that they share. `tasks`: their answers by
    position."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # text -> its number
    places = {
        task_number: number for number, task_number in enumerate(dict.fromkeys(chain.from_iterable(tasks.values())))
    }
    fields = {}
    for task, answers in tasks.items():
        columns = np.full((2, len(places)), -1, dtype=np.int32)
        columns[:, [places[answer] for answer in answers]] = [
            [numbers[key] for _, key, _ in answers.values()],
            [numbers[answer] for _, _, answer in answers.values()],
        ]
        fields[task] = columns
    for one, other in combinations(tasks, 2):
        (key, text), (other_key, other_said) = fields[one], fields[other]
        shared = (key == other_key) & (key >= 0)
        n, same = np.count_nonzero(shared), np.count_nonzero(shared & (text == other_said))
        if n >= MIN_WRONG_QUESTIONS and same >= _SAME * n:
            yield one, other


def _families(system: System) -> Iterator[Finding]:
    """A judge, or the maker of the data, of the judged model's family."""
    family = family_of(system.name)
    if not family:
        return
    maker = load_rules(system.benchmark.folder).data.maker
    if maker and family_of(maker) == family:
        yield _same_family_finding(system, family, f"the benchmark's questions were made with a {family} model", maker)
    for judge in _judges(system):
        if family_of(judge) == family:
            yield _same_family_finding(system, family, f"its judge is {judge}", judge)


def _same_family_finding(system: System, family: str, words: str, who: str) -> Finding:
    return finding(
        "family",
        "warning",
        system.benchmark.name,
        f"{system.name} is of the {family} family, and {words}",
        file=str(system.path),
        rows=[system.name],
        columns=[who],
        effect="models rate their own family's words higher than others do",
    )


def _judges(system: System) -> Iterator[str]:
    """The judges of a Run, by the names of its verdict journals."""
    if system.manifest is not None:
        yield from sorted({path.stem for path in RunFolder.open(system.path).verdicts_path.glob("*.jsonl")})


def _versions(system: System) -> Iterator[Finding]:
    """Yield a finding on Instances with several reference answers: some questions come from another version of the
    data."""
    items = [unit.items[0] for unit in system.units]
    lettered = [item for item in items if item.answer == "letter" and isinstance(item.target, str) and item.instance]
    first: dict[str, object] = {}
    if all(first.setdefault(item.instance, item.target) == item.target for item in lettered):
        return
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    for item in lettered:
        keys[item.instance][item.task] = str(item.target)
    odd = {instance: rows for instance, rows in keys.items() if len(set(rows.values())) > 1}
    if odd:
        instance, all_keys = next(iter(odd.items()))
        yield finding(
            "version",
            "warning",
            system.benchmark.name,
            f"{system.name}: {len(odd):,} Instances have several reference answers, such as {instance}: {all_keys}",
            file=str(system.path),
            columns=["keys"],
            effect="forms of one question that were not asked from one version of the data",
        )


def _other_data(systems: Sequence[System]) -> Iterator[Finding]:
    """Yield a finding on Runs of one benchmark whose data differ. Questions stored in the results are compared one by
    one."""
    hashes: dict[str, dict[str, list[System]]] = defaultdict(lambda: defaultdict(list))
    for system in systems:
        own_data = system.manifest is not None and not system.manifest.model_settings.get("harness")
        if own_data and system.manifest is not None and system.manifest.data != AS_IN_RESULTS:
            hashes[system.benchmark.name][system.manifest.data_sha256].append(system)
    for name, by_hash in hashes.items():
        if len(by_hash) > 1:
            text = "; ".join(
                f"{digest[:8]}: {', '.join(s.name for s in all_systems)}" for digest, all_systems in by_hash.items()
            )
            yield finding(
                "version",
                "severe",
                name,
                f"these Runs were made on different versions of the data ({text})",
                file=str(next(iter(by_hash.values()))[0].path),
                rows=[s.name for runs in by_hash.values() for s in runs],
                columns=["data"],
                effect="their scores can't be compared",
            )
