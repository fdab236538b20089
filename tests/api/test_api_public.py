"""The public interface: everything is exported, typed and documented, and a type checker sees it."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import triptych
from tests.docs.making import python_reference
from triptych import api
from triptych.experiment.planning import PlanArguments

ROOT = Path(triptych.__file__).parent
CLASSES = {
    **{name: getattr(triptych, name) for name in triptych.__all__ if inspect.isclass(getattr(triptych, name))},
    **python_reference.results(),
}
FUNCTIONS = [name for name in triptych.__all__ if inspect.isfunction(getattr(triptych, name))]


def test_what_the_package_exports_is_what_the_interface_has() -> None:
    shared = {*api.__all__} - {"audit"}  # `triptych.audit` is a package: the function is `triptych.api.audit`
    assert sorted(triptych.__all__) == sorted([*shared, "__version__"])
    assert not {path.name for path in ROOT.iterdir()} & {*triptych.__all__}
    exported = {
        alias.name
        for node in ast.walk(ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "triptych.api"
        for alias in node.names
    }
    assert exported == shared


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_is_typed_and_names_its_parameters(name: str) -> None:
    signature = inspect.signature(getattr(triptych, name))
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty, parameter.name
        if "Unpack[" not in str(parameter.annotation):
            assert parameter.kind not in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def test_what_is_passed_on_to_a_plan_has_the_plans_arguments() -> None:
    found = inspect.signature(triptych.plan).parameters
    named = {name: str(one.annotation) for name, one in found.items() if one.kind is inspect.Parameter.KEYWORD_ONLY}
    passed = {name: one.__forward_arg__ for name, one in PlanArguments.__annotations__.items()}
    assert passed == named
    run = inspect.signature(triptych.run).parameters
    assert {name: str(run[name].annotation) for name in named} == named


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_documented_arguments_are_the_functions(name: str) -> None:
    function = getattr(triptych, name)
    document = inspect.getdoc(function) or ""
    assert document and document[0].isupper()
    _, found, rest = document.partition("\nArgs:\n")
    assert found or name == "plan"  # its arguments are those of `run`
    if found:
        entries = re.findall(r"^    (\w[\w, ]*): ", rest.split("\n\n")[0], re.M)
        named = [one.strip() for entry in entries for one in entry.split(",")]
        assert named == list(inspect.signature(function).parameters)
    assert all(f"\n{section}:\n" in document for section in ("Returns", "Raises", "Example"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_public_function_prints_what_it_shows(name: str) -> None:
    for package in ("polars", "pypinyin", "datasketch", "soundfile"):
        pytest.importorskip(package, reason=f"{package} comes with the extras of the tests")
    function = inspect.unwrap(getattr(triptych, name))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    found = doctest.DocTestFinder(recurse=False).find(function, name, globs=dict(vars(inspect.getmodule(function))))
    assert sum(len(one.examples) for one in found) > 0
    assert sum(runner.run(one).failed for one in found) == 0


@pytest.mark.parametrize("name", [*CLASSES])
def test_the_page_describes_every_attribute_of_a_public_class(name: str) -> None:
    rows = [*python_reference.attributes(CLASSES[name])]
    assert [row for row in rows if row.endswith("|  |")] == []
    described = set(python_reference.described_attributes(CLASSES[name]))
    assert (
        described <= {row.split("`")[1] for row in rows} or name == "Audited"
    )  # its attributes are set by its own code


def test_what_a_notebook_shows_of_a_plan_and_a_result_is_one_line(tmp_path: Path) -> None:
    ready = triptych.plan("cmdar/main", "baseline/longest", conditions=["blind"], limit=2)
    assert repr(ready) == "Plan('cmdar', 'baseline/longest', tasks=['main'], conditions=['blind'])"
    result = triptych.run_plan(ready, out=tmp_path / "run", protocols=["official"])
    figures = len(result.scores["official"])
    shown = f"RunResult('{tmp_path / 'run'}', {{'answered': 2}}, scores={{'official': '{figures} figures'}})"
    assert repr(result) == shown


@cache
def attributes() -> list[tuple[str, str, ast.ClassDef]]:
    return [
        (str(path.relative_to(ROOT)), node.name, node)
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]


def targets(node: ast.AST) -> list[str]:
    """The public attributes of `self` that an assignment without an annotation sets."""
    if not isinstance(node, ast.Assign):
        return []
    flat = [one for target in node.targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [
        one.attr
        for one in flat
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self"
    ]


def test_public_attributes_are_annotated() -> None:
    """Type checkers infer the type of an attribute without an annotation in different ways."""
    declared: set[str] = set()
    for _, _, node in attributes():
        for inner in ast.walk(node):
            if isinstance(inner, ast.AnnAssign):
                declared.add(
                    inner.target.attr if isinstance(inner.target, ast.Attribute) else ast.unparse(inner.target)
                )
    assert len(declared) > 500
    missing = [
        f"{path}: {name}.{attribute}"
        for path, name, node in attributes()
        for inner in ast.walk(node)
        for attribute in targets(inner)
        if not attribute.startswith("_") and attribute not in declared
    ]
    assert missing == []


def test_a_wrong_call_is_found_by_a_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is a tool of the development environment")
    (tmp_path / "wrong.py").write_text(
        "import triptych\n"
        "triptych.comprae()\n"
        "triptych.run('cmdar', 'baseline/random', limit='3')\n"
        "from triptych import api\n"
        "api.audit('tables', 'cmdar', recover=True)\n"
        "reveal_type(triptych.run('cmdar', 'baseline/random').scores)\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--follow-imports=silent",
        "--no-incremental",
        "wrong.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("wrong.py")]
    assert any('wrong.py:2: error: Module has no attribute "comprae"' in line for line in lines)
    assert any(line.startswith('wrong.py:3: error: Argument "limit"') for line in lines)
    assert any(line.startswith("wrong.py:5: error: No overload variant") for line in lines)
    assert any("dict[str, list[triptych.records.scores.Aggregate]]" in line for line in lines)


def test_the_page_of_the_functions_is_what_the_code_makes() -> None:
    assert python_reference.PAGE.read_text(encoding="utf-8") == python_reference.reference(), (
        "run `python docs/making/python_reference.py`, and commit docs/python-reference.md"
    )
