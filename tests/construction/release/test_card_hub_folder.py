"""The folder of a built benchmark is loaded by the library `datasets`, as Hugging Face's viewer loads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.construction.report.test_page import CONFIG, WORKS
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildManifest
from triptych.construction.release.card import About, write_card

# In a process of its own: the Hub's client reads HF_HUB_OFFLINE once, when it is imported.
LOAD = """
import json, sys, datasets
cache = sys.argv[1]
for folder in sys.stdin.read().splitlines():
    names = datasets.get_dataset_config_names(folder)
    found = {name: datasets.load_dataset(folder, name, cache_dir=cache) for name in names}
    rows = {name: {split: list(table) for split, table in splits.items()} for name, splits in found.items()}
    print("rows", json.dumps(rows))
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dict[str, Any]]]:
    """Folder -> configuration -> split -> the rows of the table; read in one process, which takes seconds to start."""
    for name in ("datasets", "pypinyin", "datasketch"):
        if find_spec(name) is None:
            pytest.skip(f"{name} isn't installed (it comes with the group test or the extra [build])")
    place = tmp_path_factory.mktemp("hub")
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", LOAD, str(place / "cache")]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # it starts while the benchmark is built
        try:
            folders = (built(place / "b"), small(place / "small/out"))
            printed, _ = process.communicate("".join(f"{folder}\n" for folder in folders))
        finally:
            process.kill()
    assert process.returncode == 0, printed
    lines = [line.partition(" ")[2] for line in printed.splitlines() if line.startswith("rows ")]
    return dict(zip(("built", "small"), map(json.loads, lines), strict=True))


def built(to: Path) -> Path:
    """A benchmark built from texts, with two splits."""
    to.with_name("works.csv").write_text(WORKS, encoding="utf-8")
    config = CONFIG | {"stages": {"split": {"shares": {"train": 0.5, "val": 0.5}}}}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(to.parent)
        assert build("mcga", config, to).complete
    assert (to / "out/MCGA_sqa_val.jsonl").is_file()
    return to / "out"


def small(out: Path) -> Path:
    """A folder with lists in JSON and in lines of JSON, and tables without rows."""
    rows = [
        {"id": "0", "chosens": ["甲", "乙"], "answer": ["甲"], "n": None},
        {"id": "1", "chosens": [], "answer": [], "n": 2},
    ]
    out.mkdir(parents=True)
    (out / "multi.json").write_text(json.dumps(rows), encoding="utf-8")
    (out / "open.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (out / "main.json").write_text("[]", encoding="utf-8")
    (out / "none.jsonl").write_bytes(b"")
    tables = {
        "multi": {"test": "multi.json"},
        "open": {"test": "open.jsonl", "train": "none.jsonl"},
        "main": {"test": "main.json"},
    }
    about = About("Small", "A small benchmark.", "cc-by-4.0", ("zh",), tables)
    write_card(out, about, BuildManifest("toy", "1", {}, ()), [], [])
    assert "main.json" not in (out / "README.md").read_text(encoding="utf-8")
    return out


def test_a_built_benchmark_is_loaded(loaded: dict[str, dict[str, dict[str, Any]]]) -> None:
    found = loaded["built"]
    assert found.keys() == {"asr", "sqa"} and found["sqa"].keys() == {"train", "validation"}
    assert {row["split"] for row in found["sqa"]["validation"]} == {"val"}
    rows = [row for table in found["sqa"].values() for row in table]
    assert sorted(row["id"] for row in rows) == ["w0-000", "w1-000"] and all(row["sqa_a"] for row in rows)


def test_lists_of_json_lines_of_json_and_tables_without_rows(loaded: dict[str, dict[str, dict[str, Any]]]) -> None:
    found = loaded["small"]
    assert {name: list(splits) for name, splits in found.items()} == {"multi": ["test"], "open": ["test"]}
    assert [row["chosens"] for row in found["multi"]["test"]] == [["甲", "乙"], []]
    assert [row["n"] for row in found["open"]["test"]] == [None, 2]
