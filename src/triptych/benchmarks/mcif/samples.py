"""The samples of source and reference files: read, and written in the released form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from triptych.benchmarks.mcif.names import KINDS, LANGUAGES, TRACKS
from triptych.benchmarks.mcif.xml_files import legal, parse
from triptych.errors import DataError
from triptych.records import Kind

Sample = TypeVar("Sample")
FILE_KINDS: tuple[Kind, ...] = ("audio", "video", "text")  # as a sample names them: `<audio_path>` …


@dataclass(frozen=True, slots=True)
class Source:
    """A sample of a source file: the instruction, and the file of each kind of content."""

    id: str
    instruction: str
    files: dict[Kind, str]


@dataclass(frozen=True, slots=True)
class Reference:
    """A sample of a reference file. `ids`: the source samples whose replies are joined; `transcript`: the English lines
    of a translation; `qa_type` and `qa_origin` of questions; `files`: the names of each kind of content, in the order
    of `ids` and separated by commas."""

    ids: tuple[str, ...]
    iid: str
    kind: str
    text: str
    transcript: str
    qa_type: str
    qa_origin: str
    files: dict[Kind, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Block(Generic[Sample]):
    """A `task` element: one track in one language."""

    track: str
    language: str
    samples: tuple[Sample, ...]


def read_sources(path: Path) -> Iterator[Block[Source]]:
    """Yield the blocks of a source file. Raises DataError, with file and sample, if it is malformed."""
    for task in blocks(path, parse(path)):
        yield Block(*header(path, task), tuple(_source(path, sample) for sample in task.iter("sample")))


def read_references(path: Path) -> Iterator[Block[Reference]]:
    """Yield the blocks of a reference file. Raises DataError, with file and sample, if it is malformed."""
    for task in blocks(path, parse(path)):
        yield Block(*header(path, task), tuple(_reference(path, sample) for sample in task.iter("sample")))


def write_sources(path: Path, contents: Iterable[Block[Source]], name: str = "MCIF1.0") -> None:
    """Write a file for `read_sources`. Characters that XML doesn't allow are left out."""
    _write(path, contents, name, _source_element)


def write_references(path: Path, contents: Iterable[Block[Reference]], name: str = "MCIF1.0") -> None:
    """Write a file for `read_references`. Characters that XML doesn't allow are left out."""
    _write(path, contents, name, _reference_element)


def _write(
    path: Path, contents: Iterable[Block[Sample]], name: str, element: Callable[[Element, Sample], None]
) -> None:
    root = Element("testset", name=legal(name))
    for block in contents:
        task = SubElement(root, "task", track=block.track, text_lang=block.language)
        for sample in block.samples:
            element(task, sample)
    indent(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _source_element(task: Element, source: Source) -> None:
    sample = SubElement(task, "sample", id=legal(source.id))
    _add_files(sample, source.files)
    SubElement(sample, "instruction").text = legal(source.instruction)


def _reference_element(task: Element, reference: Reference) -> None:
    fields = {"id": ",".join(reference.ids), "iid": reference.iid, "task": reference.kind}
    fields |= {"qa_type": reference.qa_type, "qa_origin": reference.qa_origin}
    sample = SubElement(task, "sample", {key: legal(value) for key, value in fields.items() if value})
    _add_files(sample, reference.files)
    SubElement(sample, "reference").text = legal(reference.text)
    metadata = SubElement(sample, "metadata")
    if reference.transcript:
        SubElement(metadata, "transcript").text = legal(reference.transcript)


def _add_files(sample: Element, files: Mapping[Kind, str]) -> None:
    for kind in FILE_KINDS:
        if kind in files:
            SubElement(sample, f"{kind}_path").text = legal(files[kind])


def blocks(path: Path, root: Element) -> list[Element]:
    """Return the `task` elements. Raises DataError if there are none."""
    tasks = list(root.iter("task"))
    if root.tag != "testset" or not tasks:
        raise DataError(
            "not a file of MCIF",
            where=path,
            expected='<testset><task track="…" text_lang="…">',
            got=f"<{root.tag}> with {len(tasks)} task elements",
        )
    return tasks


def header(path: Path, task: Element) -> tuple[str, str]:
    """Return track and language of a block. Raises DataError if they are not MCIF's."""
    track, language = task.get("track", ""), task.get("text_lang", "")
    if track not in TRACKS or language not in LANGUAGES:
        raise DataError(
            "an unknown track or language",
            where=path,
            got=f'track="{track}" text_lang="{language}"',
            expected=f"track {' or '.join(TRACKS)}, text_lang {', '.join(LANGUAGES)}",
        )
    return track, language


def _source(path: Path, sample: Element) -> Source:
    id_, instruction = sample.get("id", ""), _text(sample, "instruction")
    if not id_ or not instruction:
        raise DataError("a sample needs an id and an instruction", where=f"{path}, sample {id_ or '?'}")
    return Source(id_, instruction, _files(sample))


def _reference(path: Path, sample: Element) -> Reference:
    ids = tuple(part.strip() for part in sample.get("id", "").split(","))
    iid, kind = sample.get("iid", ""), sample.get("task", "")
    if not all(ids) or not iid or kind not in KINDS or sample.find("reference") is None:
        raise DataError(
            "a reference needs id, iid, task and <reference>",
            where=f"{path}, sample {iid or ','.join(ids) or '?'}",
            expected=f"task one of {', '.join(KINDS)}",
            got=f"task={kind!r}",
        )
    return Reference(
        ids,
        iid,
        kind,
        _text(sample, "reference"),
        _text(sample, "metadata/transcript"),
        sample.get("qa_type", ""),
        sample.get("qa_origin", ""),
        _files(sample),
    )


def _files(sample: Element) -> dict[Kind, str]:
    return {kind: name for kind in FILE_KINDS if (name := _text(sample, f"{kind}_path"))}


def _text(sample: Element, tag: str) -> str:
    """Return the text of a child, without whitespace at its ends; empty if there is no such child."""
    return (sample.findtext(tag) or "").strip()
