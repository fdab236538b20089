"""Tests of `cli/portal_target.py`: the portal that a command works on, and the packages that it needs."""

from __future__ import annotations

import pytest

from triptych.cli import portal_target
from triptych.errors import SpecError


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "alembic" else object())
    with pytest.raises(SpecError, match="alembic") as told:
        portal_target.check_packages()
    assert "triptych[portal]" in str(told.value) and "starlette" not in str(told.value)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "joserfc" else object())
    with pytest.raises(SpecError, match="joserfc") as told:
        portal_target.check_packages()
    assert str(told.value).endswith("pip install 'triptych[portal]'")
