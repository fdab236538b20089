"""RunManifest: everything needed to repeat a Run, without secrets."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from triptych.records.hashing import short_hash

SCHEMA_VERSION = 2
READABLE = (1, 2)  # version 1 has no `prompts`: what a prompt said is unknown
MAX_REPEATS = 1000  # of each question; also limits the work that a manifest from outside can cause
AS_IN_RESULTS = "as in results"  # `data` of a Run whose questions come from the results: there is no data folder


_INFORMATIVE_FIELDS = frozenset(
    {
        "created",
        "code_version",
        "python",
        "platform",
        "packages",
        "planned",
        "note",
        "data",
        "about",
        "endpoints",
        "planned_whole",
        "packing",
        "as_in",
        "released",
        "map",
    }
)


class Endpoint(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The origin of answers: the address without credentials, and a salted hash of it (`models.http.endpoints`).

    `shared`: this endpoint and the one before it shared the Requests of a session.
    """

    address: str
    salt: str
    hash: str
    shared: bool = False


class RunManifest(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The `manifest.json` of a Run folder.

    The `identity` must be the same to resume a Run: benchmark, data hash, selection, model with settings, Condition,
    prompt, decoding, seed, repeats, the Run's `name`, and for a Condition that needs texts from a model, how that model
    is asked (`readings`: Condition -> model, revision, prompt, settings). `prompts`: the templates of `prompt` by their
    names, as they were before a Condition changed them. The other fields (time, code version,
    platform, and `about`: properties of the model for tables, such as its size) are informative only. `endpoints`:
    where the answers came from, the latest last; another endpoint is accepted only if the user confirms that the model
    is the same, or if `revision` identifies the model. `shard`: `k/n` if the Run asks only this part of the selected
    Items; `planned_whole`: number of Requests of all shards together. `uneven`: people answered, not all of them every
    question, so `repeats` is the highest number of people; a repeat of a Unit without any Response was not asked.
    `packing`: how media were sent, spelt out; where files weren't sent as they are, it is one of the `model_settings`.
    `system`: the system prompt that replaced the prompts' own; empty: none was sent. `as_in`: the benchmark whose paper
    says how the model was asked; `note` says what of that was applied. `released`: `REPO@COMMIT` if the question files
    were those of the benchmark's release, by the hashes of what `triptych fetch` recorded. `map`: the
    user's mapping of the columns of a question file, role -> column; the hash of the data depends on it.
    """

    schema_version: int
    benchmark: str
    benchmark_version: str
    data: str
    data_sha256: str
    tasks: tuple[str, ...]
    model: str
    revision: str
    model_settings: dict[str, Any]
    conditions: tuple[str, ...]
    prompt: str
    decoding: dict[str, Any]
    seed: int
    repeats: Annotated[int, msgspec.Meta(ge=1, le=MAX_REPEATS)]
    audio_seconds: float = 0.0
    system: str | None = None
    released: str = ""
    packing: str = ""
    as_in: str = ""
    limit: int | None = None
    sample: str = ""
    filters: dict[str, tuple[str, ...]] = {}
    items_file: str = ""
    created: str = ""
    code_version: str = ""
    python: str = ""
    platform: str = ""
    packages: dict[str, str] = {}
    planned: int | None = None
    note: str = ""
    readings: dict[str, dict[str, Any]] = {}
    about: dict[str, str] = {}
    name: str = ""
    endpoints: tuple[Endpoint, ...] = ()
    shard: str = ""
    uneven: bool = False
    planned_whole: int | None = None
    prompts: dict[str, dict[str, Any]] = {}
    map: dict[str, str] = {}

    @property
    def called(self) -> str:
        """The name of the model in tables: the name that the user gave to the Run, otherwise the model's."""
        return self.name or self.model

    @property
    def condition(self) -> str:
        """The Condition as a single name, as in journals; empty if there is none."""
        return "+".join(self.conditions)

    @property
    def prompt_texts(self) -> str:
        """The names of the prompts, each with a hash of its template: `v2@1a2b3c4d`; without it if it is unknown."""
        return "+".join(
            f"{name}@{short_hash(self.prompts[name])}" if name in self.prompts and "@" not in name else name
            for name in self.prompt.split("+")
        )

    def identity(self) -> dict[str, Any]:
        """Return the fields that must be equal to resume a Run."""
        return {k: v for k, v in msgspec.to_builtins(self).items() if k not in _INFORMATIVE_FIELDS}
