"""The data card and the Croissant metadata of a build."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.construction.engine.folder import BuildManifest, StageCounts
from triptych.construction.record import Record
from triptych.construction.release.card import About, card, croissant

ABOUT = About(
    "Small",
    "A small benchmark.",
    "cc-by-4.0",
    ("zh",),
    {"main": {"test": "main_test.jsonl"}},
    "Somebody (2026)",
    "https://example.org/small",
    ("It is small.",),
)
MANIFEST = BuildManifest("toy", "1", {}, ("a@1",), {"maker": "openai/m#12345678"})


@pytest.fixture
def out(tmp_path: Path) -> Path:
    rows = [{"id": "1", "score": None, "n": 2}, {"id": "2", "score": 1.5, "n": 3, "options": ["a", "b"]}]
    (tmp_path / "main_test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio/1.wav").write_bytes(b"RIFF")
    return tmp_path


def test_the_metadata_are_valid_croissant(out: Path) -> None:
    mlc = pytest.importorskip("mlcroissant", reason="mlcroissant isn't installed (it comes with the group test)")
    (out / "croissant.json").write_text(json.dumps(croissant(out, ABOUT)), encoding="utf-8")
    dataset = mlc.Dataset(jsonld=out / "croissant.json")
    assert not dataset.metadata.issues.errors
    found = [dict(record) for record in dataset.records("main-test")]
    assert [r["main-test/n"] for r in found] == [2, 3]


def test_every_file_is_named_with_its_hash(out: Path) -> None:
    files = {f["@id"]: f for f in croissant(out, ABOUT)["distribution"]}
    assert files.keys() == {"main_test.jsonl", "audio/1.wav"}
    assert files["audio/1.wav"]["encodingFormat"] == "audio/wav" and len(files["audio/1.wav"]["sha256"]) == 64


def test_the_card_holds_the_funnel_the_models_and_the_grounds_of_use() -> None:
    counts = [StageCounts("rights", 1, 3, 2, {"kept": 2, "dropped": 1}, {"dropped: no-consent": 1})]
    records = [Record(str(n), {"rights": ground}) for n, ground in enumerate(["licence mit", "author died in 740, x"])]
    text = card(ABOUT, MANIFEST, counts, records)
    assert "| rights | 3 | 2 | 0 | 1 | 0 | no-consent 1 |" in text
    assert "| maker | openai/m |" in text
    assert "| licence mit | 1 |" in text and "| public domain (by the author's death) | 1 |" in text
    assert text.startswith('---\nlicense: "cc-by-4.0"\n')


def test_what_strangers_wrote_can_end_no_table_and_no_header() -> None:
    evil = About('a"\n---\n# b', "x", 'mit"\nfoo: bar', ("zh",))
    header = card(evil, MANIFEST, [], []).split("---")[1]
    assert "foo: bar" not in header.splitlines()
