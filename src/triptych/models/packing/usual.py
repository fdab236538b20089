"""The packing of a model that is asked in this process or by a worker, where none is declared: its card's."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from triptych.models.catalogue import find_model
from triptych.models.packing.packing import Packing, packing
from triptych.records.unreadable import UNREADABLE

OTHERS = "frames"


def usual_packing(name: str, folder: Path | None = None) -> Packing:
    """Return a model's packing: the catalogue's, otherwise that of its family, by the configuration in its folder.

    Example:
        >>> usual_packing("videollama3-7b").text
        'video=frames,fps=1,frames=128,sound=none,order=given'
        >>> usual_packing("nobody/nothing") == packing("frames")
        True
    """
    row = find_model(name)
    if row is not None and row.packing:
        return packing(row.packing)
    return packing(families().get(model_type(folder), OTHERS))


@cache
def families() -> dict[str, str]:
    """Return model_type -> packing."""
    path = Path(__file__).with_name("families.toml")
    families_: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return families_


def model_type(folder: Path | None) -> str:
    """Return the `model_type` of the configuration in a folder of weights; empty if there is none."""
    if folder is None:
        return ""
    with suppress(OSError, *UNREADABLE):
        config: Any = msgspec.json.decode((folder / "config.json").read_bytes())
        return str(config.get("model_type", "")) if isinstance(config, dict) else ""
    return ""


def chosen_packing(setting: Any, usual: Packing, older: dict[str, Any]) -> Packing:
    """Return the packing that `-M packing=…` declares on top of the usual one. `older`: `fps` and `max_frames`, which
    stood for it before; None where they aren't given."""
    changes = {key: value for key, value in older.items() if value}
    base = packing({"video": "frames", "frames": 32, **changes}, usual) if changes else usual
    return packing(setting, base) if setting else base
