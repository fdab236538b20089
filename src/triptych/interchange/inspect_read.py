"""Inspect's logs: `.eval` (a zip of JSON documents) and `.json`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.interchange.inspect_scores import inspect_figures, inspect_scores
from triptych.interchange.inspect_write import KEY
from triptych.records import ResponseStatus, Usage
from triptych.records.unreadable import UNREADABLE, reason
from triptych.releases.archives import DAMAGED
from triptych.store.files.archives import open_zip, read_member
from triptych.store.files.limits import MAX_DOCUMENT, MAX_UNPACKED, check_limit, check_unpacked, read_json

# The status of a reply by its stop reason; every other reason means answered.
STOPS: dict[str, ResponseStatus] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}


def read_inspect(path: Path) -> ForeignLog:
    """Read the log at `path`. Raises DataError if it is damaged or not an Inspect log."""
    try:
        header, samples = _open_zip(path) if zipfile.is_zipfile(path) else _open_json(path)
    except (OSError, ValueError, LookupError, RecursionError, *DAMAGED) as error:
        raise DataError("the log can't be read", where=path, got=reason(error), expected="a log of Inspect") from None
    spec = header.get("eval")
    if not isinstance(spec, dict):
        raise DataError("not an Inspect log", where=path, expected="a header with `eval`")
    metadata = spec.get("metadata")
    ours = metadata.get(KEY) if isinstance(metadata, dict) else None
    status = header.get("status")
    notes = [] if status == "success" else [f"the log's status is {status!r}: samples may be missing"]
    return ForeignLog(
        harness="inspect",
        task=str(spec.get("task") or path.stem),
        model=str(spec.get("model") or "unknown"),
        path=path,
        samples=(_sample(entry, path) for entry in samples),
        created=str(spec.get("created") or ""),
        settings=_scalar_settings(spec.get("model_generate_config")),
        notes=tuple(notes),
        figures=() if ours else tuple(inspect_figures(header, str(spec.get("task") or path.stem))),
        manifest=ours.get("manifest") if isinstance(ours, dict) else None,
    )


Entries = Iterator[dict[str, Any]]
_CONVERT = "`inspect log convert --to eval` makes a log that is read sample by sample"


def _open_zip(path: Path) -> tuple[dict[str, Any], Entries]:
    with open_zip(path) as log:
        names = log.namelist()
        total = sum(member.file_size for member in log.infolist())
        check_unpacked("the log", total, path.stat().st_size, path)
        first = _member(log, path, "header.json" if "header.json" in names else "_journal/start.json")
    return first, _samples(path, [n for n in sorted(names) if n.startswith("samples/") and n.endswith(".json")])


def _samples(path: Path, names: Sequence[str]) -> Entries:
    with open_zip(path) as log:  # opened only once, since its table of contents can be long
        for name in names:
            yield _member(log, path, name)


def _member(log: zipfile.ZipFile, path: Path, name: str) -> dict[str, Any]:
    where = f"{path}: {name}"
    document = read_json(read_member(log, name, MAX_DOCUMENT, where), where)
    if not isinstance(document, dict):
        raise DataError("a document of the log is not a JSON object", where=where)
    return document


class _LogDocument(msgspec.Struct):
    """A log as one document; its samples are decoded one by one."""

    eval: msgspec.Raw | None = None
    status: msgspec.Raw | None = None
    results: msgspec.Raw | None = None
    samples: list[msgspec.Raw] | None = None


def _open_json(path: Path) -> tuple[dict[str, Any], Entries]:
    check_limit("the log", path.stat().st_size, MAX_UNPACKED, path)
    data = path.read_bytes()
    try:
        log = msgspec.json.decode(data, type=_LogDocument)
    except UNREADABLE:  # NaN, which Python writes and JSON doesn't allow; or another file
        document = read_json(data, path, "the log", fix=_CONVERT)
        if not isinstance(document, dict):
            raise DataError("not an Inspect log", where=path, expected="a JSON object") from None
        samples = document.get("samples") or []
        if not isinstance(samples, list):
            raise DataError("not an Inspect log", where=path, expected="a list of samples") from None
        return document, iter(samples)
    fields = {"eval": log.eval, "status": log.status, "results": log.results}
    header = {name: read_json(bytes(raw), path) for name, raw in fields.items() if raw is not None}
    return header, (read_json(bytes(raw), path, "a sample") for raw in log.samples or ())


def _scalar_settings(settings: Any) -> dict[str, Any]:
    if not isinstance(settings, dict):
        return {}
    return {k: v for k, v in settings.items() if isinstance(v, int | float | str)}


def _sample(entry: Mapping[str, Any], path: Path) -> ForeignSample:
    if "id" not in entry or "input" not in entry:
        raise DataError("a sample of the log has no id or no input", where=path, got=", ".join(entry))
    output = entry.get("output") or {}
    choices = output.get("choices") or []
    stop = choices[0].get("stop_reason") if choices else None
    failed = bool(entry.get("error")) or not choices
    metadata = entry.get("metadata") or {}
    target = entry.get("target") or ()
    message = choices[0].get("message") or {} if choices else {}
    return ForeignSample(
        id=str(entry["id"]),
        question=_words(entry["input"]),
        target=(target,) if isinstance(target, str) else tuple(map(str, target)),
        choices=tuple(map(str, entry.get("choices") or ())),
        reply=_words([message]) if message else str(output.get("completion") or ""),
        status="failed" if failed else STOPS.get(str(stop), "answered"),
        epoch=int(entry.get("epoch") or 1) - 1,
        error=str((entry.get("error") or {}).get("message") or output.get("error") or "no answer") if failed else "",
        usage=_usage(output.get("usage")),
        seconds=float(entry.get("total_time") or output.get("time") or 0.0),
        thinking=_thinking(message),
        scores=dict(inspect_scores(entry.get("scores") or {})),
        facets={k: v for k, v in metadata.items() if isinstance(v, str) and len(v) < 100},
        ours=metadata.get(KEY),
        served=str(output.get("model") or ""),
    )


def _words(messages: Any) -> str:
    """Return the text of a string or of chat messages (without the system's); media as `[audio: …]`."""
    if isinstance(messages, str):
        return messages
    texts = []
    for message in messages:
        if not isinstance(message, dict) or message.get("role") == "system":
            continue
        content = message.get("content")
        texts += [content] if isinstance(content, str) else [_piece(piece) for piece in content or ()]
    return "\n".join(filter(None, texts))


def _piece(piece: Mapping[str, Any]) -> str:
    kind = piece.get("type")
    if kind == "text":
        return str(piece.get("text") or "")
    if kind in ("image", "audio", "video"):
        return f"[{kind}: {str(piece.get(kind))[:200]}]"
    return ""


def _thinking(message: Mapping[str, Any]) -> str | None:
    content = message.get("content")
    if not isinstance(content, list):
        return None
    return "\n".join(str(p.get("reasoning")) for p in content if p.get("type") == "reasoning") or None


def _usage(usage: Mapping[str, Any] | None) -> Usage | None:
    if not usage:
        return None
    return Usage(
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        usage.get("reasoning_tokens"),
        usage.get("input_tokens_cache_read"),
    )
