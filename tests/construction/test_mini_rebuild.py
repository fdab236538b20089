"""The question files that ship are what the code makes of the content files (media left out, nothing spoken)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import triptych.benchmarks
from triptych.construction.mini import (
    __main__,
    classical,
    cmdar_set,
    encode,
    mcga_set,
    mcif_set,
    meanings,
    pictures,
    xmodbench_set,
)

BENCHMARKS = Path(triptych.benchmarks.__file__).parent


@pytest.fixture
def without_media(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence in place of speech, nothing written, and a Latin font where a Chinese one would be needed."""
    quiet = np.zeros(10, np.float32)
    for module in (meanings, cmdar_set, mcga_set, mcif_set):
        monkeypatch.setattr(module, "synthesise", lambda lines, work: dict.fromkeys(lines, quiet))
    for name in ("write_opus", "write_jpeg", "write_mp4"):
        monkeypatch.setattr(encode, name, lambda *_: None)
    for module in (pictures, classical):
        monkeypatch.setattr(module, "chinese_font", pictures.latin_font)
    classical.font.cache_clear()


@pytest.mark.usefixtures("without_media")
@pytest.mark.parametrize("name", list(__main__.SETS))
def test_question_files_are_what_the_code_makes(name: str, tmp_path: Path) -> None:
    __main__.SETS[name](tmp_path, tmp_path)
    made, there = questions(tmp_path), questions(BENCHMARKS / name / "mini")
    assert made
    assert made == there


def questions(root: Path) -> dict[str, bytes]:
    notes = {"MANIFEST.json", "HEARD.json"}
    files = [f for f in root.rglob("*") if f.suffix in __main__.QUESTIONS and f.name not in notes]
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def test_check_passes_on_what_ships_and_fails_on_what_was_changed(tmp_path: Path) -> None:
    import shutil

    for name in __main__.SETS:
        shutil.copytree(BENCHMARKS / name / "mini", tmp_path / name / "mini")
    assert __main__.main(["check", "--to", str(tmp_path)]) == 0
    (tmp_path / "cmdar" / "mini" / "MDAR-open.json").write_text("[]", encoding="utf-8")
    assert __main__.main(["check", "--to", str(tmp_path)]) == 1


def test_spoken_recordings_are_in_the_set() -> None:
    sets = {"xmodbench": xmodbench_set.spoken(), "cmdar": cmdar_set.spoken(), "mcif": mcif_set.spoken()}
    sets["mcga"] = mcga_set.spoken()
    for name, said in sets.items():
        assert said
        assert all((BENCHMARKS / name / "mini" / path).is_file() for path in said)
