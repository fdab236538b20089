"""The catalogue: every row is well-formed and leads somewhere, and names that servers report are recognised."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from triptych.cli.list_models import _row
from triptych.errors import SpecError
from triptych.models.catalogue import HOSTED, CatalogueModel, catalogue, find_model, same_model, select_models
from triptych.models.named import resolve_name
from triptych.models.registry import known_adapters, load_adapter
from triptych.models.worker.environments import environment_of

ROWS = list(catalogue().values())
BENCHMARKS = {"mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"}
OPEN = [row for row in ROWS if set(row.way) & {"hf", "vllm", "environment"}]
each = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)


@pytest.fixture(autouse=True)
def no_weights_and_no_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_the_catalogue_covers_the_five_papers() -> None:
    counts = Counter(paper for row in ROWS for paper in row.papers)
    assert set(counts) == BENCHMARKS
    assert counts["mcga"] == 11 and counts["cmdar"] == 31 and counts["mcif"] == 25
    assert counts["xmodbench"] == 17 and counts["mcs_bench"] == 49
    assert len([row for row in ROWS if row.way == ("cascade",)]) == 10


@each
def test_a_row_is_consistent(row: CatalogueModel) -> None:
    assert row.key == row.key.lower() and " " not in row.key and "/" not in row.key
    assert (row.status == "retired") == bool(row.retired)
    assert ("none" in row.way) == bool(row.reason)
    assert ("cascade" in row.way) == (len(row.steps) == 2) and set(row.steps) <= set(catalogue())
    assert row.successor == "" or row.successor != row.id
    if "hf" in row.way:
        assert row.native and row.class_.isidentifier() and "/" in row.id
    if "environment" in row.way:
        assert row.environment or row.class_


@each
def test_every_row_resolves_to_an_adapter_or_says_what_to_do(
    row: CatalogueModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    if row.way[0] in HOSTED and not row.is_withdrawn():
        assert resolve_name(row.key, {}) == (f"{row.way[0]}/{row.id}", row.endpoint)
    elif row.way[0] in ("baseline", "ocr"):
        assert resolve_name(row.key, {})[0] == row.id
    elif "environment" in row.way:
        assert resolve_name(row.key, {}) == (f"worker/{row.key}", {})
        with pytest.raises(SpecError) as told:
            load_adapter(row.key)
        assert told.value.fix
    else:
        with pytest.raises(SpecError) as told:
            resolve_name(row.key, {})
        assert told.value.fix or row.reason
    if row in OPEN or row.way[0] in HOSTED:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        adapter, settings = resolve_name(row.key, {"base_url": "http://127.0.0.1:1/v1"})
        assert adapter == (f"{row.way[0]}/{row.id}" if row.way[0] in HOSTED else f"openai/{row.id}")
        if adapter.startswith("openai/"):
            assert load_adapter(row.key, settings).name == adapter


def test_each_row_leads_to_an_adapter_an_environment_or_a_reason() -> None:
    """A walk over all rows, as if the services, weights and endpoints that each needs were there."""
    adapters, found = set(known_adapters()), Counter[str]()
    for row in ROWS:
        if row.way[0] == "none":
            assert row.reason
            found["reason"] += 1
        elif row.way[0] == "environment":
            own = environment_of(row.key)
            assert own is not None and (own.file.is_file() if own.runner else own.note)
            found["environment"] += 1
        elif row.way[0] == "cascade":
            assert all(catalogue()[step].way[0] != "none" for step in row.steps)
            found["adapter"] += 1
        else:
            names = {"hf": "hf/", "vllm": "openai/", "baseline": "", "ocr": ""}
            given = names.get(row.way[0], f"{row.way[0]}/") + row.id
            assert given.partition("/")[0] in adapters and given.partition("/")[2]
            found["adapter"] += 1
    assert found == {"adapter": 104, "environment": 25, "reason": 5}


def test_a_name_of_several_models_is_not_guessed() -> None:
    with pytest.raises(SpecError, match="--model human-cmdar or human-xmodbench"):
        resolve_name("human", {})
    assert find_model("Human") is None and find_model("GPT-4o-mini-Audio") is find_model("gpt-4o-mini-audio-preview")


def test_a_service_ends_on_its_date() -> None:
    row = catalogue()["gemini-2.5-flash"]
    assert not row.is_withdrawn(date(2026, 11, 30)) and row.is_withdrawn(date(2026, 12, 1))
    assert catalogue()["gemini-1.5-pro"].is_withdrawn(date(2025, 10, 1))
    assert row.state(date(2026, 11, 30)) == "open" and row.state(date(2026, 12, 1)) == "retired"


def test_the_listing_says_until_when_a_service_offers_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    row = catalogue()["gpt-4o"]
    for gone, status in ((False, "open until 2027-01-14"), (True, "retired 2027-01-14")):
        monkeypatch.setattr(CatalogueModel, "is_withdrawn", lambda self, today=None, gone=gone: gone)
        assert _row(row)["status"] == status and row.as_row()["status"] == status.partition(" ")[0]
        assert (row in select_models(status="retired")) == gone and (row in select_models(status="open")) != gone
    assert _row(catalogue()["qwen2-audio-7b"])["status"] == "open"


def test_models_are_selected_by_benchmark_status_and_tag() -> None:
    assert {row.key for row in select_models("cmdar", "open", "rl")} == {
        "qwen2-audio-7b",
        "r1-aqa",
        "audio-reasoner",
        "omni-r1",
        "midashenglm-7b",
        "deepseek-r1",
    }


SAME = [
    ("gpt-4o", "gpt-4o-2024-11-20"),
    ("gpt-4o", "GPT-4o"),
    ("claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
    ("gemini-2.5-pro", "models/gemini-2.5-pro"),
    ("gemini-2.5-flash", "gemini-2.5-flash-001"),
    ("claude-sonnet-4-5-latest", "claude-sonnet-4-5-20250929"),
    ("zai-org/glm-4v-9b", "THUDM/glm-4v-9b"),
    ("Qwen/Qwen2.5-Omni-7B", "qwen2.5-omni-7b"),
    ("/weights/omni", "omni"),
]
OTHER = [
    ("gemini-2.5-flash", "gemini-3.5-flash-lite"),
    ("gpt-4o", "gpt-4o-mini-2024-07-18"),
    ("gpt-4o", "gpt-4o-mini"),
    ("gpt-4o-2024-05-13", "gpt-4o-2024-11-20"),
    ("gemini-2.5-pro", "gemini-2.5-flash"),
    ("gpt-4", "gpt-4-turbo"),
    ("Qwen/Qwen2.5-Omni-7B", "Qwen/Qwen2.5-Omni-3B"),
    ("a/omni", "b/omni"),
    ("gpt-4o-2024-11-20", "gpt-4o-mini"),
    ("gemini-2.5-flash", "gemini-2.5-flash-lite"),
]


@pytest.mark.parametrize(("asked", "served"), SAME)
def test_another_name_of_the_same_weights_is_the_model_asked_for(asked: str, served: str) -> None:
    assert same_model(asked, served)


@pytest.mark.parametrize(("asked", "served"), OTHER)
def test_another_model_is_never_taken_for_the_one_asked_for(asked: str, served: str) -> None:
    assert not same_model(asked, served) and not same_model(served, asked)


def test_every_pair_of_models_of_the_catalogue_is_distinguished() -> None:
    ids = {row.id for row in ROWS if "/" in row.id or row.way[0] in HOSTED}
    assert all(same_model(one, other) == (one == other) for one in ids for other in ids)
