"""Tests of `interchange/helm.py`: a folder as HELM writes it for a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import DataError
from triptych.interchange.helm import is_helm, read_helm


def instance(id: str, text: str, split: str = "test", **more: Any) -> dict[str, Any]:
    references = [{"output": {"text": "Paris"}, "tags": ["correct"]}, {"output": {"text": "Rome"}, "tags": []}]
    return {"input": {"text": text}, "references": references, "split": split, "id": id, **more}


STATES = [
    {
        "instance": instance("id1", "Capital of France?"),
        "train_trial_index": 0,
        "output_mapping": {"A": "Paris", "B": "Rome"},
        "result": {"success": True, "completions": [{"text": " A"}]},
    },
    {
        "instance": instance("id2", "Largest city there?", "valid"),
        "train_trial_index": 0,
        "result": {"completions": [{"text": "Rome"}]},
    },
    {
        "instance": instance("id1", "CAPITAL OF FRANCE?", perturbation={"name": "caps"}),
        "result": {"completions": [{"text": "B"}]},
    },
    {"instance": instance("id3", "And of Italy?"), "result": {"success": False, "completions": [], "error": "429"}},
]


def stat(name: str, total: float, count: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": {"name": name, **more}, "count": count, "sum": total}


def write(folder: Path, **documents: Any) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(
        tmp_path / "capitals",
        scenario_state={
            "adapter_spec": {"model": "openai/gpt-4o", "temperature": 0.0, "instructions": "x"},
            "request_states": STATES,
        },
        run_spec={"name": "capitals:lang=en,model=openai_gpt-4o"},
        per_instance_stats=[
            {
                "instance_id": "id1",
                "train_trial_index": 0,
                "stats": [stat("exact_match", 1.0), stat("num_output_tokens", 2.0)],
            },
            {
                "instance_id": "id1",
                "train_trial_index": 0,
                "perturbation": {"name": "caps"},
                "stats": [stat("exact_match", 0.0)],
            },
        ],
        stats=[
            stat("num_instances", 2.0, split="test"),
            stat("exact_match", 1.0, 2, split="test"),
            stat("exact_match", 0.0, 1, split="valid"),
            stat("exact_match", 0.0, 1, split="test", perturbation={"name": "caps"}),
            stat("exact_match", 0.0, 0, split="train"),
        ],
    )


def test_instances_without_those_that_were_perturbed(run: Path) -> None:
    log = read_helm(run)
    assert is_helm(run) and (log.task, log.model, log.settings) == (
        "capitals:lang=en",
        "openai/gpt-4o",
        {"temperature": 0.0},
    )
    first, second, third = log.samples
    assert (first.reply, first.target, first.choices, first.labels) == (" A", ("A",), ("Paris", "Rome"), ("A", "B"))
    assert first.scores == {"exact_match": 1.0}
    assert (second.target, second.choices, second.labels, second.task) == (
        ("Paris",),
        ("Paris", "Rome"),
        (),
        "capitals:lang=en/valid",
    )
    assert (third.status, third.error, third.reply) == ("failed", "429", "")


def test_figures_are_means_by_split(run: Path) -> None:
    assert [(f.task, f.metric, f.value, f.n) for f in read_helm(run).figures] == [
        ("capitals:lang=en", "exact_match", 0.5, 2),
        ("capitals:lang=en/valid", "exact_match", 0.0, None),
    ]


def test_the_states_alone_are_a_run(tmp_path: Path) -> None:
    log = read_helm(write(tmp_path / "alone", scenario_state={"request_states": STATES[:1]}))
    assert (log.task, log.model, log.figures, len(list(log.samples))) == ("alone", "unknown", (), 1)


@pytest.mark.parametrize("content", [[], {}, {"request_states": {}}, "x"])
def test_another_document_is_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(DataError, match="not a run of HELM"):
        read_helm(write(tmp_path / "other", scenario_state=content))
    assert not is_helm(tmp_path) and not is_helm(tmp_path / "other/scenario_state.json")
