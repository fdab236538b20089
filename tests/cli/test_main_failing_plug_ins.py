"""Plug-ins that can be imported and break when they are used: one message that names their package, no traceback."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import triptych
from tests.support import commands

MODELS = {
    "init": "def make(name, settings):\n    raise RuntimeError('no weights')",
    "exits": "import sys\ndef make(name, settings):\n    sys.exit(3)",
    "none": "def make(name, settings):\n    return None",
    "unmade": "SETTINGS = ()",
    "opens": "async def open(self):\n        raise RuntimeError('no weights')",
    "raises": "async def respond(self, request, prepared):\n        raise RuntimeError('no weights')",
    "nothing": "async def respond(self, request, prepared):\n        return None",
    "textual": "accepts = 'text'",
    "counted": "revision = 1",
    "number": "async def respond(self, request, prepared):\n        return Reply(7)",
}
ADAPTER = """
from triptych.models.adapter import Reply, SimpleAdapter

class Own(SimpleAdapter):
    name = "{name}/m"

    {body}

def make(name, settings):
    return Own(settings)
"""
PACKAGE = Path(triptych.__file__).parent / "benchmarks" / "cmdar"
PROTOCOLS = (
    "from triptych.benchmarks.cmdar.protocols import PROTOCOLS as THEIRS\nfrom dataclasses import replace\n"
    "{body}\nPROTOCOLS = {{name: replace(p, {what}) for name, p in THEIRS.items()}}\n"
)
READER = "def source_files(data): return sorted(data.rglob('*.json'))\ndef read(*_): {body}"
OWN = """
from msgspec import structs
from triptych.benchmarks.cmdar import reader

source_files = reader.source_files

def read(spec, *given):
    for item in reader.read(spec, *given):
        yield structs.replace(item, task=item.task.replace("cmdar", spec.name))
"""
BENCHMARKS = {
    "reads": ("reader.py", READER.format(body="raise RuntimeError('boom')")),
    "misreads": ("reader.py", READER.format(body="return [7]")),
    "mistakes": ("reader.py", "from triptych.benchmarks.cmdar.reader import *"),  # Items of Tasks that aren't there
    "readless": ("reader.py", "X = 1"),
    "syntax": ("reader.py", "def ("),
    "untabled": ("protocols.py", "PROTOCOLS = 7"),
    "scores": ("protocols.py", PROTOCOLS.format(body="def own(_): raise RuntimeError('boom')", what="score=own")),
    "misscores": ("protocols.py", PROTOCOLS.format(body="def own(_): return [7]", what="score=own")),
    "aggregates": ("protocols.py", PROTOCOLS.format(body="def own(*_): raise TypeError('boom')", what="aggregate=own")),
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package whose plug-ins all break, each in its own way."""
    root = tmp_path_factory.mktemp("packages")
    points = {"models": list(MODELS), "benchmarks": list(BENCHMARKS), "metrics": ["words"], "recipes": ["starts"]}
    about = root / "badplug-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: badplug\nVersion: 1.0\n")
    lines = [f"[triptych.{group}]\n" + "".join(f"{n} = bp_{n}\n" for n in names) for group, names in points.items()]
    (about / "entry_points.txt").write_text("\n".join(lines))
    for name, body in MODELS.items():
        whole = body if body.startswith(("def", "import", "SETTINGS")) else ADAPTER.format(name=name, body=body)
        (root / f"bp_{name}.py").write_text(whole)
    (root / "bp_words.py").write_text("METRICS = ('accuracy', 7)")
    (root / "bp_starts.py").write_text("RECIPE = 7")
    for name, (file, text) in BENCHMARKS.items():
        folder = root / f"bp_{name}"
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        spec = (PACKAGE / "spec.toml").read_text("utf-8").replace('name = "cmdar"', f'name = "{name}"', 1)
        (folder / "spec.toml").write_text(spec, "utf-8")
        shutil.copytree(PACKAGE / "mini", folder / "mini")
        for module in ("reader", "protocols", "outputs", "check", "statistics"):
            (folder / f"{module}.py").write_text(f"from triptych.benchmarks.cmdar.{module} import *\n")
        (folder / "reader.py").write_text(OWN)
        (folder / file).write_text(text)
    return root


def triptych_says(packages: Path, *arguments: object) -> tuple[int, str]:
    path = os.pathsep.join([str(packages), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = commands.triptych(*arguments, env={**os.environ, "PYTHONPATH": path, "COLUMNS": "400"})
    return found.returncode, found.stdout + found.stderr


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_breaks_is_one_message(name: str, packages: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    asked = ("run", "cmdar/main", "--model", f"{name}/m", "--limit", 1, "--retries", 0, "--out", out)
    code, told = triptych_says(packages, *asked)  # without retries: they would only wait
    assert "Traceback" not in told, told
    if name == "nothing":  # every reply would be one: the run stops at the first
        assert code == 2 and "respond of the adapter gave NoneType instead of a Reply" in told, told
    elif name in ("raises", "number"):  # found while asking: Responses that failed, and a Run that is whole
        statuses = [json.loads(line)["status"] for line in (out / "responses.jsonl").read_text("utf-8").splitlines()]
        assert code in (1, 2) and set(statuses) == {"failed"}, told
    else:
        assert code == 2 and "badplug" in told, told


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_that_breaks_is_one_message(name: str, packages: Path, tmp_path: Path) -> None:
    code, told = triptych_says(
        packages, "run", name, "--model", "baseline/random", "--limit", 1, "--out", tmp_path / "r"
    )
    assert "Traceback" not in told, told
    assert code == 2 and "badplug" in told, told


def test_metrics_of_a_wrong_type_are_left_out_and_told(packages: Path) -> None:
    code, told = triptych_says(packages, "list", "metrics")
    assert code == 1 and "badplug" in told and "METRICS holds str" in told and "cer" in told
    code, told = triptych_says(packages, "run", "cmdar/main", "--model", "baseline/random", "--limit", 1, "--dry-run")
    assert code == 0, told


def test_a_recipe_of_a_wrong_type_is_one_message(packages: Path, tmp_path: Path) -> None:
    code, told = triptych_says(
        packages, "build", "recipe", "starts", "--config", packages / "bp_starts.py", "--to", tmp_path / "b"
    )
    assert code == 2 and "Traceback" not in told and "bp_starts" in told
