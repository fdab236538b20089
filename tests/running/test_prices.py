"""Tests of `running/prices.py`: prices of answers, from a dated file, TOML or JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.records import Kind, Response, Usage
from triptych.running.prices import BUILT_IN, EXAMPLE, load_prices
from triptych.running.tally import Tally

TEXT: frozenset[Kind] = frozenset({"text"})
SOUND: frozenset[Kind] = frozenset({"text", "audio"})
OWN = """
as_of = "2026-01-01"
source = "a contract"
[[price]]
model = "openai/qwen*"
endpoint = "https://lab.example"
kinds = ["text"]
input = 2.0
cached_input = 0.5
output = 8.0
[[price]]
model = "openai/gpt-4o"
input = 1.0
output = 1.0
"""


def test_costs_by_hand(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(OWN)
    prices = load_prices(tmp_path / "p.toml")
    lab = "https://lab.example/v1"
    assert prices.cost("openai/qwen-3", lab, TEXT, Usage(1_000_000, 500_000)) == pytest.approx(6.0)
    assert prices.cost("openai/qwen-3", lab, TEXT, Usage(1_000_000, 0, None, 400_000)) == pytest.approx(1.4)
    assert prices.cost("openai/qwen-3", lab, SOUND, Usage(10, 10)) is None, "audio is charged otherwise"
    assert prices.cost("openai/qwen-3", "http://localhost:8000/v1", TEXT, Usage(10, 10)) is None
    assert prices.cost("openai/qwen-3", lab, TEXT, None) is None
    assert prices.cost("openai/qwen-3", lab, TEXT, Usage(10, None)) is None
    assert prices.cost("openai/gpt-4o", lab, SOUND, Usage(1_000_000, 0)) == 1.0, "one's own file comes first"


def test_built_in_prices_are_dated_and_what_is_free_is_free() -> None:
    prices = load_prices()
    assert prices.cost("openai/gpt-4o-mini", "https://api.openai.com/v1", TEXT, Usage(1_000_000, 1_000_000)) == 0.75
    assert prices.cost("openai/gpt-4o-mini", "http://localhost:8000/v1", TEXT, Usage(1, 1)) is None
    assert prices.cost("openai/never-heard-of", "https://api.openai.com/v1", TEXT, Usage(1, 1)) is None
    assert prices.cost("local/cascade", "local", SOUND, None) == 0.0
    assert "as_of = " in BUILT_IN.read_text()


def test_sound_is_charged_apart_and_long_prompts_have_no_price() -> None:
    prices, google = load_prices(), "https://generativelanguage.googleapis.com"
    flash = "gemini/gemini-2.5-flash"
    usage = Usage(1_000_000, 100_000, 50_000, None, 400_000)  # 0.6 x 0.30 + 0.4 x 1.00 + 0.1 x 2.50
    assert prices.cost(flash, google, SOUND, usage) == pytest.approx(0.83)
    assert prices.cost(flash, google, SOUND, Usage(10, 10)) is None, "how much of it was sound isn't told"
    assert prices.cost(flash, google, TEXT, Usage(1_000_000, 0)) == pytest.approx(0.30)
    pro = "gemini/gemini-2.5-pro"
    assert prices.cost(pro, google, SOUND, Usage(200_000, 0)) == pytest.approx(0.25)
    assert prices.cost(pro, google, SOUND, Usage(200_001, 0)) is None
    claude = prices.cost(
        "anthropic/claude-opus-5", "https://api.anthropic.com", TEXT, Usage(1_000_000, 0, None, 800_000)
    )
    assert claude == pytest.approx(0.2 * 5 + 0.8 * 0.5)
    assert prices.cost("anthropic/claude-9", "https://api.anthropic.com", TEXT, Usage(1, 1)) is None


@pytest.mark.parametrize("content", ["price = 3", "as_of = ", OWN + "surprise = 1", 'as_of="x"\nsource="y"\n[[price]]'])
def test_a_malformed_price_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "p.toml").write_text(content)
    with pytest.raises(SpecError, match=r"p\.toml"):
        load_prices(tmp_path / "p.toml")
    with pytest.raises(SpecError, match="can't be read"):
        load_prices(tmp_path / "none.toml")


@pytest.mark.parametrize("number", ["nan", "inf", "-1"])
@pytest.mark.parametrize("name", ["input", "output", "cached_input", "audio_input"])
def test_what_is_no_price_is_refused(tmp_path: Path, name: str, number: str) -> None:
    """A budget would never be spent."""
    numbers = {"input": "1", "output": "1", name: number}
    lines = "\n".join(f"{key} = {value}" for key, value in numbers.items())
    (tmp_path / "p.toml").write_text(f'as_of = "x"\nsource = "y"\n[[price]]\nmodel = "*"\n{lines}\n')
    with pytest.raises(SpecError, match="malformed"):
        load_prices(tmp_path / "p.toml")


def response(status: str = "answered", **more: object) -> Response:
    return Response("1", "", 0, status, **more)  # type: ignore[arg-type]


def tally() -> Tally:
    told = Tally(planned=100, already=10)
    told.add(response(usage=Usage(12_000, 30), cost_usd=0.5))
    told.add(response(usage=Usage(1, 1)))
    told.add(response("failed"))
    told.add(response(cached=True, usage=Usage(999_999, 999_999), cost_usd=0.0))
    return told


def test_prices_can_be_json_and_an_error_shows_an_example(tmp_path: Path) -> None:
    price = {"model": "openai/mine", "input": 2, "output": 8}
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"as_of": "2026-11-01", "source": "a contract", "price": [price]}))
    assert load_prices(path).cost("openai/mine", "", TEXT, Usage(1_000_000, 500_000)) == 6.0
    path.write_text('{"as_of": "2026-11-01", "as_of": "2025-11-01", "source": "", "price": []}')
    with pytest.raises(SpecError, match="twice"):
        load_prices(path)
    path.write_text('{"openai/mine": 2}')
    with pytest.raises(SpecError) as told:
        load_prices(path)
    assert EXAMPLE.splitlines()[-1] in str(told.value)
    own = tmp_path / "p.toml"
    own.write_text(EXAMPLE)
    assert load_prices(own).cost("openai/my-model-2", "", TEXT, Usage(1_000_000, 0)) == 0.5


def test_a_price_file_that_is_not_there_is_answered_with_an_example(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_prices(tmp_path / "nofile.toml")
    told = str(caught.value.expected)
    assert "[[price]]" in told and "input = " in told and "--price-in" in str(caught.value.fix)
