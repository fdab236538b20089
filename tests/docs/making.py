"""The modules of `docs/making`, which is not a package on the path: they are loaded from their files."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).parents[2] / "docs/making"


def _load(name: str) -> ModuleType:
    spec = spec_from_file_location(f"docs_making_{name}", _FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up
    spec.loader.exec_module(module)
    return module


commands, pages, words = _load("commands"), _load("pages"), _load("words")
python_reference, people, stages = _load("python_reference"), _load("people"), _load("stages")
