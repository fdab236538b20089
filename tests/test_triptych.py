"""`import triptych` takes almost no time and has the whole Python API."""

from __future__ import annotations

import subprocess
import sys

import pytest

import triptych
from triptych import api


def test_every_public_name_is_the_one_of_the_api() -> None:
    for name in triptych.__all__:
        if name != "__version__":
            assert getattr(triptych, name) is getattr(api, name), name
    assert set(triptych.__all__) <= set(dir(triptych))
    assert triptych.__all__ == sorted(triptych.__all__, key=lambda name: (not name[0].isupper(), name))


def test_an_unknown_name_is_an_attribute_error_as_of_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'triptych' has no attribute 'scoer'"):
        triptych.scoer  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(triptych, "load_spec"), "internals are not part of the API"


def test_the_import_loads_neither_the_api_nor_any_package() -> None:
    code = (
        "import sys; before = set(sys.modules); import triptych; new = set(sys.modules) - before\n"
        "print(triptych.__version__, 'triptych.api' in new, sorted(n for n in new if not n.startswith('triptych')\n"
        "    and n.partition('.')[0] not in sys.stdlib_module_names))\n"
        "from triptych import score; print(score.__module__.partition('.')[0], 'triptych.api' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert ran.stdout.splitlines() == [f"{triptych.__version__} False []", "triptych True"]
