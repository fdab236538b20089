"""Media read first, for a Condition that needs a model's words: once each, journaled, resumed, paid for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.support.mock_process import MockProcess
from triptych import api
from triptych.cli.main import app
from triptych.conditions.condition import Condition, find_condition
from triptych.conditions.readings import NeedsTexts, NoText, Texts
from triptych.errors import SpecError
from triptych.experiment.run_commands import run_command
from triptych.records import Item, media, text
from triptych.running.loop import RunOptions
from triptych.running.readings import journals, reading_settings
from triptych.store.folder import RunFolder

WANTED = "ocr:from=model"
ITEM = Item("b/1", "b/t", (media("image", "a.jpg", "content"), text("何意？", "question")))


def carry_out(out: Path, mock: MockProcess, conditions: list[str], *tasks: str, **options: Any) -> api.RunResult:
    """MCS-Bench's mini set, asked of the mock endpoint."""
    ready = api.plan(
        "mcs_bench",
        "openai/mock",
        tasks=tasks or ("T2",),
        conditions=conditions,
        base_url=mock.base_url,
        settings={"temperature": 0},
    )
    return api.run_plan(ready, out=out, options=RunOptions(retries=0, **options), scored=False)


def test_each_picture_is_read_once_and_the_text_stands_beside_it(tmp_path: Path) -> None:
    with MockProcess(answer="echo") as mock:
        result = carry_out(tmp_path / "run", mock, [WANTED], "T2", "T3", "T4")
        asked = [entry["text"] for entry in mock.stats()["requests"].values()]
        again = carry_out(tmp_path / "run", mock, [WANTED], "T2", "T3", "T4")
        assert mock.stats()["received"] == len(asked)  # the same command asks nothing twice
    items = list(RunFolder.open(tmp_path / "run").items())
    pictures = {part.sha256 for item in items for part in item.parts if part.kind == "image"}
    (journal,) = journals(result.folder)
    read = {response.item: response.text for response in journal.history()}
    assert set(read) == {f"image/{digest}" for digest in pictures}
    assert len(items) > len(pictures) and len(asked) == len(items) + len(pictures)
    for item in items:
        picture, added = item.parts[:2]
        assert added.text == f"图中的文字如下：\n{read[f'image/{picture.sha256}']}" and added.role == "content"
    (first,) = result.readings
    assert first.counts == {"answered": len(pictures)} and again.readings == ()
    assert sum("按古代阅读顺序识别" in words for words in asked) >= len(pictures)  # the benchmark's own words for it
    assert result.folder.manifest.conditions == (WANTED,)
    told = result.folder.manifest.readings[WANTED]
    assert told["model"] == "openai/mock" and told["decoding"]["max_tokens"] == 2048


def test_a_picture_that_cannot_be_read_makes_its_items_say_so_and_is_tried_again(tmp_path: Path) -> None:
    with MockProcess(answer="text:学而时习之", always_fail="按古代阅读顺序识别") as mock:
        result = carry_out(tmp_path / "run", mock, [WANTED])
        assert result.readings[0].counts == {"failed": 2} and result.outcome.counts == {"failed": 2}
        responses = list(result.folder.responses())
        assert all(r.attempts == 0 and r.error and r.error.kind == "reading" for r in responses)
        assert "could not be read before the question was asked: failed" in (
            responses[0].error.message if responses[0].error else ""
        )
        mock.configure(always_fail="")
        mended = carry_out(tmp_path / "run", mock, [WANTED])
    assert mended.outcome.counts == {"answered": 2}
    assert {r.status for r in mended.folder.responses()} == {"answered"}
    assert all("学而时习之" in item.parts[1].text for item in mended.folder.items())


def test_a_refused_reading_is_the_items_refusal(tmp_path: Path) -> None:
    with MockProcess(faults={"content_filter": 1.0}) as mock:
        result = carry_out(tmp_path / "run", mock, [WANTED])
    assert result.outcome.counts == {"refused": 2}


def test_a_wrong_key_ends_it_before_any_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "wrong-key-123")
    with MockProcess(key="right") as mock:
        result = carry_out(tmp_path / "run", mock, [WANTED])
        assert mock.stats()["received"] == 0
    assert result.outcome.fatal and result.outcome is result.readings[-1]
    assert not list(result.folder.responses())


def test_readings_count_against_the_budget(tmp_path: Path) -> None:
    with MockProcess(answer="text:字") as mock:
        free = carry_out(tmp_path / "free", mock, [WANTED])
        read = free.readings[0].usage
        spent = (read.input_tokens or 0) + (read.output_tokens or 0)
        assert spent
        bound = carry_out(tmp_path / "bound", mock, [WANTED], budget_tokens=spent + 1, concurrency=1)
    assert bound.readings[0].stopped is None and bound.outcome.stopped and "budget" in bound.outcome.stopped
    assert bound.outcome.counts == {"answered": 1}  # one token was left, which the first question overdrew


def test_another_model_reads_and_a_language_model_answers(tmp_path: Path) -> None:
    """OCR engine and language model (Table 8): here the truth stands in for the engine."""
    with MockProcess(answer="echo") as mock:
        result = carry_out(tmp_path / "run", mock, ["ocr:from=baseline/reference", "blind"])
        assert mock.stats()["received"] == 2
    items = list(result.folder.items())
    assert [part.kind for item in items for part in item.parts] == ["text", "text"] * 2
    truths = {item.hidden["true_text"] for item in items}
    assert {item.parts[0].text.partition("\n")[2] for item in items} == truths
    assert result.readings[0].cost_usd == 0.0


def test_the_model_that_reads_has_an_endpoint_and_settings_of_its_own(tmp_path: Path) -> None:
    with MockProcess(model="reads", answer="echo") as reader, MockProcess(model="m", answer="letter") as mock:
        ready = api.plan(
            "mcs_bench/T2",
            "openai/m",
            conditions=["ocr:from=openai/reads", "blind"],
            base_url=mock.base_url,
            reader_base_url=reader.base_url,
            reader_settings={"revision": "r7"},
        )
        result = api.run_plan(ready, out=tmp_path / "run", options=RunOptions(retries=0), scored=False)
        assert (reader.stats()["received"], mock.stats()["received"]) == (2, 2)
    assert result.outcome.counts == {"answered": 2}
    said = run_command(result.folder.manifest, ready.benchmark.spec, result.folder)
    assert f"--reader-base-url {reader.base_url} -R revision=r7" in said
    assert f"--model-base-url {mock.base_url}" in said


def test_a_presets_reader_has_them_too(tmp_path: Path) -> None:
    told = ["run", "mcs_bench", "--preset", "ocr-llm", "--model", "openai/m", "--base-model", "openai/m", "--json"]
    with MockProcess(model="reads", answer="echo") as reader, MockProcess(model="m", answer="letter") as mock:
        at = ["--model-base-url", mock.base_url, "--reader", "openai/reads", "--reader-base-url", reader.base_url]
        done = CliRunner().invoke(app, [*told, *at, "--limit", "1", "--out", str(tmp_path / "preset")])
        assert done.exit_code == 0, done.output
        assert reader.stats()["received"] and mock.stats()["received"]


@pytest.mark.parametrize("more", [[], ["--condition", "ocr:from=model"], ["--preset", "ocr"]])
def test_an_endpoint_for_a_reader_that_nothing_names_is_refused(more: list[str]) -> None:
    told = ["run", "mcs_bench", "--model", "baseline/reference", "--reader-base-url", "http://127.0.0.1:9/v1"]
    done = CliRunner().invoke(app, [*told, *more])
    assert isinstance(done.exception, SpecError) and "reader" in str(done.exception)


def test_a_dry_run_shows_where_the_text_will_stand() -> None:
    ready = api.plan("mcs_bench/T2", "baseline/reference", conditions=[WANTED])
    request = next(iter(ready.requests()))
    assert any("[what model reads in the picture]" in part.text for part in request.messages[0].parts)
    assert ready.unread == (WANTED,)


def test_a_model_that_takes_no_pictures_is_told_at_once() -> None:
    with pytest.raises(SpecError, match="takes no image"):
        api.plan(
            "mcs_bench/T2",
            "openai/mock",
            conditions=[WANTED],
            base_url="http://127.0.0.1:9/v1",
            settings={"image": "none"},
        )


def test_a_limit_made_for_a_letter_gives_way() -> None:
    assert reading_settings({"max_tokens": 8, "temperature": 0}) == {"max_tokens": 1024, "temperature": 0}
    assert reading_settings({"max_tokens": 4096}) == {"max_tokens": 4096}
    assert reading_settings({}) == {}


def test_the_contract_of_a_condition_that_needs_texts() -> None:
    condition: Condition = find_condition(WANTED)
    assert isinstance(condition, NeedsTexts) and condition.wants and condition.wants.kind == "image"
    assert not isinstance(find_condition("blind"), NeedsTexts)
    assert [part.path for part in condition.media(ITEM)] == ["a.jpg"]
    ready = condition.with_texts(Texts({"a.jpg": "学"}))
    assert ready.wants is None and ready.apply(ITEM).parts[1].text.endswith("\n学")
    lost = condition.with_texts(Texts(missing={"a.jpg": ("refused", "no")}))
    with pytest.raises(NoText) as caught:
        lost.apply(ITEM)
    assert caught.value.status == "refused"
