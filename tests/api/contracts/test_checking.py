"""Tests of `api/contracts/checking.py`; `tests/api/test_plug_ins.py` has the contracts of the groups."""

from __future__ import annotations

import importlib
import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.cli.test_check_plugin import GOOD_MODEL, MODEL, package
from triptych.api.contracts.checking import checked, entry_points_of
from triptych.errors import SpecError


def test_the_entry_points_of_a_package() -> None:
    for name in ("", "labplug", "no such"):
        with pytest.raises(SpecError, match="is installed"):
            entry_points_of(name)


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("raise KeyboardInterrupt\n", "echo", "KeyboardInterrupt"),
        ("x = 1\nraise RuntimeError('no GPU')\n", "echo", "labplug_models.py, line 2: raise RuntimeError('no GPU')"),
        (MODEL.format(**GOOD_MODEL), "ec ho", "the entry point's name 'ec ho' can't be given"),
        ("print('hello')\n" + MODEL.format(**GOOD_MODEL), "echo", "prints on standard output"),
        ("import os\nos.chdir('/')\n" + MODEL.format(**GOOD_MODEL), "echo", "changes the current folder"),
    ],
)
def test_what_an_import_does_is_said(
    source: str, name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, models=(name, source))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    importlib.invalidate_caches()
    try:
        (found,) = (checked(point, "") for point in entry_points_of("labplug"))
    finally:
        sys.modules.pop("labplug_models", None)
    assert any(words in line for line in (*found.faults, *found.notes)), found
    assert Path.cwd() == Path(os.path.realpath(tmp_path))


def test_an_attribute_or_an_unknown_group_is_a_fault() -> None:
    one = checked(EntryPoint("a", "lab:make", "triptych.models"), "")
    two = checked(EntryPoint("a", "lab", "triptych.model"), "")
    assert "without :make" in one.faults[0] and "did you mean 'triptych.models'" in two.faults[0]
