"""A stage whose code changed must have a new version: else builds would serve what the old code decided.

`golden/stages.json` holds the versions of all stages, shared ones and those of each recipe, and a digest of the syntax
tree (comments and docstrings aside) of every module that their outcomes rest on: the modules that stages are in, and
those of `triptych.media`, `triptych.metrics`, `triptych.prompts`, `triptych.conditions` and the reading of replies that
these import, directly or through others.

`python -m tests.construction.test_stages_pinned` says what differs from that file and writes nothing. After a change
that can change an outcome, raise the `version` of the stages that the failure names; then, or if no outcome can change,
write the file with `--write`.

The shared checks of texts (the modules of `triptych.construction.text_checks`) have one number for all stages that use
one of them: after a change of these modules raise `NUMBER` in its module `number`, or run the command with
`--same-decisions` (which writes, too) if no check decides differently about any text. Otherwise it refuses to write.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from triptych.construction.recipe import known_recipes, load_recipe
from triptych.construction.stage import Stage
from triptych.construction.stages import known_stages
from triptych.construction.text_checks.number import CHECKS, NUMBER, uses_checks

GOLDEN = Path(__file__).parent / "golden/stages.json"
ROOT = Path(__file__).parents[2] / "src"
# Modules of the package itself that move outcomes about and make none; so does the engine.
CARRIERS = ("__init__", "build", "listing", "merge", "parameters", "recipe", "record", "stage")
# What an outcome may rest on
OUTCOMES = (
    "triptych.media",
    "triptych.metrics",
    "triptych.prompts",
    "triptych.conditions",
    "triptych.construction.stages",
    "triptych.construction.recipes",
    "triptych.construction.asking.reading",
    "triptych.construction.asking.prompt",
    "triptych.construction.people.reviews",
    "triptych.construction.text_checks",
    *(
        f"triptych.construction.{path.stem}"
        for path in sorted((ROOT / "triptych/construction").glob("*.py"))
        if path.stem not in CARRIERS
    ),
)


def found() -> dict[str, Any]:
    """Versions by stage (`mcga: s2tt` for one that belongs to a recipe), which check texts, and digests by module."""
    stages = _stages()
    modules = sorted({own for name in stages for own in rests_on(_home(name, stages[name]))})
    return {
        "text_checks": NUMBER,
        "versions": {name: stage.version for name, stage in sorted(stages.items())},
        "check_texts": sorted(name for name, stage in stages.items() if uses_checks(stage)),
        "modules": {name.removeprefix("triptych."): digest(name) for name in modules},
    }


@cache
def rests_on(module: str) -> frozenset[str]:
    """The modules that the outcomes of a module's stages rest on, itself among them."""
    reached, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _imported(name)
    return frozenset(name for name in reached if name.startswith(OUTCOMES))


def digest(module: str) -> str:
    """Eight hex digits of a module's syntax tree without docstrings."""
    tree = ast.parse(_file(module).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0].value.value = ""
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:8]


def _stages() -> dict[str, Stage]:
    shared = {name: stage for name, (stage, origin) in known_stages().items() if origin == "triptych"}
    own: dict[str, Stage] = {}
    for name, (_, origin) in known_recipes().items():
        if origin == "triptych":
            made = load_recipe(name).every_stage()
            own |= {f"{name}: {s.name}": s for s in made if s.name not in shared or s.run is not shared[s.name].run}
    return shared | own


def _home(name: str, stage: Stage) -> str:
    """The module that a stage is made in: the recipe's, or that of its function."""
    recipe, colon, _ = name.partition(": ")
    return known_recipes()[recipe][0] if colon else stage.run.__module__


@cache
def _imported(module: str) -> tuple[str, ...]:
    """The modules of the package that a module imports and an outcome may rest on, wherever the import stands."""
    names: list[str] = []
    for node in ast.walk(ast.parse(_file(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return tuple(filter(_followed, dict.fromkeys(names)))


def _followed(name: str) -> bool:
    # Stages that ask models import the asking, through which their replies are read.
    return name.startswith((*OUTCOMES, "triptych.construction.asking.stage")) and _file(name).is_file()


def _file(module: str) -> Path:
    path = ROOT / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _resting_on(module: str) -> list[str]:
    name = f"triptych.{module}"
    stages = _stages()
    return sorted(own for own, stage in stages.items() if name in rests_on(_home(own, stage)))


def test_every_stage_and_what_it_rests_on_is_as_pinned() -> None:
    pinned, now = json.loads(GOLDEN.read_text(encoding="utf-8")), found()
    changed = {
        module: _resting_on(module)
        for module in now["modules"]
        if now["modules"][module] != pinned["modules"].get(module)
    }
    assert not changed, f"see the docstring of {__name__}; modules that changed, and the stages that rest on them"
    assert now == pinned, f"see the docstring of {__name__}"


def test_every_stage_describes_itself() -> None:
    for name, (stage, _) in known_stages().items():
        assert stage.about.endswith("."), name
        assert stage.run.__doc__, name


def test_what_cuts_films_is_among_what_stages_rest_on() -> None:
    assert {"triptych.media.segments", "triptych.media.sound.coding"} <= rests_on("triptych.construction.stages.clips")
    assert "triptych.construction.asking.reading" in rests_on("triptych.construction.stages.validation")
    assert "triptych.construction.text_checks.translation.facts" in rests_on("triptych.construction.stages.talks")
    assert import_module("triptych.media.segments").__file__ == str(_file("triptych.media.segments"))


def changed_checks(pinned: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Modules of checks of texts that changed while the number of the checks stayed."""
    if now["text_checks"] != pinned.get("text_checks"):
        return []
    before, after = pinned["modules"], now["modules"]
    names = (name for name in sorted(before.keys() | after.keys()) if f"triptych.{name}".startswith(CHECKS))
    return [name for name in names if before.get(name) != after.get(name)]


def test_a_changed_check_of_texts_asks_for_a_new_number() -> None:
    now = json.loads(GOLDEN.read_text(encoding="utf-8"))
    other = now | {"modules": now["modules"] | {"construction.text_checks.wording": "00000000"}}
    assert changed_checks(other, now) == ["construction.text_checks.wording"]
    assert not changed_checks(other | {"text_checks": now["text_checks"] - 1}, now)
    other = now | {"modules": now["modules"] | {"construction.stages.clips": "00000000"}}
    assert not changed_checks(other, now)


def differences(pinned: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What differs, in lines: the checks' number, versions, the stages that check texts, and modules."""
    lines = []
    if pinned["text_checks"] != now["text_checks"]:
        lines.append(f"text_checks: {pinned['text_checks']} -> {now['text_checks']}")
    for part in ("versions", "modules"):
        before, after = pinned[part], now[part]
        names = (name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name))
        lines += [f"{part}: {name}: {before.get(name, 'none')} -> {after.get(name, 'none')}" for name in names]
    changed = sorted(set(pinned["check_texts"]) ^ set(now["check_texts"]))
    return lines + [f"check_texts: {name}" for name in changed]


def main(arguments: Sequence[str], path: Path = GOLDEN) -> str | int:
    """Compare the file with the stages; write it only with `--write` or `--same-decisions`. Return the exit status."""
    if unknown := set(arguments) - {"--write", "--same-decisions"}:
        return f"unknown: {' '.join(sorted(unknown))}. Options: --write, --same-decisions"
    pinned, now = json.loads(path.read_text(encoding="utf-8")), found()
    lines = differences(pinned, now)
    print(*(lines or ["nothing differs"]), sep="\n")
    if not arguments:
        return (
            f"{path.name} is unchanged; --write writes it (see the docstring of {Path(__file__).name})" if lines else 0
        )
    if (unraised := changed_checks(pinned, now)) and "--same-decisions" not in arguments:
        return f"changed: {', '.join(unraised)}. Raise NUMBER in text_checks/number.py, or give --same-decisions"
    path.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    return 0


def test_the_command_writes_only_if_it_is_asked_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, current = tmp_path / "stages.json", json.loads(GOLDEN.read_text(encoding="utf-8"))
    old = current | {"modules": current["modules"] | {"construction.stages.clips": "00000000"}}
    path.write_text(json.dumps(old), encoding="utf-8")
    assert "--write" in str(main([], path))
    assert "modules: construction.stages.clips: 00000000 -> " in capsys.readouterr().out
    assert json.loads(path.read_text(encoding="utf-8")) == old
    assert "--same-decision" in str(main(["--same-decision"], path))
    assert json.loads(path.read_text(encoding="utf-8")) == old
    assert main(["--write"], path) == 0
    assert json.loads(path.read_text(encoding="utf-8")) == current
    assert main([], path) == 0


def test_a_check_of_texts_that_changed_is_written_only_as_the_same_decisions(tmp_path: Path) -> None:
    path, current = tmp_path / "stages.json", json.loads(GOLDEN.read_text(encoding="utf-8"))
    old = current | {"modules": current["modules"] | {"construction.text_checks.wording": "00000000"}}
    path.write_text(json.dumps(old), encoding="utf-8")
    assert "construction.text_checks.wording" in str(main(["--write"], path))
    assert json.loads(path.read_text(encoding="utf-8")) == old
    assert main(["--same-decisions"], path) == 0
    assert json.loads(path.read_text(encoding="utf-8")) == current


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
