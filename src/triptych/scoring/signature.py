"""The signature of a score: everything its value depends on, in one readable line, as in sacrebleu."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from triptych import __version__
from triptych.protocols.protocol import Protocol
from triptych.records import RunManifest


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
    return "|".join(f"{key}:{_plain(value)}" for key, value in fields.items())


def run_signature(manifest: RunManifest, protocol: Protocol, metrics: Iterable[str], judge: str = "") -> str:
    """Return the signature of a Run's scores, from its manifest; it includes every selection or change of questions."""
    settings = {**manifest.model_settings, **manifest.decoding}
    return make_signature(
        benchmark=manifest.benchmark,
        version=manifest.benchmark_version,
        data=manifest.data_sha256,
        protocol=protocol,
        metrics=metrics,
        model=manifest.model + _revision(manifest.revision),
        condition=manifest.condition,
        judge=judge,
        seed=manifest.seed,
        more={
            "name": manifest.name,
            "prompt": manifest.prompt,
            "system": short_hash(manifest.system) if manifest.system else "",
            "packing": manifest.model_settings.get("packing", ""),
            "settings": short_hash(settings) if settings else "",
            "read": short_hash(manifest.readings) if manifest.readings else "",  # who read media first, and how
            "sample": manifest.sample,
            "limit": manifest.limit,
            "filter": "+".join(f"{k}={','.join(v)}" for k, v in sorted(manifest.filters.items())),
            "items": manifest.items_file,
            "shard": manifest.shard,
            "repeats": manifest.repeats if manifest.repeats > 1 else "",
        },
    )


def _revision(revision: str) -> str:
    """Return a revision for a signature. Long ones, such as those of a cascade, are hashed; the manifest has them."""
    if not revision:
        return ""
    return f"@{revision if len(revision) <= 40 else short_hash(revision)}"


def short_hash(value: Any) -> str:
    """Return eight hex digits that identify a value, independent of the order of its keys."""
    encoded = msgspec.json.encode(value, order="deterministic", enc_hook=str)
    return hashlib.sha256(encoded).hexdigest()[:8]


def _plain(value: object) -> str:
    """Return a value without the characters that separate fields."""
    return " ".join(str(value).replace("|", "/").split())
