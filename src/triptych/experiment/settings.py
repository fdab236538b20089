"""Settings of a Run: decoding settings of its Requests, adapter settings, the maximum length of recordings, its
name."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from math import isfinite
from typing import Any

from triptych.benchmarks import Benchmark
from triptych.errors import SpecError, nearest
from triptych.models.adapter import DECODING
from triptych.models.registry import known_settings

MAX_NAME_LENGTH = 80  # characters
_INTEGER_SETTINGS = ("top_k", "max_tokens", "seed", "num_beams", "no_repeat_ngram_size")


def split_settings(settings: Mapping[str, Any], seed: int | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the Request's decoding settings and the adapter's own settings, as far as they are given."""
    decoding: dict[str, Any] = {} if seed is None else {"seed": seed}
    model_settings: dict[str, Any] = {}
    for key, value in settings.items():
        if key in DECODING:
            decoding[key] = as_number(key, value)
        else:
            model_settings[key] = value
    return decoding, model_settings


def without_dropped(
    model: str, taken: Mapping[str, Any], decoding: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Return the adapter's and the decoding settings without what `-M drop=…` names, and what was left out.

    What isn't sent is not recorded: neither the setting that is dropped, nor `drop` itself. Raises SpecError for a name
    that isn't a decoding setting.
    """
    if "drop" not in taken or "drop" not in known_settings(model):
        return dict(taken), dict(decoding), []
    names = {name.strip() for name in str(taken["drop"]).split(",") if name.strip()}
    if wrong := sorted(names - {*DECODING}):
        raise SpecError(
            f"-M drop: no decoding setting {wrong[0]!r}", fix=nearest(wrong[0], DECODING), got=taken["drop"]
        )
    sent = {key: value for key, value in decoding.items() if key not in names}
    left = [f"{key}={value}" for key, value in decoding.items() if key in names]
    return {key: value for key, value in taken.items() if key != "drop"}, sent, left


def audio_seconds(bench: Benchmark, model: str, taken: dict[str, Any]) -> float:
    """Return the length in seconds to which recordings are cut; 0 for no limit.

    It is the setting `-M audio_seconds=20` (removed from `taken`) if given, otherwise the specification's value for the
    longest of its words that the model's name contains, otherwise its `default`. Raises SpecError.
    """
    limits = bench.spec.audio_seconds
    words = sorted((word for word in limits if word != "default" and word.lower() in model.lower()), key=len)
    limit = taken.pop("audio_seconds", None)
    if limit is None:
        return limits.get(words[-1] if words else "default", 0.0)
    seconds = as_number("audio_seconds", limit)
    if not seconds >= 0:
        raise SpecError("audio_seconds must be 0 (no limit) or more", got=limit)
    return float(seconds)


def as_number(key: str, value: Any) -> Any:
    """Return a decoding setting, as a number if it is numeric. Raises SpecError for a text instead of a number, and for
    `nan` and `inf`, which JSON doesn't have: the server would choose a value, and the record would have another."""
    if key == "stop":
        return value
    try:
        number = value if not isinstance(value, str) else int(value) if key in _INTEGER_SETTINGS else float(value)
    except ValueError:
        raise SpecError(f"{key} is not a number", got=value, where=f"-M {key}={value}") from None
    if isinstance(number, float) and not isfinite(number):
        raise SpecError(f"{key} is not a finite number", got=value, where=f"-M {key}={value}")
    return number


def check_stated(decoding: Mapping[str, Any], where: object) -> None:
    """Raise SpecError for a decoding setting of a specification that doesn't exist, or that isn't a number."""
    for key, value in decoding.items():
        if key not in DECODING:
            raise SpecError(f"no decoding setting {key!r}", where=where, fix=nearest(key, DECODING))
        if key != "stop" and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise SpecError(f"the decoding setting {key!r} is not a number", got=repr(value), where=where)


def single_seed(model: str, settings: Mapping[str, Any], seed: int | None) -> int | None:
    """Return the Run's seed. For a model that draws its answers at random, `-M seed=` is the same as `--seed`: the
    signature of a score states the Run's seed, so it must be the one that was drawn with.

    Raises SpecError if both are given and differ.
    """
    if not model.startswith("baseline/random") or "seed" not in settings:
        return seed
    drawn = int(as_number("seed", settings["seed"]))
    if seed not in (None, drawn):
        raise SpecError(
            f"{model} is given two seeds, -M seed={drawn} and --seed {seed}",
            fix=f"--seed {drawn}, without -M seed",
        )
    return drawn


def with_seed(model: str, taken: dict[str, Any], decoding: Mapping[str, Any]) -> dict[str, Any]:
    """Give a baseline the seed of the Requests: `-M seed=`, otherwise the Run's `--seed`."""
    if model.startswith("baseline/random") and "seed" in decoding:
        return {**taken, "seed": decoding["seed"]}
    return taken


def checked_name(name: str) -> str:
    """Return a Run's name as given by the user. Raises SpecError if it is not usable in tables and as a folder name."""
    if not name:
        return ""
    if any("\udc80" <= character <= "\udcff" for character in name):  # how Python passes on bytes that it can't decode
        raise SpecError(
            "the name can't be read in the encoding of this locale",
            got=f"{name[:100]!a} in {sys.getfilesystemencoding()}",
            where="--name",
            expected="UTF-8",
            fix="export LC_ALL=C.UTF-8, or PYTHONUTF8=1, and run the command again",
        )
    if len(name) > MAX_NAME_LENGTH or not name.isprintable() or name != name.strip():
        raise SpecError(
            "the name is not valid for a Run",
            got=repr(name[:100]),
            where="--name",
            expected=f"1 to {MAX_NAME_LENGTH} printable characters, no space at either end",
        )
    return name
