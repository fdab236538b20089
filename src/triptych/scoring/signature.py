"""The signature of a score: everything its value depends on, in one readable line, as in sacrebleu."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from triptych.protocols.protocol import Protocol
from triptych.records import RunManifest
from triptych.records.hashing import short_hash
from triptych.version import __version__

# Fields of a Run's identity that have a field of their own in its signature. All others, also those that a later
# version adds, are in the hash `settings`: none can be forgotten.
_SHOWN = frozenset(
    {
        "schema_version",
        "benchmark",
        "benchmark_version",
        "data_sha256",
        "tasks",
        "model",
        "revision",
        "conditions",
        "prompt",
        "prompts",
        "seed",
        "repeats",
        "limit",
        "sample",
        "filters",
        "items_file",
        "readings",
        "name",
        "shard",
    }
)
_FEW = 3  # Tasks that a signature names


def make_signature(
    *,
    benchmark: str,
    version: str,
    data: str,
    protocol: Protocol,
    metrics: Iterable[str],
    model: str,
    condition: str = "",
    judge: str = "",
    seed: int = 0,
    more: Mapping[str, object] | None = None,
) -> str:
    """`bench:cmdar@1.0|data:ab12…|protocol:official@1|metrics:acc|judge:none|model:…|cond:none|seed:0|triptych:0.1.0`.

    `data`: the hash of the questions; `metrics`: the ids of the rules (a changed rule has a new id); `more`: other
    settings that the value depends on (a prompt, a limit); empty values are left out.
    """
    fields: dict[str, object] = {
        "bench": f"{benchmark}@{version}",
        "data": data or "unknown",
        "protocol": f"{protocol.name}@{protocol.version}",
        "metrics": "+".join(sorted(set(metrics))),
        **({"uses": "+".join(protocol.uses)} if protocol.uses else {}),
        "judge": judge or "none",
        "model": model,
        "cond": condition or "none",
        **{key: value for key, value in (more or {}).items() if value},
        "seed": seed,
        "triptych": __version__,
    }
    return "|".join(f"{key}:{_escape_separators(value)}" for key, value in fields.items())


def run_signature(
    manifest: RunManifest, protocol: Protocol, metrics: Iterable[str], judge: str = "", media: str = ""
) -> str:
    """Return the signature of a Run's scores; it includes everything that selects questions or changes what is sent.

    `media`: the hash of the media that were sent (`scoring.notes.media`); empty if none was read.
    """
    settings = other_settings(manifest)
    return make_signature(
        benchmark=manifest.benchmark,
        version=manifest.benchmark_version,
        data=f"{manifest.data_sha256 or 'unknown'}{f'+{media}' if media else ''}",
        protocol=protocol,
        metrics=metrics,
        model=manifest.model + _revision(manifest.revision),
        condition=manifest.condition,
        judge=judge,
        seed=manifest.seed,
        more={
            "name": manifest.name,
            "prompt": manifest.prompt_texts,
            "system": "" if manifest.system is None else short_hash(manifest.system),
            "packing": manifest.model_settings.get("packing", ""),
            "settings": short_hash(settings) if settings else "",
            "read": short_hash(manifest.readings) if manifest.readings else "",  # who read media first, and how
            "tasks": _tasks(manifest),
            "sample": manifest.sample,
            "limit": manifest.limit,
            "filter": "+".join(f"{k}={','.join(v)}" for k, v in sorted(manifest.filters.items())),
            "items": manifest.items_file,
            "shard": manifest.shard,
            "repeats": manifest.repeats if manifest.repeats > 1 else "",
        },
    )


def other_settings(manifest: RunManifest) -> dict[str, Any]:
    """Return the fields of a Run's identity that a signature doesn't show, without empty ones: decoding, settings of
    the model, the length to which recordings are cut, and whatever else a Run can be asked with.
    """
    return {key: value for key, value in manifest.identity().items() if key not in _SHOWN and value}


def _tasks(manifest: RunManifest) -> str:
    """Return the names of a few Tasks; of more, their number and a hash."""
    tasks = sorted(manifest.tasks)
    return "+".join(tasks) if len(tasks) <= _FEW else f"{len(tasks)}@{short_hash(tasks)}"


def _revision(revision: str) -> str:
    """Return a revision for a signature. Long ones, such as those of a cascade, are hashed; the manifest has them."""
    if not revision:
        return ""
    return f"@{revision if len(revision) <= 40 else short_hash(revision)}"


def _escape_separators(value: object) -> str:
    """Return a value without the characters that separate fields."""
    return " ".join(str(value).replace("|", "/").split())
