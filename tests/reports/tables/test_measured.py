"""Published rows are next to a Run only if it was measured as they were; otherwise in a table of their own."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.published import published_basis
from triptych.records import RunManifest
from triptych.reports.tables import book
from triptych.reports.tables.measured import why_apart

CMDAR = load_benchmark("cmdar")
LAYOUT = next(layout for layout in CMDAR.spec.layouts if layout.id == "main")
BASIS = published_basis(CMDAR.folder / "published")


@pytest.fixture(scope="module")
def whole() -> RunManifest:
    """A Run over the published question files, as the benchmark asks."""
    manifest = api.plan("cmdar", "openai/m", base_url="http://127.0.0.1:9/v1").manifest
    return msgspec.structs.replace(manifest, data="released", data_sha256=BASIS.data[0])


def why(manifest: RunManifest, *marks: str) -> list[str]:
    return list(why_apart(manifest, CMDAR.spec, BASIS, LAYOUT, marks))


def test_a_run_that_was_measured_alike_has_no_reason(whole: RunManifest) -> None:
    assert why(whole) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data_sha256": "0" * 16}, "other question files"),
        ({"conditions": ("blind",)}, "--condition blind"),
        ({"decoding": {"temperature": 2.0, "max_tokens": 256}}, "temperature 2.0 (the benchmark's: 0)"),
        ({"prompt": "open+v1", "prompts": {}}, "prompt v1"),
        ({"prompts": {"v2": {"content": ["{question} It is A."]}}}, "prompt v2"),
        ({"model_settings": {"packing": "silent"}}, "--packing silent"),
        ({"system": "Say A."}, "another system prompt"),
        ({"audio_seconds": 1.0}, "audio_seconds 1"),
        ({"model_settings": {"extra": {"min_p": 0.1}}}, "extra {'min_p': 0.1}"),
        ({"model_settings": {"chat_template_kwargs": {"enable_thinking": False}}}, "chat_template_kwargs"),
    ],
)
def test_what_differs_is_a_reason(whole: RunManifest, changes: dict[str, Any], words: str) -> None:
    assert words in "; ".join(why(msgspec.structs.replace(whole, **changes)))


def test_a_subset_is_a_reason(whole: RunManifest) -> None:
    mark = "on a subset: 24 of the benchmark's 1,500 Units in 1 Task"
    assert why(whole, mark) == [mark]


def test_the_rows_are_in_a_table_of_their_own(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run = api.run("cmdar/main", "baseline/longest", out=tmp_path / "run").folder
    api.report([run.path], to=tmp_path / "out", formats=("csv", "md"), with_published=True)
    own = (tmp_path / "out" / "main.csv").read_text()
    apart = (tmp_path / "out" / "main-published.csv").read_text()
    assert "Kimi-Audio-Instruct" not in own and "Kimi-Audio-Instruct" in apart
    assert "not next to baseline/longest: on the built-in mini set" in (tmp_path / "out" / "notes.csv").read_text()


def test_a_note_says_where_the_papers_question_files_are_unknown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(book.Report, "unlike", lambda *_: {})
    for name, task, known in (("cmdar", "main", True), ("mcga", "asr", False)):
        run = api.run(f"{name}/{task}", "baseline/reference", out=tmp_path / name, limit=4).folder
        api.report([run.path], to=tmp_path / f"to-{name}", formats=("csv",), with_published=True)
        notes = (tmp_path / f"to-{name}" / "notes.csv").read_text()
        assert ("it is not known which version of the question files" in notes) is not known
