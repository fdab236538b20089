"""Examples as files for trainers: ms-swift, LLaMA-Factory, and the messages that TRL and others read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from triptych.errors import SpecError, nearest
from triptych.media.payload import MediaReader
from triptych.records import Part
from triptych.store.files.atomic import write_atomically
from triptych.training.examples import Chosen, Example

Format = Literal["ms-swift", "llama-factory", "messages"]
TAGS = {"audio": "<audio>", "image": "<image>", "video": "<video>"}
LISTS = {"audio": "audios", "image": "images", "video": "videos"}
MEDIA = "media"  # folder of the exported files
Paths = Mapping[str, str]  # content name of a Part -> exported file


def export(chosen: Chosen, format_: str, to: Path, name: str) -> list[Path]:
    """Write examples in the format of a trainer into a folder, with copies of their media; returns the files.

    The media are those that a Run sends, with the changes that it makes (a recording cut to 30 s). Paths in the files
    are relative to the folder. Raises SpecError for an unknown format or a folder that has files, MediaError.
    """
    if format_ not in FORMATS:
        raise SpecError(f"no format {format_!r}", fix=nearest(format_, FORMATS))
    if to.exists() and any(to.iterdir()):
        raise SpecError("the folder to export to is not empty", got=to, fix="name another with --to")
    to.mkdir(parents=True, exist_ok=True)
    paths = _copy_media(chosen, to)
    lines = b"".join(msgspec.json.encode(FORMATS[format_](one, paths)) + b"\n" for one in chosen.examples)
    files = {to / f"{name}.jsonl": lines, to / "README.md": _readme(chosen, format_, name).encode()}
    if format_ == "llama-factory":
        files[to / "dataset_info.json"] = msgspec.json.format(msgspec.json.encode({name: _dataset_info(chosen, name)}))
    for path, data in files.items():
        write_atomically(path, data)
    return list(files)


def as_ms_swift(one: Example, paths: Paths) -> dict[str, Any]:
    """Return a line of ms-swift: messages with a tag for each file, and the files by kind, in the order of the tags."""
    return {"messages": _tagged(one), **_files(one, paths)}


def as_llama_factory(one: Example, paths: Paths) -> dict[str, Any]:
    """Return a line of LLaMA-Factory's sharegpt format, as `dataset_info.json` describes it."""
    return {"messages": _tagged(one), **_files(one, paths)}


def as_messages(one: Example, paths: Paths) -> dict[str, Any]:
    """Return a line of messages with typed content, as chat templates of transformers take them."""

    def block(part: Part) -> dict[str, str]:
        return (
            {"type": part.kind, "path": paths[part.content_name]}
            if part.is_media
            else {"type": "text", "text": part.text}
        )

    turns = [{"role": m.role, "content": [block(p) for p in m.parts]} for m in one.request.messages]
    return {"messages": [*turns, {"role": "assistant", "content": [{"type": "text", "text": one.answer}]}]}


FORMATS: dict[str, Callable[[Example, Paths], dict[str, Any]]] = {
    "ms-swift": as_ms_swift,
    "llama-factory": as_llama_factory,
    "messages": as_messages,
}


def _tagged(one: Example) -> list[dict[str, str]]:
    """Return the turns as texts, with a tag in the place of each file; the tags in texts are made harmless."""
    turns = [
        {"role": m.role, "content": "\n".join(TAGS[p.kind] if p.is_media else harmless(p.text) for p in m.parts)}
        for m in one.request.messages
    ]
    return [*turns, {"role": "assistant", "content": harmless(one.answer)}]


def harmless(text: str) -> str:
    """Return a text in which no tag stands for a file.

    Example:
        >>> harmless("What does <audio> mean?")
        'What does < audio> mean?'
    """
    for tag in TAGS.values():
        text = text.replace(tag, f"< {tag[1:]}")
    return text


def _files(one: Example, paths: Paths) -> dict[str, list[str]]:
    names_by_kind: dict[str, list[str]] = {}
    for part in one.request.media_parts:
        names_by_kind.setdefault(LISTS[part.kind], []).append(paths[part.content_name])
    return names_by_kind


def _copy_media(chosen: Chosen, to: Path) -> dict[str, str]:
    """Write each file once, named by its content, and return where each Part's file is."""
    reader = MediaReader(chosen.ready.data, extra=chosen.ready.extra_files)
    paths: dict[str, str] = {}
    for part in _parts(chosen):
        if part.content_name in paths:
            continue
        payload = reader.load(part)
        path = to / MEDIA / f"{payload.sha256[:24]}.{payload.format}"
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            write_atomically(path, payload.data)
        paths[part.content_name] = f"{MEDIA}/{path.name}"
    return paths


def _parts(chosen: Chosen) -> Iterator[Part]:
    for one in chosen.examples:
        yield from one.request.media_parts


def _dataset_info(chosen: Chosen, name: str) -> dict[str, Any]:
    """Return the description that LLaMA-Factory reads. A column that no line has would be an error there."""
    kinds = dict.fromkeys(LISTS[part.kind] for part in _parts(chosen))
    return {
        "file_name": f"{name}.jsonl",
        "formatting": "sharegpt",
        "columns": {"messages": "messages", **{kind: kind for kind in kinds}},
        "tags": {
            "role_tag": "role",
            "content_tag": "content",
            "user_tag": "user",
            "assistant_tag": "assistant",
            "system_tag": "system",
        },
    }


def _readme(chosen: Chosen, format_: str, name: str) -> str:
    """Return what the folder contains: source, licence, checks, and the command that trains on it."""
    from triptych.training.commands import llama_factory_config, swift_command

    spec = chosen.ready.benchmark.spec
    tasks = sorted({one.item.task for one in chosen.examples})
    parts = [
        f"# {spec.title}: {len(chosen.examples):,} examples for {format_}",
        f"Tasks: {', '.join(tasks)}. Data: {chosen.ready.manifest.data_sha256}. Licence: {spec.licence}; it "
        "also applies to this copy.",
        f"Compared with {chosen.tested:,} questions of the test data. Left out: {chosen.leaking:,} examples that share "
        f"contents with them, {chosen.left_out:,} questions without a reference answer."
        + (f" {chosen.unread:,} rows of the data can't be read and were not compared." if chosen.unread else ""),
        "Paths are relative to this folder; run the trainer here.",
    ]
    if format_ == "ms-swift":
        parts.append("With the settings of `triptych train lora`; `MODEL` is an id of the Hub or a folder:")
        parts.append(f"```\n{swift_command('MODEL', f'{name}.jsonl')}\n```")
    elif format_ == "llama-factory":
        parts.append(
            "Save this as `train.yaml`, with the settings of `triptych train lora`, and run `llamafactory-cli train "
            "train.yaml`. `MODEL` is an id of the Hub or a folder, `TEMPLATE` the name that LLaMA-Factory has for the "
            "model's chat template:"
        )
        parts.append(f"```yaml\n{llama_factory_config('MODEL', name)}```")
    else:
        parts.append(
            "`messages` is what `apply_chat_template` of the model's processor takes (transformers). TRL's SFTTrainer "
            "reads it for text and pictures; it takes no recordings, for which a trainer has to encode them by itself."
        )
    return "\n\n".join(parts) + "\n"
