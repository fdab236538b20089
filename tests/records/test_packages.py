"""Tests of `records/packages.py`: optional packages are imported when they are used."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.records.packages import need


def test_an_installed_package_is_returned() -> None:
    assert need("json", "a report") is json


@pytest.mark.parametrize(
    ("module", "package"), [("no_such_package.part", "no-such-package"), ("google.genai", "google-genai")]
)
def test_a_missing_package_is_named_with_its_extra(module: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, module.partition(".")[0], None)
    with pytest.raises(SpecError, match=package) as caught:
        need(module, "speech recognition", "speech")
    assert "speech recognition" in str(caught.value) and "pip install 'triptych[speech]'" in str(caught.value)


def test_a_package_that_cannot_be_loaded_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_q.py").write_text("raise ImportError('libx.so.1: cannot open shared object file')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SpecError, match=r"installed but can't be loaded(.|\n)*libx\.so\.1"):
        need("broken_q", "decoding")
