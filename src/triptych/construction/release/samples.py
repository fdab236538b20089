"""`samples.jsonl` of a finished benchmark: the record that each Item was made from (read by `benchmarks.origins`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from triptych.benchmarks.origins import SAMPLES


class Sample(msgspec.Struct, frozen=True):
    """A line: the id of an Item as our reader gives it (`cmdar/main/0000`), and the id of its record."""

    item: str
    record: str


def write_samples(out: Path, samples: Iterable[Sample]) -> None:
    """Write the file, in the given order."""
    (out / SAMPLES).write_bytes(b"".join(msgspec.json.encode(sample) + b"\n" for sample in samples))
