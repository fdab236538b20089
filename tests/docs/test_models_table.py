"""The table of what was tried with each model is the one that follows from the catalogue and the tests.

`python -m docs.making.models_table` writes it.
"""

from __future__ import annotations

from docs.making.models_table import CLASSES, NOTHING, PAGE, PLACE, REAL, table, tried

from tests.support import tiny_models
from triptych.models.catalogue import catalogue
from triptych.models.worker.environments import environment_of


def test_the_page_has_the_table_of_today() -> None:
    found = PLACE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None and found[0] == table(), "python -m docs.making.models_table"


def test_tiny_models_that_are_claimed_are_made_by_the_tests() -> None:
    assert set(CLASSES.values()) <= set(tiny_models.models()) and set(catalogue()) >= REAL
    classes = {row.class_ for row in catalogue().values() if "hf" in row.way}
    assert set(CLASSES) <= classes


def test_every_model_is_in_the_table_and_what_cannot_be_asked_is_said() -> None:
    for row in catalogue().values():
        nothing = tried(row) == NOTHING
        own = environment_of(row.key)
        assert nothing == ("none" in row.way or (own is not None and not own.runner)), row.key
