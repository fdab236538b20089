"""Source and reference files -> Items: a sample becomes one Item for each of its input modalities and prompt sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from triptych.benchmarks.mcif.files import Pair, ReleasedFiles, find_files, no_files_error
from triptych.benchmarks.mcif.names import (
    ACRONYMS,
    MODALITIES,
    TRACK_MODALITIES,
    instance_id,
    media_folder,
    scoped_id,
    task_id,
)
from triptych.benchmarks.mcif.pools import wording_of
from triptych.benchmarks.mcif.samples import Block, Reference, Sample, Source, read_references, read_sources
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError, MediaError
from triptych.media.paths import resolve_inside
from triptych.records import Item, Kind, Part, Problem, media, text

Report = Callable[[Problem], None]


@dataclass(frozen=True, slots=True)
class SamplePosition:
    """A sample in the references: its reference, and which of its segments the sample is."""

    reference: Reference
    number: int


def source_files(data: Path) -> list[Path]:
    """Return the files that are read, sorted by path: sources and references."""
    return sorted(find_files(data).paths)


def read(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec], report: Report) -> Iterator[Item]:
    """Yield the Items of the Tasks: by track and language, prompt set, modality, then in the files' order.

    `data` may be a reference file, or a folder of references without sources; then the Items have no content and no
    modality, and can be used for scoring, but not asked. Without a reference, tasks are recognised by the wording of
    the instructions, and Items have no target. Samples that can't be asked are reported and left out. Raises DataError
    if there are no files, or one is malformed.
    """
    files = find_files(data)
    if not files.paths:
        raise no_files_error(data)
    wanted = {spec.full_id(task) for task in tasks}
    pairs: dict[Pair, None] = {(t.id.split("/")[0], t.id.split("/")[1]): None for t in tasks}
    for pair in pairs:
        for item in _items(files, pair, data, report):
            if item.task in wanted:
                yield item


def places_of(files: ReleasedFiles, pair: Pair) -> dict[str, SamplePosition]:
    """Return sample id -> its place in the reference of a track and language; empty without one.

    Raises DataError if a sample is in two references.
    """
    places: dict[str, SamplePosition] = {}
    for reference in _block(read_references, files.references.get(pair), pair):
        for number, id_ in enumerate(reference.ids):
            if id_ in places:
                raise DataError(
                    "a sample is in two references",
                    where=files.references[pair],
                    got=f"{places[id_].reference.iid} and {reference.iid} on sample {id_}",
                )
            places[id_] = SamplePosition(reference, number)
    return places


def bare_item(
    pair: Pair,
    sample_position: SamplePosition,
    modality: str = "",
    prompts: str = "",
    parts: tuple[Part, ...] = (),
    wording: str = "",
) -> Item:
    """Return a sample as in its reference: target and facets, by default without content."""
    (track, language), reference = pair, sample_position.reference
    id_, first = reference.ids[sample_position.number], not sample_position.number
    return Item(
        id=scoped_id(track, language, modality, prompts, id_),
        task=task_id(track, language, reference.kind),
        parts=parts,
        target=reference.text if first else "",
        unit=scoped_id(track, language, modality, prompts, reference.iid),
        instance=instance_id(reference.iid),
        facets=_facets(
            track, language, reference.kind, modality, prompts, reference.qa_type, reference.qa_origin, wording
        ),
        place=sample_position.number,
        unit_size=len(reference.ids),
        hidden={"source": reference.transcript} if first and reference.transcript else {},
    )


@dataclass(frozen=True, slots=True)
class Edition:
    """One source file, and the data needed to make Items of it."""

    pair: Pair
    prompts: str
    path: Path
    data: Path
    places: Mapping[str, SamplePosition]

    def items(self, report: Report) -> Iterator[Item]:
        """Yield Items by modality, then in the file's order."""
        samples = _block(read_sources, self.path, self.pair)
        texts: dict[str, str] = {}
        for modality in MODALITIES:
            folders = {kind: self._folder(kind) for kind in TRACK_MODALITIES[modality]} if samples else {}
            for sample in samples:
                if all(kind in sample.files for kind in folders):
                    yield from self._item_of(sample, modality, folders, texts, report)

    def _item_of(
        self, sample: Source, modality: str, folders: Mapping[Kind, str], texts: dict[str, str], report: Report
    ) -> Iterator[Item]:
        """Yield the Item that asks a sample in a modality, if the task exists there. `texts`: path -> a talk's text."""
        position, wording = self.places.get(sample.id), wording_of(sample.instruction)
        if position is None and (self.places or wording is None):
            why = "it is in no reference" if self.places else "no reference, and no wording of the paper's"
            where = f"{self.path}, sample {sample.id}"
            return report(Problem("error", "task-unknown", where, f"its task is unknown: {why}"))
        kind = position.reference.kind if position else wording[0] if wording else ""
        if (modality, kind) not in ACRONYMS:
            return
        try:
            parts = (*self._content(sample, folders, texts), text(sample.instruction, "question"))
        except MediaError as error:
            where = f"{self.path}, sample {sample.id}"
            return report(Problem("error", "missing-media", where, str(error), task_id(*self.pair, kind)))
        number = str(wording[2]) if wording else "other"
        if position:
            yield bare_item(self.pair, position, modality, self.prompts, parts, number)
        else:
            yield _unreferenced(sample, self.pair, modality, self.prompts, kind, parts, number)

    def _content(self, sample: Source, folders: Mapping[Kind, str], texts: dict[str, str]) -> Iterator[Part]:
        """Yield the content's Parts in order; a talk's text is read from its file, or MediaError raised."""
        for kind, folder in folders.items():
            relative = folder + sample.files[kind]
            if kind == "text":
                if relative not in texts:  # several samples ask about one talk
                    texts[relative] = _words(resolve_inside(self.data, relative))
                yield text(texts[relative], "content")
            else:
                yield media(kind, relative, "content")

    def _folder(self, kind: Kind) -> str:
        """Return `SHORT_AUDIOS/`, next to the source file or at the top level."""
        name = media_folder(self.pair[0], kind)
        beside = self.path.parent / name
        return f"{(beside if beside.is_dir() else self.data / name).relative_to(self.data).as_posix()}/"


def _items(files: ReleasedFiles, pair: Pair, data: Path, report: Report) -> Iterator[Item]:
    places = places_of(files, pair)
    if pair not in files.sources:
        yield from (bare_item(pair, index) for index in places.values())
    for prompts, path in files.sources.get(pair, {}).items():
        yield from Edition(pair, prompts, path, data, places).items(report)


@lru_cache(maxsize=128)
def _words(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()


def _unreferenced(
    sample: Source, pair: Pair, modality: str, prompts: str, kind: str, parts: tuple[Part, ...], wording: str
) -> Item:
    track, language = pair
    return Item(
        id=scoped_id(track, language, modality, prompts, sample.id),
        task=task_id(track, language, kind),
        parts=parts,
        instance=instance_id(f"{track}_{sample.id}"),
        facets=_facets(track, language, kind, modality, prompts, "", "", wording),
    )


@lru_cache(maxsize=1024)
def _facets(
    track: str, language: str, kind: str, modality: str, prompts: str, qa_type: str, qa_origin: str, wording: str
) -> dict[str, str]:
    """Return the known facets, one dictionary for all Items with the same ones: a file of references has no modality,
    prompt set and wording."""
    fields = {
        "track": track,
        "language": language,
        "kind": kind,
        "modality": modality,
        "prompts": prompts,
        "acronym": ACRONYMS.get((modality, kind), ""),
        "qa_type": qa_type,
        "qa_origin": qa_origin,
        "wording": wording,
    }
    return {name: value for name, value in fields.items() if value}


def _block(read_file: Callable[[Path], Iterator[Block[Sample]]], path: Path | None, pair: Pair) -> tuple[Sample, ...]:
    """Return the samples of a track and language in a file; empty without a file. Raises DataError if it has none."""
    if path is None:
        return ()
    samples_by_block = {(block.track, block.language): block.samples for block in read_file(path)}
    if pair not in samples_by_block:
        raise DataError(
            "the file's content doesn't match its name",
            where=path,
            expected="/".join(pair),
            got=", ".join("/".join(p) for p in samples_by_block),
        )
    return samples_by_block[pair]
