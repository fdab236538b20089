"""Tests of `construction/engine/context.py`: the values of a record that a stage sees, and its resources."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import kept
from triptych.construction.stage import Stage, stage
from triptych.errors import MediaError, SpecError


@stage("count", version=1, reads=["text", "title?"], writes=["n"])
def count(values: Values, context: Context) -> object:
    """Count characters."""
    return kept(n=len(values["text"]))


def test_a_stage_sees_the_fields_that_it_declares_alone() -> None:
    values = Values(count, "w1", {"text": "春眠", "secret": 1})
    assert dict(values) == {"title": None, "text": "春眠"} and len(values) == 2
    assert values["title"] is None and values.id == "w1"


@pytest.mark.parametrize(("name", "what"), [("secret", "isn't declared"), ("text", "isn't there")])
def test_another_field_is_refused_with_the_stage_and_the_record(name: str, what: str) -> None:
    with pytest.raises(SpecError, match=f"stage 'count' reads '{name}', which {what}") as error:
        Values(count, "w1", {"secret": 1})[name]
    assert error.value.where == "w1" and "text, title" in str(error.value)


def test_a_stage_that_declares_nothing_says_so() -> None:
    bare: Stage = stage("bare", version=1)(lambda values, context: kept())
    with pytest.raises(SpecError, match="one of: nothing"):
        Values(bare, "w1", {"text": "x"})["text"]


def context(base: Path, seed: int = 0) -> Context:
    return Context(Parameters(), MediaStore(base / "build"), seed, base)


def test_raw_material_is_inside_its_folder_and_hashed(tmp_path: Path) -> None:
    (tmp_path / "音.wav").write_bytes(b"RIFF\0")
    assert context(tmp_path).material("音.wav").read_bytes() == b"RIFF\0"
    assert context(tmp_path).sha256("音.wav") == hashlib.sha256(b"RIFF\0").hexdigest()
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.write_bytes(b"x")
    os.symlink(outside, tmp_path / "link")
    for name in (f"../{outside.name}", "link", "missing.wav", str(outside), "http://example.org/a.wav", ""):
        with pytest.raises(MediaError):
            context(tmp_path).material(name)
        with pytest.raises(MediaError):
            context(tmp_path).sha256(name)


def test_a_changed_file_has_another_hash_in_the_same_build(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one")
    own = context(tmp_path)
    first = own.sha256("a.txt")
    (tmp_path / "a.txt").write_bytes(b"two, and longer")
    assert own.sha256("a.txt") == hashlib.sha256(b"two, and longer").hexdigest() != first


def test_draws_depend_on_the_seed_and_what_is_drawn_for_alone(tmp_path: Path) -> None:
    def drawn(seed: int, *what: object) -> list[float]:
        return [context(tmp_path, seed).random(*what).random() for _ in range(2)]

    assert drawn(0, "w1", "cut") == drawn(0, "w1", "cut") and len(set(drawn(0, "w1", "cut"))) == 1
    different = [drawn(0, "w1", "cut"), drawn(1, "w1", "cut"), drawn(0, "w2", "cut"), drawn(0, "w1"), drawn(0, "w1cut")]
    assert len({values[0] for values in different}) == 5
    # The parts are kept apart: ("ab", "c") is another record than ("a", "bc").
    assert drawn(0, "ab", "c") != drawn(0, "a", "bc")
