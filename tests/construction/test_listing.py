"""Tests of `construction/listing.py`: all stages with the recipes that use them."""

from __future__ import annotations

from triptych.construction.listing import listed_stages


def test_the_list_has_the_stages_of_every_recipe_with_the_recipes_that_use_them() -> None:
    listed = listed_stages()
    by_name = {(each.stage.name, each.shared): each.recipes for each in listed}
    assert by_name["balance-keys", True] == ("cmdar", "mcga", "mcs_bench")
    for recipe, names in (
        ("mcga", ("su", "sr", "record", "inspect")),
        ("cmdar", ("main", "distractors", "multi", "scenes")),
        ("mcs_bench", ("write", "summarise", "keywords", "expand")),
        ("mcif", ("transcribe", "take-transcript", "write-questions", "supervise")),
        ("xmodbench", ("changed-words", "wordings", "also-right")),
    ):
        assert all(by_name[name, False] == (recipe,) for name in names)
    assert len([each for each in listed if each.stage.name == "review"]) == 4
    assert {each.stage.name for each in listed if not each.stage.about} == set()
