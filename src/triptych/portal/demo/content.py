"""The content of the demo: texts of `content.toml`, and media of the mini sets."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from triptych.benchmarks.registry import load_benchmark
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal


@cache
def content() -> dict[str, Any]:
    """Return the texts."""
    return tomllib.loads(files("triptych.portal.demo").joinpath("content.toml").read_text(encoding="utf-8"))


def mini(benchmark: str) -> Path:
    """Return the folder of a benchmark's mini set."""
    return load_benchmark(benchmark).mini


def put_medium(portal: Portal, path: Path) -> str:
    """Store a file of a mini set and return its SHA-256."""
    data = path.read_bytes()
    name = hashlib.sha256(data).hexdigest()
    Local(portal).put_medium(path, name, len(data))
    return name
