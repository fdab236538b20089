"""Check whether the data is complete and well-formed.

Every finding names its file and samples; harmless peculiarities are notes.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from triptych.benchmarks.mcif.files import Pair, ReleasedFiles, find_files, no_files_error
from triptych.benchmarks.mcif.names import LANGUAGES, PROMPT_SETS, QA_ORIGINS, QA_TYPES, kinds_of, media_folder, task_id
from triptych.benchmarks.mcif.pools import wording_of
from triptych.benchmarks.mcif.samples import Block, Reference, Sample, Source, read_references, read_sources
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.media.paths import media_fault
from triptych.records import Problem
from triptych.records.problems import Severity, first_few

MINI = Path(__file__).parent / "mini"
_CHINESE = re.compile(r"[\u4e00-\u9fff]")

References = dict[Pair, tuple[Reference, ...]]
Sources = dict[tuple[str, str, str], tuple[Source, ...]]


def check(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Problem]:
    """Yield findings on the Tasks' files: presence, encoding, counts, ids, languages, wordings, media, and parallelism.

    Raises DataError if there is no file of MCIF at all.
    """
    files = find_files(data)
    if not files.paths:
        raise no_files_error(data)
    for path in files.older:
        yield Problem("note", "file-doubled", str(path), "another version of this file is read instead")
    pairs = list(dict.fromkeys((t.id.split("/")[0], t.id.split("/")[1]) for t in tasks))
    faults: list[Problem] = []
    references: References = {}
    sources: Sources = {}
    for pair in pairs:
        if pair in files.references and (reference := _read(read_references, files.references[pair], pair, faults)):
            references[pair] = reference
        for prompts, path in files.sources.get(pair, {}).items():
            if source_rows := _read(read_sources, path, pair, faults):
                sources[*pair, prompts] = source_rows
    yield from faults
    yield from _presence(files, pairs, data)
    if data.resolve() != MINI.resolve():  # the mini set is not a release, so no count is expected
        yield from _counts(spec, tasks, references, files)
    for pair, reference in references.items():
        yield from _references(pair, reference, str(files.references[pair]))
    for (track, language, prompts), samples in sources.items():
        path = files.sources[track, language][prompts]
        yield from _sources((track, language), prompts, samples, references.get((track, language), ()), str(path))
    yield from _media(sources, files, data)
    yield from _parallel(references, sources)


def _read(
    reader: Callable[[Path], Iterator[Block[Sample]]], path: Path, pair: Pair, faults: list[Problem]
) -> tuple[Sample, ...]:
    """Return a file's samples of the track and language in its name.

    Returns none, and adds a finding to `faults`, if the file can't be read or is about another track or language.
    """
    try:
        blocks = {(block.track, block.language): block.samples for block in reader(path)}
    except DataError as error:
        faults.append(Problem("error", "unreadable", str(error.where or path), str(error)))
        return ()
    if pair not in blocks:
        text = ", ".join("/".join(p) for p in blocks)
        faults.append(
            Problem("error", "header", str(path), f"the file name says {'/'.join(pair)}, but the header says {text}")
        )
    return blocks.get(pair, ())


def _presence(files: ReleasedFiles, pairs: Sequence[Pair], data: Path) -> Iterator[Problem]:
    for track, language in pairs:
        name, sets = f"{track}/{language}", files.sources.get((track, language), {})
        if (track, language) not in files.references:
            yield Problem(
                "warning", "file-missing", str(data), f"no references for {name}: it can be asked but not scored"
            )
        for prompts in PROMPT_SETS:
            if prompts not in sets:
                message = f"no source file for {name} with {prompts} prompts: they can't be asked"
                yield Problem("warning", "file-missing", str(data), message)


def _counts(
    spec: BenchmarkSpec, tasks: Sequence[TaskSpec], references: References, files: ReleasedFiles
) -> Iterator[Problem]:
    """Compare the number of samples per task with the release."""
    for task in tasks:
        track, language, kind = task.id.split("/")
        if (track, language) not in references or task.count is None:
            continue
        number = sum(len(r.ids) for r in references[track, language] if r.kind == kind)
        if number != task.count:
            message = f"{number:,} samples, but {task.count:,} were released"
            where = str(files.references[track, language])
            yield Problem("warning", "count", where, message, spec.full_id(task), abs(task.count - number))


def _references(pair: Pair, references: Sequence[Reference], where: str) -> Iterator[Problem]:
    """Yield faults and peculiarities of single references, one finding per kind."""
    track, language = pair
    ids = Counter(id_ for r in references for id_ in r.ids)
    iids = Counter(r.iid for r in references)
    may_join = track == "short"
    none = Counter(r.text for r in references if r.qa_type == "NA").most_common(1)
    tests: tuple[tuple[Severity, str, Callable[[Reference], bool], str], ...] = (
        ("error", "id-doubled", lambda r: any(ids[i] > 1 for i in r.ids), "a sample has two references"),
        ("error", "iid-doubled", lambda r: iids[r.iid] > 1, "an iid occurs twice"),
        (
            "error",
            "task-strange",
            lambda r: r.kind not in kinds_of(track, language),
            "the task does not exist for this track and language",
        ),
        (
            "error",
            "ids-joined",
            lambda r: len(r.ids) > 1 and not (may_join and r.kind in ("ASR", "TRANS")),
            "it has several samples, which only short ASR and TRANS may have",
        ),
        ("error", "reference-empty", lambda r: not r.text, "the reference is empty"),
        (
            "error",
            "lines",
            lambda r: r.kind == "TRANS" and _lines(r.text) != _lines(r.transcript),
            "the reference and its transcript differ in their number of lines: COMET can't be computed",
        ),
        (
            "error",
            "qa-type",
            lambda r: r.kind == "QA" and r.qa_type not in QA_TYPES,
            "qa_type is not one of A, V, AV, NA",
        ),
        (
            "warning",
            "qa-origin",
            lambda r: r.kind == "QA" and r.qa_origin not in QA_ORIGINS,
            "qa_origin is not one of General, Abstract, Transcript",
        ),
        (
            "warning",
            "no-answer",
            lambda r: r.qa_type == "NA" and r.text != none[0][0],
            "the answer differs from that of the other unanswerable questions of this language",
        ),
        (
            "warning",
            "language",
            lambda r: bool(_CHINESE.search(r.text)) != (language == "zh") and _is_prose(r),
            "the reference does not appear to be in its language",
        ),
    )
    for severity, kind, test, message in tests:
        if hits := [r for r in references if test(r)]:
            shown = first_few([r.iid for r in hits])
            yield Problem(
                severity, kind, f"{where}: {shown}", message, task_id(track, language, hits[0].kind), len(hits)
            )


def _lines(text: str) -> int:
    return len(text.split("\n"))


def _is_prose(reference: Reference) -> bool:
    """Return whether the reference is too long to be only a name or a number."""
    return reference.kind != "QA" or len(reference.text) > 40


def _sources(
    pair: Pair, prompts: str, samples: Sequence[Source], references: Sequence[Reference], where: str
) -> Iterator[Problem]:
    track, language = pair
    of = {id_: r for r in references for id_ in r.ids}
    ids = Counter(s.id for s in samples)
    groups: dict[str, set[str]] = defaultdict(set)
    for sample in samples:
        groups[of[sample.id].iid if sample.id in of else sample.id].add(sample.instruction)
    wordings = {sample.id: wording_of(sample.instruction) for sample in samples}

    def misplaced(sample: Source) -> bool:
        wording = wordings[sample.id]
        expected = (of[sample.id].kind, language) if sample.id in of else None
        return wording is not None and expected is not None and wording[:2] != expected

    def not_fixed(sample: Source) -> bool:
        wording = wordings[sample.id]
        return prompts == "fixed" and wording is not None and wording[2] != 1

    text_misplaced = "it has a text, which only long samples of tasks other than recognition may have"
    tests: tuple[tuple[Severity, str, Callable[[Source], bool], str], ...] = (
        ("error", "id-doubled", lambda s: ids[s.id] > 1, "a sample id occurs twice"),
        ("error", "no-reference", lambda s: bool(of) and s.id not in of, "it has no reference"),
        ("error", "no-content", lambda s: not s.files, "it names no audio, video or text"),
        (
            "warning",
            "text-misplaced",
            lambda s: "text" in s.files and (track == "short" or _is_asr(of.get(s.id))),
            text_misplaced,
        ),
        ("warning", "wording", misplaced, "the instruction belongs to another task or language"),
        ("warning", "wording", not_fixed, "the instruction is not the fixed one"),
        ("note", "wording", lambda s: wordings[s.id] is None, "the instruction is not one of the paper's"),
        (
            "warning",
            "wording",
            lambda s: s.id in of and len(groups[of[s.id].iid]) > 1,
            "the segments of one talk have different instructions",
        ),
    )
    for severity, kind, test, message in tests:
        if hits := [s.id for s in samples if test(s)]:
            yield Problem(severity, kind, f"{where}: samples {first_few(hits)}", message, rows=len(hits))
    if missing := [id_ for id_ in of if id_ not in ids]:
        yield Problem(
            "error",
            "sample-missing",
            f"{where}: samples {first_few(missing)}",
            "a reference names them, but the source file does not contain them",
            rows=len(missing),
        )


def _is_asr(reference: Reference | None) -> bool:
    return reference is not None and reference.kind == "ASR"


def _media(
    sources: Mapping[tuple[str, str, str], Sequence[Source]], files: ReleasedFiles, data: Path
) -> Iterator[Problem]:
    """Yield findings on media that are missing, empty or outside the folder, one per kind of file and track."""
    named: dict[tuple[str, Path], dict[str, str]] = defaultdict(dict)
    is_folder = cache(Path.is_dir)
    for (track, language, prompts), samples in sources.items():
        top = files.sources[track, language][prompts].parent
        for sample in samples:
            for kind, name in sample.files.items():
                folder = media_folder(track, kind)
                named[folder, top if is_folder(top / folder) else data].setdefault(name, sample.id)
    for (folder, top), names in named.items():
        faults: dict[str, list[str]] = defaultdict(list)
        real_top = os.path.realpath(top)
        for name in names:
            if fault := media_fault(top, f"{folder}/{name}", real_top):
                faults[fault].append(name)
        for fault, hits in faults.items():
            message = f"{len(hits):,} of {len(names):,} files of {folder} are {_FAULTS[fault]}"
            yield Problem(
                "error", fault, f"{top / folder / hits[0]} (sample {names[hits[0]]})", message, rows=len(hits)
            )


_FAULTS = {
    "missing-media": "missing; outputs can be scored without them",
    "empty-media": "empty",
    "unsafe-path": "outside the data folder (an absolute path, a path with .., or a link that leads out)",
}


def _parallel(references: References, sources: Sources) -> Iterator[Problem]:
    """Check that all languages and prompt sets have the same questions, and the same files for the same samples.

    English talks are transcribed and those of other languages translated, in elements with different sample ids; for
    these only the files must be the same.
    """
    for track in ("short", "long"):
        iids = {lang: _common(references[track, lang]) for lang in LANGUAGES if (track, lang) in references}
        yield from _differing(iids, f"{track}: the languages differ in their questions and summaries")
        samples_by_key = {key[1:]: samples for key, samples in sources.items() if key[0] == track}
        kinds = {
            (lang, prompts): _kinds(references.get((track, lang), ()), samples_by_key[lang, prompts])
            for lang, prompts in samples_by_key
        }
        files = {
            f"{lang}, {prompts}": {
                " ".join(filter(None, ["" if kinds[lang, prompts][s.id] in _TALKS else s.id, kind, name]))
                for s in samples
                for kind, name in s.files.items()
                if kind != "text"
            }
            for (lang, prompts), samples in samples_by_key.items()
        }
        yield from _differing(files, f"{track}: the source files differ in their samples or media")
        for alike in (("en",), tuple(lang for lang in LANGUAGES if lang != "en")):
            ids = {
                f"{lang}, {prompts}": {
                    f"{s.id} {name}" for s in samples for name in s.files.values() if _is_talk(s, rows_of_kind)
                }
                for (lang, prompts), samples in samples_by_key.items()
                if lang in alike and (rows_of_kind := kinds[lang, prompts])
            }
            yield from _differing(ids, f"{track}: the source files differ in the sample ids of talks")


_TALKS = ("ASR", "TRANS")


def _is_talk(sample: Source, kinds: Mapping[str, str]) -> bool:
    return kinds[sample.id] in _TALKS


def _kinds(references: Sequence[Reference], samples: Sequence[Source]) -> dict[str, str]:
    """Return sample id -> task, from its reference or else from its wording; empty if neither is known."""
    kinds = {id_: reference.kind for reference in references for id_ in reference.ids}
    return {s.id: kinds.get(s.id) or (wording_of(s.instruction) or ("",))[0] for s in samples}


def _common(references: Iterable[Reference]) -> set[str]:
    return {r.iid for r in references if r.kind in ("QA", "SUM")}


def _differing(sets: Mapping[str, set[str]], message: str) -> Iterator[Problem]:
    if not sets:
        return
    shared = set.intersection(*sets.values())
    odd = {name: ids - shared for name, ids in sets.items() if ids - shared}
    if odd:
        where = "; ".join(f"{name}: {first_few(sorted(extra))}" for name, extra in odd.items())
        yield Problem("warning", "not-parallel", where, message, rows=sum(map(len, odd.values())))
