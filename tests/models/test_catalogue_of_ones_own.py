"""Models of a catalogue file of one's own, and names that another service has."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.models.catalogue import CATALOGUE_VARIABLE, catalogue, find_model, read_catalogue, use_catalogue
from triptych.models.named import resolve_name
from triptych.models.registry import load_adapter
from triptych.models.serving.command import Serving, arguments
from triptych.running.prices import load_prices

MINE = """
[[model]]
key = "our-omni"
names = ["Our Omni"]
papers = []
way = ["vllm"]
id = "lab/our-omni"
status = "open"
certainty = "high"
serve = "--max-model-len 4096"
"""


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CATALOGUE_VARIABLE, "")
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_model_of_ones_own_is_found_asked_and_served(tmp_path: Path) -> None:
    assert find_model("our-omni") is None
    use_catalogue(written(tmp_path, MINE))
    assert find_model("Our Omni") is find_model("lab/our-omni") is catalogue()["our-omni"]
    assert resolve_name("our-omni", {"base_url": "http://h:1/v1"})[0] == "openai/lab/our-omni"
    assert arguments("our-omni", Serving())[:5] == ["vllm", "serve", "lab/our-omni", "--max-model-len", "4096"]
    assert find_model("qwen2.5-omni-7b") is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MINE.replace('"high"', '"sure"'), "certainty"),
        (MINE + 'servee = "x"\n', "servee"),
        (MINE.replace('id = "lab/our-omni"\n', ""), "no id"),
        (MINE.replace("our-omni", "Our Omni"), "lower case"),
        (MINE + MINE, "same key"),
        (MINE.replace('key = "our-omni"', 'key = "gpt-4o"'), "has a model with this key"),
        ("[model]\nkey = 1\n", r"one table \[\[model\]\]"),
        ("models = []\n", r"one table \[\[model\]\]"),
        ("[[model\n", "can't be read"),
    ],
)
def test_a_file_that_is_not_well_formed_is_refused(tmp_path: Path, text: str, told: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(SpecError) as error:
        use_catalogue(file)
    assert told.replace("\\", "") in str(error.value) and str(file) in str(error.value)
    assert find_model("our-omni") is None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="can't be read"):
        read_catalogue(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("asked", "fix"),
    [
        ("gemini-4-flash", "gemini/gemini-4-flash"),
        ("google/gemini-4-pro", "gemini/gemini-4-pro"),
        ("gpt-9", "openai/gpt-9"),
        ("claude-opus-99", "anthropic/claude-opus-99"),
        ("lab/their-omni", "hf/lab/their-omni"),
        ("lab/their-omni", "triptych serve lab/their-omni"),
        ("openai/gemini-2.5-pro", "--model gemini/gemini-2.5-pro"),
        ("gemini/gpt-4o", "--model openai/gpt-4o"),
        ("hf/claude-opus-4-5", "--model anthropic/claude-opus-4-5"),
        ("anthropic/o3", "--model openai/o3"),
    ],
)
def test_a_wrong_adapter_is_refused_with_the_right_one(asked: str, fix: str) -> None:
    with pytest.raises(SpecError) as error:
        load_adapter(asked)
    assert fix in str(error.value.fix)


def test_a_gateway_may_have_any_model() -> None:
    assert load_adapter("openai/gemini-2.5-pro", {"base_url": "http://127.0.0.1:1/v1"}).name == "openai/gemini-2.5-pro"


def test_a_service_with_an_address_of_its_own_is_asked_there() -> None:
    name, settings = resolve_name("qwen3.5-omni-plus", {})
    adapter = load_adapter(name, settings)
    assert adapter.endpoint == "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"
    assert resolve_name("qwen3.5-omni-plus", {"base_url": "http://h/v1"})[1] == {"base_url": "http://h/v1"}


def test_a_stated_limit_of_films_is_at_least_the_four_of_xmodbench() -> None:
    """A question with a recording has four films as options. Without a stated limit, vLLM has none that matters."""
    rows = [row for row in catalogue().values() if "xmodbench" in row.papers and '"video":' in row.serve]
    assert len(rows) >= 2
    assert all(int(row.serve.partition('"video":')[2].partition("}")[0]) >= 4 for row in rows)


def test_a_price_ends_on_its_last_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gemini 3.8 Flash costs half until the end of 2026."""
    for day, dollars in ((date(2026, 12, 31), 0.75), (date(2027, 1, 1), 1.5)):
        monkeypatch.setattr("triptych.running.prices.date", type("Day", (), {"today": staticmethod(lambda d=day: d)}))
        prices = load_prices(None)
        found = prices.find("gemini/gemini-3.8-flash", "https://generativelanguage.googleapis.com/v1beta", frozenset())
        assert found is not None and found.input == dollars
