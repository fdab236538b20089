"""The same readers by atheris, which looks for inputs that reach new code: `make fuzz`, or for one target

    python -m tests.fuzz.long --target "log lmms" --seconds 600

Each target runs in a process of its own (a decoder that crashes ends only that), begins with the right files and with
what an earlier session kept, and ends at its first fault, whose input it keeps under `--keep`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pkgutil
import random
import re
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

INPUT_S = 60  # seconds after which one input counts as a fault
MEMORY_MB = 3000


def main() -> int:
    """Fuzz one target after the other and print a table; 1 where any had a fault."""
    given = _arguments()
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["triptych", "tomllib", "tarfile", "zipfile"]):
        _import_all()
        from tests.fuzz.targets import TARGETS, names
    print(f"{'target':28}{'seconds':>9}{'inputs':>10}{'edges':>8}{'features':>10}  found", flush=True)
    faults = 0
    for name in names(given.target):
        began, place = time.monotonic(), Path(given.keep) / re.sub(r"\W+", "-", name)
        place.mkdir(parents=True, exist_ok=True)
        log = place.with_suffix(".log")
        _in_a_child(atheris, TARGETS[name], place, log, given.seconds)
        inputs, edges, features, fault = _figures(log.read_text("utf-8", "replace"))
        faults += bool(fault)
        took = time.monotonic() - began
        print(f"{name:28}{took:9.0f}{inputs:>10}{edges:>8}{features:>10}  {fault or '-'}", flush=True)
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", action="append", default=[], help="a target by name; several; none: all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--keep", default=".fuzz", help="where inputs that reached new code, and faults, are kept")
    return parser.parse_args()


def _import_all() -> None:
    """All of Triptych, so that it is instrumented once; what an extra lacks stays out."""
    for module in pkgutil.walk_packages(import_module("triptych").__path__, "triptych."):
        if "__main__" not in module.name and ".mini." not in module.name:
            with suppress(ImportError):
                import_module(module.name)


def _in_a_child(atheris: Any, target: Any, place: Path, log: Path, seconds: int) -> None:
    """Fuzz in a process of its own until libFuzzer ends it."""
    scratch = tempfile.mkdtemp(prefix="triptych-fuzz-")
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        shutil.rmtree(scratch, ignore_errors=True)
        return
    tempfile.tempdir = scratch
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(out, 1)
    os.dup2(out, 2)
    try:
        for seed in target.seeds():
            (place / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
        _fuzz(atheris, target, place, seconds)
    finally:
        os._exit(1)


def _fuzz(atheris: Any, target: Any, place: Path, seconds: int) -> None:
    from tests.fuzz.mutations import mutated

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        return mutated(data, rng)[:most] if rng.random() < 0.5 else atheris.Mutate(data, most)  # type: ignore[no-any-return]

    flags = [
        f"-max_total_time={seconds}",
        f"-timeout={INPUT_S}",
        f"-rss_limit_mb={MEMORY_MB}",
        "-max_len=60000",
        "-print_final_stats=1",
        f"-artifact_prefix={place}/fault-",
        str(place),
    ]
    atheris.Setup([target.name, *flags], target, custom_mutator=mutate)
    atheris.Fuzz()


def _figures(said: str) -> tuple[str, str, str, str]:
    """(inputs tried, edges and features covered, the fault) as libFuzzer told them."""
    lines = re.findall(r"^#(\d+)\s.*?cov: (\d+) ft: (\d+)", said, re.MULTILINE)
    inputs, edges, features = lines[-1] if lines else ("0", "0", "0")
    told = re.findall(r"stat::number_of_executed_units:\s*(\d+)", said)
    fault = re.search(r"Uncaught Python exception: ===\s*(\S[^\n]*)|ERROR: libFuzzer: ([^\n]*)", said)
    return (told[-1] if told else inputs), edges, features, " ".join(filter(None, fault.groups())) if fault else ""


if __name__ == "__main__":
    sys.exit(main())
