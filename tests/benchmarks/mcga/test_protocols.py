"""Judged figures, CMC, slices, statuses and what a judge is shown."""

from __future__ import annotations

import pytest

from tests.benchmarks.mcga.rows_for_tests import unit
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcga.names import TASKS
from triptych.benchmarks.mcga.protocols import PROTOCOLS, judged
from triptych.judges.rubric import load_rubric, messages
from triptych.protocols.protocol import Unit
from triptych.records import Aggregate, ResponseStatus
from triptych.scoring.apply import score_units
from triptych.scoring.figures.aggregate import aggregate_scores

MCGA = load_benchmark("mcga")


def figures(units: list[Unit], protocol: str = "official") -> dict[tuple[str, str], Aggregate]:
    scores = score_units(units, PROTOCOLS[protocol])
    return {
        (a.task, a.metric): a
        for a in aggregate_scores(scores, PROTOCOLS[protocol], MCGA.spec, replicates=20)
        if not a.slice
    }


def outcome(protocol: str, asked: Unit) -> list[tuple[str, str, float]]:
    return [(s.metric, s.status, round(s.numerator, 4)) for s in PROTOCOLS[protocol].score(asked)]


@pytest.mark.parametrize("task", ["s2tt", "mt"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_three_beauties_and_their_mean(task: str, protocol: str) -> None:
    marks = [{"llm_bf": 4, "llm_bm": 5, "llm_bs": 3}, {"llm_bf": 2, "llm_bm": 3, "llm_bs": 1}]
    units = [unit(task, "Moon", marks=m, audio=f"{n}.wav") for n, m in enumerate(marks)]
    found = {metric: a.value for (_, metric), a in figures(units, protocol).items()}
    assert found == pytest.approx({"llm_bf": 60, "llm_bm": 80, "llm_bs": 40, "llm_b": 60})


def test_the_means_are_of_what_was_marked_each_and_llm_b_is_theirs() -> None:
    """As the released scorer has it: a mark that can't be read leaves its own mean alone."""
    marks = [{"llm_bf": 4, "llm_bm": 5, "llm_bs": 3}, {"llm_bf": 2, "llm_bm": 3}]
    found = figures([unit("s2tt", "Moon", marks=m, audio=f"{n}.wav") for n, m in enumerate(marks)])
    assert found["mcga/s2tt", "llm_bs"].value == pytest.approx(60)
    assert found["mcga/s2tt", "llm_b"].value == pytest.approx((60 + 80 + 60) / 3)
    assert found["mcga/s2tt", "llm_b"].counts == {"scored": 1, "unavailable": 1}


def test_captions_sum_their_parts_of_100_points() -> None:
    reply = "一位男性\n清冷\n床前明月光疑是地上霜|清冷"
    found = figures([unit("sec", reply, marks={"sec_p": 2, "sec_g": 1, "sec_s": 4})])
    values = {metric: a.value for (_, metric), a in found.items()}
    assert values == pytest.approx({"sec_p": 20, "sec_g": 10, "sec_s": 40, "llm_c": 70, "cer.mean": 0})


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_without_a_judge_there_is_no_figure_and_no_zero(protocol: str) -> None:
    found = figures([unit("s2tt", "Moon"), unit("sec", "甲\n乙\n丙|一")], protocol)
    for metric in ("llm_bf", "llm_b", "sec_p", "llm_c"):
        (aggregate_,) = [a for (_, m), a in found.items() if m == metric]
        assert aggregate_.value is None
        assert aggregate_.counts == {"unavailable": 1}


def test_what_a_judge_is_shown() -> None:
    found = judged(unit("s2tt", "原文：x 译文：Moon"), "llm_bf", "official")
    assert found is not None and dict(found.slots) == {"source": "床前明月光，疑是地上霜。", "reply": "Moon"}
    assert judged(unit("mt", "Moon"), "llm_bs", "paper") is not None
    parts = [judged(unit("sec", "甲\n\n乙\n丙|一\n丁|二"), m, "official") for m in ("sec_p", "sec_g", "sec_s")]
    assert [dict(p.slots) for p in parts if p] == [
        {"reference": "一位男性，青年。", "reply": "甲"},
        {"reference": "全诗清冷。", "reply": "乙"},
        {"reference": "床前明月光，|清冷\n疑是地上霜。|恍惚", "reply": "丙|一\n丁|二"},
    ]
    for metric in ("llm_bf", "sec_p"):
        assert judged(unit("sec" if metric == "sec_p" else "s2tt", None), metric, "official") is None


def test_every_rubric_can_be_filled_even_for_an_empty_reply() -> None:
    for task in MCGA.spec.tasks:
        for metric, rubric in task.rubrics.items():
            for reply in ("", "Moon"):
                wanted = judged(unit(task.id, reply), metric, "official")
                assert wanted is not None
                assert messages(load_rubric(rubric), wanted.slots)


def test_official_reads_cut_and_declining_text_and_standard_does_not() -> None:
    for status in ("refused", "truncated"):
        assert outcome("official", unit("su", "B", status)) == [("acc", "scored", 1)]
        assert outcome("standard", unit("su", "B", status)) == [("acc", status, 0)]


@pytest.mark.parametrize(
    ("reply", "right", "standard"),
    [
        ("B", 1, ("scored", 1)),
        ("ABCD", 1, ("unparsed", 0)),
        ("A", 0, ("scored", 0)),
        ("", 0, ("unparsed", 0)),
        ("Because of it", 1, ("unparsed", 0)),
        ("答案是B", 1, ("scored", 1)),
    ],
)
def test_letters(reply: str, right: int, standard: tuple[str, int]) -> None:
    assert outcome("official", unit("su", reply)) == outcome("paper", unit("su", reply)) == [("acc", "scored", right)]
    assert outcome("standard", unit("su", reply)) == [("acc", *standard)]


def test_naming_every_genre_is_right_in_official_alone() -> None:
    asked = unit("sqa", "诗、词、曲、赋、文", sqa_a="诗")
    assert outcome("official", asked) == [("f1.token", "scored", 1)]
    assert outcome("standard", asked) == [("f1.characters", "scored", round(2 / 6, 4))]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("task", TASKS)
def test_no_unit_is_dropped_whatever_became_of_it(task: str, protocol: str) -> None:
    metrics = [s.metric for s in PROTOCOLS[protocol].score(unit(task, "B"))]
    lost: list[ResponseStatus] = ["failed", "skipped"]
    for asked, status in [(unit(task, None), "missing"), *((unit(task, "", s), s) for s in lost)]:
        scores = PROTOCOLS[protocol].score(asked)
        assert [s.metric for s in scores] == metrics
        assert {s.status for s in scores} == {status}
        for score in scores:  # the worst case: nothing right, everything misheard
            worst = score.denominator if score.metric.startswith("cer") else 0.0
            assert score.numerator == worst


def test_a_lost_clip_counts_as_misheard_in_the_figure_over_all() -> None:
    found = figures([unit("asr", "床前明月光，疑是地上霜。"), unit("asr", None, audio="2.wav")])[
        "mcga/asr", "cer.spaced"
    ]
    assert (found.value, found.value_answered) == (50.0, 0.0)


def six(sqa: str = "李白", su: str = "B", sr: str = "A", qa: str = "李白", lu: str = "B", lr: str = "A") -> list[Unit]:
    return [
        unit(task, reply) for task, reply in (("sqa", sqa), ("su", su), ("sr", sr), ("qa", qa), ("lu", lu), ("lr", lr))
    ]


def test_cmc_is_the_mean_of_three_ratios_for_runs_that_have_all_six() -> None:
    assert figures(six())["mcga", "cmc"].value == pytest.approx(100)
    assert figures(six(su="A"))["mcga", "cmc"].value == pytest.approx(100 * (1 + 0 + 1) / 3)
    assert ("mcga", "cmc") not in figures(six()[:-1])
    assert figures(six(lr="C"))["mcga", "cmc"].value is None, "nothing to divide by"


def test_slices_pool_clips() -> None:
    whole, wrong = "床前明月光，疑是地上霜。", "床前明月光，疑是地上雪。"
    units = [
        unit("asr", whole, audio="1.wav"),
        unit("asr", wrong, audio="2.wav", genre="词", dynasty="宋"),
        unit("asr", wrong, audio="3.wav", genre="诗", dynasty="宋", split="val"),
        unit("asr", wrong, audio="4.wav", genre=None),
    ]
    scores = score_units(units, PROTOCOLS["paper"])
    found = aggregate_scores(scores, PROTOCOLS["paper"], MCGA.spec, replicates=0)
    values = {tuple(sorted(a.slice.items())): (a.value, a.n) for a in found}
    assert values[()] == pytest.approx((7.5, 4))
    assert values[(("genre", "诗"),)] == pytest.approx((5, 2))
    assert values[(("dynasty", "宋"),)] == pytest.approx((10, 2))
    assert values[(("split", "val"),)] == pytest.approx((10, 1))
    assert values[(("dynasty", "宋"), ("genre", "词"))] == pytest.approx((10, 1))
    assert values[(("genre", "诗"), ("split", "test"))] == pytest.approx((0, 1))
    assert sum(n for key, (_, n) in values.items() if [k for k, _ in key] == ["genre"]) == 3
