"""`triptych list stages`: all stages with the recipes that use them, and one with its fields, on 100 columns."""

from __future__ import annotations

import json

import pytest

from tests.support.commands import triptych


def test_all_stages_stand_in_the_list_on_100_columns() -> None:
    printed = triptych("list", "stages").stdout
    assert max(map(len, printed.splitlines())) <= 100
    assert "[cmdar, mcga, mcs_bench]" in printed
    lines = printed.splitlines()
    for recipe, name in (("mcga", "su"), ("cmdar", "distractors"), ("mcs_bench", "write"), ("xmodbench", "wordings")):
        start = lines.index(f"stages of the recipe {recipe} itself, in their order:")
        assert any(line.startswith(f"{name} ") for line in lines[start:]), name


@pytest.mark.parametrize("name", ["multi", "write-questions", "tasks", "changed-words", "review"])
def test_a_stage_of_a_recipe_is_shown_with_its_parameters(name: str) -> None:
    shown = triptych("list", "stages", name).stdout
    assert max(map(len, shown.splitlines())) <= 100
    assert f"{name}, version " in shown and "used by: " in shown
    if name == "multi":
        assert 'spread = "even"' in shown and "one of: even, two" in shown
    if name == "review":
        assert [shown.count(f"used by: {recipe}") for recipe in ("cmdar", "mcga", "mcs_bench", "xmodbench")] == [1] * 4


def test_as_json_each_stage_has_its_recipes_and_fields() -> None:
    rows = json.loads(triptych("list", "stages", "--json").stdout)
    by_name = {row["name"]: row for row in rows if not row["shared"]}
    assert by_name["su"]["recipes"] == ["mcga"]
    assert {field["name"] for field in by_name["multi"]["fields"]} == {"attempts", "categories", "spread"}
    assert all(field["meaning"] for row in rows for field in row["fields"] if row["from"] == "triptych")


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    refused = triptych("list", "stages", "distractor")
    assert refused.returncode == 2 and "did you mean 'distractors'?" in refused.stderr
