"""Budgets of stages, models that are not there, and what the command line says of a build that waits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.construction import toy
from tests.construction.test_build import TEXTS, config
from triptych.construction.build import build, estimate, read_config, withdraw
from triptych.construction.recipe import load_recipe
from triptych.errors import DataError, SpecError
from triptych.models import registry
from triptych.models.adapter import Adapter, Reply
from triptych.models.registry import load_adapter
from triptych.records import Usage
from triptych.running.loop import RunOptions

ASKED = len({sentence.strip() for text in TEXTS.values() for sentence in text.split(".")}) - 1  # without "x"


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []
    return toy.Counting.asked


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies of 10 tokens each."""
    respond = toy.Counting.respond

    async def with_usage(self: toy.Counting, request: Any, prepared: Any) -> Reply:
        reply = await respond(self, request, prepared)
        return Reply(reply.text, usage=Usage(6, 4))

    monkeypatch.setattr(toy.Counting, "respond", with_usage)


@pytest.mark.usefixtures("counted")
def test_a_stage_stops_at_its_budget_and_goes_on_with_a_larger_one(tmp_path: Path, counting: list[Any]) -> None:
    options = RunOptions(concurrency=1)
    built = build(toy.RECIPE, config(budgets={"question": {"tokens": 30}}), tmp_path, options=options)
    assert built.stopped and built.stopped.startswith("question: the budget is spent") and not built.complete
    assert len(counting) == 3 and not (tmp_path / "out").exists()
    built = build(toy.RECIPE, config(budgets={"question": {"tokens": 1000}}), tmp_path, options=options)
    assert built.complete and len(counting) == ASKED + 2  # two second attempts, and no reply asked twice


@pytest.mark.usefixtures("counted")
def test_a_budget_in_usd_uses_the_price_of_the_configuration(tmp_path: Path, counting: list[Any]) -> None:
    changed = config(budgets={"question": {"usd": 0.03}})
    options = RunOptions(concurrency=1)
    with pytest.raises(SpecError, match="price"):
        build(toy.RECIPE, changed, tmp_path, options=options)
    changed["models"]["maker"]["price"] = {"input": 1_000, "output": 1_000}
    built = build(toy.RECIPE, changed, tmp_path, options=options)
    assert built.stopped and built.stopped.startswith("question: the budget is spent") and len(counting) == 3
    changed["models"]["maker"]["price"] = {"input": 0, "output": 0}  # a price is no part of what is asked
    assert build(toy.RECIPE, {**changed, "budgets": {}}, tmp_path, options=options).complete
    assert len(counting) == ASKED + 2


@pytest.mark.parametrize("given", [{"sentences": {"tokens": 1}}, {"nothing": {"usd": 1.0}}, {"question": {"eur": 1}}])
def test_budgets_of_no_such_stage_are_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        build(toy.RECIPE, config(budgets=given), tmp_path)


NO_MODEL: list[dict[str, Any]] = [{}, {"maker": {"model": "openai/without-a-key"}}]


@pytest.mark.parametrize("models", NO_MODEL)
def test_a_stage_with_nothing_to_ask_needs_no_model(
    tmp_path: Path, models: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    built = build(toy.RECIPE, {"texts": {"a": "x. y"}, "models": models}, tmp_path)
    assert built.complete and built.counts[-1].came == 0
    with pytest.raises(SpecError, match=r"API key|no model is named"):
        build(toy.RECIPE, config(models=models), tmp_path)


KEYED = ["openai/asked-before", "gemini/asked-before", "anthropic/asked-before"]


@pytest.mark.parametrize("model", KEYED)
def test_what_is_in_the_journals_needs_no_key(
    tmp_path: Path, model: str, counting: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip({"gemini": "google.genai", "anthropic": "anthropic"}.get(model.partition("/")[0], "json"))
    names = [f"{name}_{what}" for name in ("OPENAI", "GEMINI", "ANTHROPIC") for what in ("API_KEY", "BASE_URL")]
    for name in (*names, "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    given = config(models={"maker": {"model": model, "settings": {"revision": "3"}, "decoding": {"seed": 1}}})
    known: list[Adapter] = []

    def with_key(name: str, settings: Mapping[str, Any]) -> Adapter:
        known.append(load_adapter(name, settings))
        asked = toy.Counting(known[-1].settings)
        asked.name, asked.revision = known[-1].name, known[-1].revision
        return asked

    with monkeypatch.context() as keyed:
        keyed.setenv(f"{model.partition('/')[0].upper()}_API_KEY", "none-that-opens-anything")
        keyed.setattr("triptych.construction.build.load_adapter", with_key)
        build(toy.RECIPE, given, tmp_path)
    assert known and len(counting) == ASKED + 2
    built = build(toy.RECIPE, given, tmp_path)
    assert built.complete and built.written == 4
    withdraw(toy.RECIPE, given, tmp_path, ["text:b"])
    assert len(counting) == ASKED + 2
    with pytest.raises(SpecError, match="API key"):
        build(toy.RECIPE, given | {"texts": TEXTS | {"d": "Ten new words"}}, tmp_path)
    assert len(counting) == ASKED + 2


def test_replies_that_were_made_elsewhere_fill_a_role(tmp_path: Path) -> None:
    told = {"question": "What swims?", "answer": "One"}
    path = tmp_path / "replies.jsonl"
    (tmp_path / "own.toml").write_text(
        'texts = { a = "One fish swims. No reply" }\n[models.maker]\nmodel = "replay/lab"\n'
        'settings = { path = "replies.jsonl" }\n',
        encoding="utf-8",
    )
    path.write_text(json.dumps({"id": "a/0", "text": json.dumps(told)}) + "\n", encoding="utf-8")
    built = build(toy.RECIPE, tmp_path / "own.toml", tmp_path / "b", options=RunOptions(retries=0))
    assert built.counts[-1].decisions == {"kept": 1, "failed": 1}
    row = json.dumps({"id": "a/1", "text": json.dumps({**told, "answer": "No"})})
    path.write_text(f"{path.read_text(encoding='utf-8')}{row}\n", encoding="utf-8")
    assert build(toy.RECIPE, tmp_path / "own.toml", tmp_path / "b").counts[-1].decisions == {"kept": 2}
    assert '"name":"replay/lab"' in (tmp_path / "b/out/provenance.jsonl").read_text(encoding="utf-8")
    path.write_text('{"reply": "x"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="no column 'id'"):
        build(toy.RECIPE, tmp_path / "own.toml", tmp_path / "b")


ROWS = {
    "cmdar": ("recordings", "id,path,licence\na,there.wav,cc0-1.0\nb,gone.wav,cc0-1.0\n"),
    "mcs_bench": ("pictures", "id,image,task,question,answer\na,there.wav,T1,?,!\nb,gone.wav,T1,?,!\n"),
    "xmodbench": (
        "triplets",
        "id,subtask,text,audio,category\na,general,dog,there.wav,dog\nb,general,dog,gone.wav,dog\n",
    ),
}


@pytest.mark.parametrize("recipe", ROWS)
def test_a_row_whose_file_is_missing_fails_alone(tmp_path: Path, recipe: str) -> None:
    key, table = ROWS[recipe]
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    (tmp_path / "there.wav").write_bytes(b"RIFF")
    given = '["t.csv"]' if key == "triplets" else '"t.csv"'
    (tmp_path / "own.toml").write_text(f"{key} = {given}\n", encoding="utf-8")
    first = load_recipe(recipe).stages(read_config(load_recipe(recipe), tmp_path / "own.toml")[0].recipe)[0].name
    built = build(recipe, tmp_path / "own.toml", tmp_path / "b", only=[first])
    assert [(c.stage, c.came) for c in built.counts] == [("material", 2), (first, 1)]
    assert built.counts[0].reasons == {"failed: unreadable-file": 1} and not built.complete
    assert estimate(recipe, tmp_path / "own.toml", tmp_path / "b")[0] == 1
    (tmp_path / "gone.wav").write_bytes(b"RIFF")
    assert [c.came for c in build(recipe, tmp_path / "own.toml", tmp_path / "b", only=[first]).counts] == [2]
