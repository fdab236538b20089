"""Fixtures that several files of tests of `models/worker` share."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from tests.models.worker.clones import Clone, write_clone
from tests.models.worker.runners.loading import runner
from triptych.models.worker.trust import allow_foreign_code


@pytest.fixture
def trusted() -> Iterator[None]:
    """Code that isn't Triptych's may be run."""
    allow_foreign_code()
    yield
    allow_foreign_code(allowed=False)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clone]:
    """Return a function that loads a runner with its small repository: (runner, what it loaded, recorded calls)."""
    before, folder = set(sys.modules), tmp_path / "clone"
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    monkeypatch.chdir(tmp_path)

    def load(name: str, source: str = "weights", **options: Any) -> tuple[ModuleType, Any, dict[str, Any]]:
        write_clone(name, folder)
        importlib.invalidate_caches()
        import calls  # type: ignore[import-not-found]

        own = runner(name)
        loaded = own.load(source, {"code": str(folder), "device": "cpu", **options})
        return own, loaded, calls.CALLS

    yield load
    for module in set(sys.modules) - before:
        told = vars(sys.modules[module])
        if str(folder) in f"{told.get('__file__')} {told.get('__path__')}":
            del sys.modules[module]


@pytest.fixture
def picture(tmp_path: Path) -> dict[str, Any]:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    return {"type": "image", "path": str(tmp_path / "a.png")}


@pytest.fixture
def film(tmp_path: Path) -> dict[str, Any]:
    """A video of seven frames, one per second."""
    for place in range(7):
        Image.new("RGB", (16, 16), (30 * place, 0, 0)).save(tmp_path / f"{place}.png")
    paths = [str(tmp_path / f"{place}.png") for place in range(7)]
    return {"type": "video", "paths": paths, "times": [float(place) for place in range(7)], "fps": 1.0}
