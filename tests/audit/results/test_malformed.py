"""Malformed results files: a finding each, and the others are audited. MCIF's authors released four such files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from triptych import audit_run, run
from triptych.errors import DataError
from triptych.records import Finding


def rows(count: int, odd: str = "") -> str:
    return "".join(f'"{i}": {{"question": "q", "response": "A{odd}", "correct_answer": "A"}},' for i in range(count))


def folder_of(tmp_path: Path, *, broken: tuple[str, ...]) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for name in ("perception_general_audio_text", "perception_general_audio_vision", "perception_natures_audio_text"):
        text = f'{{"score": 100.0, "correct_count": 40, "all_count": 40, "results": {{{rows(40).rstrip(",")}}}}}'
        (folder / f"{name}.json").write_text(text[:200] if name in broken else text, encoding="utf-8")
    return folder


def malformed(found: list[Finding]) -> list[str]:
    return [f.columns[0] for f in found if f.kind == "malformed"]


def test_the_audit_goes_on_past_malformed_files(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, broken=("perception_general_audio_vision", "perception_natures_audio_text"))
    found = audit_run([folder], benchmark="xmodbench")
    assert malformed(found) == ["perception_general_audio_vision.json", "perception_natures_audio_text.json"]
    assert [f for f in found if f.kind == "coverage" and "40 of" in f.message], "the third file was audited"


def test_a_folder_of_malformed_files_alone_is_an_error(tmp_path: Path) -> None:
    names = ("perception_general_audio_text", "perception_general_audio_vision", "perception_natures_audio_text")
    with pytest.raises(DataError, match="general_audio_text"):
        audit_run([folder_of(tmp_path, broken=names)], benchmark="xmodbench")


def test_the_option_that_the_message_names_exists(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "mcif" / "audio_short_en_fixed_phi_multimodal_output.xml"
    good = shared_data / "mcif" / "audio_short_de_random_phi_multimodal_output.xml"
    folder = tmp_path / "phi"
    folder.mkdir()
    text = source.read_text(encoding="utf-8")
    place = text.index("</sample>")
    (folder / source.name).write_text(text[:place] + "\x0c" + text[place:], encoding="utf-8")
    (folder / good.name).write_bytes(good.read_bytes())
    data = shared_data / "mcif"
    found = audit_run([folder], benchmark="mcif", data=data)
    (told,) = [f for f in found if f.kind == "malformed"]
    assert told.columns == (source.name,) and "--recover" in told.message
    assert not [f for f in audit_run([folder], benchmark="mcif", data=data, recover=True) if "left out" in f.message]
    command = [sys.executable, "-m", "triptych", "audit", "run", str(folder), "--data", str(data), "--recover"]
    assert subprocess.run(command, capture_output=True, check=False).returncode in (0, 1)


@pytest.mark.parametrize("name", ["manifest.json", "responses.jsonl", "items.jsonl"])
def test_a_malformed_run_is_a_finding_and_the_others_are_audited(name: str, tmp_path: Path) -> None:
    for place in ("good", "bad"):
        run("cmdar", "baseline/longest", out=tmp_path / place, limit=6)
    (tmp_path / "bad" / name).write_text("{broken}\n{}\n", encoding="utf-8")
    found = audit_run([tmp_path / "good", tmp_path / "bad"])
    (malformed,) = [f for f in found if f.kind == "malformed"]
    assert malformed.file == str(tmp_path / "bad") and "can't be read and was left out" in malformed.message
    assert "1 Run" in found.verdict
    with pytest.raises(DataError):
        audit_run([tmp_path / "bad"])


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
