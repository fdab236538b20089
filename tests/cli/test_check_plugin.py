"""`triptych check-plugin`: packages that follow the contracts, and packages with one fault of each kind."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.commands import triptych

MODEL = """
class Echo:
    revision, settings, accepts, endpoint, deterministic = "", {{}}, frozenset({accepts}), "local", True
    def __init__(self, name): self.name = "echo/" + name
    async def open(self): ...
    async def close(self): ...
    async def prepare(self, request, media): ...
    {respond}

def make({arguments}):
    if settings:
        raise ValueError("no settings")
    return Echo(name)
"""
GOOD_MODEL = {
    "accepts": '{"text"}',
    "respond": "async def respond(self, request, prepared): ...",
    "arguments": "name, settings",
}
METRIC = """
from triptych.metrics.metric import Metric
METRICS = (Metric(id={id!r}, name="Vowels", better="higher", unit="%", range={range!r},
                  statistics=("vowels", "letters"), source={source!r}),)
"""
GOOD_METRIC = {"id": "vowels", "range": (0.0, 100.0), "source": "ours"}
CONDITION = """
class Upper:
    name, summary = "upper", "the question in capitals"
    def apply(self, item):
        return item
from triptych.conditions.condition import Offer
CONDITIONS = {"upper": Offer("Question in capitals.", %s, ())}
"""
STAGE = """
from triptych.construction.record import kept
from triptych.construction.stage import Stage
one = Stage("keep-all", 1, ("text",), ("text",), lambda values, context: kept(), about="All texts.")
"""
TYPED = """
from typing import Annotated, Any
from msgspec import Meta
from triptych.construction.parameters import Parameters
from triptych.construction.record import kept
from triptych.construction.stage import stage

class Length(Parameters, frozen=True):
    most: {most}

@stage("length", version=1, reads=["text"], parameters=Length)
def length(values, context):
    "Drop texts that are too long."
    return kept()
"""


def package(folder: Path, **modules: tuple[str, str]) -> None:
    """Install a package `labplug`: entry point group -> (name, source of its module)."""
    about = folder / "labplug-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: labplug\nVersion: 1.0\n")
    lines = [f"[triptych.{group}]\n{name} = labplug_{group}\n" for group, (name, _) in modules.items()]
    (about / "entry_points.txt").write_text("\n".join(lines))
    for group, (_, source) in modules.items():
        (folder / f"labplug_{group}.py").write_text(source)


def check(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return triptych("check-plugin", "labplug", *options, env={**os.environ, "PYTHONPATH": path})


def test_a_package_that_follows_the_contracts_is_ok(tmp_path: Path) -> None:
    package(
        tmp_path,
        models=("echo", MODEL.format(**GOOD_MODEL)),
        metrics=("vowels", METRIC.format(**GOOD_METRIC)),
        conditions=("upper", CONDITION % "lambda arguments, seed: Upper()"),
        stages=("keep-all", STAGE + TYPED.format(most='Annotated[int, Meta(ge=1, description="most")] = 3')),
    )
    found = check(tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stdout.count(": ok") == 4


@pytest.mark.parametrize(
    ("group", "source", "said"),
    [
        ("models", MODEL.format(**{**GOOD_MODEL, "arguments": "name"}), "make(name, settings)"),
        ("models", MODEL.format(**{**GOOD_MODEL, "accepts": '{"smell"}'}), "unknown kinds: smell"),
        ("models", MODEL.format(**{**GOOD_MODEL, "respond": "def respond(self, request, prepared): ..."}), "coroutine"),
        ("models", MODEL.format(**{**GOOD_MODEL, "respond": "async def respond(self): ..."}), "2 arguments"),
        ("models", MODEL.format(**GOOD_MODEL).replace('"echo/" +', '"" +'), "name is 'check'; expected"),
        (
            "models",
            "from triptych.models.adapter import SimpleAdapter\n"
            "class Mute(SimpleAdapter):\n    name = 'mute/x'\n"
            "def make(name, settings):\n    return Mute(settings)\n",
            "no respond(request, prepared) of its own",
        ),
        ("models", "raise RuntimeError('no GPU')", "RuntimeError: no GPU"),
        (
            "models",
            MODEL.format(**GOOD_MODEL).replace("return Echo(name)", "Echo(name)"),
            "make returns None; expected an adapter",
        ),
        (
            "models",
            "from triptych.models.adapter import SimpleAdapter\n"
            "def make(name, settings):\n    return SimpleAdapter([settings])\n",
            "settings is list; expected a mapping",
        ),
        ("stages", STAGE.replace("kept()", "None"), "keep-all: the function returns None"),
        ("stages", STAGE.replace("keep-all", "options"), "options: Triptych has a stage with this name"),
        ("stages", STAGE.replace("1, (", "'1', ("), "versions count from 1"),
        ("metrics", METRIC.format(**{**GOOD_METRIC, "range": (1.0, 1.0)}), "range is (1.0, 1.0)"),
        ("metrics", METRIC.format(**{**GOOD_METRIC, "source": ""}), "source is empty"),
        ("metrics", METRIC.format(**{**GOOD_METRIC, "id": "Vowels %"}), "'Vowels %'"),
        ("metrics", "METRICS = ()", "missing or empty"),
        ("conditions", CONDITION % "lambda arguments: Upper()", "(arguments, seed)"),
        ("stages", "x = 1", "no Stage at its top level"),
        ("stages", STAGE + "two = Stage('keep-all', 2, ('text',), (), lambda *a: None)", "two stages are named"),
        ("stages", TYPED.format(most="int = 3"), "the parameter 'most' has no meaning"),
        (
            "stages",
            TYPED.format(most='Annotated[int, Meta(ge=1, description="most")] = 0'),
            "the parameter 'most' has a default that its own type or range refuses: 0 (whole number, 1 or more",
        ),
        ("recipes", "RECIPE = 3", "is not a Recipe"),
        ("benchmarks", "", "spec.toml"),
    ],
)
def test_each_fault_is_named(group: str, source: str, said: str, tmp_path: Path) -> None:
    package(tmp_path, **{group: ("mine", source)})
    found = check(tmp_path, "--json")
    assert found.returncode == 1, found.stderr
    (result,) = json.loads(found.stdout)["plug_ins"]
    assert result["kind"] == group and any(said in fault for fault in result["faults"]), result


def test_a_package_that_is_not_installed_is_named() -> None:
    found = triptych("check-plugin", "labplug")
    assert found.returncode == 2 and "labplug" in found.stderr


@pytest.mark.parametrize(("name", "said"), [("openai", "belongs to a built-in adapter"), ("a/b", "contains a slash")])
def test_a_name_that_would_never_be_reached_is_a_fault(tmp_path: Path, name: str, said: str) -> None:
    package(tmp_path, models=(name, MODEL.format(**GOOD_MODEL)))
    found = check(tmp_path)
    assert found.returncode == 1 and said in found.stdout


def test_what_a_package_prints_is_not_in_the_document(tmp_path: Path) -> None:
    package(tmp_path, models=("echo", "print('hello')\n" + MODEL.format(**GOOD_MODEL)))
    found = check(tmp_path, "--json")
    (result,) = json.loads(found.stdout)["plug_ins"]
    assert result["faults"] == [] and "hello" in found.stderr
    assert result["notes"] == ["it prints on standard output, which is sent to standard error: 'hello'"]


def test_a_module_that_ends_the_process_at_once_has_a_fault_and_the_others_are_checked(tmp_path: Path) -> None:
    package(
        tmp_path,
        models=("echo", MODEL.format(**GOOD_MODEL)),
        metrics=("vowels", "import os\nos._exit(3)\n"),
        conditions=("upper", CONDITION % "lambda arguments, seed: Upper()"),
        stages=("keep-all", "raise KeyboardInterrupt\n"),
    )
    found = check(tmp_path, "--json")
    assert found.returncode == 1, found.stderr
    faults = {one["kind"]: one["faults"] for one in json.loads(found.stdout)["plug_ins"]}
    assert faults["models"] == faults["conditions"] == []
    assert "the process ended while this was checked, with exit code 3" in faults["metrics"][0]
    assert faults["stages"] and "KeyboardInterrupt" in faults["stages"][0]


def test_a_module_that_prints_spoils_no_document(tmp_path: Path) -> None:
    package(tmp_path, models=("echo", "print('hello')\n" + MODEL.format(**GOOD_MODEL)))
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = triptych("list", "models", "--json", env={**os.environ, "PYTHONPATH": path})
    assert "echo" in {row["name"] for row in json.loads(found.stdout)} and "hello" in found.stderr
