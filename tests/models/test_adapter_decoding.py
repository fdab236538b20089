"""A decoding setting that a model ignores is refused, not recorded without effect; the others work."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.errors import SpecError
from triptych.experiment.judging import plan_judges
from triptych.models.adapter import DECODING, check_used
from triptych.models.asr import TranscriptionAdapter
from triptych.models.baseline import BASELINES
from triptych.models.openai.adapter import OpenAIAdapter
from triptych.records import RunManifest

URL = "http://127.0.0.1:9/v1"


def letters(out: Path, **settings: str) -> list[str]:
    result = api.run("xmodbench", "baseline/random", out=out, limit=4, settings=settings, scored=False)
    return [response.text for response in result.folder.responses()]


def test_the_seed_of_the_random_baseline_changes_its_answers(tmp_path: Path) -> None:
    first, second, again = (letters(tmp_path / name, seed=seed) for name, seed in (("a", "1"), ("b", "2"), ("c", "1")))
    assert first != second
    assert first == again
    assert first != letters(tmp_path / "d")


def test_the_seed_of_a_setting_is_the_seed_of_the_run_and_of_its_signature() -> None:
    """The signature states the Run's seed, so `-M seed=5` must not draw with 5 and be recorded with seed 0."""
    by_setting = api.plan("xmodbench", "baseline/random", settings={"seed": "5"}).manifest
    by_seed = api.plan("xmodbench", "baseline/random", seed=5).manifest
    assert (by_setting.model_settings, by_setting.decoding["seed"], by_setting.seed) == ({"seed": 5}, 5, 5)
    assert by_setting.identity() == by_seed.identity()
    assert api.plan("xmodbench", "baseline/random", settings={"seed": "5"}, seed=5).manifest.seed == 5


@pytest.mark.parametrize("seed", [0, 3])
def test_two_seeds_of_the_random_baseline_are_refused(seed: int) -> None:
    with pytest.raises(SpecError, match=f"-M seed=5 and seed={seed}"):
        api.plan("xmodbench", "baseline/random", settings={"seed": "5"}, seed=seed)


def test_the_requests_of_a_model_may_have_a_seed_other_than_that_of_the_options(tmp_path: Path) -> None:
    ready = api.plan("xmodbench", "openai/m", settings={"seed": "5"}, seed=3, base_url=URL)
    assert (ready.manifest.decoding["seed"], ready.manifest.seed) == (5, 3)


@pytest.mark.parametrize("setting", DECODING)
@pytest.mark.parametrize("name", sorted(set(BASELINES)))
def test_a_baseline_refuses_what_it_ignores(name: str, setting: str) -> None:
    if (name, setting) == ("random", "seed"):
        return
    with pytest.raises(SpecError, match=f"baseline/{name} (does not use|can't carry out) {setting}"):
        api.plan("xmodbench", f"baseline/{name}", settings={setting: "1"})


def test_temperature_0_is_what_a_deterministic_model_does() -> None:
    assert api.plan("xmodbench", "baseline/first", settings={"temperature": "0"}).manifest.decoding["temperature"] == 0


def test_a_transcriber_uses_the_temperature_alone() -> None:
    adapter = TranscriptionAdapter("whisper", {"base_url": URL})
    check_used(adapter, {"temperature": 0.5, "language": "zh"})
    with pytest.raises(SpecError, match="asr/whisper does not use top_p"):
        check_used(adapter, {"temperature": 0, "top_p": 0.1})


def test_an_endpoint_gets_all_of_them() -> None:
    adapter = OpenAIAdapter("m", {"base_url": URL})
    check_used(adapter, dict.fromkeys(DECODING, 1))
    assert getattr(adapter, "decoding", frozenset(DECODING)) >= set(DECODING)


def test_what_is_dropped_is_not_recorded_and_dropping_nothing_changes_nothing() -> None:
    """A dropped seed, for one, doesn't make answers deterministic."""

    def planned(**settings: str) -> RunManifest:
        return api.plan("mcs_bench", "openai/m", settings=settings, base_url=URL).manifest

    usual, dropped = planned(), planned(drop="top_k, top_p", seed="3")
    assert {"top_k", "top_p"} <= usual.decoding.keys()
    assert dropped.decoding == {k: v for k, v in usual.decoding.items() if k not in ("top_k", "top_p")} | {"seed": 3}
    assert dropped.model_settings == usual.model_settings
    assert "not sent (-M drop): " in dropped.note and "top_k=50" in dropped.note
    nothing = planned(drop="num_beams")
    assert (nothing.model_settings, nothing.note) == (usual.model_settings, usual.note)
    with pytest.raises(SpecError, match="no decoding setting 'topk'") as error:
        planned(drop="topk")
    assert "top_k" in str(error.value)


def test_a_model_without_a_seed_refuses_it_also_as_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anthropic")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-none")
    with pytest.raises(SpecError, match="anthropic/claude does not use seed"):
        api.plan("xmodbench", "anthropic/claude", settings={"seed": "1"})
    with pytest.raises(SpecError, match="anthropic/claude does not use seed"):
        plan_judges(["anthropic/claude"], settings={"seed": "1"})
