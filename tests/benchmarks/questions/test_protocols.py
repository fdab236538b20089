"""Tests of `benchmarks/questions`: protocols."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.benchmarks.questions.test_items_released_columns import items, opened, written
from tests.benchmarks.questions.test_outputs import accuracy
from triptych.benchmarks._questions.protocols import PROTOCOLS
from triptych.errors import DataError, SpecError
from triptych.judges.verdicts import Verdict, Verdicts
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response, Score


def scores(item: Item, reply: str, **more: Any) -> dict[str, Score]:
    response = Response(item=item.id, condition="", repeat=0, status="answered", text=reply)
    unit = Unit((item,), (response,), **more)
    return {score.metric: score for score in PROTOCOL.score(unit)}


def values(item: Item, reply: str) -> dict[str, float | None]:
    return {metric: score.value for metric, score in scores(item, reply).items()}


PROTOCOL = PROTOCOLS["standard"]


def one(tmp_path: Path, row: dict[str, Any], **stated: str) -> Item:
    (item,) = items(written(tmp_path, "q.jsonl", [{"question": "What?", **row}]), **stated)
    return item


def test_ratings_by_hand(tmp_path: Path) -> None:
    item = one(tmp_path, {"mos": 4}, scale="1-5")
    assert item.task == "own-q/rating"
    assert values(item, "I would say 2.") == {"mae.rating": 2.0, "acc": 0.0}
    assert values(item, "4") == {"mae.rating": 0.0, "acc": 1.0}
    lost = scores(item, "9")["mae.rating"]
    assert (lost.status, lost.numerator, lost.denominator) == ("unparsed", 3.0, 1.0), "the far end of the scale"
    with pytest.raises(SpecError, match="scale=1-5"):
        one(tmp_path, {"mos": 4})
    with pytest.raises(DataError, match="not on the scale 1-5"):
        one(tmp_path, {"mos": 6}, scale="1-5")
    bench = opened(tmp_path / "q.jsonl", scale="0-10")
    assert "from 0 to 10" in bench.spec.prompts["rating"].content[-1]


def test_a_letter_beside_the_words_of_another_option_chooses_neither(tmp_path: Path) -> None:
    sounds = ["a dog barking", "a car horn", "rain on a roof", "a door slamming"]
    item = one(tmp_path, {"options": sounds, "answer": "C"})
    for reply in ("C) a dog barking", "The answer is C, a door slamming.", "Answer: A (rain on a roof)"):
        assert scores(item, reply)["acc"].status == "unparsed", reply
    for reply in ("C) rain on a roof", "C", "I hear rain on a roof.", "rain on a roof (C)"):
        assert values(item, reply) == {"acc": 1.0}, reply
    assert values(item, "a car horn") == {"acc": 0.0}


def test_spans_by_hand(tmp_path: Path) -> None:
    item = one(tmp_path, {"answer": [10, 20]})
    assert (item.task, item.target) == ("own-q/span", "10-20")
    assert values(item, "From 00:15 to 00:25.") == {"iou.time": pytest.approx(1 / 3), "iou50.time": 0.0}
    assert values(item, "10-20")["iou.time"] == 1.0 and values(item, "12-20")["iou50.time"] == 1.0
    assert scores(item, "At the start.")["iou.time"].status == "unparsed"
    assert scores(item, "10-20 or 30-40")["iou.time"].status == "unparsed", "two spans: nothing is guessed"
    assert one(tmp_path, {"answer": "01:00-01:02.5"}).target == "60-62.5"
    with pytest.raises(DataError, match="not a span of time"):
        items(written(tmp_path, "q.jsonl", [{"question": "?", "answer": [3, 1]}]), open_is="span")


def test_text_takes_the_best_reference(tmp_path: Path) -> None:
    item = one(tmp_path, {"answers": ["Ada Lovelace", "the Countess of Lovelace"]})
    assert item.target == "Ada Lovelace" and json.loads(item.hidden["references"])[1] == "the Countess of Lovelace"
    assert values(item, "Countess of Lovelace.")["em.squad"] == 1.0
    assert values(item, "Ada")["f1.squad"] == pytest.approx(2 / 3)
    assert values(item, "ada lovelace")["wer"] == 0.0 and values(item, "ada lovelace")["cer"] == 0.0


def test_error_rates_and_bleu_are_those_of_the_libraries(tmp_path: Path) -> None:
    jiwer, bleu = pytest.importorskip("jiwer"), pytest.importorskip("nltk.translate.bleu_score")
    smooth = bleu.SmoothingFunction().method1
    draw = random.Random(2)
    for _ in range(60):
        reference, reply = (" ".join(draw.choices(["dog", "cat", "barks", "runs", "now"], k=k)) for k in (5, 6))
        found = values(one(tmp_path, {"answer": reference}), reply)
        assert found["wer"] == pytest.approx(jiwer.wer(reference, reply))
        assert found["cer"] == pytest.approx(jiwer.cer(reference, reply))
        shared = set(reference.split()) & set(reply.split())
        expected = bleu.sentence_bleu([reference.split()], reply.split(), smoothing_function=smooth) if shared else 0.0
        assert found["bleu"] == pytest.approx(expected)


def test_a_judge_sees_the_criteria_of_each_question(tmp_path: Path) -> None:
    rows = [{"question": "Why?", "rubric": ["names scattering", "is short"]}]
    file = written(tmp_path, "q.jsonl", rows)
    (item,) = items(file)
    response = Response(item=item.id, condition="", repeat=0, status="answered", text="Scattering.")
    unit = Unit((item,), (response,))
    (case,) = opened(file).cases(unit, ["standard"])
    assert case.rubric.id == "criteria" and "names scattering" in case.slots["criteria"]
    assert PROTOCOL.score(unit)[0].status == "unavailable"
    verdict = Verdict("openai/x", "judge_pass", case.rubric.name, "straight", 0, "given", values=(1.0,))
    judged = Unit((item,), (response,), verdicts=Verdicts((verdict,)))
    assert PROTOCOL.score(judged)[0].value == 1.0
    with pytest.raises(DataError, match="no criteria"):
        items(written(tmp_path, "q.jsonl", [*rows, {"question": "How?"}]))


def test_a_judge_can_be_chosen_for_free_text(tmp_path: Path) -> None:
    item = one(tmp_path, {"answer": "Rayleigh scattering"}, open_is="judged")
    assert item.task == "own-q/judged" and item.target == "Rayleigh scattering"


def test_a_question_without_a_reply_stays_in_the_denominator(questions: str, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"id": 1, "reply": "A"}\n{"id": 2, "reply": null}\n{"id": 3, "reply": ""}\n', encoding="utf-8")
    assert accuracy(questions, file) == (25.0, {"scored": 1, "unparsed": 1, "missing": 2})
    found = triptych.audit_run([file], benchmark=questions)
    assert {one.kind for one in found} >= {"coverage", "failure"}
    assert any("(2 missing)" in one.message for one in found)


@pytest.mark.parametrize("reply", ["A, C", "Ａ，Ｃ", "①③", "①、③", "Ⓐ, Ⓒ", "Answer: 1️⃣ and 3️⃣", "ⓐⓒ", "A、C"])
def test_several_options_are_listed_by_letters_of_any_width_and_in_circles(tmp_path: Path, reply: str) -> None:
    item = one(tmp_path, {"options": ["rain", "wind", "a dog", "a cat"], "answer": ["A", "C"]})
    assert scores(item, reply)["em"].extraction == ("A", "C")


def test_a_circled_label_chooses_one_option(tmp_path: Path) -> None:
    item = one(tmp_path, {"options": ["rain", "wind", "a dog", "a cat"], "answer": "C"})
    for reply in ("③ a dog", "Ⓒ", "🅲 a dog", "答案是⑶"):
        assert scores(item, reply)["acc"].value == 1.0, reply
