"""`audit run`: do stored scores follow, what are they made of, and is each system who it is said to be?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from triptych.audit.alike import Alike, compare
from triptych.audit.answers import check_answers
from triptych.audit.families import family_of
from triptych.audit.rules import load_rules
from triptych.audit.stored import check_published, check_stored
from triptych.audit.systems import System, load_systems
from triptych.errors import SpecError, nearest
from triptych.records import AS_IN_RESULTS, FINDING_SEVERITIES, Finding, FindingSeverity, Score, finding
from triptych.store.folder import RunFolder

_ENOUGH = 30  # questions that both got wrong, under which agreement there says nothing
_Z = 6.0  # standard errors above chance
_SEVERE, _SUSPECT = 0.9, 0.75  # agreement beyond chance where both are wrong, as repeats have it
_SAME = 0.995  # of all replies: so many alike, and two Tasks are one file under two names


def audit_run(
    paths: Sequence[Path], benchmark: str | None, data: Path | None, repeats: Sequence[tuple[str, str]] = ()
) -> list[Finding]:
    """Findings on Run folders and released results, the gravest first. See `triptych.api.audit_run`."""
    systems = list(load_systems(paths, benchmark, data))
    found: list[Finding] = []
    for system in systems:
        found += [*check_stored(system), *check_published(system), *check_answers(system), *_notes(system)]
        found += [*_copied_tasks(system), *_families(system), *_versions(system), *_doubled(system)]
    found += [*_mislabelled(systems, repeats), *_other_data(systems)]
    return sorted(found, key=lambda f: FINDING_SEVERITIES.index(f.severity))


_TOLD = {  # words of a reader's note -> the kind of finding; other notes are what the checks above tell in full
    "of another version": "version",
    "contradict": "version",
    "malformed": "malformed",
    "are not there": "missing",
    "have no reference": "missing",
}


def _notes(system: System) -> Iterator[Finding]:
    for note in system.notes:
        kind = next((kind for words, kind in _TOLD.items() if words in note), None)
        if kind:
            severity: FindingSeverity = "note" if kind == "missing" else "warning"
            yield finding(
                kind,
                severity,
                system.benchmark.name,
                f"{system.name}: {note}",
                file=str(system.path),
                effect="joined or compared only where keys and questions agree" if kind == "version" else "",
                about=note[:80],
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
            effect="which of them counts isn't told: nothing else of these results was looked at",
        )


def _answers(system: System) -> dict[str, tuple[Score, str, str]]:
    """Unit -> (its Score, its key, what was answered), of the Units with one answer out of options."""
    found = {}
    for score, unit in zip(system.official, system.units, strict=True):
        key, said = unit.item.target, score.extraction
        if isinstance(key, str) and isinstance(said, str) and score.status == "scored":
            found[score.unit] = (score, key.strip(), said.strip())
    return found


def _mislabelled(systems: Sequence[System], repeats: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """Pairs of systems that agree where both are wrong as repeats of one model do.

    With known repeats: as much as these do, less three standard errors. Without: 0.75 of what is possible beyond chance
    (warning), 0.9 (severe). Never under six standard errors above chance, or on under 30 questions that both got wrong.
    """
    known = {frozenset(pair) for pair in repeats}
    names = {system.name for system in systems}
    for name in {name for pair in known for name in pair} - names:
        raise SpecError(f"no results of {name!r} among those given", fix=nearest(name, names))
    told = {id(system): _answers(system) for system in systems}
    pairs = [
        (a, b, _compare(told[id(a)], told[id(b)]))
        for a, b in combinations(systems, 2)
        if a.benchmark.name == b.benchmark.name
    ]
    usual = [alike for a, b, alike in pairs if frozenset((a.name, b.name)) in known]
    for first, second, alike in pairs:
        if frozenset((first.name, second.name)) not in known and not _one_model(first, second):
            yield from _judged_alike(first, second, alike, usual)


def _one_model(first: System, second: System) -> bool:
    """Runs of one model under two Conditions don't pretend to be of two."""
    told = [system.manifest.model for system in (first, second) if system.manifest is not None]
    return len(told) == 2 and told[0] == told[1]


def _compare(first: Mapping[str, tuple[Score, str, str]], second: Mapping[str, tuple[Score, str, str]]) -> Alike:
    return compare(
        (own[0].task, own[1], own[2], other[2])
        for unit, own in first.items()
        if (other := second.get(unit)) and other[1] == own[1]
    )


def _judged_alike(first: System, second: System, alike: Alike, usual: Sequence[Alike]) -> Iterator[Finding]:
    if alike.wrong < _ENOUGH or alike.z < _Z:
        return
    floor = min((known.share - 3 * known.error for known in usual), default=None)
    as_repeats = floor is not None and alike.share >= floor
    if not as_repeats and (floor is not None or alike.beyond_chance < _SUSPECT):
        return
    beside = f"; known repeats agree there in {100 * min(k.share for k in usual):.1f}%" if usual else ""
    yield finding(
        "mislabelled",
        "severe" if as_repeats or alike.beyond_chance >= _SEVERE else "warning",
        first.benchmark.name,
        f"{first.name} and {second.name} give the same wrong answer to {alike.same_wrong:,} of {alike.wrong:,} "
        f"questions that both get wrong ({100 * alike.share:.1f}%); by chance {alike.expected:,.0f}{beside}",
        file=str(second.path),
        rows=[first.name, second.name],
        columns=["replies"],
        published=f"{100 * alike.share:.1f}%",
        recomputed=f"{100 * alike.expected / alike.wrong:.1f}%",
        effect="one of the two is probably the other, asked again",
    )


def _copied_tasks(system: System) -> Iterator[Finding]:
    """Tasks of one system with the same replies, question by question, wrong ones too: one file under two names."""
    told = _answers(system)
    by_task: dict[str, dict[str, tuple[Score, str, str]]] = defaultdict(dict)
    for unit, own in told.items():
        by_task[own[0].task][unit.rpartition("/")[2]] = own
    groups: dict[str, list[str]] = defaultdict(list)
    for task in by_task:
        groups[task.rpartition("/")[0]].append(task)
    for tasks in groups.values():
        for one, other in combinations(tasks, 2):
            mine, yours = by_task[one], by_task[other]
            alike = compare(
                (one, own[1], own[2], yours[place][2])
                for place, own in mine.items()
                if place in yours and yours[place][1] == own[1]
            )
            if alike.wrong >= _ENOUGH and alike.z >= _Z and alike.same >= _SAME * alike.n:
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


def _families(system: System) -> Iterator[Finding]:
    """A judge, or the maker of the data, of the judged model's family."""
    own = family_of(system.name)
    if not own:
        return
    maker = load_rules(system.benchmark.folder).data.maker
    if maker and family_of(maker) == own:
        yield _kin(system, own, f"the benchmark's questions were made with a {own} model", maker)
    for judge in _judges(system):
        if family_of(judge) == own:
            yield _kin(system, own, f"its judge is {judge}", judge)


def _kin(system: System, family: str, words: str, who: str) -> Finding:
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
    """Questions of one Instance with several keys: some were asked from another version of the data."""
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    for unit in system.units:
        if unit.item.answer == "letter" and isinstance(unit.item.target, str) and unit.item.instance:
            keys[unit.item.instance][unit.item.task] = unit.item.target
    odd = {instance: own for instance, own in keys.items() if len(set(own.values())) > 1}
    if odd:
        instance, own = next(iter(odd.items()))
        yield finding(
            "version",
            "warning",
            system.benchmark.name,
            f"{system.name}: {len(odd):,} Instances have several keys, such as {instance}: {own}",
            file=str(system.path),
            columns=["keys"],
            effect="forms of one question that were not asked from one version of the data",
        )


def _other_data(systems: Sequence[System]) -> Iterator[Finding]:
    """Runs on one benchmark whose data differ. Questions that results tell themselves are compared one by one."""
    hashes: dict[str, dict[str, list[System]]] = defaultdict(lambda: defaultdict(list))
    for system in systems:
        if system.manifest is not None and system.manifest.data != AS_IN_RESULTS:
            hashes[system.benchmark.name][system.manifest.data_sha256].append(system)
    for name, by_hash in hashes.items():
        if len(by_hash) > 1:
            told = "; ".join(f"{digest[:8]}: {', '.join(s.name for s in own)}" for digest, own in by_hash.items())
            yield finding(
                "version",
                "severe",
                name,
                f"these Runs were made on different versions of the data ({told})",
                file=str(next(iter(by_hash.values()))[0].path),
                rows=[s.name for own in by_hash.values() for s in own],
                columns=["data"],
                effect="their scores can't be compared",
            )
