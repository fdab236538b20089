"""Tests of `api/contracts/benchmark_files.py`: each file that exists is loaded, and what loading says is a fault."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest

from triptych.api.contracts.benchmark_files import file_faults
from triptych.benchmarks import Benchmark, known_benchmarks, load_benchmark


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_the_built_in_benchmarks_have_no_fault(name: str) -> None:
    assert list(file_faults(load_benchmark(name))) == []


CLAIM = "[[claim]]\nwhere = 'S'\nsays = 'x'\nprinted = '7'\nformula = \"cell('T1'\"\n"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """A copy of a built-in benchmark as another package's."""
    shutil.copytree(load_benchmark("cmdar").folder, tmp_path / "labfiles")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    for name in [name for name in sys.modules if name.partition(".")[0] == "labfiles"]:
        monkeypatch.delitem(sys.modules, name)
    return Benchmark("labfiles", tmp_path / "labfiles", "lab-plugin")


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("outputs.py", "raise RuntimeError('kaboom')\n", "kaboom"),
        ("outputs.py", "x = 1\n", "has no read_outputs"),
        ("audit.py", "x = 1\n", "has no audit_data"),
        ("audit.py", "def audit_data(spec, data, tasks):\n    raise ValueError('kaboom')\n", "ValueError: kaboom"),
        ("audit.py", "def audit_data(spec, data, tasks):\n    yield 'leak'\n", "audit_data gives str, not Finding"),
        ("check.py", "async def check(spec, data, tasks): ...\n", "check of check.py is async"),
        ("audit.toml", "[[derived]]\ntargets = 'x'\n", "targets"),
        ("published/claims.toml", CLAIM, "cell('T1'"),
        ("published/tables.csv", "paper,table,model,col,value\n", "columns"),
        ("published/tables.csv", "paper,table,model,column,value\nlab,T1,A,Avg,fifty\n", "fifty"),
        ("figures.toml", "[[figures]]\nid = 'f'\nkind = 'pie'\n", "figures.toml can't be read"),
        ("presets.toml", "[[preset]]\nfoo = 1\n", "unknown field `preset`"),
    ],
)
def test_a_faulty_file_is_named(lab: Benchmark, file: str, content: str, words: str) -> None:
    for other in lab.folder.rglob("*"):  # the file alone speaks
        if other.name in ("audit.toml", "claims.toml", "figures.toml", "presets.toml") or (
            other.suffix == ".csv" and file.endswith(".csv")
        ):
            other.unlink()
    (lab.folder / file).parent.mkdir(exist_ok=True)
    (lab.folder / file).write_text(content, encoding="utf-8")
    found = list(file_faults(lab))
    assert any(words in line for line in found), found


def test_decoding_settings_exist_and_are_numbers(lab: Benchmark) -> None:
    spec = lab.folder / "spec.toml"
    good = spec.read_text("utf-8")
    spec.write_text(good.replace("max_tokens = 256", "max_tokenz = 256"), encoding="utf-8")
    assert any("did you mean 'max_tokens'" in line for line in file_faults(lab))
    other = Benchmark(lab.package, lab.folder, lab.origin)
    spec.write_text(good.replace("max_tokens = 256", 'max_tokens = "many"'), encoding="utf-8")
    assert any("'max_tokens' is not a number" in line for line in file_faults(other))
