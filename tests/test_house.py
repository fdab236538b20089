"""The house rule: a room imports only from rooms above it, and what is general never names a benchmark."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "triptych"
# Reading order. A room may import from itself, from rooms before it, and from the files of `FREE`.
ROOMS = [
    "records",
    "store",
    "metrics",
    "prompts",
    "media",
    "conditions",
    "models",
    "running",
    "judges",
    "protocols",
    "releases",
    "benchmarks",
    "scoring",
    "experiment",
    "analysis",
    "audit",
    "reports",
    "construction",
    "training",
    "api",
    "interchange",
    "web",
    "viewer",
    "portal",
    "cli",
]
FREE = {"errors", "secrets", "importing", "cores", "logs", "version"}
# Imports that the order would allow, and that tie rooms together which need not know each other. How each does without:
REFUSED = {
    (
        "construction",
        "audit",
    ): "`api.build_verdict` has a finished build audited, and passes that function to the build",
    ("portal", "reports"): "texts from outside are made harmless by `records.harmless`",
    ("releases", "models"): "partial downloads and the cache folder are in `store`",
    ("web", "models"): "the cache folder is in `store`",
    (
        "reports",
        "running",
    ): "costs are summed in `analysis.response_cost`; `experiment.run_commands` has the commands of a Run",
    ("reports", "models"): "`analysis.catalogue_facts` says what is known of a model",
    ("reports", "judges"): "`analysis.raters.calibrated` makes a table of a judge's calibration",
    ("audit", "running"): "an audit reads what a Run has written",
    ("audit", "judges"): "an audit asks no judge",
}
NAMELESS = ["models", "running", "metrics", "prompts", "protocols", "releases"]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        room = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if room not in {"__init__", "__main__"} | FREE:
            yield room, path


@cache
def imported_rooms(path: Path) -> tuple[str, ...]:
    rooms: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            whole = node.module == "triptych"
            names = [f"triptych.{a.name}" for a in node.names] if whole else [node.module]
        elif isinstance(node, ast.Import):
            names = [f"{a.name}." if a.name == "triptych" else a.name for a in node.names]
        rooms += [n.split(".")[1] for n in names if n.startswith("triptych.")]
    return tuple(rooms)


def test_every_room_is_in_the_order() -> None:
    assert {room for room, _ in modules()} <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_above(room: str) -> None:
    above = set(ROOMS[: ROOMS.index(room) + 1]) | FREE
    wrong = [
        f"{path.relative_to(ROOT)} imports {other}"
        for name, path in modules()
        if name == room
        for other in imported_rooms(path)
        if other not in above
    ]
    assert not wrong


@pytest.mark.parametrize(("room", "other"), REFUSED, ids="-".join)
def test_an_arrow_that_was_removed_stays_away(room: str, other: str) -> None:
    wrong = [
        path.relative_to(ROOT).as_posix() for name, path in modules() if name == room and other in imported_rooms(path)
    ]
    assert not wrong, f"{room} doesn't need {other}: {REFUSED[room, other]}"


def test_no_module_imports_the_package_itself() -> None:
    """`triptych/__init__` refers to `api`, so an import of it leads upward; the version is in `triptych.version`."""
    wrong = [
        f"{path.relative_to(ROOT)}: {other or 'triptych'}"
        for _, path in modules()
        for other in imported_rooms(path)
        if other not in {*ROOMS, *FREE}
    ]
    assert not wrong


def imports() -> dict[str, set[str]]:
    """Module -> the modules that it imports, those for types alone among them."""
    paths = {".".join(p.relative_to(ROOT.parent).with_suffix("").parts): p for p in ROOT.rglob("*.py")}
    paths = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        own = found[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                each = {f"{node.module}.{alias.name}" for alias in node.names}
                own |= {one if one in paths else node.module for one in each} & paths.keys()
            elif isinstance(node, ast.Import):
                own |= {alias.name for alias in node.names} & paths.keys()
    return found


def test_no_files_import_each_other_in_a_circle() -> None:
    left = {name: own - {name} for name, own in imports().items()}
    while ground := {name for name, own in left.items() if not own & left.keys()}:
        left = {name: own for name, own in left.items() if name not in ground}
    assert not circle_in(left)


def circle_in(left: dict[str, set[str]]) -> list[str]:
    """One circle of those that are left, in words."""
    if not left:
        return []
    trail = [next(iter(left))]
    while trail[-1] not in trail[:-1]:
        trail.append(min(left[trail[-1]] & left.keys()))
    return trail[trail.index(trail[-1]) :]


@pytest.mark.parametrize("room", NAMELESS)
def test_what_is_general_names_no_benchmark(room: str) -> None:
    names = [p.parent.name for p in ROOT.glob("benchmarks/[!_]*/spec.toml")]
    assert names
    wrong = [
        f"{path.relative_to(ROOT)} names {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name in names
        if name in path.read_text(encoding="utf-8").lower()
    ]
    assert not wrong


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    heavy = [
        "numpy",
        "polars",
        "aiohttp",
        "rich",
        "PIL",
        "soundfile",
        "onnxruntime",
        "faster_whisper",
        "torch",
        "scipy",
        "msgspec",
    ]
    code = f"import sys, triptych.cli.main; print([m for m in {heavy!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "[]"
