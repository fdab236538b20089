"""Arguments and output that several commands share: key=value pairs, comma-separated lists, JSON on standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.errors import SpecError, nearest
from triptych.secrets import scrub

if TYPE_CHECKING:
    from triptych.running.leases.options import RayOptions
    from triptych.running.loop import RunOutcome


def pairs(settings: Iterable[str], option: str) -> list[tuple[str, str]]:
    """Return `key=value` texts as pairs. Raises SpecError with the option's name."""
    name_value_pairs = []
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise SpecError(f"{option} takes key=value", got=text)
        name_value_pairs.append((key.strip(), value))
    return name_value_pairs


def settings_of(settings: Iterable[str] | None, option: str) -> dict[str, str]:
    """Return `key=value` texts as a dictionary. Raises SpecError, also for a key that is given twice: only one of its
    values could count.
    """
    model_settings: dict[str, str] = {}
    for key, value in pairs(settings or (), option):
        if key in model_settings:
            got = f"{option} {key}={model_settings[key]} {option} {key}={value}"
            raise SpecError(f"{option} {key} is given twice", got=got, fix=f"give {key} one value")
        model_settings[key] = value
    return model_settings


def filters_of(all_filters: Iterable[str] | None) -> dict[str, list[str]]:
    """Return the values of `--filter facet=value` by facet. Raises SpecError."""
    filters: dict[str, list[str]] = {}
    for facet, value in pairs(all_filters or (), "--filter"):
        filters.setdefault(facet, []).append(value)
    return filters


def split_values(values: Iterable[str] | None) -> list[str]:
    """Return values given by repeating an option, separated by commas, or both."""
    return [v.strip() for text in values or () for v in text.split(",") if v.strip()]


def retried_statuses(statuses: Iterable[str] | None) -> frozenset[str]:
    """Return the statuses of `--retry-status`, with `failed` if none of a Response is named. `unparsed` is of verdicts.

    Raises:
        SpecError: If a status is unknown.
    """
    from triptych.judges.asking import UNPARSED
    from triptych.records import RESPONSE_STATUSES

    wanted = frozenset(split_values(statuses))
    possible = (*RESPONSE_STATUSES, UNPARSED)
    if unknown := sorted(wanted - set(possible)):
        raise SpecError(
            f"unknown status {unknown[0]!r}", fix=nearest(unknown[0], possible), expected=", ".join(possible)
        )
    return wanted if wanted - {UNPARSED} else wanted | {"failed"}


def ray_of(engine: str, workers: int | None, gpus: float | None, cpus: float | None, address: str) -> RayOptions | None:
    """Return the workers of `--engine ray`; None for `--engine local`.

    Raises:
        SpecError: For an unknown engine, or options of workers without it.
    """
    from triptych.running.leases.options import RayOptions

    if engine == "ray":
        if workers is not None and workers < 1:
            raise SpecError("--workers must be at least 1", got=workers)
        return RayOptions(workers or 0, gpus, 1.0 if cpus is None else cpus, address)
    if engine != "local":
        raise SpecError(f"unknown engine {engine!r}", expected="local or ray", fix=nearest(engine, ("local", "ray")))
    ray_options = {"--workers": workers, "--worker-gpus": gpus, "--worker-cpus": cpus, "--ray-address": address or None}
    if used := [name for name, value in ray_options.items() if value is not None]:
        raise SpecError(f"{', '.join(used)} requires --engine ray", fix="add --engine ray, or remove it")
    return None


def print_json(document: Any) -> None:
    """Print one JSON document to standard output."""
    import msgspec

    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")
    sys.stdout.buffer.flush()


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "task"), count(14, "task")
    ('1 task', '14 tasks')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def say(message: str) -> None:
    """Print a message for people to standard error. If the reader of a pipe is gone, the work goes on."""
    with suppress(BrokenPipeError):
        print(_visible(scrub(message)), file=sys.stderr)


def tell(message: str = "") -> None:
    """Print a result for people to standard output."""
    print(_visible(message))


def _visible(message: str) -> str:
    """Make control characters visible: paths, names and texts come from outside and may contain terminal escapes."""
    from triptych.records.harmless import visible

    return visible(message)


def say_written(files: Iterable[Path], max_files: int = 20) -> None:
    """Print the files that were written, or their number per folder if there are many."""
    for folder, group in groupby(files, key=lambda path: path.parent):
        inside = list(group)
        for line in inside if len(inside) <= max_files else [f"{len(inside):,} files in {folder}"]:
            say(f"wrote {line}")


def ended_early(outcome: RunOutcome, path: Path) -> int | None:
    """Print why Requests stopped early and return the exit code; None if all were carried out."""
    if outcome.interrupted:
        say(f"interrupted; the same command resumes ({path})")
        return 130
    if outcome.stopped:
        say(f"stopped: {outcome.stopped}")
        return 2 if outcome.fatal else 1
    return None


def scoring_exit_code(scores: object) -> int:
    """Return the exit code of scoring: 130 if judging was interrupted, 1 if it stopped or a judge failed."""
    judging = getattr(scores, "judging", None)
    if judging is None:
        return 0
    if judging.interrupted:
        say("interrupted; the same command resumes")
        return 130
    if judging.stopped:
        say(f"judging stopped: {judging.stopped}")
        return 2 if judging.fatal else 1
    return 1 if any(outcome.counts.get("failed") for outcome in judging.outcomes) else 0
