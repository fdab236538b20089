"""MCIF as its paper makes it: talks drawn from the ACL Anthology's list, questions after the abstract alone, a second
expert, native supervision, general questions in the same words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import anthology
from tests.construction.recipes import test_mcif as mcif_material
from tests.construction.stages.test_talks import film, spoken
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.recipes._mcif_material import given_segments
from triptych.construction.report.reasons import records_with

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


material = mcif_material.material


def test_talks_are_drawn_from_the_anthology_and_fetched_videos(material: Any, tmp_path: Path) -> None:
    base = material.base
    anthology(base, 6)
    (base / "videos").mkdir()
    for n in (2, 4, 5):
        film(base / f"videos/2023.acl-long.{n}.mp4", spoken((5, 1), (5, 1), (4, 0.5), level=0.1 + n / 100, seed=n))
    config = base / "own.toml"
    lines = [
        'languages = ["en"]',
        'detector = "level"',
        "guideline = false",
        "people = false",
        'drafts = ["transcripts"]',
        "draw = { talks = 1, summaries = 2 }",
        '[anthology]\nfolder = "acl"\nvolumes = ["2023.acl-long"]\nvideos = "videos"',
        '[stages.natural-voice]\nsynthetic = "keep"',
        "[stages.talk-sound]\nleast_seconds = 10.0",
        mcif_material.ANY_LENGTH,
        '[models.recogniser]\nmodel = "stand-in/recogniser"',
    ]
    config.write_text("\n".join(lines), encoding="utf-8")
    to = tmp_path / "b"
    done = build("mcif", config, to)
    assert done.complete, done.counts
    missing = records_with(BuildFolder(to), "not-fetched")  # which to fetch, in the order of the draw
    assert len(missing) == 3 and all(
        each.note.startswith("https://aclanthology.org/2023.acl-long.") for each in missing
    )
    kinds = Counter(r.kind for r in mcif_material.references(to / "out", "long", "en"))
    assert kinds == {"ASR": 1, "SUM": 3}, done.counts
    lines = (to / "out/provenance.jsonl").read_text(encoding="utf-8").splitlines()
    assert any("talk:2023.acl-long." in line and "speaker:Mían" in line for line in lines)


def test_segments_of_shas_with_a_field_a_line(tmp_path: Path) -> None:
    fields = ("duration: 2.0", "offset: 4.0", "rW: 0", "speaker_id: NA", "uW: 0", "wav: a.wav")
    block = "- " + "\n  ".join(fields) + "\n- duration: 1.5\n  offset: 0.5\n  wav: 'a.wav'\n"
    (tmp_path / "s.yaml").write_text(block, encoding="utf-8")
    assert given_segments(tmp_path, {"segments": "s.yaml", "path": "a.mp4"}) == [[0.5, 2.0], [4.0, 6.0]]
