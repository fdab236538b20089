"""Makes torchvision and torchaudio importable beside a torch that their wheels weren't compiled for: `make vision`.

PyPI has both compiled for CUDA alone. With a torch for CPUs their compiled operations don't load, and then neither can
be imported. The processors of transformers use only what is written in Python: resizing, mel spectrograms. Python
imports this file when it starts, if the folder is on its path; so it holds for workers of Ray, too.
"""

from __future__ import annotations

import ctypes
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

COMPILED = {"torchvision": "_C.so", "torchaudio": "lib/_torchaudio.abi3.so"}
_declared: list[Any] = []  # a declaration holds as long as its object


class _Before(MetaPathFinder):
    """Does what is needed before the first import of a package; finds nothing itself."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name in COMPILED and name not in sys.modules:
            found = PathFinder.find_spec(name, path)
            if found is not None and found.origin and not _loads(Path(found.origin).parent / COMPILED[name]):
                _declare_operations() if name == "torchvision" else _without_extension()
        return None


def _loads(library: Path) -> bool:
    import torch  # noqa: F401 - the libraries that it needs

    try:
        ctypes.CDLL(str(library))
    except OSError:
        return False
    return True


def _declare_operations() -> None:
    """Declare the operations that torchvision describes to torch while it is imported."""
    import torch

    if not _declared:
        _declared.append(torch.library.Library("torchvision", "DEF"))
        for name in ("nms", "qnms"):
            _declared[0].define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def _without_extension() -> None:
    """Put in the place of the module that loads torchaudio's operations one that says that there are none."""
    module: Any = ModuleType("torchaudio._extension")
    module._IS_TORCHAUDIO_EXT_AVAILABLE = False
    module.fail_if_no_align = lambda function: function
    sys.modules.setdefault("torchaudio._extension", module)


sys.meta_path.insert(0, _Before())
