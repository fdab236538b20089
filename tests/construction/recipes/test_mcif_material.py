"""Segments of talks from a YAML file of SHAS, as its authors' tools write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.build import read_config
from triptych.construction.engine.context import Context
from triptych.construction.engine.hashes import FileHashes
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.recipe import load_recipe
from triptych.construction.recipes._mcif_material import given_segments
from triptych.errors import DataError, SpecError

WRITTEN = """[{duration: 3.5, offset: 10.25, rW: 0, speaker_id: NA, uW: 0, wav: b.wav},
  {duration: 2.0, offset: 4.0, rW: 0, speaker_id: NA, uW: 0, wav: a.wav},
  {duration: 1.5, offset: 0.5, rW: 0, speaker_id: NA, uW: 0, wav: 'a.wav'}]
"""
BLOCKS = """- duration: 1.5
  offset: 0.5
  rW: 0
  wav: a.wav
- duration: 2.0
  offset: 4.0
  wav: "a.wav"
"""
WRAPPED = """[{duration: 1.5, offset: 0.5, rW: 0, speaker_id: NA,
    uW: 0, wav: a.wav}, {duration: 2.0,
    offset: 4, wav: a.wav}]
"""
BOTH = [[0.5, 2.0], [4.0, 6.0]]
LISTED = "- {duration: 1.500000, offset: 0.500000, speaker_id: spk.1, wav: a.wav}\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [(WRITTEN, BOTH), (WRAPPED, BOTH), (BLOCKS, BOTH), (LISTED, [[0.5, 2.0]])],
)
def test_a_talk_has_its_own_segments_in_order(tmp_path: Path, content: str, expected: list[list[float]]) -> None:
    (tmp_path / "shas.yaml").write_text(content, encoding="utf-8")
    assert given_segments(tmp_path, {"segments": "shas.yaml", "path": "talks/a.mp4"}) == expected


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (WRITTEN, "no segment of this talk"),
        ("{}", "no segment"),
        ("{duration: x, offset: 1, wav: c.wav}", "no offset"),
        ("!!python/object:os.system {}", "no segment"),
    ],
)
def test_a_file_without_them_is_an_error(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "shas.yml").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        given_segments(tmp_path, {"segments": "shas.yml", "path": "c.mp4"})


def test_one_file_for_all_talks_is_an_option_and_a_table_of_a_talk_takes_precedence(tmp_path: Path) -> None:
    (tmp_path / "shas.yaml").write_text(WRITTEN, encoding="utf-8")
    (tmp_path / "own.csv").write_text("begin,end\n0,1\n", encoding="utf-8")
    (tmp_path / "config.toml").write_text('talks = "talks.csv"\n', encoding="utf-8")
    rows = ["id,path,speaker,abstract,segments", "a,a.wav,A,,", "b,b.wav,B,,own.csv"]
    (tmp_path / "talks.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for name in ("a.wav", "b.wav"):
        (tmp_path / name).write_bytes(b"RIFF")
    recipe = load_recipe("mcif")
    changes = {"segments": tmp_path / "shas.yaml"}
    configuration, base = read_config(recipe, tmp_path / "config.toml", changes)
    context = Context(Parameters(), MediaStore(tmp_path / "media"), 0, base, FileHashes(tmp_path, keep=False))
    found = [one.record.fields["segments_given"] for one in recipe.start(configuration.recipe, base, context)]
    assert found == [[[0.5, 2.0], [4.0, 6.0]], [[0.0, 1.0]]]
    with pytest.raises(SpecError, match="has no setting 'segments'"):
        read_config(load_recipe("cmdar"), {}, changes)
