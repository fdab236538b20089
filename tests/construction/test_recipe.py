"""Tests of `construction/recipe.py`: recipes, and rows whose file is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.build import build, estimate, read_config
from triptych.construction.recipe import load_recipe

ROWS = {
    "cmdar": ("recordings", "id,path,licence\na,there.wav,cc0-1.0\nb,gone.wav,cc0-1.0\n"),
    "mcs_bench": ("pictures", "id,image,task,question,answer\na,there.wav,T1,?,!\nb,gone.wav,T1,?,!\n"),
    "xmodbench": (
        "triplets",
        "id,subtask,text,audio,category\na,general,dog,there.wav,dog\nb,general,dog,gone.wav,dog\n",
    ),
}


@pytest.mark.parametrize("recipe", ROWS)
def test_a_row_whose_file_is_missing_fails_alone(tmp_path: Path, recipe: str) -> None:
    key, table = ROWS[recipe]
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    (tmp_path / "there.wav").write_bytes(b"RIFF")
    given = '["t.csv"]' if key == "triplets" else '"t.csv"'
    (tmp_path / "own.toml").write_text(f"{key} = {given}\n", encoding="utf-8")
    first = load_recipe(recipe).stages(read_config(load_recipe(recipe), tmp_path / "own.toml")[0].recipe)[0].name
    built = build(recipe, tmp_path / "own.toml", tmp_path / "b", only=[first])
    assert [(c.stage, c.came) for c in built.counts] == [("material", 2), (first, 1)]
    assert built.counts[0].reasons == {"failed: unreadable-file": 1} and not built.complete
    assert estimate(recipe, tmp_path / "own.toml", tmp_path / "b")[0] == 1
    (tmp_path / "gone.wav").write_bytes(b"RIFF")
    assert [c.came for c in build(recipe, tmp_path / "own.toml", tmp_path / "b", only=[first]).counts] == [2]
