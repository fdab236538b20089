"""XModBench's section 5: models trained on interleaved data against the others, by tags of the catalogue."""

from __future__ import annotations

from pathlib import Path

from triptych import api
from triptych.analysis.groups import groups
from triptych.analysis.observed import observe
from triptych.models.catalogue import find_model
from triptych.store.folder import RunFolder


def test_the_models_that_the_section_names() -> None:
    named = {"Qwen2.5-Omni": True, "Gemini 2.5 Pro": True, "Gemini 1.5 Pro": True, "VITA": False, "EchoInk-R1": False}
    for name, interleaved in named.items():
        model = find_model(name)
        assert model is not None and ("interleaved" in model.tags) is interleaved, name
    echoink = find_model("EchoInk-R1")
    assert echoink is not None and {"post-trained", "rl"} <= set(echoink.tags)


def test_runs_are_grouped_by_it(tmp_path: Path) -> None:
    names = ("qwen2.5-omni-7b", "gemini-2.5-pro", "vita-1.5", "videollama2.1-7b-av")
    for seed, name in enumerate(names):
        api.run(
            "xmodbench/perception/general",
            "baseline/random",
            seed=seed,
            name=name,
            limit=3,
            out=tmp_path / name,
            protocols=["official"],
        )
    section = groups(observe([RunFolder.open(tmp_path / name) for name in names]))
    assert section is not None and any("interleaved" in str(one.slice) for one in section.estimates)
