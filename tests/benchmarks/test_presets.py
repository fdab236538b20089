"""Every preset runs end to end on the mini sets, resumes, and its arms are what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.mock_process import MockProcess
from triptych.api import load_benchmark
from triptych.api.presets import run_preset
from triptych.api.runs import run_plan
from triptych.benchmarks import known_benchmarks
from triptych.benchmarks.presets import FILE, Arm, Preset, find_preset, load_presets, narrow_preset
from triptych.errors import SpecError
from triptych.experiment.arms import NamedModel, PartOfPreset, _arguments, _slot_values, chosen_preset, in_one_value
from triptych.experiment.planning import plan
from triptych.records import Item
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder

PRESETS = [(name, preset) for name, bench in known_benchmarks().items() for preset in load_presets(bench)]
REFERENCE = NamedModel("baseline/reference", {})


@pytest.mark.parametrize(("bench", "name"), PRESETS)
def test_a_preset_runs(bench: str, name: str, tmp_path: Path) -> None:
    done = run_preset(
        bench,
        name,
        REFERENCE,
        REFERENCE,
        out=tmp_path,
        reader="baseline/reference",
        limit=1,
        options=RunOptions(),
        protocols=["official"],
    )
    preset = find_preset(load_benchmark(bench), name)
    assert [arm.label for arm, _ in done.arms] == [arm.label for arm in preset.arms]
    for arm, result in done.arms:
        manifest = RunFolder.open(tmp_path / arm.label).manifest
        assert len(manifest.conditions) == len(arm.conditions)
        assert result.scores and sum(result.outcome.counts.values())
    assert set(done.comparisons) == set(preset.pairs())
    for label, found in done.comparisons.items():
        titles = {arm.label: arm.title for arm in preset.arms}
        assert [run.label for run in found.runs] == [titles[label], titles[preset.pairs()[label]]]
        assert found.shared or found.lost or found.excluded, "arms ask forms of the same questions"


def test_two_models_are_needed_where_two_are_compared() -> None:
    with pytest.raises(SpecError, match="two models"):
        run_preset("mcs_bench", "reasoning", REFERENCE)
    with pytest.raises(SpecError, match="did you mean 'noise'"):
        find_preset(load_benchmark("cmdar"), "nois")


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ('[{label = "a", title = "a"}, {label = "a", title = "b"}]', "repeated"),
        ('[{label = "../a", title = "a"}]', "folder's name"),
        ('[{label = "a", title = "a", conditions = ["nois"]}]', "no condition"),
        ('[{label = "a", title = "a", conditions = ["ocr:run={b}"]}, {label = "b", title = "b"}]', "an earlier arm"),
        ('[{label = "a", title = "a", prompt = "v9"}]', "no prompt"),
        ('[{label = "a", title = "a", task = ["main"]}]', "can't be read"),
        ("[]", "names no arm"),
    ],
)
def test_a_malformed_preset_is_refused(arms: str, said: str, tmp_path: Path) -> None:
    from dataclasses import replace

    bench = load_benchmark("cmdar")
    (tmp_path / "spec.toml").write_text((bench.folder / "spec.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / FILE).write_text(f'[[presets]]\nname = "p"\ntitle = "t"\npaper = "x"\narms = {arms}\n')
    with pytest.raises(SpecError, match=said):
        load_presets(replace(bench, folder=tmp_path))


SAID = "a reply with words of its own"
KINDS = {"text": set(), "audio": {"audio"}, "video": {"video"}, "audio_video": {"audio", "video"}}


def heard_of_arms(preset: Preset, bench: str, place: Path, mock: MockProcess) -> dict[str, list[dict[str, Any]]]:
    """What a server on loopback receives of each arm, all Runs one question a Task."""
    heard = {}
    for arm in preset.arms:
        mock.reset()
        given = _slot_values(preset, place, "openai/reader")
        asked = _arguments(arm, NamedModel("openai/m", {}), NamedModel("openai/base", {}), given)
        run_plan(plan(bench, **asked, limit=1), out=place / arm.label, scored=False)
        heard[arm.label] = list(mock.stats()["requests"].values())
    return heard


@pytest.mark.parametrize(("bench", "name"), PRESETS)
def test_what_every_arm_sends_is_what_its_label_says(
    bench: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    preset = find_preset(load_benchmark(bench), name)
    with MockProcess(answer=f"text:{SAID}") as mock:
        monkeypatch.setenv("OPENAI_BASE_URL", mock.base_url)
        heard = heard_of_arms(preset, bench, tmp_path, mock)
    for arm in preset.arms:
        items, requests = list(RunFolder.open(tmp_path / arm.label).items()), heard[arm.label]
        if arm.model.startswith("baseline/"):
            assert not requests
            continue
        for item in items:
            assert any(is_request_of(item, request) for request in requests), (arm.label, item.id)
        if modality := arm.filters.get("modality"):
            assert {m.split()[0] for r in requests for m in r["media"]} == KINDS[modality[0]]
        if reads := [
            c for c in arm.conditions if c.startswith(("description", "transcript", "ocr:from={", "ocr:from=m"))
        ]:
            assert sum(SAID in r["text"] for r in requests) >= len({i.id for i in items}), reads
        if "blind" in arm.conditions or any(c.startswith("description") for c in arm.conditions):
            assert all(SAID in r["text"] or arm.label != "engine" for r in requests if not r["media"])
            assert sum(not r["media"] for r in requests) >= len(items)
    sent = {label: {(r["text"], tuple(r["media"])) for r in requests} for label, requests in heard.items()}
    for label, other in preset.pairs().items():
        models = {arm.label: arm.model for arm in preset.arms}
        assert models[label] != models[other] or sent[label] != sent[other], "two arms ask the same of one model"


def is_request_of(item: Item, request: dict[str, Any]) -> bool:
    """Does the Request hold all content of the Item, and its media and no others?"""
    words = [p.text for p in item.parts if p.role == "content" and not p.is_media]
    kinds = sorted(p.kind for p in item.all_parts if p.is_media)
    return all(w in request["text"] for w in words) and kinds == sorted(m.split()[0] for m in request["media"])


def test_a_part_of_a_preset_is_what_the_arm_and_the_options_both_select() -> None:
    bench = load_benchmark("mcif")
    modalities = find_preset(bench, "modalities")
    assert narrow_preset(modalities, bench) == modalities
    audio = narrow_preset(modalities, bench, filters={"modality": ["audio"]})
    assert [arm.label for arm in audio.arms] == ["audio"] and audio.against == "audio"
    assert audio.arms[0].filters == {"modality": ("audio",), "prompts": ("fixed",)}
    text = narrow_preset(modalities, bench, filters={"modality": ["text"]})
    assert [arm.label for arm in text.arms] == ["text"] and not text.against and not text.pairs()
    short = narrow_preset(modalities, bench, tasks=["short"])  # text is there for long talks alone
    assert [arm.label for arm in short.arms] == ["audio", "video", "audio_video"]
    assert all(task.startswith("short/") for arm in short.arms for task in arm.tasks)
    with pytest.raises(SpecError, match="asks such questions"):
        narrow_preset(modalities, bench, filters={"prompts": ["mixed"]})
    with pytest.raises(SpecError, match="no task 'shortt'"):
        narrow_preset(modalities, bench, tasks=["shortt"])


@pytest.mark.parametrize(
    ("model", "modality", "why"),
    [
        ("openai/Qwen/Qwen3-14B", "text", "as in the paper"),
        ("hf/Qwen/Qwen2-Audio-7B-Instruct", "audio", "as in the paper"),
        ("qwen2.5-vl-7b", "video", "as in the paper"),
        ("ola-7b", "audio_video", "as in the paper"),
        ("minicpm-o-4.5", "audio_video", "since it takes"),
        ("openai/gpt-audio-1.5", "audio", "since it takes"),
        ("openai/mine", "", "it isn't known what openai/mine takes"),
    ],
)
def test_fixed_and_mixed_prompts_are_compared_in_one_modality_a_model(model: str, modality: str, why: str) -> None:
    """MCIF 5.1: each system has one row, LLMs by text, SpeechLLMs by sound, VideoLLMs by pictures, MLLMs by both."""
    part, told = in_one_value("mcif", "prompts", NamedModel(model, {}), PartOfPreset())
    assert why in told and part.filters == ({"modality": (modality,)} if modality else {})
    chosen = PartOfPreset(filters={"modality": ["text"]})
    assert in_one_value("mcif", "prompts", NamedModel(model, {}), chosen) == (chosen, "")
    assert in_one_value("mcif", "modalities", NamedModel(model, {}), PartOfPreset()) == (PartOfPreset(), "")
    preset, place = chosen_preset("mcif", "prompts", NamedModel(model, {}), None, None, {})
    assert all(arm.filters.get("modality", ()) == ((modality,) if modality else ()) for arm in preset.arms)
    if modality:  # the folder is that of the same choice by hand
        own = PartOfPreset(filters={"modality": [modality]})
        assert chosen_preset("mcif", "prompts", NamedModel(model, {}), None, None, {}, own) == (preset, place)


def test_an_arm_without_the_replies_that_it_reads_is_left_out() -> None:
    preset = Preset(
        "p",
        "p",
        "",
        against="a",
        arms=(
            Arm("a", "a", tasks=("main",)),
            Arm("c", "c", tasks=("multi",)),
            Arm("d", "d", conditions=("description:run={c}",)),
        ),
    )
    assert [arm.label for arm in narrow_preset(preset, load_benchmark("cmdar"), tasks=["main"]).arms] == ["a"]
    own = Preset("p", "p", "", arms=(Arm("a", "a", sample="lite"),))
    with pytest.raises(SpecError, match="sample of its own"):
        narrow_preset(own, load_benchmark("xmodbench"), sample="paper-lite")
