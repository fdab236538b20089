"""The same readers by atheris, which looks for inputs that reach new code: `make fuzz`, or for one target

    python -m tests.fuzz.long --target "log lmms" --seconds 600

Each target runs in a process of its own (a decoder that crashes ends only that), begins with the right files and with
what an earlier session kept, and ends at its first fault, whose input it keeps under `--keep`.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import subprocess
import sys
import time
from pathlib import Path

CPU_LIMIT = 60  # seconds after which one input counts as a fault
MEMORY_MB = 3000


def main() -> int:
    """Fuzz one target after the other and print a table; 1 where any had a fault."""
    given = _arguments()
    if given.inside:
        return _inside(given.target[0], Path(given.keep), given.rest)
    from tests.fuzz.targets import names

    faults = 0
    print(f"{'target':28}{'seconds':>9}{'inputs':>10}{'edges':>8}{'features':>10}  found", flush=True)
    for name in names(given.target):
        began = time.monotonic()
        said = _run(name, given)
        inputs, edges, features, fault = _figures(said)
        faults += bool(fault)
        print(
            f"{name:28}{time.monotonic() - began:9.0f}{inputs:>10}{edges:>8}{features:>10}  {fault or '-'}", flush=True
        )
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", action="append", default=[], help="a target by name; several; none: all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument(
        "--keep", default=".fuzz", help="where inputs are kept that reached new code or ended in a fault"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    return parser.parse_args()


def _run(name: str, given: argparse.Namespace) -> str:
    place = Path(given.keep) / re.sub(r"\W+", "-", name)
    place.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable, "-m", "tests.fuzz.long", "--inside", "--target", name, "--keep", str(place), "--",
        f"-max_total_time={given.seconds}", f"-timeout={CPU_LIMIT}", f"-rss_limit_mb={MEMORY_MB}",
        "-max_len=60000", "-print_final_stats=1", f"-artifact_prefix={place}/fault-", str(place),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    said = done.stdout + done.stderr
    (place.parent / f"{place.name}.log").write_text(said, encoding="utf-8")
    return said


def _figures(said: str) -> tuple[str, str, str, str]:
    """(inputs tried, edges and features covered, the fault) as libFuzzer told them."""
    lines = re.findall(r"^#(\d+)\s.*?cov: (\d+) ft: (\d+)", said, re.MULTILINE)
    inputs, edges, features = lines[-1] if lines else ("0", "0", "0")
    told = re.findall(r"stat::number_of_executed_units:\s*(\d+)", said)
    fault = re.search(r"Uncaught Python exception: ===\s*(\S[^\n]*)|ERROR: libFuzzer: ([^\n]*)", said)
    return (told[-1] if told else inputs), edges, features, " ".join(filter(None, fault.groups())) if fault else ""


def _inside(name: str, place: Path, flags: list[str]) -> int:
    """Fuzz in this process until libFuzzer ends it."""
    import atheris

    with atheris.instrument_imports(include=["triptych", "tomllib", "tarfile", "zipfile"]):
        from tests.fuzz.mutations import mutated
        from tests.fuzz.targets import TARGETS, forget

        target = TARGETS[name]
        seeds = target.seeds()
    for seed in seeds:
        (place / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
        target(seed)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        return mutated(data, rng)[:most] if rng.random() < 0.5 else atheris.Mutate(data, most)

    def once(data: bytes) -> None:
        target(data)

    atheris.Setup([name, *flags], once, custom_mutator=mutate)
    try:
        atheris.Fuzz()
    finally:
        forget()
    return 0


if __name__ == "__main__":
    sys.exit(main())
