"""Files that accompany every benchmark: a data card for Hugging Face, and Croissant metadata."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.folder import BuildManifest, StageCounts
from triptych.construction.record import Record
from triptych.records.unreadable import UNREADABLE

CROISSANT = "http://mlcommons.org/croissant/1.0"
_TYPES = {str: "sc:Text", bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
_MEDIA = {
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".m4a": "audio/mp4",
    ".flac": "audio/flac",
    ".mp3": "audio/mpeg",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".jfif": "image/jpeg",
    ".png": "image/png",
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".webm": "video/webm",
    ".xml": "application/xml",
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".md": "text/markdown",
    ".tsv": "text/tsv",
}


class About(msgspec.Struct, frozen=True):
    """A recipe's description of its benchmark.

    name       a heading; licence: an SPDX identifier in lower case; languages: ISO 639 codes
    url        where the benchmark is, or will be, published
    tables     the question files that a reader of tables loads: configuration -> split -> file
    notes      what users of the data must know
    """

    name: str
    description: str
    licence: str
    languages: tuple[str, ...]
    tables: dict[str, dict[str, str]] = {}
    citation: str = ""
    url: str = ""
    notes: tuple[str, ...] = ()


def write_card(
    out: Path,
    about: About,
    manifest: BuildManifest,
    counts: Sequence[StageCounts],
    records: Sequence[Record],
    *,
    version: int = 0,
) -> None:
    """Write `README.md` (the card, with the header that Hugging Face reads) and `croissant.json` into `out`.

    Tables without rows are left out of both, because readers of tables can't infer their columns and reject the folder.
    """
    about = msgspec.structs.replace(about, tables=_with_rows(out, about.tables))
    (out / "README.md").write_text(card(about, manifest, counts, records, version=version), encoding="utf-8")
    document = croissant(out, about, version=version)
    encoded = msgspec.json.format(msgspec.json.encode(document), indent=1)
    (out / "croissant.json").write_bytes(encoded + b"\n")


def card(
    about: About, manifest: BuildManifest, counts: Sequence[StageCounts], records: Sequence[Record], *, version: int = 0
) -> str:
    """Return the data card as Markdown."""
    return "\n".join(
        [
            *_header(about),
            "",
            f"# {about.name}",
            "",
            about.description,
            "",
            *_version(version),
            "## How it was made",
            "",
            f"Built by the recipe `{manifest.recipe}` (version {manifest.version}, seed {manifest.seed}). Every field "
            "of every question leads to its maker in `provenance.jsonl`: the source with its span, the stage, the "
            "model with its prompt and reply, or the person.",
            "",
            *_models(manifest),
            *_funnel(counts),
            *_sources(records),
            *_notes(about),
        ]
    )


def croissant(out: Path, about: About, *, version: int = 0) -> dict[str, Any]:
    """Return Croissant 1.0 metadata of the files in `out`: a record set per table; other files with their SHA-256."""
    tables = {file: (config, split) for config, splits in about.tables.items() for split, file in splits.items()}
    files = sorted(p for p in out.rglob("*") if p.is_file() and p.name not in ("croissant.json", "README.md"))
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "conformsTo": CROISSANT,
        "description": about.description,
        "license": f"https://spdx.org/licenses/{_spdx(about.licence)}.html",
        "inLanguage": list(about.languages),
        "version": f"{max(version, 1)}.0.0",
        **({"url": about.url} if about.url else {}),
        **({"citeAs": about.citation} if about.citation else {}),
        "distribution": [_file(path, out) for path in files],
        "recordSet": [
            _record_set(out / file, file, *named) for file, named in tables.items() if (out / file).is_file()
        ],
    }


def _header(about: About) -> Iterator[str]:
    """Yield YAML for Hugging Face: licence, languages, and the file of each split. JSON strings are valid YAML."""
    yield "---"
    yield f"license: {_quoted(about.licence)}"
    yield "language:"
    yield from (f"- {_quoted(code)}" for code in about.languages)
    if about.tables:
        yield "configs:"
    for config, splits in about.tables.items():
        yield f"- config_name: {_quoted(config)}"
        yield "  data_files:"
        for split, file in splits.items():
            yield f"  - split: {_quoted(split)}"
            yield f"    path: {_quoted(file)}"
    yield "---"


def _version(version: int) -> Iterator[str]:
    if version > 1:
        yield f"This is version {version}; `changes.json` lists what each version changed."
        yield ""


def _models(manifest: BuildManifest) -> Iterator[str]:
    if manifest.same_family:
        yield f"Of the maker's own model family, so not independent judges: {', '.join(manifest.same_family)}."
        yield ""
    if manifest.models:
        yield "| role | model |"
        yield "|---|---|"
        yield from (f"| {role} | {model.rpartition('#')[0]} |" for role, model in manifest.models.items())
        yield ""
        yield "Models that wrote or judged the questions, and their relatives, have an advantage on them."
        yield ""


def _funnel(counts: Sequence[StageCounts]) -> Iterator[str]:
    yield "| stage | came in | kept | revised | dropped | waiting | why dropped |"
    yield "|---|---|---|---|---|---|---|"
    for each in counts:
        decisions = each.decisions
        why = "; ".join(
            f"{r.removeprefix('dropped: ')} {n:,}" for r, n in each.reasons.items() if r.startswith("dropped")
        )
        waiting = decisions.get("pending", 0) + decisions.get("failed", 0)
        numbers = [
            each.came,
            decisions.get("kept", 0),
            decisions.get("revised", 0),
            decisions.get("dropped", 0),
            waiting,
        ]
        yield f"| {each.stage} | " + " | ".join(f"{n:,}" for n in numbers) + f" | {why.replace('|', '/')} |"
    yield ""


def _sources(records: Sequence[Record]) -> Iterator[str]:
    """Yield the legal ground for using the material, counted over the questions."""
    grounds = Counter(_ground(r.fields.get("rights")) for r in records if r.fields.get("rights"))
    if grounds:
        yield "| ground of use | questions |"
        yield "|---|---|"
        yield from (f"| {ground} | {n:,} |" for ground, n in sorted(grounds.items()))
        yield ""


def _notes(about: About) -> Iterator[str]:
    if about.notes:
        yield "## Notes"
        yield ""
        yield from (f"- {note}" for note in about.notes)
        yield ""
    if about.citation:
        yield "## Citation"
        yield ""
        yield about.citation
        yield ""


def _ground(rights: object) -> str:
    text = str(rights).replace("|", "/").replace("\n", " ")
    return "public domain (by the author's death)" if text.startswith("author died") else text


def _file(path: Path, out: Path) -> dict[str, Any]:
    name = path.relative_to(out).as_posix()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": _MEDIA.get(path.suffix, "application/octet-stream"),
        "sha256": digest,
    }


def _record_set(path: Path, file: str, config: str, split: str) -> dict[str, Any]:
    name = f"{config}-{split}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                "dataType": kind,
                "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
            }
            for column, kind in _columns(path).items()
        ],
    }


def _with_rows(out: Path, tables: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    files_by_config = {
        config: {split: file for split, file in splits.items() if any(_rows(out / file))}
        for config, splits in tables.items()
    }
    return {config: splits for config, splits in files_by_config.items() if splits}


def _columns(path: Path) -> Mapping[str, str]:
    """Return the columns of a table (JSON lines or one JSON list), with the type of the first value that isn't null."""
    types_by_column: dict[str, str] = {}
    for row in _rows(path):
        for name, value in row.items():
            if value is not None:
                types_by_column.setdefault(name, _TYPES.get(type(value), "sc:Text"))
    return types_by_column


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    content = path.read_bytes()
    try:
        if path.suffix == ".jsonl":
            yield from (msgspec.json.decode(line) for line in content.splitlines() if line.strip())
        else:
            yield from msgspec.json.decode(content, type=list[dict[str, Any]])
    except UNREADABLE:
        return


def _spdx(licence: str) -> str:
    """Return a licence such as `cc-by-4.0` as SPDX writes it."""
    return licence.upper() if licence.startswith(("cc", "mit", "bsd")) else licence.capitalize()


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


# The context of Croissant 1.0, as printed in the specification
_TERMS = (
    "citeAs",
    "column",
    "equivalentProperty",
    "extract",
    "field",
    "fileProperty",
    "fileObject",
    "fileSet",
    "format",
    "includes",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "separator",
    "source",
    "subField",
    "transform",
)
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
