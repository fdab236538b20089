"""Files of Scores compared with Scores, without reading them as records."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

import triptych
from triptych.scoring.runs import load_scores
from triptych.scoring.stored.files import ScoreFiles, has_scores


def test_a_file_holds_its_own_scores_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.scoring.stored.files._PART", 2)
    folder = triptych.run("cmdar/main", "baseline/first", out=tmp_path / "run", limit=5).folder
    scores = list(load_scores(folder, "official"))
    assert len(scores) == 5 and has_scores(folder, "official", scores)
    changed = structs.replace(scores[4], numerator=1.0 - scores[4].numerator)
    for other in ([], scores[:4], [*scores, scores[0]], [*scores[:4], changed], scores[::-1]):
        assert not has_scores(folder, "official", other)
        with ScoreFiles(folder, ["standard"]) as files:
            files.add("standard", other)
        assert has_scores(folder, "standard", other) and not has_scores(folder, "standard", scores)
    with pytest.raises(OSError, match="nothing"):
        has_scores(folder, "nothing", scores)
