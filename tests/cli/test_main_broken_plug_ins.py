"""Plug-ins that raise, end the process or aren't there: what is listed otherwise is listed, and they are told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.commands import triptych

POINTS = "boom = bp_boom\nexit = bp_exit\nmissing = bp_missing\n"
HOUSE = {
    "benchmarks": "xmodbench",
    "metrics": "cer",
    "conditions": "blind",
    "recipes": "mcga",
    "stages": "clip-text",
    "models": "openai",
    "presets": "xmodbench",
}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with a package that offers nothing that works, and takes names of the house."""
    about = tmp_path / "badplug-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: badplug\nVersion: 1.0\n")
    groups = ["benchmarks", "metrics", "conditions", "recipes", "stages", "models"]
    own = {"recipes": "mcga = bp_boom\n", "models": "openai = bp_boom\n"}
    points = [f"[triptych.{group}]\n{POINTS}{own.get(group, '')}" for group in groups]
    (about / "entry_points.txt").write_text("\n".join(points))
    (tmp_path / "bp_boom.py").write_text('raise RuntimeError("boom \\x1b[31m")')
    (tmp_path / "bp_exit.py").write_text("import sys; sys.exit(3)")
    return tmp_path


@pytest.mark.parametrize("what", HOUSE)
def test_broken_plug_ins_are_told_and_take_nothing_away(what: str, packages: Path) -> None:
    path = os.pathsep.join([str(packages), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = triptych("list", what, env={**os.environ, "PYTHONPATH": path})
    told = found.stdout + found.stderr
    assert HOUSE[what] in found.stdout, told
    assert "Traceback" not in told and "\x1b" not in told
    assert found.returncode == 1
    assert all(name in told for name in ("RuntimeError", "SystemExit", "bp_missing")), told


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("metrics", "METRICS is missing"),
        ("conditions", "CONDITIONS is missing"),
        ("stages", "no Stage at its top level"),
        ("recipes", "RECIPE"),
        ("benchmarks", "spec.toml"),
    ],
)
def test_a_module_without_what_its_group_asks_for_is_told(what: str, said: str, tmp_path: Path) -> None:
    about = tmp_path / "badplug-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: badplug\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[triptych.{what}]\nempty = bp_empty\n")
    (tmp_path / "bp_empty.py").touch()
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = triptych("list", what, env={**os.environ, "PYTHONPATH": path})
    assert found.returncode == 1 and "badplug" in found.stderr and said in found.stderr
