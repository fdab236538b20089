"""The three protocols by hand, quirk by quirk; and the aggregation against plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.cmdar.rows_for_tests import MAIN, MULTI, unit
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.cmdar.protocols import BOTH_ORDERS, PROTOCOLS, aggregate, judge_ratio, judged, official_pieces
from triptych.benchmarks.cmdar.rows import KINDS, Kind
from triptych.judges.verdicts import Verdict, Verdicts
from triptych.protocols.protocol import Cell, Unit
from triptych.records import ResponseStatus

SPEC = load_benchmark("cmdar").spec


def outcome(protocol: str, asked: Unit) -> list[tuple[str, str, float]]:
    return [(s.metric, s.status, round(s.numerator, 4)) for s in PROTOCOLS[protocol].score(asked)]


@pytest.mark.parametrize(
    ("reply", "official", "standard"),
    [
        ("学校，教室里", 1, 1),
        ("学校，教室里。", 1, 1),
        ("教室里，学校", 1, None),  # sets of words have no order
        ("学校教室里", 0, 1),  # a dropped comma makes one long word
        ("答案：学校，教室里", 1, 1),
        ("答案是学校，教室里", 0, 1),  # the first word is another
        ("学校，操场上", 0, 0),
        ("学校，教室里；银行", 0, None),
        ("A", 0, None),
        ("", 0, None),
        ("<think>银行？</think>学校，教室里", 0, 1),
    ],
)
def test_main(reply: str, official: int, standard: int | None) -> None:
    assert outcome("official", unit("main", reply)) == [("acc", "scored", official)]
    assert outcome("paper", unit("main", reply)) == [("acc", "scored", official)]
    expected = ("acc", "unparsed", 0) if standard is None else ("acc", "scored", standard)
    assert outcome("standard", unit("main", reply)) == [expected]


def test_an_answer_that_differs_from_its_option_by_a_blank_is_right() -> None:
    blank = unit("main", "需立即抢救", chosens=["需要电击 ", "需立即抢救 ", "演练", "出院"], answer="需立即抢救")
    assert all(outcome(name, blank) == [("acc", "scored", 1)] for name in PROTOCOLS)


# (em, ji, precision, recall), the right ones being 甲说谎, 乙在笑, 下着雨”
@pytest.mark.parametrize(
    ("reply", "official", "standard"),
    [
        ("甲说谎\n乙在笑\n下着雨”", (1, 1, 1, 1), (1, 1, 1, 1)),
        ("甲说谎；乙在笑;下着雨”。", (1, 1, 1, 1), (1, 1, 1, 1)),
        ("甲说谎；乙在笑", (0, 0.6667, 1, 0.6667), (0, 0.6667, 1, 0.6667)),
        ("甲说谎，乙在笑", (0, 0, 0, 0), (0, 0.6667, 1, 0.6667)),  # a comma splits nothing
        ("1. 甲说谎\n2. 乙在笑", (0, 0, 0, 0), (0, 0.6667, 1, 0.6667)),
        ("甲说谎；甲说谎", (0, 0.3333, 1, 0.3333), (0, 0.3333, 1, 0.3333)),
        ("甲说谎；丙走了", (0, 0.25, 0.5, 0.3333), (0, 0.25, 0.5, 0.3333)),
        ("正确的是：\n 甲说谎！ ", (0, 0.3333, 1, 0.3333), (0, 0.3333, 1, 0.3333)),
        ("没有", (0, 0, 0, 0), None),
    ],
)
def test_multi(reply: str, official: tuple[float, ...], standard: tuple[float, ...] | None) -> None:
    names = ("em", "ji", "precision", "recall")
    scored = [(name, "scored", value) for name, value in zip(names, official, strict=True)]
    assert outcome("official", unit("multi", reply)) == outcome("paper", unit("multi", reply)) == scored
    status = "unparsed" if standard is None else "scored"
    expected = [(name, status, value) for name, value in zip(names, standard or (0, 0, 0, 0), strict=True)]
    assert outcome("standard", unit("multi", reply)) == expected


@pytest.mark.parametrize("reply", ["甲说谎：", "甲说谎、", "甲说谎 。", "“甲说谎”"])
def test_official_strips_the_released_scorers_marks_and_no_others(reply: str) -> None:
    assert official_pieces(reply, MULTI["chosens"]) == frozenset()
    assert official_pieces(" 甲说谎。！?; ", MULTI["chosens"]) == {"甲说谎"}


def test_official_holds_answers_against_options_with_their_blanks() -> None:
    blank = unit("multi", "甲说谎", answer=["甲说谎 "])
    assert [value for _, _, value in outcome("official", blank)] == [0, 0, 0, 0]
    assert [value for _, _, value in outcome("standard", blank)] == [1, 1, 1, 1]


def test_pieces_keep_the_quotes_that_end_an_option() -> None:
    assert official_pieces("他说“走”。；下雨，", ["他说“走”", "下雨"]) == {"他说“走”", "下雨"}


@pytest.mark.parametrize(
    ("verdict", "value"),
    [
        ("9 5", 50 / 9),
        ("8 10", 12.5),
        ("10 1\n", 1.0),
        ("10 10", 10.0),
        # the first two and the last two characters, whatever they are: the line end leaves the 0 of 10 alone
        ("10 10\n", 0.0),
        ("9 5 3", 30 / 9),
        ("11 5", 50 / 11),
        ("9", 10.0),
        ("8.5 8.5", None),
        ("", None),
        ("0 5", None),
        ("good", None),
        ("9,5", None),  # there it stops
    ],
)
def test_the_judges_two_numbers_are_cut_out_as_the_released_scorer_does(verdict: str, value: float | None) -> None:
    assert judge_ratio(verdict) == (None if value is None else pytest.approx(value))


def test_open_is_scored_where_the_file_holds_the_judges_reply_and_official_alone_takes_it() -> None:
    assert outcome("official", unit("open", "雨", verdict="9 5")) == [("judge_score", "scored", 5.5556)]
    assert outcome("official", unit("open", "雨", verdict="nine")) == [("judge_score", "judge_failed", 0)]
    for name in PROTOCOLS:
        assert outcome(name, unit("open", "雨")) == [("judge_score", "unavailable", 0)]
    for name in ("paper", "standard"):
        assert outcome(name, unit("open", "雨", verdict="9 5")) == [("judge_score", "unavailable", 0)]


def test_a_judges_opinion_reference_first_for_official_and_both_orders_for_the_others() -> None:
    verdicts = tuple(
        Verdict("j", "judge_score", "pair", order, 0, "given", values)
        for order, values in (("straight", (8.0, 4.0)), ("swapped", (5.0, 10.0)))
    )
    asked = replace(unit("open", "雨"), verdicts=Verdicts(verdicts))
    assert outcome("official", asked) == [("judge_score", "scored", 5.0)]
    # (4 + 10) / (8 + 5) x 10; the mean of the two ratios would be 12.5
    assert outcome("paper", asked) == outcome("standard", asked) == [("judge_score", "scored", 10.7692)]
    one = replace(asked, verdicts=Verdicts(verdicts[:1]))
    assert outcome("paper", one) == [("judge_score", "judge_failed", 0)]
    stored = replace(unit("open", "雨", verdict="9 9"), verdicts=Verdicts(verdicts))
    assert outcome("official", stored) == [("judge_score", "scored", 10.0)], "what the file holds comes first"


def test_a_mark_in_the_file_counts_even_where_the_reply_is_gone() -> None:
    asked = unit("open", "", "failed", verdict="9 9")
    assert outcome("official", asked) == [("judge_score", "scored", 10.0)]
    assert outcome("paper", asked) == [("judge_score", "failed", 0)]


marks = st.integers(1, 10).map(float)


@given(st.lists(st.tuples(marks, marks), min_size=1, max_size=4))
def test_a_judge_that_looks_at_positions_alone_finds_exact_parity(seen: list[tuple[float, float]]) -> None:
    """The marks of the first and the second place are the same in both orders: nothing is said about the texts."""
    given_ = [
        Verdict(
            "j", "judge_score", "pair", order, n, "given", (first, second) if order == "straight" else (second, first)
        )
        for order in BOTH_ORDERS
        for n, (first, second) in enumerate(seen)
    ]
    asked = replace(unit("open", "雨"), verdicts=Verdicts(tuple(given_)))
    for name in ("paper", "standard"):
        assert [s.numerator for s in PROTOCOLS[name].score(asked)] == [10.0]


@given(marks, marks)
def test_trading_reply_and_reference_inverts_the_score(reference: float, reply: float) -> None:
    def score(values: tuple[float, float]) -> float:
        both = tuple(Verdict("j", "judge_score", "pair", order, 0, "given", values) for order in BOTH_ORDERS)
        return PROTOCOLS["paper"].score(replace(unit("open", "雨"), verdicts=Verdicts(both)))[0].numerator

    assert score((reference, reply)) * score((reply, reference)) == pytest.approx(100)


def test_judge_failed_is_no_zero_in_the_mean() -> None:
    (score,) = PROTOCOLS["official"].score(unit("open", "雨", verdict="nine"))
    assert (score.status, score.denominator) == ("judge_failed", 0)


def test_what_a_judge_is_shown() -> None:
    wanted = judged(unit("open", "雨"), "judge_score", "official")
    assert wanted is not None and wanted.orders == ("straight",)
    assert wanted.slots["reply"] == "雨"
    both = judged(unit("open", "雨"), "judge_score", "paper")
    assert both is not None and both.orders == ("straight", "swapped")
    assert judged(unit("open", "雨", verdict="9 5"), "judge_score", "official") is None
    assert judged(unit("open", None), "judge_score", "paper") is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_no_unit_is_dropped_whatever_became_of_it(kind: Kind, protocol: str) -> None:
    metrics = next(t.metrics for t in SPEC.tasks if t.id == kind)
    lost: list[ResponseStatus] = ["failed", "skipped", "refused", "truncated", "answered"]
    for asked in [unit(kind, None), *(unit(kind, "", status) for status in lost)]:
        scores = PROTOCOLS[protocol].score(asked)
        assert tuple(s.metric for s in scores) == metrics
        assert all(s.numerator == 0 for s in scores)  # the worst case; the headline figure of official leaves it out
        assert kind == "open" or all(s.denominator == 1 for s in scores)
    assert PROTOCOLS[protocol].score(unit(kind, None))[0].status == "missing"
    assert PROTOCOLS[protocol].score(unit(kind, "", "failed"))[0].status == "failed"


def test_official_reads_cut_and_declining_text_and_standard_does_not() -> None:
    for status in ("refused", "truncated"):
        assert outcome("official", unit("main", "学校，教室里", status)) == [("acc", "scored", 1)]
        assert outcome("standard", unit("main", "学校，教室里", status)) == [("acc", status, 0)]


def test_a_question_without_a_key_is_unavailable() -> None:
    assert [s[1] for s in outcome("official", unit("main", "银行", answer=None))] == ["unavailable"]


def test_aggregation_pools_questions_and_broadcasts() -> None:
    cells = [
        Cell("cmdar/main", "acc", (("category", "SR"),)),
        Cell("cmdar/main", "acc", (("category", "ER"),)),
        Cell("cmdar/open", "judge_score", (("category", "SR"),)),
    ]
    sums = np.random.default_rng(0).uniform(1, 9, (2, 5, 3, 2))
    figures = {(f.task, f.metric, tuple(f.slice.values())): f for f in aggregate(cells, sums)}
    assert list(figures) == [
        ("cmdar/main", "acc", ()),
        ("cmdar/main", "acc", ("SR",)),
        ("cmdar/main", "acc", ("ER",)),
        ("cmdar/open", "judge_score", ()),
        ("cmdar/open", "judge_score", ("SR",)),
    ]
    for a in range(2):
        for b in range(5):
            (r1, n1), (r2, n2), (r3, n3) = sums[a, b]
            assert figures["cmdar/main", "acc", ()].value[a, b] == pytest.approx(100 * (r1 + r2) / (n1 + n2))
            assert figures["cmdar/main", "acc", ("ER",)].value[a, b] == pytest.approx(100 * r2 / n2)
            assert figures["cmdar/open", "judge_score", ()].value[a, b] == pytest.approx(r3 / n3)
    assert figures["cmdar/main", "acc", ()].cells == (0, 1)


def test_the_aggregation_does_not_mind_the_order_of_cells() -> None:
    cells = [Cell("cmdar/main", "acc", (("category", c),)) for c in ("SR", "ER", "SU")]
    sums = np.array([[1.0, 4.0], [2.0, 3.0], [5.0, 6.0]])
    one = {tuple(f.slice.values()): float(f.value) for f in aggregate(cells, sums)}
    other = {tuple(f.slice.values()): float(f.value) for f in aggregate(cells[::-1], sums[::-1])}
    assert one == pytest.approx(other)


@given(
    st.sampled_from(KINDS),
    st.text() | st.lists(st.sampled_from([*MAIN["chosens"], *MULTI["chosens"], "；", "\n", "不是"])).map("".join),
)
def test_any_reply_is_scored_within_bounds_and_alike_each_time(kind: Kind, reply: str) -> None:
    for protocol in PROTOCOLS.values():
        scores = protocol.score(unit(kind, reply))
        assert list(scores) == list(protocol.score(unit(kind, reply)))
        assert all(0 <= s.numerator <= max(s.denominator, 0) for s in scores)


def test_dropping_a_right_piece_never_raises_a_set_score() -> None:
    right = MULTI["answer"]
    for n in range(1, len(right)):
        more, less = (
            {m: v for m, _, v in outcome("official", unit("multi", "；".join(right[:k])))} for k in (n + 1, n)
        )
        assert all(less[m] <= more[m] for m in less)
