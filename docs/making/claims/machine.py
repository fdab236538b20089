"""Figures about what is in the box: weights, mini sets."""

from __future__ import annotations

import json
import tomllib

import sources
from registry import figure


@figure
def weights(name: str) -> str:
    """The size in MB of a set of weights, or of what `demo` fetches."""
    sets = tomllib.loads((sources.PACKAGE / "models/weights.toml").read_text(encoding="utf-8"))
    names = ["whisper-base", "qwen2.5-coder-0.5b"] if name == "demo" else [name]
    return f"{sum(file['size'] for own in names for file in sets[own]['files']) / 1e6:.0f}"


@figure
def mini(benchmark: str, what: str = "MB") -> str:
    """The size in MB of a mini set (`all`: together), or how many of its files end in `what`."""
    names = sources.benchmarks() if benchmark == "all" else [benchmark]
    folders = [sources.PACKAGE / "benchmarks" / own / "mini" for own in names]
    if what == "MB":
        return f"{sum(p.stat().st_size for folder in folders for p in folder.rglob('*') if p.is_file()) / 1e6:.1f}"
    listed = [json.loads((folder / "MANIFEST.json").read_bytes())["files"] for folder in folders]
    return f"{sum(name.endswith(what) for files in listed for name in files):,}"


@figure
def faults(column: str) -> str:
    """A sum of the table of strange servers (`benchmarks_speed.run --only strange`), or how many `rows` it has."""
    lines = (sources.ROOT / "benchmarks_speed/README.md").read_text(encoding="utf-8").splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("| what the server sends"))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[begin:] if line.startswith("|")]
    end = next(n for n, row in enumerate(rows) if row[0] == "all")
    return f"{end - 2:,}" if column == "rows" else rows[end][rows[0].index(column)]
