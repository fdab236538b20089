"""Output XML -> Responses, and back. Several files are one run: languages, tracks, chunks by position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

import msgspec

from triptych.benchmarks.mcif.names import (
    ACRONYMS,
    LANGUAGES,
    MODALITY_OF,
    PROMPT_SET_OF,
    TRACKS,
    scoped_id,
)
from triptych.benchmarks.mcif.samples import blocks, header
from triptych.benchmarks.mcif.xml_files import NotWellFormed, legal, parse, recover
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.protocol import Outputs
from triptych.records import Item, Response
from triptych.records.problems import first_few
from triptych.store.files.atomic import atomic_file
from triptych.store.files.names import file_name

# Released: {modality}_{track}_{lang}_{fixed|random}_{model}_output.xml; in chunks with _{from}_{to} before _output.
_NAME = re.compile(r"(?:(?P<modality>[a-z]+(?:_video)?)_)?(?:short|long)_(?:en|de|it|zh)_(?P<set>fixed|random|mixed)_")


@dataclass(frozen=True, slots=True)
class Variant:
    """The subject of a set of answers: track, language, and (if in the files' names) modality and prompt set."""

    track: str
    language: str
    modality: str
    prompts: str

    def scoped_id(self, last: str) -> str:
        """Return the id of an Item or Unit of this Variant."""
        return scoped_id(self.track, self.language, self.modality, self.prompts, last)

    def __str__(self) -> str:
        return "/".join(filter(None, (self.track, self.language, self.modality, self.prompts)))


@dataclass(slots=True)
class Answers:
    """The answers of one Variant: sample id -> text, and the file that each came from. `damaged`: one of the files is,
    so that answers may have been lost with the rest of it."""

    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    damaged: bool = False

    def add(self, id_: str, text: str, path: Path) -> None:
        """Add an answer. Raises DataError for a second answer to one sample."""
        if id_ in self.texts:
            both = f"{self.files[id_]} and {path}"
            raise TwoAnswersError(
                "two answers to one sample", where=both, got=f"sample {id_}", fix="pass the files of one run only"
            )
        self.texts[id_], self.files[id_] = text, path


_PEEKED = 4096  # bytes by which a file is recognised


def read_outputs(
    spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None = None, *, recover: bool = False
) -> Outputs:
    """Read output files (or folders of them) as Responses to the samples in the references.

    `items`: the Items of references or of the whole data. An empty sample is an empty answer. Tasks that don't exist
    in the modality of a file's name (recognition from text) are left out, and so are tracks and languages without a
    reference if others have one, with a note. Raises DataError if none has one, if samples have no answer (listing them
    all) or two; NotWellFormed (file, line, character) for damaged files, unless `recover`: answers that such a file has
    lost are missing, with a note.
    """
    answers, notes = _read_files(_files(paths), recover)
    item_list = list((items or {}).values())
    answers, without = _with_references(answers, item_list)
    notes += without
    responses: dict[str, Response] = {}
    items_by_id: dict[str, Item] = {}
    for variant, answer in answers.items():
        everything = _by_sample(item_list, variant)
        expected = {id_: _as_answered(item, variant) for id_, item in everything.items() if _is_for_item(variant, item)}
        _check_complete(variant, answer, expected)
        for item in expected.values():
            items_by_id[item.id] = item
            if (text := answer.texts.get(_sample(item))) is not None:
                responses[item.id] = Response(item.id, "", 0, "answered", text)
        notes += _notes(variant, answer, expected, everything)
    return Outputs(responses, items_by_id, tuple(notes), complete=True)


def recognises(file: Path) -> bool:
    """Recognise XML whose root is that of outputs; see `Benchmark.recognises`."""
    if file.suffix != ".xml":
        return False
    with file.open("rb") as stream:
        start = stream.read(_PEEKED)
    return b"<testset" in start and b'type="output"' in start.partition(b"<testset")[2].partition(b">")[0]


def write_outputs(
    items: Iterable[Item], responses: Iterable[Response], to: Path, *, model: str = "triptych"
) -> list[Path]:
    """Write a file for each track, language, modality and prompt set, as the released scorer reads them; its name
    contains that of the `model`.

    Samples are in the order of their ids; a sample without a text is empty. Characters that XML doesn't allow are left
    out. If there are repeats, the first is written.
    """
    texts = {r.item: r.text for r in responses if r.repeat == 0}
    files: dict[Variant, list[Item]] = {}
    for item in items:
        variant = Variant(*(item.facets.get(name, "") for name in ("track", "language", "modality", "prompts")))
        files.setdefault(variant, []).append(item)
    return [_write(variant, file, texts, to / output_name(variant, model)) for variant, file in files.items()]


def output_name(variant: Variant, model: str = "triptych") -> str:
    """Return a name as in the released outputs: `mllm_short_de_random_MODEL_output.xml`."""
    modality = {ours: theirs for theirs, ours in MODALITY_OF.items() if theirs != "audio_video"}.get(variant.modality)
    prompts = {"mixed": "random"}.get(variant.prompts, variant.prompts)
    text = "_".join(filter(None, (modality, variant.track, variant.language, prompts, model)))
    return f"{file_name(text)}_output.xml"


def _write(variant: Variant, items: Sequence[Item], texts: Mapping[str, str], path: Path) -> Path:
    root = Element("testset", name="MCIF", type="output")
    task = SubElement(root, "task", track=variant.track, text_lang=variant.language)
    for item in sorted(items, key=lambda item: _natural(_sample(item))):
        SubElement(task, "sample", id=_sample(item)).text = legal(texts.get(item.id, ""))
    indent(root)
    with atomic_file(path) as file:
        ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    return path


def _natural(id_: str) -> tuple[int, str]:
    return (int(id_), "") if id_.isdecimal() else (1 << 62, id_)


def _sample(item: Item) -> str:
    return item.id.rpartition("/")[2]


def _files(paths: Sequence[Path]) -> list[Path]:
    matching_paths = [
        f
        for path in paths
        for f in (sorted(p for p in path.rglob("*.xml*") if p.is_file()) if path.is_dir() else [path])
    ]
    if not matching_paths:
        raise DataError("no results found", where=", ".join(map(str, paths)), expected="output files (*.xml)")
    return matching_paths


def _read_files(paths: Sequence[Path], damaged_too: bool) -> tuple[dict[Variant, Answers], list[str]]:
    answers: dict[Variant, Answers] = {}
    notes: list[str] = []
    for path in paths:
        samples, note = _samples(path, damaged_too)
        modality, prompts = _named(path)
        for track, language, id_, text in samples:
            variant = Variant(track, language, modality, prompts)
            variant_answers = answers.setdefault(variant, Answers())
            variant_answers.add(id_, text.strip(), path)
            variant_answers.damaged |= bool(note)
        notes += filter(None, [note])
    return answers, notes


def _samples(path: Path, damaged_too: bool) -> tuple[list[tuple[str, str, str, str]], str]:
    """Return (track, language, id, text) of every sample, and a note on a damaged file."""
    try:
        return list(_well_formed(path)), ""
    except NotWellFormed as error:
        if not damaged_too:
            fix = "repair the file there, or read it as far as possible with --recover"
            raise NotWellFormed(error.problem, got=error.got, where=error.where, fix=fix) from None
        samples = [(raw.track, raw.language, raw.id, raw.text) for raw in recover(path)]
        for track, language, id_, _ in samples:
            if track not in TRACKS or language not in LANGUAGES or not id_:
                raise DataError(
                    "a recovered sample has no task and id",
                    where=path,
                    got=f"sample {id_!r}",
                    expected='<task track="…" text_lang="…"> before it, and an id',
                ) from None
        return samples, f"{path.name} is damaged ({error.problem}, {error.where}): {len(samples)} samples recovered"


def _well_formed(path: Path) -> Iterator[tuple[str, str, str, str]]:
    for task in blocks(path, parse(path)):
        track, language = header(path, task)
        for sample in task.iter("sample"):
            if sample.find("reference") is not None or sample.find("instruction") is not None:
                raise DataError(
                    "not an output file",
                    where=path,
                    expected='<sample id="7">the answer</sample>',
                    fix="give references by --reference, source files by --data",
                )
            if not sample.get("id"):
                raise DataError("a sample has no id", where=path)
            yield track, language, sample.get("id", ""), "".join(sample.itertext())


def _named(path: Path) -> tuple[str, str]:
    """Return (modality, prompt set) from the file's name; empty if it has none."""
    match = _NAME.match(path.name)
    if not match:
        return "", ""
    return MODALITY_OF.get(match["modality"] or "", ""), PROMPT_SET_OF[match["set"]]


def _with_references(
    answers: Mapping[Variant, Answers], items: Sequence[Item]
) -> tuple[dict[Variant, Answers], list[str]]:
    """Return the answers of tracks and languages with references, and a note for each without.

    Raises DataError if no answers have references.
    """
    pairs = {(item.facets["track"], item.facets["language"]) for item in items}
    references = {variant: answer for variant, answer in answers.items() if (variant.track, variant.language) in pairs}
    names = ", ".join("/".join(pair) for pair in sorted(pairs)) or "none"
    without = [variant for variant in answers if variant not in references]
    if without and not references:
        raise DataError(
            f"no reference for {', '.join(sorted({f'{v.track}/{v.language}' for v in without}))}",
            got=names,
            fix="pass --data with the released folder; `triptych score` takes --reference PATH as well",
        )
    return references, [
        f"{variant}: {len(answers[variant].texts)} samples have no reference and are not scored (references: {names})"
        for variant in without
    ]


def _by_sample(items: Sequence[Item], variant: Variant) -> dict[str, Item]:
    """Return sample id -> its Item; if the data has a sample in several forms, the Variant's own comes first."""
    pair = (variant.track, variant.language)
    here = [item for item in items if (item.facets["track"], item.facets["language"]) == pair]
    about = {"modality": variant.modality, "prompts": variant.prompts}
    here.sort(key=lambda item: sum(item.facets.get(name) == value for name, value in about.items()))
    return {_sample(item): item for item in here}


def _is_for_item(variant: Variant, item: Item) -> bool:
    return not variant.modality or (variant.modality, item.facets["kind"]) in ACRONYMS


def _as_answered(item: Item, variant: Variant) -> Item:
    """Return the Item with the Variant's ids and facets."""
    about = {"modality": variant.modality, "prompts": variant.prompts}
    about["acronym"] = ACRONYMS.get((variant.modality, item.facets["kind"]), "")
    facets = {k: v for k, v in {**item.facets, **about}.items() if v}
    unit = item.unit_id.rpartition("/")[2]
    return msgspec.structs.replace(
        item, id=variant.scoped_id(_sample(item)), unit=variant.scoped_id(unit), facets=facets
    )


def _check_complete(variant: Variant, answers: Answers, expected: Mapping[str, Item]) -> None:
    missing = sorted(expected.keys() - answers.texts.keys(), key=_natural)
    if missing and not answers.damaged:
        raise DataError(
            f"{len(missing)} of {len(expected)} samples have no answer in {variant}",
            got="no sample " + ", ".join(missing),
            where=", ".join(sorted({str(path) for path in answers.files.values()})),
            fix="pass every chunk of the run; the sample of an unanswered question is empty",
        )


def _notes(
    variant: Variant, answers: Answers, expected: Mapping[str, Item], everything: Mapping[str, Item]
) -> Iterator[str]:
    """Yield notes on answers that are not scored, and on empty answers."""
    unknown = [id_ for id_ in answers.texts if id_ not in everything]
    if unknown:
        yield f"{variant}: {len(unknown)} samples have no reference and are not scored ({_shown(unknown)})"
    unexpected = [id_ for id_ in answers.texts if id_ in everything and id_ not in expected]
    if unexpected:
        kinds = ", ".join(sorted({everything[id_].facets["kind"] for id_ in unexpected}))
        rest = f"samples of {kinds}, which {variant.modality} input doesn't have: not scored"
        yield f"{variant}: {len(unexpected)} {rest}"
    if missing := expected.keys() - answers.texts.keys():
        yield f"{variant}: {len(missing)} samples have no answer in the damaged file: missing ({_shown(list(missing))})"
    if empty := [id_ for id_ in expected if answers.texts.get(id_) == ""]:
        yield f"{variant}: {len(empty)} samples are empty answers ({_shown(empty)})"


def _shown(ids: Sequence[str]) -> str:
    ordered = sorted(ids, key=_natural)
    return first_few(ordered, 8)
