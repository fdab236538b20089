"""`docs/making` is no package on the path: its modules are loaded from where they lie."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).parents[2] / "docs/making"


def _load(name: str) -> ModuleType:
    spec = spec_from_file_location(f"docs_making_{name}", _FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


commands, pages = _load("commands"), _load("pages")
