"""Tests of `analysis/observed.py`: A Run as analyses see it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.analysis.forms.test_consistency import the
from triptych.analysis.forms.consistency import consistency
from triptych.analysis.observed import Observed, observe_predictions
from triptych.benchmarks import load_benchmark


@pytest.fixture(scope="module")
def released(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """One system's released results of three subtasks: paired, partly paired, and not to be paired."""
    import tarfile

    place = tmp_path_factory.mktemp("released")
    wanted = ("perception_instruments_", "spatial_panaroma_", "temporal_count_")
    with tarfile.open(shared_data / "xmodbench" / "released_results.tar.xz") as archive:
        for member in archive:
            name = Path(member.name).name
            own = "gemini-2.0-flash" in member.name and name.startswith(wanted) and "_comp_" not in name
            if own and (file := archive.extractfile(member)):
                (place / name).write_bytes(file.read())
    return observe_predictions(load_benchmark("xmodbench"), [place], label="gemini")


def test_the_released_results_are_paired_where_they_can_be(released: Observed) -> None:
    (section,) = consistency(released, replicates=100)
    told = {row[0]: row[2] for row in section.listings[0].rows}
    assert "perception/instruments/308" in told["not asked in audio_text: counts only in pairs of the other forms"]
    assert any("panaroma" in where for where in told.values())
    whole = {e.slice.get("subtask", ""): e for e in section.estimates if e.measure == "all_right"}
    assert whole["instruments"].n == 999
    assert whole["panaroma"].value is None and whole["panaroma"].n == 0
    assert "the content that would verify them is missing" in section.notes[0]


def test_the_released_results_by_brute_force(released: Observed) -> None:
    right: dict[str, dict[str, bool]] = {}
    for s in released.scores:
        if s.facets["subtask"] == "instruments" and s.status == "scored":
            right.setdefault(s.instance, {})[s.facets["direction"]] = bool(s.numerator)
    (section,) = consistency(released, replicates=50)
    complete = [own for own in right.values() if len(own) == 6]
    found = the(section, "all_right", subtask="instruments")
    assert found.n == len(complete)
    assert found.value == pytest.approx(100 * np.mean([all(o.values()) for o in complete]))
    # the benchmark weighs directions alike, and each direction's five pairs
    names = sorted({d for own in right.values() for d in own})
    rates = []
    for name in names:
        same = [own[name] == own[b] for own in right.values() if name in own for b in names if b != name and b in own]
        rates.append(np.mean(same))
    assert the(section, "agreement", subtask="instruments").value == pytest.approx(100 * np.mean(rates))
