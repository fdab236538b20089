"""Tests of `construction/datasets/acl_anthology.py`: papers with a recorded talk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import anthology
from triptych.construction import datasets
from triptych.errors import DataError


def test_recorded_papers_of_the_anthology(tmp_path: Path) -> None:
    found = list(datasets.records("acl_anthology", anthology(tmp_path, 3)))
    assert [record.id for record in found] == [f"2023.acl-long.{n}" for n in (1, 2, 3)] + ["P15.x-main.1"]
    fields = found[0].fields
    assert fields["title"] == "SafeConv 1: Explaining Behavior" and fields["authors"] == ["Mían1 Zhang", "Lifeng Jin"]
    assert fields["text"] == "We count swifts & write x_{1}; see https://github.com/x/y."
    assert (fields["date"], fields["licence"]) == ("2023-07", "cc-by-4.0")
    assert fields["video_url"] == "https://aclanthology.org/2023.acl-long.1.mp4"
    assert found[3].fields["video_url"] == "https://vimeo.com/384477610"
    assert found[3].fields["licence"] == "cc-by-nc-sa-3.0"
    own = list(datasets.records("acl_anthology", tmp_path / "acl", volumes=("2023.acl-long",)))
    assert len(own) == 3
    with pytest.raises(DataError, match="no such volume"):
        list(datasets.records("acl_anthology", tmp_path / "acl", volumes=("2023.acl-short",)))
    bomb = '<!DOCTYPE x [<!ENTITY a "aa">]><collection id="2023.acl"/>'
    (tmp_path / "acl/data/xml/2023.acl.xml").write_text(bomb, encoding="utf-8")
    with pytest.raises(DataError):
        list(datasets.records("acl_anthology", tmp_path / "acl"))
