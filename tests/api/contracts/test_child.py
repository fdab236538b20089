"""Tests of `api/contracts/child.py`: what ends the process is a fault of one entry point alone."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.cli.test_check_plugin import GOOD_METRIC, GOOD_MODEL, METRIC, MODEL, package
from triptych.api.contracts.checking import entry_points_of
from triptych.api.contracts.child import checked_apart, main


def test_an_entry_point_that_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(
        tmp_path,
        models=("echo", MODEL.format(**GOOD_MODEL)),
        metrics=("vowels", METRIC.format(**GOOD_METRIC)),
        stages=("keep-all", "import os\nos.write(1, b'hello')\nos._exit(7)\n"),
    )
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    found = {one.kind: one.faults for one in checked_apart("labplug", "", entry_points_of("labplug"))}
    assert found["models"] == found["metrics"] == ()
    assert "the process ended while this was checked, with exit code 7" in found["stages"][0]
    assert callable(main)
