"""`check` finds what is wrong with an edition, one planted fault at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.mcif.editions import FIXED, edition, reference, source, write
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError

MCIF = load_benchmark("mcif")


def kinds(data: Path, severity: str = "") -> set[str]:
    return {p.kind for p in MCIF.check(data) if not severity or p.severity == severity}


def test_a_good_edition_has_no_errors_and_other_counts_than_the_release(tmp_path: Path) -> None:
    data = edition(tmp_path, "en", "de")
    assert kinds(data, "error") == set()
    assert kinds(data) == {"file-missing", "count"}


def test_the_mini_set_has_nothing_at_all() -> None:
    assert list(MCIF.check(MCIF.mini)) == []


def test_a_folder_without_any_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no files of MCIF found"):
        list(MCIF.check(tmp_path))


def in_reference(old: str, new: str) -> Callable[[Path], None]:
    return lambda data: _change(data, "MCIF1.0.short.de.ref.xml.gz", reference("de"), old, new)


def in_source(old: str, new: str) -> Callable[[Path], None]:
    return lambda data: _change(data, "MCIF1.0.IF.short.de.src.fixedprompts.xml", source("de"), old, new)


def _change(data: Path, name: str, content: str, old: str, new: str) -> None:
    assert old in content
    write(data, name, content.replace(old, new))


@pytest.mark.parametrize(
    ("severity", "kind", "spoil"),
    [
        ("error", "unreadable", in_reference("</task>", "")),
        ("error", "unreadable", in_source("<testset name='MCIF1.0'>", "<!DOCTYPE x><testset>")),
        ("error", "header", in_reference("text_lang='de'", "text_lang='it'")),
        ("error", "id-doubled", in_reference("id='3'", "id='0'")),
        ("error", "iid-doubled", in_reference("QA_1_2", "QA_1_1")),
        ("error", "task-strange", in_reference("task='TRANS'", "task='ASR'")),
        ("error", "ids-joined", in_reference("id='3'", "id='3,4'")),
        ("error", "reference-empty", in_reference("Ann.", " ")),
        ("error", "lines", in_reference("birds.\nThey", "birds. They")),
        ("error", "qa-type", in_reference("qa_type='AV'", "qa_type='B'")),
        ("warning", "qa-origin", in_reference("General", "Somewhere")),
        ("warning", "language", in_reference("Ich sah zwei", "我看见两")),
        ("error", "id-doubled", in_source("id='3'", "id='0'")),
        ("error", "sample-missing", in_source("id='3'", "id='4'")),
        ("error", "no-reference", in_source("id='3'", "id='4'")),
        ("warning", "text-misplaced", in_source("<audio_path>q0", "<text_path>t.en</text_path><audio_path>q0")),
        ("warning", "wording", in_source("englischem Inhalt nach Deutsch", "englischen Inhalt ins Deutsche")),
        ("note", "wording", in_source("Übersetze", "Singe")),
        ("warning", "wording", in_source(FIXED["de"][0], FIXED["en"][0])),
        ("error", "missing-media", in_source("q0.wav", "gone.wav")),
        ("error", "unsafe-path", in_source("q0.wav", "../../q0.wav")),
        ("error", "empty-media", lambda data: (data / "SHORT_VIDEOS" / "s1.mp4").write_bytes(b"")),
        ("warning", "not-parallel", in_reference("QA_1_2", "QA_1_3")),
        ("warning", "not-parallel", in_source("q0.wav", "q3.wav")),
        ("note", "file-doubled", lambda data: write(data, "MCIF0.9.short.de.ref.xml", reference("de"))),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, severity: str, kind: str, spoil: Callable[[Path], object]) -> None:
    data = edition(tmp_path, "en", "de")
    before = {(p.severity, p.kind) for p in MCIF.check(data)}
    assert (severity, kind) not in before
    spoil(data)
    assert (severity, kind) in {(p.severity, p.kind) for p in MCIF.check(data)}


def test_unanswerable_questions_have_one_answer_a_language(tmp_path: Path) -> None:
    data = edition(tmp_path)
    more = "<sample id='9' iid='QA_1_9' task='QA' qa_type='NA' qa_origin='Abstract'><reference>{}</reference></sample>"
    for answer, told in (("Nobody.", False), ("Someone.", True)):
        write(data, "MCIF1.0.short.en.ref.xml.gz", reference().replace("</task>", more.format(answer) + "</task>"))
        assert ("no-answer" in kinds(data)) == told


@pytest.mark.parametrize("with_references", [True, False])
def test_english_talks_have_sample_ids_of_their_own_as_released(tmp_path: Path, with_references: bool) -> None:
    """The generator makes transcription and translation of a talk two elements, each with ids of its own."""
    data = edition(tmp_path, "en", "de")
    write(data, "MCIF1.0.IF.short.en.src.fixedprompts.xml", source("en", talk_ids=(7, 8)))
    write(data, "MCIF1.0.short.en.ref.xml.gz", reference("en", ids="7,8"))
    if not with_references:
        for path in data.glob("*.ref.xml.gz"):
            path.unlink()
    assert kinds(data) <= {"file-missing", "count"}
    write(data, "MCIF1.0.IF.short.en.src.fixedprompts.xml", source("en", talk_ids=(7, 8)).replace("s2.wav", "s1.wav"))
    assert "not-parallel" in kinds(data), "another file"


def test_translated_talks_have_the_same_sample_ids_in_every_language_and_prompt_set(tmp_path: Path) -> None:
    data = edition(tmp_path, "de")
    name = "MCIF1.0.IF.short.de.src.mixedprompts.xml"
    write(data, name, source("de"))
    assert "not-parallel" not in kinds(data)
    swapped = source("de", talk_ids=(2, 1))
    write(data, name, swapped)
    assert "not-parallel" in kinds(data)
