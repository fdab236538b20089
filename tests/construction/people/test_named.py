"""Tests of `construction/people/named.py`: checks of results by name."""

from __future__ import annotations

from importlib import import_module

import pytest

from triptych.construction.people.named import CHECKS, named_fault


@pytest.mark.parametrize("name", CHECKS)
def test_every_name_leads_to_a_function(name: str) -> None:
    module, _, function = CHECKS[name].partition(":")
    assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("name", ["", "a-check-of-a-later-version", "os:system", "triptych.errors:DataError"])
def test_no_other_name_imports_anything(name: str) -> None:
    assert list(named_fault(name, {"text": "x"}, {})) == []
