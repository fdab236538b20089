"""Tests of `portal/demo/content.py`: the texts and the media of the demo."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from triptych.construction.recipes.mcga import RECORD
from triptych.errors import SpecError
from triptych.portal.demo.content import content, mini, put_medium
from triptych.portal.project import Portal
from triptych.portal.store.tables import GENDERS, ROLES


def test_every_role_of_the_portal_but_the_administrators_has_made_up_people() -> None:
    people = content()["people"]
    assert {role for each in people for role in each["roles"]} == set(ROLES) - {"admin"}
    assert all(each["gender"] in GENDERS and each["label"].startswith("Made-up person") for each in people)
    assert len({each["label"] for each in people}) == len(people)
    assert content()["consent"].keys() == {"en", "zh"}


@pytest.mark.parametrize("benchmark", ["mcga", "cmdar", "mcif"])
def test_the_mini_sets_of_the_demo_are_installed(benchmark: str) -> None:
    assert mini(benchmark).is_dir() and any(path.is_file() for path in mini(benchmark).rglob("*"))


def test_the_clips_that_are_read_are_in_the_mini_set() -> None:
    texts = content()["recording"]
    lines = (mini("mcga") / "MCGA_asr_test.jsonl").read_text(encoding="utf-8")
    assert texts["clips"] and all(f'"{name}"' in lines for name in texts["clips"])
    assert set(texts["pinyin"]) <= set(texts["clips"]) and RECORD.form


def test_a_medium_is_stored_once_under_its_hash(small: Portal, tmp_path: Path) -> None:
    (tmp_path / "clip 题.wav").write_bytes(b"RIFF....WAVE")
    names = {put_medium(small, tmp_path / "clip 题.wav") for _ in range(2)}
    assert names == {sha256(b"RIFF....WAVE").hexdigest()}
    with small.blobs.open_file(names.pop()) as file:
        assert file.read() == b"RIFF....WAVE"


def test_a_benchmark_without_a_mini_set_is_not_taken_for_one() -> None:
    with pytest.raises(SpecError):
        mini("no-such-benchmark")
