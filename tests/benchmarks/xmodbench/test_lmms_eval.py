"""The protocol and prompt `lmms-eval`, against what lmms-eval's own code gave for the same inputs.

golden/lmms_eval_replies.jsonl (process_results), lmms_eval_summary.json (summarize.py) and lmms_eval_messages.json
(doc_to_messages) hold inputs and outputs of lmms_eval/tasks/xmod_bench, EvolvingLMMs-Lab/lmms-eval, commit 34b5d0a7.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.benchmarks.xmodbench.test_unified import read, write
from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.lite import lite_family
from triptych.benchmarks.xmodbench.lmms_eval import aggregate, lmms_letter
from triptych.benchmarks.xmodbench.names import CONFIGS, FAMILY_OF, subtask_of
from triptych.prompts.build import build_request
from triptych.protocols.protocol import Cell, Unit
from triptych.records import Item, Response, text

GOLDEN = Path(__file__).parent / "golden"
REPLIES = [json.loads(line) for line in (GOLDEN / "lmms_eval_replies.jsonl").read_text(encoding="utf-8").splitlines()]
SUMMARIES = json.loads((GOLDEN / "lmms_eval_summary.json").read_text(encoding="utf-8"))
MESSAGES = json.loads((GOLDEN / "lmms_eval_messages.json").read_text(encoding="utf-8"))
PAIRS = {"text_vision": "T_vs_V", "text_audio": "T_vs_A", "vision_audio": "V_vs_A"}


def unit(reply: str | None, key: str = "B", status: Any = "answered") -> Unit:
    item = Item(
        id="temporal/count/audio_text/0",
        task="xmodbench/temporal/count/audio_text",
        parts=(text("Which?"),),
        options=tuple((text(name),) for name in ("a", "b", "c", "d")),
        labels=("A", "B", "C", "D"),
        answer="letter",
        target=key,
    )
    response = None if reply is None else Response(item.id, "", 0, status, reply)
    return Unit((item,), (response,))


def test_every_reply_is_read_as_lmms_eval_read_it(bench: Benchmark) -> None:
    score = bench.protocol("lmms-eval").score
    assert len(REPLIES) > 400
    for row in REPLIES:
        assert lmms_letter(row["reply"]) == row["read"], row["reply"]
        (found,) = score(unit(row["reply"], row["key"]))
        assert (found.status, found.numerator, found.extraction) == ("scored", row["correct"], row["read"])


def test_what_the_rules_are_known_for() -> None:
    """By hand, from the three forms in their order."""
    assert lmms_letter("A dog barks") == "A"
    assert lmms_letter("I think A or B ") == "B"
    assert lmms_letter("The answer is (B), not A") == "B"
    assert lmms_letter("A, because") is None
    assert lmms_letter("") is None


def test_a_lost_response_counts_and_no_letter_is_wrong(bench: Benchmark) -> None:
    protocol = bench.protocol("lmms-eval")
    assert protocol.headline == "all"
    assert [s.status for s in protocol.score(unit(None))] == ["missing"]
    assert [(s.status, s.numerator) for s in protocol.score(unit(""))] == [("scored", 0.0)]
    assert [(s.status, s.numerator) for s in protocol.score(unit("B", status="truncated"))] == [("scored", 1.0)]


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_summary_has_the_figures_of_theirs(name: str) -> None:
    case = SUMMARIES[name]
    cells, sums = [], []
    for released, config, right, counted in case["cells"]:
        subtask = "general" if released == "general_activities" else released
        direction = CONFIGS[config]  # by content: the label of `order` has no part in it
        task = f"xmodbench/{FAMILY_OF[subtask]}/{subtask}/{direction}"
        cells.append(Cell(task, "acc", (("content_direction", direction),)))
        sums.append((right, counted))
    found = {
        (f.metric, tuple(f.slice.items())): float(f.value)
        for f in aggregate(cells, np.array(sums, dtype=float))
        if f.task == "xmodbench"
    }
    for config, value in case["by_config"].items():
        _same(found.get(("acc", (("direction", CONFIGS[config]),))), value)
    known = [value for value in case["by_config"].values() if value is not None]
    _same(found.get(("acc", ())), sum(known) / len(known))
    for family, value in case["by_family"].items():
        _same(found.get(("acc", (("family", family),))), value)
    for metric in ("disparity", "imbalance"):
        for pair, theirs in PAIRS.items():
            _same(found.get((metric, (("pair", pair),))), case[metric][theirs])


def _same(ours: float | None, theirs: float | None) -> None:
    if theirs is None:
        assert ours is None or np.isnan(ours)
    else:
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_order_is_counted_by_its_content_and_pooled_over_rows() -> None:
    """Two rows of the file that order calls text_audio go from audio to text; one of count is pooled with them."""
    cells = [
        Cell("xmodbench/temporal/order/text_audio", "acc", (("content_direction", "audio_text"),)),
        Cell("xmodbench/temporal/count/audio_text", "acc", (("content_direction", "audio_text"),)),
    ]
    found = {
        (f.metric, tuple(f.slice.values())): float(f.value)
        for f in aggregate(cells, np.array([[2.0, 2.0], [0.0, 1.0]]))
        if f.task == "xmodbench"
    }
    assert found["acc", ("audio_text",)] == 50.0
    assert found["pooled", ("a2t",)] == found["pooled", ("audio_text",)] == pytest.approx(200 / 3)


def test_a_direction_within_a_family_is_the_mean_of_its_subtasks() -> None:
    """As summarize.py weights a family over all directions; `emotion_classification` is knowledge there."""
    names = ("temporal/count", "temporal/calculation", "linguistic/emotion_classification")
    cells = [Cell(f"xmodbench/{name}/audio_text", "acc", ()) for name in names]
    found = {
        tuple(f.slice.items()): (float(f.value), len(f.cells))
        for f in aggregate(cells, np.array([[1.0, 2.0], [3.0, 3.0], [1.0, 4.0]]))
        if "family" in f.slice and "direction" in f.slice
    }
    assert found == {
        (("family", "temporal"), ("direction", "audio_text")): (75.0, 2),
        (("family", "knowledge"), ("direction", "audio_text")): (25.0, 1),
    }


def test_the_deviation_is_over_the_directions() -> None:
    cells = [Cell(f"xmodbench/temporal/count/{direction}", "acc", ()) for direction in ("audio_text", "text_audio")]
    figures = aggregate(cells, np.array([[1.0, 2.0], [1.0, 1.0]]))
    found = {tuple(f.slice.values()): float(f.value) for f in figures if f.metric == "std"}
    assert found == pytest.approx({(): 35.3553391, ("temporal",): 35.3553391})


def test_families_and_subtasks_are_named_as_lmms_eval_names_them() -> None:
    known = {"perception", "spatial", "temporal", "linguistic", "knowledge"}
    for row in REPLIES:
        ours = subtask_of(row["category"])
        assert (ours is None) == (row["family"] not in known)
        if ours:
            assert lite_family(ours) == row["family"]
            assert row["subtask"] == ("general_activities" if ours == "general" else ours)


@pytest.mark.parametrize("case", MESSAGES, ids=lambda case: case["doc"]["conditions"]["modality"])
def test_the_prompt_is_lmms_evals(bench: Benchmark, tmp_path: Path, case: dict[str, Any]) -> None:
    doc = case["doc"]
    name = f"{doc['conditions']['modality']}_{doc['options']['A']['modality']}".lower()
    write(tmp_path, name, [doc])
    (item,) = read(bench, tmp_path)[0].values()
    (message,) = build_request(item, bench.spec.prompts["lmms-eval"], settings={}).messages
    assert [part.text if part.kind == "text" else [part.kind, part.path] for part in message.parts] == case["content"]
