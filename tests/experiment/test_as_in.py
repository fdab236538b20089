"""`--as-in`: settings of papers as data, applied by one option; what can't be carried out is stated."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from triptych import api
from triptych.benchmarks.as_published import as_published, papers
from triptych.benchmarks.registry import load_benchmark
from triptych.errors import SpecError
from triptych.experiment.as_in import modality_in
from triptych.models.adapter import DECODING
from triptych.models.catalogue import catalogue
from triptych.models.packing.packing import packing
from triptych.models.registry import known_settings
from triptych.scoring.signature import run_signature

URL = "http://127.0.0.1:9/v1"
MCIF = ["mcif"]


@pytest.mark.parametrize("paper", papers())
def test_every_paper_names_models_facets_and_packings_that_exist(paper: str) -> None:
    from triptych.benchmarks import load_benchmark

    published = as_published(paper)
    named = [key for one in published.systems for key in one.models if not one.when]
    assert len(named) == len(set(named)) and set(named) <= set(catalogue())
    assert {key for one in published.systems for key in one.models} == set(named)
    assert all(paper in catalogue()[key].papers for key in named)
    known = {variation.facet for variation in load_benchmark(paper).spec.variations}
    for one in (published.all, *published.systems):
        assert one.source and {*one.filters, *one.when} <= known
        assert set(one.decoding) <= set(DECODING)
        assert set(one.settings) <= known_settings("hf/x") | known_settings("openai/x")
        if one.packing:
            packing(one.packing)


def test_a_model_is_asked_as_the_paper_did() -> None:
    ready = api.plan("mcif", "openai/DeSTA-ntu/DeSTA2-8B-beta", settings={"base_url": URL}, as_in="mcif")
    assert ready.manifest.decoding == {"max_tokens": 4096, "temperature": 0.6, "top_p": 0.9}
    assert ready.manifest.filters["modality"] == ("audio",) and ready.manifest.as_in == "mcif"
    (first, *_) = ready.requests()
    assert (
        first.messages[0].role == "system" and "helpful voice assistant. Only return" in first.messages[0].parts[0].text
    )
    assert ready.manifest.system == first.messages[0].parts[0].text


def test_a_model_whose_code_sets_no_system_prompt_gets_none() -> None:
    plain = api.plan("mcif", "openai/THUdyh/Ola-7b", settings={"base_url": URL})
    ready = api.plan("mcif", "openai/THUdyh/Ola-7b", settings={"base_url": URL}, as_in="mcif")
    assert next(iter(plain.requests())).messages[0].role == "system"
    assert next(iter(ready.requests())).messages[0].role == "user" and ready.manifest.system == ""


def test_the_packing_of_a_paper_is_applied_and_signed() -> None:
    plain = api.plan("xmodbench", "openai/Qwen/Qwen2.5-Omni-7B", settings={"base_url": URL})
    ready = api.plan("xmodbench", "openai/Qwen/Qwen2.5-Omni-7B", settings={"base_url": URL}, as_in="xmodbench")
    told = (
        "video=frames,fps=12,frames=60,least=4,multiple=2,spread=ends,pixels=262144,image_pixels=262144,"
        "sound=none,order=given"
    )
    assert ready.manifest.packing == told and ready.manifest.model_settings["packing"] == told
    assert plain.manifest.packing == "video=whole,sound=in_video,order=given" and not plain.manifest.model_settings
    assert ready.default_folder() != plain.default_folder()
    protocol = ready.benchmark.protocol("official")
    signatures = [run_signature(one.manifest, protocol, ["acc"]) for one in (plain, ready)]
    assert f"packing:{told}" in signatures[1] and "packing" not in signatures[0]


def test_each_system_of_mcif_is_asked_in_the_modality_of_its_published_row() -> None:
    """Section 5.1: LLMs read, SpeechLLMs hear, VideoLLMs see, MLLMs hear and see; `systems.csv` has it of each row."""
    folder = load_benchmark("mcif").folder / "published"
    with (folder / "systems.csv").open(encoding="utf-8", newline="") as file:
        printed = {row["model"]: row["modality"] for row in csv.DictReader(file)}
    rows = {name: key for key, row in catalogue().items() if "mcif" in row.papers for name in row.names}
    assert {name: modality_in("mcif", rows[name], "modality") for name in printed} == {
        name: (modality,) for name, modality in printed.items()
    }
    for model, modality in (("openai/THUdyh/Ola-7b", "audio_video"), ("openai/Qwen/Qwen3-14B", "text")):
        ready = api.plan("mcif", model, settings={"base_url": URL}, as_in="mcif")
        assert ready.manifest.filters["modality"] == (modality,)
    assert modality_in("mcif", "openai/mine", "modality") == modality_in("cmdar", "ola-7b", "modality") == ()


@pytest.mark.parametrize(
    ("modalities", "temperature"),
    [
        (None, 0.5),
        (["video"], 0.5),
        (["audio"], 0.3),
        (["text", "audio"], 0.3),
        (["audio", "video"], 0.5),
    ],
)
def test_recordings_can_be_asked_with_other_settings_than_films(
    modalities: list[str] | None, temperature: float
) -> None:
    """MiniCPM-o: 0.5 for films, 0.3 for texts and recordings; a Run of both kinds has the settings of films."""
    filters = {"modality": modalities} if modalities else None
    ready = api.plan("mcif", "openai/openbmb/MiniCPM-o-2_6", settings={"base_url": URL}, as_in="mcif", filters=filters)
    assert ready.manifest.decoding["temperature"] == temperature


def test_settings_of_the_adapter_are_applied_where_it_has_them() -> None:
    ready = api.plan("mcif", "openai/Qwen/Qwen3-14B", settings={"base_url": URL}, as_in="mcif")
    own = {"base_url": URL, "chat_template_kwargs": '{"enable_thinking": false}'}
    typed = api.plan("mcif", "openai/Qwen/Qwen3-14B", settings=own, as_in="mcif")
    assert ready.manifest.model_settings == typed.manifest.model_settings
    assert ready.manifest.model_settings["chat_template_kwargs"] == '{"enable_thinking":false}'
    film = api.plan("mcif", "openai/llava-hf/LLaVA-NeXT-Video-7B-hf", settings={"base_url": URL}, as_in="mcif")
    assert "openai has no such setting: dtype=float16" in film.manifest.note
    assert "run by transformers 4.51.3" in film.manifest.note
    phi = api.plan("mcga", "openai/microsoft/Phi-4-multimodal-instruct", settings={"base_url": URL}, as_in="mcga")
    gpt = api.plan("mcga", "openai/gpt-4o-mini-audio-preview", settings={"base_url": URL}, as_in="mcga")
    assert phi.manifest.model_settings["audio"] == "audio_url" and "audio" not in gpt.manifest.model_settings


def test_what_the_command_says_has_precedence() -> None:
    settings = {"base_url": URL, "temperature": "0", "packing": "fps=1"}
    ready = api.plan("mcif", "openai/BAAI/Video-XL-2", settings=settings, as_in="mcif", filters={"modality": ["audio"]})
    assert ready.manifest.packing.startswith("video=frames,fps=1,")
    assert ready.manifest.filters["modality"] == ("audio",) and ready.manifest.decoding["temperature"] == 0


def test_what_cannot_be_carried_out_is_stated() -> None:
    ready = api.plan("mcif", "openai/ibm-granite/granite-speech-3.3-8b", settings={"base_url": URL}, as_in="mcif")
    assert "num_beams" not in ready.manifest.decoding
    assert "not applied" in ready.manifest.note and "num_beams=4" in ready.manifest.note
    with pytest.raises(SpecError, match="can't carry out num_beams"):
        api.plan("mcif", "openai/x", settings={"base_url": URL, "num_beams": "4"})
    with pytest.raises(SpecError, match="a paper 'nope'"):
        api.plan("mcif", "openai/x", settings={"base_url": URL}, as_in="nope")


@pytest.mark.parametrize("paper", papers())
def test_every_model_of_every_paper_can_be_planned_at_an_endpoint(paper: str) -> None:
    """What endpoints can't be sent, such as the sound within chosen frames, is left out and stated."""
    for key in {model for one in as_published(paper).systems for model in one.models if "+" not in model}:
        name = catalogue()[key].id
        ready = api.plan(paper, f"openai/{name}", settings={"base_url": URL}, as_in=paper)
        assert ready.manifest.as_in == paper
    if paper == "mcif":
        ready = api.plan(paper, "openai/Qwen/Qwen2.5-Omni-7B", settings={"base_url": URL}, as_in=paper)
        assert ready.manifest.packing == "video=whole,sound=in_video,sound_from=part,order=given"
        assert "can't carry it out: --packing qwen-omni,sound_from=part, but --packing whole" in ready.manifest.note


def test_a_model_that_the_paper_does_not_have_is_asked_as_all_were() -> None:
    ready = api.plan("cmdar", "openai/mine", settings={"base_url": URL}, as_in="cmdar")
    assert ready.manifest.decoding == {"temperature": 0, "max_tokens": 256}
    assert "openai/mine is asked as all models of the paper" in ready.manifest.note


def test_a_folder_of_weights_is_the_model_that_it_is_named_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights" / "Qwen3-14B").mkdir(parents=True)
    for name in ("openai//srv/models/Qwen3-14B", "openai/weights/Qwen3-14B", "openai/./weights/Qwen3-14B"):
        assert "qwen3-14b: baselines" in api.plan("mcif", name, settings={"base_url": URL}, as_in="mcif").manifest.note
    other = api.plan("mcif", "openai/somebody/Qwen3-14B", settings={"base_url": URL}, as_in="mcif")
    assert "openai/somebody/Qwen3-14B is asked as all models" in other.manifest.note


def test_the_same_run_continues_and_another_packing_is_another_run(tmp_path: Path) -> None:
    one = api.plan("mcif", "baseline/first", as_in="mcif")
    assert one.manifest.packing == "" and one.manifest.decoding == {"max_tokens": 4096}
