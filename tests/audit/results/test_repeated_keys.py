"""Tests of `audit/results/repeated_keys.py`: whether an object in the files of a Run has a key twice."""

from __future__ import annotations

from pathlib import Path

from triptych import audit_run, run


def test_a_key_twice_in_a_file_of_a_run_is_severe(tmp_path: Path) -> None:
    folder = run("cmdar/main", "baseline/first", out=tmp_path / "run", limit=4).folder.path
    assert not [f for f in audit_run([folder]) if f.kind == "duplicate"]
    for name, old, new in (
        ("responses", '"status":', '"text":"A","status":'),
        ("items", '"target":', '"target":"B","target":'),
    ):
        path = folder / f"{name}.jsonl"
        first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
        assert old in first
        path.write_text("".join([first.replace(old, new, 1), *rest]), encoding="utf-8")
    found = [f for f in audit_run([folder]) if f.kind == "duplicate"]
    assert [(f.severity, f.columns) for f in found] == [("severe", ("items.jsonl",)), ("severe", ("responses.jsonl",))]
    assert 'line 1: the key "target" is there twice' in found[0].message
