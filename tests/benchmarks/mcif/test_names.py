"""Tests of `benchmarks/mcif/names.py`: the names in MCIF."""

from __future__ import annotations

import hashlib

from tests.benchmarks.mcif.test_reader import MCIF
from triptych.benchmarks.mcif.names import ACRONYMS, KINDS, LANGUAGES
from triptych.benchmarks.mcif.pools import pools

RELEASED = "d6beebc8b010bba6bd3bb5ed98d5dd6b3f9f0fac031029f2f7715a77f2072cc3"


def test_they_are_the_released_generators_byte_for_byte() -> None:
    """The digest is of the generator's own lists: the fixed prompt before its pool, languages in alphabetical order,
    `{QUESTION}` after a blank where it appends one."""
    order = [
        f"{kind}/{language}" for kind in KINDS for language in sorted(LANGUAGES) if f"{kind}/{language}" in pools()
    ]
    words = "\n".join(wording for name in order for wording in pools()[name])
    assert hashlib.sha256(words.encode()).hexdigest() == RELEASED


def test_the_mini_set_asks_all_13_tasks_in_both_prompt_sets_and_four_languages() -> None:
    items = list(MCIF.items(MCIF.mini))
    for prompts in ("fixed", "mixed"):
        own = [i for i in items if i.facets["prompts"] == prompts]
        assert {i.facets["acronym"] for i in own} == set(ACRONYMS.values())
        assert len({i.task for i in own}) == 20
    assert {i.facets["wording"] for i in items if i.facets["prompts"] == "fixed"} == {"1"}
    assert len({i.facets["wording"] for i in items}) > 5
    assert "other" not in {i.facets["wording"] for i in items}
