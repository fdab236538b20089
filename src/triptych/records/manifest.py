"""RunManifest: everything needed to do a Run again, and no secrets."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

SCHEMA_VERSION = 1
MAX_REPEATS = 1000  # of each question: far above any experiment, and what a stranger's manifest can make us count to
AS_IN_RESULTS = "as in results"  # `data` of a Run over questions that results tell themselves: there is no folder


_TOLD_ONLY = frozenset(
    {"created", "code_version", "python", "platform", "packages", "planned", "note", "data", "about", "endpoints"}
)


class Endpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where answers came from: the address without what grants access, and a salted hash of it (`models.endpoints`)."""

    address: str
    salt: str
    hash: str


class RunManifest(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The `manifest.json` of a Run folder.

    What a resume must agree on (`identity`): benchmark, data hash, selection, model with its settings,
    Condition, prompt, decoding, seed, repeats, and for a Condition that needs words of a model (`readings`: Condition
    -> model, revision, prompt, settings) how it is asked for them, and the `name` that its user gave the Run. The rest
    (time, code version, platform, and `about`: what is told of the model in tables, such as its size) is told, not
    compared. `endpoints`: where the answers came from, the last one asked last; another one is asked only where its
    user says that the model is the same, or `revision` tells which it is.
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

    @property
    def called(self) -> str:
        """What tables call the model: the name that its user gave the Run, else the model's."""
        return self.name or self.model

    @property
    def condition(self) -> str:
        """The Condition as one name, as journals carry it; empty for none."""
        return "+".join(self.conditions)

    def identity(self) -> dict[str, Any]:
        """What two sittings of one Run must agree on."""
        return {k: v for k, v in msgspec.to_builtins(self).items() if k not in _TOLD_ONLY}
