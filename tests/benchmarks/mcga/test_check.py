"""`check` on small folders: what is wrong is found, each kind once, and what is right isn't."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcga.names import SPEECH_TASKS
from triptych.errors import DataError
from triptych.media.lengths import cut_sound, seconds_of
from triptych.records import Problem

MCGA = load_benchmark("mcga")
RATE = 8_000


def sound(path: Path, seconds: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, np.linspace(-0.5, 0.5, int(seconds * RATE), dtype=np.float32), RATE)
    return path


def kinds(data: Path, *tasks: str) -> dict[str, Problem]:
    return {p.kind: p for p in MCGA.check(data, MCGA.spec.select(tasks))}


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    sound(tmp_path / "upload/a/1.wav", 4)
    for task in SPEECH_TASKS:
        write(tmp_path, f"MCGA_{task}_test.jsonl", ROW)
    return tmp_path


def test_a_clean_folder_has_the_count_alone_to_tell(clean: Path) -> None:
    found = kinds(clean)
    assert found.keys() == {"count", "partial-release"}
    assert "1 clips" in found["partial-release"].message and "22,000" in found["partial-release"].message
    assert "200" in found["count"].message


@pytest.mark.parametrize(
    ("task", "changes", "kind"),
    [
        ("asr", {"genre": "戏"}, "genre-unknown"),
        ("asr", {"dynasty": "周"}, "dynasty-unknown"),
        ("asr", {"split": "dev"}, "split-unknown"),
        ("asr", {"split": "val"}, "split-differs"),
        ("asr", {"asr": "床\ufffd"}, "encoding"),
        ("su", {"su": "哪个？"}, "options-unread"),
        ("su", {"su": "哪个？A. 甲 C. 乙"}, "options-unread"),
        ("su", {"su": "甲？A. 甲 B. 乙", "su_a": "C"}, "key-not-an-option"),
        ("asr", {"audio": "gone.wav"}, "missing-media"),
        ("asr", {"audio": "../x.wav"}, "unsafe-path"),
        ("asr", {"audio": "empty.wav"}, "empty-media"),
        ("asr", {"audio": "text.wav"}, "unreadable-media"),
        ("asr", {"audio": "short.wav"}, "length"),
        ("asr", {"audio": "long.wav"}, "length"),
        ("asr", {"asr": ""}, "malformed-row"),
    ],
)
def test_every_fault_is_found(clean: Path, task: str, changes: dict[str, str], kind: str) -> None:
    sound(clean / "short.wav", 2)
    sound(clean / "long.wav", 31)
    (clean / "empty.wav").touch()
    (clean / "text.wav").write_text("no sound", encoding="utf-8")
    assert kind not in kinds(clean, task)
    write(clean, f"MCGA_{task}_test.jsonl", ROW | changes)
    assert kind in kinds(clean, task)


def test_a_doubled_row_and_a_missing_file(clean: Path) -> None:
    write(clean, "MCGA_su_test.jsonl", ROW, ROW)
    assert kinds(clean, "su")["row-doubled"].rows == 2
    (clean / "MCGA_sr_test.jsonl").unlink()
    assert kinds(clean, "lr")["file-missing"].task == "mcga/sr"


def test_what_a_constant_answer_scores_is_told(clean: Path) -> None:
    write(clean, "MCGA_su_test.jsonl", *(ROW | {"su": f"{n}{ROW['su']}"} for n in range(6)))
    assert "'B' is correct in 100.0%" in kinds(clean, "su")["key-frequent"].message


def test_the_mini_set_is_no_release() -> None:
    assert not {"count", "partial-release"} & kinds(MCGA.mini).keys()
    with pytest.raises(DataError):
        kinds(Path(__file__).parent / "golden")


def test_cutting_keeps_what_is_short_and_the_beginning_of_what_is_long(tmp_path: Path) -> None:
    short, long = sound(tmp_path / "a.wav", 4), sound(tmp_path / "b.wav", 31)
    assert cut_sound(short.read_bytes(), 30, "a") == short.read_bytes()
    made = cut_sound(long.read_bytes(), 29.9, "b")
    samples, rate = soundfile.read(io.BytesIO(made), dtype="int16")
    whole, _ = soundfile.read(long, dtype="int16")
    assert rate == RATE and len(samples) == 29.9 * RATE
    assert (samples == whole[: len(samples)]).all()
    assert seconds_of(long) == 31
