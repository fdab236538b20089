"""A validator of the maker's own family is refused, or named in the card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.errors import SpecError


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    monkeypatch.chdir(tmp_path)
    Path("works.csv").write_text("id,title,author,genre,dynasty,text\n", encoding="utf-8")
    endpoint = "http://127.0.0.1:9/v1"
    models = {
        "maker": {"model": "openai/qwen3", "base_url": endpoint},
        "validator_a": {"model": "openai/qwen2.5", "base_url": endpoint},
        "validator_b": {"model": "openai/llama", "base_url": endpoint},
    }
    return {"works": "works.csv", "year": 2026, "tasks": ["asr"], "record": False, "review": False, "models": models}


def test_it_is_refused(config: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="validator_a judges the work of a model of its own family"):
        build("mcga", config, tmp_path / "b")
    config["models"]["validator_a"]["model"] = "openai/mistral"
    assert build("mcga", config, tmp_path / "b").complete


def test_it_is_named_where_it_is_allowed(config: dict[str, Any], tmp_path: Path) -> None:
    assert build("mcga", {**config, "allow_same_family": True}, tmp_path / "b").complete
    manifest = BuildFolder(tmp_path / "b").manifest()
    assert manifest is not None and manifest.same_family == ("validator_a",)
    assert "not independent judges: validator_a" in (tmp_path / "b/out/README.md").read_text(encoding="utf-8")
