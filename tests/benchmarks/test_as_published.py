"""Tests of `benchmarks/as_published.py`: how a paper asked its models, as data."""

from __future__ import annotations

from triptych.benchmarks.as_published import as_published, papers
from triptych.models.catalogue import catalogue


def test_all_papers_are_there() -> None:
    assert set(papers()) == {"mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"}


def test_mcif_states_every_system_of_its_paper() -> None:
    """Appendix 10 lists 23 systems; each has one table, two with the weights that were named and those that ran."""
    assert len([one for one in as_published("mcif").systems if not one.when]) == 23
    asked = {key for key, row in catalogue().items() if "mcif" in row.papers}
    assert asked == {key for one in as_published("mcif").systems for key in one.models}
