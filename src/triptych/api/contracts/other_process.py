"""Whether a plug-in makes the same in another process: the hash of a text and the order of a set differ in each, so a
Run that is resumed would ask other questions, and a build would decide otherwise."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import msgspec

from triptych.api.condition_trial import mini_items, usual_arguments
from triptych.api.contracts.signatures import NOTE
from triptych.api.stage_trial import stage_outcomes
from triptych.benchmarks.registry import known_benchmarks, load_benchmark
from triptych.conditions.applying import apply_all
from triptych.conditions.condition import NotApplicable, Offer
from triptych.construction.stage import Stage
from triptych.errors import SpecError

_PROGRAM = "import sys; from triptych.api.contracts.other_process import digest; print(digest(*sys.argv[1:]))"
_SECONDS = 60


def process_faults(point: EntryPoint) -> Iterator[str]:
    """Yield that the Items of a benchmark, those under its Conditions, or what its stages decide differ in another
    process; a note if that process fails."""
    arguments = [point.group.rpartition(".")[2], point.name, point.value]
    here = digest(*arguments)
    if not here:
        return
    path = os.pathsep.join(str(Path(folder).resolve()) for folder in sys.path)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7"}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        last = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip().rpartition("\n")[2]
        yield f"{NOTE}what it makes in another process could not be compared: {last or type(error).__name__}"
        return
    if done.stdout.decode(errors="replace").split()[-1:] != [here]:
        why = "the hash of a text and the order of a set differ in each: use hashlib, sorted(…)"
        yield f"it makes something else in another process ({why}, and random numbers from the seed alone)"


def digest(kind: str, name: str, module: str) -> str:
    """Return a hash of what an entry point makes of the mini sets, or of a short text; empty if it makes nothing.

    >>> digest("metrics", "vowels", "vowels")
    ''
    """
    made = {"benchmarks": _items, "conditions": _changed, "stages": _decided}.get(kind)
    lines = list(made(name, import_module(module))) if made else []
    return hashlib.sha256(b"\n".join(lines)).hexdigest() if lines else ""


def _items(name: str, module: ModuleType) -> Iterator[bytes]:
    benchmark = load_benchmark(name)
    if benchmark.mini.is_dir():
        yield from map(msgspec.json.encode, benchmark.items(benchmark.mini, report=lambda problem: None))


def _changed(name: str, module: ModuleType) -> Iterator[bytes]:
    ours = {name for name, benchmark in known_benchmarks().items() if benchmark.origin == "triptych"}
    for entry in module.CONDITIONS.values():
        offer = Offer(*entry)
        if (arguments := usual_arguments(offer)) is None:
            continue
        try:
            condition = offer.make(arguments, 0)
        except SpecError:
            continue
        for item in mini_items():
            if item.task.partition("/")[0] in ours:
                try:
                    yield msgspec.json.encode(apply_all(item, [condition]))
                except NotApplicable:
                    yield b""


def _decided(name: str, module: ModuleType) -> Iterator[bytes]:
    for stage in vars(module).values():
        if isinstance(stage, Stage):
            yield from (msgspec.json.encode(outcome) for outcome in stage_outcomes(stage))
