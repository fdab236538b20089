"""`official` over whole sets against the oracle, to 1e-9: hard cases by hand, and whatever hypothesis finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.mcga import oracle
from tests.benchmarks.mcga.rows_for_tests import unit
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcga import official
from triptych.benchmarks.mcga.protocols import PROTOCOLS
from triptych.scoring.apply import score_units
from triptych.scoring.figures.aggregate import aggregate_scores

SPEC = load_benchmark("mcga").spec
HARD = [
    "",
    " ",
    "\n",
    "。，！",
    "床前明月光，疑是地上霜。",
    "床前明月光疑是地上霜",
    "牀前明月光，疑是地上霜",
    "床前明月",
    "The transcript is:\n床前明月光",
    "好的: '床前明月光'",
    "说:'床前:'明月光",
    "a:\nb: 'c:'床前",
    "床前明月光" * 40,
    "ＡＢＣ１２３",
    "<think>唔</think>床前明月光",
    "(笑)床前[注]明月光",
    "Moonlight, 50%",
    "_床_前_",
    "床 前\t明\u3000月",
    "臺灣龍鳳",
]
CAPTIONS = [
    "",
    "一行",
    "甲\n乙",
    "甲\n\n乙\n\n床前明月光，|清冷\n\n疑是地上霜。|恍惚",
    "甲\n乙\n床前明月光疑是地上霜",
    "甲\n乙\n|\n|清冷|",
    "甲\n乙\n床前明月光，|清冷\n疑是地上霜。|恍惚\n",
    "\n\n\n床前",
    "甲\n乙\n牀前明月光 | 清冷\n 疑是地上霜。| 恍惚 ",
]
ANSWERS = ["", "李白", "《李白》", "作者是李白。", "李 白", "杜甫", "李", "白李", "Li Bai", "LI BAI!", "_李白_", "。"]
LETTERS = [
    "B",
    "b",
    " B。",
    "ABCD",
    "A",
    "选B",
    "(B)",
    "B. 月光",
    "Because",
    "答案是C，不是B",
    "",
    "A or C",
    "Ｂ",
    "G",
    "AC",
    "I'd say b.",
]


def figure(task: str, replies: Sequence[str], metric: str, protocol: str = "official", **fields: Any) -> float:
    units = [unit(task, reply, id=f"1-{n}", audio=f"upload/{n}.wav", **fields) for n, reply in enumerate(replies)]
    scores = score_units(units, PROTOCOLS[protocol])
    found = aggregate_scores(scores, PROTOCOLS[protocol], SPEC, replicates=0)
    (value,) = [a.value for a in found if a.metric == metric and not a.slice]
    assert value is not None
    return value


Oracle = Callable[[Sequence[str], Sequence[str]], float]
CASES: list[tuple[str, str, str, str, list[str], Oracle]] = [
    ("asr", "cer.spaced", "asr", "床前明月光，疑是地上霜。", HARD, oracle.asr),
    ("sec", "cer.mean", "asr", "床前明月光，疑是地上霜。", CAPTIONS, oracle.caption_cer),
    ("sqa", "f1.token", "sqa_a", "李白", ANSWERS, oracle.sqa),
    ("qa", "f1.token", "sqa_a", "Li Bai", ANSWERS, oracle.sqa),
    ("su", "acc", "su_a", "B", LETTERS, oracle.choice),
    ("lr", "acc", "sr_a", "A", LETTERS, oracle.choice),
]


@pytest.mark.parametrize(("task", "metric", "field", "key", "replies", "known"), CASES, ids=lambda v: str(v)[:8])
def test_hard_cases_together_and_one_by_one(
    task: str, metric: str, field: str, key: str, replies: list[str], known: Oracle
) -> None:
    expected = known([key] * len(replies), replies)
    assert figure(task, replies, metric, **{field: key}) == pytest.approx(expected, abs=1e-9)
    for reply in replies:
        assert figure(task, [reply], metric, **{field: key}) == pytest.approx(known([key], [reply]), abs=1e-9), reply


PIECES = st.sampled_from([*"床前明月光牀臺ＡbB1。，|:'\n \t_", ": '", ":\n", "译文：", "李白", "Because", "(笑)"])
TEXTS = st.lists(PIECES, max_size=30).map("".join)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(CASES))
def test_any_replies(replies: list[str], case: tuple[str, str, str, str, list[str], Oracle]) -> None:
    task, metric, field, key, _, known = case
    expected = known([key] * len(replies), replies)
    assert figure(task, replies, metric, **{field: key}) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_the_other_protocols_give_a_cer(replies: list[str]) -> None:
    key = "床前明月光，疑是地上霜。"
    expected = oracle.true_cer([key] * len(replies), replies)
    for protocol in ("paper", "standard"):
        assert figure("asr", replies, "cer", protocol, asr=key) == pytest.approx(expected, abs=1e-9)


def test_an_error_costs_about_half_in_official() -> None:
    """Ten characters, one wrong: 1 of 19 with the blanks, 1 of 10 without."""
    reply = "床前明月光，疑是地上雪。"
    assert figure("asr", [reply], "cer.spaced") == pytest.approx(100 / 19)
    assert figure("asr", [reply], "cer", "paper") == pytest.approx(10)


@pytest.mark.parametrize(
    ("reply", "judged"),
    [
        ("Moonlight.", "Moonlight."),
        ("原文：床前\n译文：\n Moon \n", "Moon"),
        ("译文：a译文： b", "b"),
        ("译文: a", "译文: a"),  # another colon
    ],
)
def test_what_of_a_translation_is_judged(reply: str, judged: str) -> None:
    assert official.translation(reply) == judged


def test_captions_are_parted_at_their_first_two_line_ends() -> None:
    assert official.caption_parts("甲\n\n乙\n丙|一\n丁|二") == ("甲", "乙", "丙|一\n丁|二")
    assert official.caption_parts("甲") == ("甲", "", "")
    assert official.caption_transcript("丙|一|x\n 丁 \n") == "丙丁"


def test_a_clip_without_text_has_the_whole_error() -> None:
    assert official.caption_error_rate("。", "甲\n乙\n丙|一") == 1.0
