"""Tests of `construction/recipe.py`: recipes, and rows whose file is missing."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from triptych.construction.build import build, estimate, read_config
from triptych.construction.recipe import known_recipes, load_recipe, without_file
from triptych.errors import MediaError, SpecError

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


def test_an_unknown_recipe_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecError, match="no recipe 'mcgaa'") as error:
        load_recipe("mcgaa")
    assert "did you mean 'mcga'" in str(error.value)


def test_the_five_benchmarks_have_a_recipe_in_their_own_format() -> None:
    names = {"mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"}
    assert names <= known_recipes().keys()
    for name in names:
        recipe = load_recipe(name)
        assert recipe.name == name == recipe.format and recipe.version >= 1 and recipe.examples
        every = [stage.name for stage in recipe.every_stage()]
        assert len(every) == len(set(every)) > 5, name


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("RECIPE = 5\n", "is not a Recipe"),
        ("import no_such_package_anywhere\n", "can't be loaded"),
        ("raise SystemExit(3)\n", "can't be loaded"),
        ("RECIPES = []\n", "can't be loaded"),
    ],
)
def test_a_recipe_of_another_package_that_is_none_is_refused_with_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, message: str
) -> None:
    name = f"strangers_recipe_{abs(hash(source))}"
    (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        "triptych.construction.recipe.points", lambda group: [EntryPoint("strange", name, "triptych.recipes")]
    )
    with pytest.raises(SpecError, match=f"the recipe 'strange' {message}") as error:
        load_recipe("strange")
    assert name in str(error.value)


def test_a_recipe_of_another_package_is_found_and_takes_no_built_in_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "triptych.construction.recipe.points",
        lambda group: [
            EntryPoint("toy", "tests.construction.toy", group),
            EntryPoint("mcga", "tests.construction.toy", group),
        ],
    )
    assert load_recipe("toy").name == "toy" and load_recipe("mcga").name == "mcga"


def test_a_missing_file_is_named_and_tried_again() -> None:
    outcome = without_file(MediaError("media file not found", where=Path("/data/音.wav")))
    assert (outcome.decision, outcome.reason) == ("failed", "unreadable-file")
    assert outcome.note == "media file not found: 音.wav; put the file there, or change the row"
    assert "got.wav" in without_file(MediaError("a link leads out", got="got.wav", where=Path("/data"))).note
