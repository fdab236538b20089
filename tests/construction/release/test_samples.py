"""Tests of `construction/release/samples.py`: the record that each Item was made from."""

from __future__ import annotations

import json
from pathlib import Path

from triptych.benchmarks.origins import SAMPLES
from triptych.construction.release.samples import Sample, write_samples


def test_lines_are_json_in_the_given_order(tmp_path: Path) -> None:
    pairs = [("cmdar/main/0001", "talk 2/«x»\n"), ("cmdar/main/0000", "诗")]
    write_samples(tmp_path, (Sample(*pair) for pair in pairs))
    lines = (tmp_path / SAMPLES).read_text(encoding="utf-8").splitlines()
    assert [tuple(json.loads(line)[key] for key in ("item", "record")) for line in lines] == pairs


def test_no_samples_are_an_empty_file(tmp_path: Path) -> None:
    write_samples(tmp_path, [])
    assert (tmp_path / SAMPLES).read_bytes() == b""
