"""One bad Run among good ones: a bad line in a list, never the end of the list."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.viewer.conftest import TestClient
from triptych.errors import TriptychError
from triptych.viewer.app import make_app

MANIFESTS: dict[str, dict[str, Any]] = {
    "a benchmark of 5,000 characters": {"benchmark": "x" * 5000},
    "a benchmark that climbs out": {"benchmark": "../../etc"},
    "a NUL byte": {"benchmark": "a\0b", "data": "\0"},
    "readings without a model": {"readings": {"ocr": {}}},
    "readings of another kind": {"readings": {"ocr": {"model": 3, "x": [1]}}},
    "a Condition of 6,000 characters": {"conditions": ["x" * 6000]},
    "numbers out of range": {"seed": 2**63, "planned": 2**64 - 1, "limit": -1, "audio_seconds": 1e308},
}
LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "a place out of range": ("items.jsonl", {"place": 2**64 - 1}),
    "a place below 0": ("items.jsonl", {"place": -1}),
    "a Unit of 10⁹ Items": ("items.jsonl", {"unit": "u", "unit_size": 10**9}),
    "a repeat out of range": ("responses.jsonl", {"repeat": 2**64 - 1}),
    "a repeat below 0": ("responses.jsonl", {"repeat": -1}),
    "tokens out of range": ("responses.jsonl", {"usage": {"input_tokens": 2**64 - 1, "output_tokens": -3}}),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("good")
    triptych.run("cmdar/main", "baseline/random", out=root / "run", seed=1, limit=2)
    return root / "run"


def make_bad(good: Path, bad: Path, what: str) -> None:
    """A copy of the good Run with one thing changed."""
    shutil.copytree(good, bad)
    (bad / "summary.json").unlink()
    if change := MANIFESTS.get(what):
        path = bad / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    else:
        name, change = LINES[what]
        lines = [json.loads(line) | change for line in (bad / name).read_text("utf-8").split("\n") if line]
        (bad / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@pytest.mark.parametrize("what", [*MANIFESTS, *LINES])
def test_the_viewer_shows_the_others_and_says_what_is_wrong(what: str, good: Path, tmp_path: Path, cache: Path) -> None:
    shutil.copytree(good, tmp_path / "good")
    make_bad(good, tmp_path / "bad", what)
    client = TestClient(make_app(tmp_path), base_url="http://127.0.0.1:8765", raise_server_exceptions=True)
    home = client.get("/")
    assert home.status_code == 200 and 'href="/runs/good/"' in home.text and "bad" in home.text
    assert client.get("/runs/good/").status_code == 200
    for page in ("/runs/bad/", "/runs/bad/items", "/compare?a=good&b=bad", "/compare?a=bad&b=good"):
        assert "a fault of Triptych" not in client.get(page).text, page


def test_a_report_over_the_folder_has_the_others(good: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    shutil.copytree(good, runs / "good")
    for number, what in enumerate([*MANIFESTS, *LINES]):
        make_bad(good, runs / f"bad {number}", what)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert triptych.report([runs], to=tmp_path / "out", formats=["csv", "html"])
    shown = "\n".join(path.read_text("utf-8") for path in (tmp_path / "out").rglob("*.csv"))
    assert "baseline/random" in shown
    left_out = [str(one.message) for one in told if "is left out" in str(one.message)]
    assert left_out and all(str(runs / "bad") in message for message in left_out)


def test_a_run_that_is_named_and_cannot_be_read_is_an_error(good: Path, tmp_path: Path) -> None:
    shutil.copytree(good, tmp_path / "bad")
    (tmp_path / "bad" / "manifest.json").write_text("{}")
    with pytest.raises(TriptychError):
        triptych.report([good, tmp_path / "bad"], to=tmp_path / "out", formats=["csv"])
