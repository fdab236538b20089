"""The released scorer's values, digit for digit: against nltk, zhconv, jieba and plain loops, on hard cases."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.benchmarks.mcs_bench.rows_for_tests import unit
from tests.support.encoders import no_encoders, with_encoder
from triptych.benchmarks.mcs_bench.protocols import METRICS, PROTOCOLS
from triptych.metrics.embedding import TextComparison
from triptych.records import Score
from triptych.scoring.comparing import attach_similarities, compare_texts

nltk = pytest.importorskip("nltk")
zhconv = pytest.importorskip("zhconv")
jieba = pytest.importorskip("jieba")

# (reference, reply): empty, traditional, full-width, repeated, Latin, only punctuation, blanks, line ends, partial
HARD = [
    ("学而时习之", ""),
    ("学而时习之", "   "),
    ("学而时习之", "學而時習之"),
    ("学而时习之，不亦说乎", "學而時習之，不亦說乎？"),
    ("学而时习之", "学学学而而时习之之之之"),
    ("学学学而而时习之之", "学而时习之"),
    ("学而时习之", "。，！？、；"),
    ("。，！", "。，！"),
    ("学而时习之", "The answer is: 学而 shí 习之 ABCD 123"),
    ("ＡＢＣ１２３学", "ABC123学"),
    ("ABC 123", "ＡＢＣ　１２３"),
    ("一二三四五", "五四三二一"),
    ("天地玄黄宇宙洪荒", "天地黄\n宇宙洪荒荒\t日月"),
    ("乾隆年著述", "乾隆年著述"),
    ("子曰：“学而时习之，不亦说乎？”", "子曰：“學而時習之，不亦說乎？”有朋自遠方來"),
    ("孟子、梁惠王、齐", " 孟子、梁惠王 、齐、齐、楚\n"),
    ("孟子", "孟子、"),
    ("鞠歌行、应龙", "鞠歌行，應龍"),
    ("山", "山。"),
    ("山", "这是“山”字"),
    ("12", "图中有112只鸟"),
    ("虎", "老虎"),
    ("软件、网络", "軟體、網路"),
    ("🀄麻将", "🀄🀄麻將_1"),
]
TEXTS = st.text(st.sampled_from("学而时习之學時說，。、：“”\n A1ａ１ 山乾著"), max_size=12)


def values(task: str, reference: str, reply: str) -> dict[str, float | None]:
    return {s.metric: s.value for s in PROTOCOLS["official"].score(unit(task, reference, reply))}


def clean(text: str) -> str:
    return re.sub(r"[^\w]", "", text)


def simple(text: str) -> str:
    return str(zhconv.convert(text, "zh-cn"))


def distance_with_path(expected: str, got: str) -> tuple[int, int, int]:
    """Substitutions, deletions, insertions: memoised recursion, the path preferring match, S, D, I from the end."""

    @cache
    def cost(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        if expected[i - 1] == got[j - 1]:
            return cost(i - 1, j - 1)
        return 1 + min(cost(i - 1, j), cost(i, j - 1), cost(i - 1, j - 1))

    counts, i, j = Counter[str](), len(expected), len(got)
    while i or j:
        if i and j and expected[i - 1] == got[j - 1]:
            i, j = i - 1, j - 1
        elif i and j and cost(i, j) == cost(i - 1, j - 1) + 1:
            counts["S"], i, j = counts["S"] + 1, i - 1, j - 1
        elif i and cost(i, j) == cost(i - 1, j) + 1:
            counts["D"], i = counts["D"] + 1, i - 1
        else:
            counts["I"], j = counts["I"] + 1, j - 1
    return counts["S"], counts["D"], counts["I"]


def bleu(expected: list[str], got: list[str], method: str) -> float:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(sentence_bleu([expected], got, smoothing_function=getattr(SmoothingFunction(), method)))


def ocr_oracle(reference: str, reply: str) -> dict[str, float]:
    expected, got = clean(reference), simple(clean(reply))
    subs, dels, ins = distance_with_path(expected, got)
    n = len(expected)
    sets = (set(expected), set(got))
    return {
        "cr": (n - subs - dels) / n if n else 0.0,
        "ar": (n - subs - dels - ins) / n if n else 0.0,
        "ned": nltk.edit_distance(got, expected) / max(len(got), n) if got or n else 0.0,
        "f1.charset": nltk.f_measure(*sets) or 0.0 if all(sets) else 0.0,
        "precision.charset": nltk.precision(*sets) or 0.0,
        "recall.charset": (nltk.recall(*sets) or 0.0) if expected else 0.0,
        "bleu": bleu(list(expected), list(got), "method1"),
    }


def grams(text: str, n: int) -> Counter[str]:
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def subsequence(x: str, y: str) -> int:
    row = [0] * (len(y) + 1)
    for a in x:
        above = row[:]
        for j, b in enumerate(y, 1):
            row[j] = above[j - 1] + 1 if a == b else max(above[j], row[j - 1])
    return row[-1]


def f1(hits: float, got: float, expected: float) -> float:
    p, r = (hits / got if got else 0.0), (hits / expected if expected else 0.0)
    return 2 * p * r / (p + r) if p + r else 0.0


def translation_oracle(reference: str, reply: str) -> dict[str, float]:
    got = simple(reply)
    x, y = reference.replace(" ", ""), simple(reply.replace(" ", ""))
    rouge = {
        f"rouge_{n}": f1(sum((grams(x, n) & grams(y, n)).values()), grams(y, n).total(), grams(x, n).total())
        for n in (1, 2)
    }
    words = bleu(list(jieba.cut(reference)), list(jieba.cut(got)), "method4")
    return {"bleu": words, **rouge, "rouge_l": f1(subsequence(x, y), len(y), len(x))}


def punctuation_oracle(reference: str, reply: str) -> dict[str, float]:
    def pairs(text: str) -> list[str]:
        return [text[i - 1] + c for i, c in enumerate(text) if not ((c.isascii() and c.isalnum()) or "一" <= c <= "龥")]

    expected, got = pairs(reference), pairs(simple(reply))
    hits = sum(pair in expected for pair in got)
    precision, recall = hits / len(got) if got else 0.0, hits / len(expected) if expected else 0.0
    return {
        "f1.punctuation": f1(hits, len(got), len(expected)),
        "precision.punctuation": precision,
        "recall.punctuation": recall,
    }


def entity_oracle(reference: str, reply: str) -> dict[str, float]:
    expected, got = set(reference.split("、")), set(simple(reply).strip().split("、"))
    hits = len(expected & got)
    return {
        "f1.entity": f1(hits, len(got), len(expected)),
        "precision.entity": hits / len(got),
        "recall.entity": hits / len(expected),
    }


def open_oracle(reference: str, reply: str) -> dict[str, float]:
    got = simple(reply)
    longest = max(len(reference), len(got))
    return {"anls": 1 - nltk.edit_distance(reference, got) / longest if longest else 1.0}


def picture_oracle(reference: str, reply: str) -> dict[str, float]:
    return {"acc": float(reference in simple(clean(reply)))}


ORACLES: dict[str, Any] = {
    "T1": ocr_oracle,
    "T2": translation_oracle,
    "T3": punctuation_oracle,
    "T4": entity_oracle,
    "T6": open_oracle,
    "T21": picture_oracle,
}


def check(task: str, reference: str, reply: str) -> None:
    found = values(task, reference, reply)
    for metric, value in ORACLES[task](reference, reply).items():
        assert found[metric] == pytest.approx(value, abs=1e-9), (task, metric, reference, reply)


@pytest.mark.parametrize("task", sorted(ORACLES))
@pytest.mark.parametrize(("reference", "reply"), HARD)
def test_hard_cases(task: str, reference: str, reply: str) -> None:
    check(task, reference, reply)


@pytest.mark.parametrize("task", sorted(ORACLES))
@given(reference=TEXTS.filter(bool), reply=TEXTS)
@example(reference="著", reply="著 著")  # conversion looks at neighbours: for ROUGE, blanks go before it
@settings(max_examples=60, deadline=None)
def test_any_text(task: str, reference: str, reply: str) -> None:
    check(task, reference, reply)


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("B", 1),
        ("b", 0),
        ("Ｂ", 0),
        ("ABCD", 1),
        ("BAD", 1),
        ("A", 0),
        ("", 0),
        ("。，", 0),
        ("答案是B。", 1),
        ("選B", 1),
    ],
)
def test_a_letter_anywhere_is_right(reply: str, right: int) -> None:
    assert values("T5", "B", reply) == {"acc": right}


def test_by_hand() -> None:
    # 学而时习之 against 学时习之之: 而 deleted, 之 inserted
    found = values("T8", "学而时习之", "學時習之之")
    assert (found["cr"], found["ar"], found["ned"]) == (0.8, pytest.approx(0.6), 0.4)
    assert (found["precision.charset"], found["recall.charset"]) == (1, 0.8)
    assert values("T28", "山", "山")["bleu"] == pytest.approx(0.1**0.75)


def test_refused_and_cut_replies_are_read_and_lost_ones_cost_the_worst() -> None:
    for status in ("refused", "truncated"):
        assert [s.value for s in PROTOCOLS["official"].score(unit("T5", "B", "B", status))] == [1.0]
    lost = {s.metric: (s.status, s.numerator) for s in PROTOCOLS["official"].score(unit("T1", "学", "", "failed"))}
    assert set(lost.values()) == {("failed", 0.0), ("failed", 1.0)}
    assert lost["ned"] == ("failed", 1.0)


def test_what_has_no_encoder_is_unavailable_and_says_what_to_get(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_encoders(monkeypatch, tmp_path)
    asked = [unit("T6", "学而", "学而"), unit("T6", "学而", "", "failed"), unit("T5", "B", "B")]
    compared, used = compare_texts([asked[:1], asked[1:]], PROTOCOLS)
    open_, lost, choice = attach_similarities(asked, compared)
    scores = {s.metric: s for s in PROTOCOLS["official"].score(open_)}
    assert [scores[m].status for m in METRICS["official"]["open"]] == ["unavailable", "unavailable", "scored"]
    assert scores["open_qa"].denominator == 0
    assert "huggingface.co/hfl/chinese-bert-wwm" in scores["open_qa"].note
    assert "TRIPTYCH_ENCODERS" in scores["open_qa"].note
    found = {s.metric: (s.status, s.denominator) for s in PROTOCOLS["official"].score(lost)}
    assert found == {"open_qa": ("failed", 0), "cls_cosine": ("failed", 0), "anls": ("failed", 1)}
    assert PROTOCOLS["official"].score(choice)[0].value == 1
    assert not used


def test_with_an_encoder_open_answers_are_the_mean_of_both() -> None:
    def scores(*what: str) -> dict[str, Score]:
        return {s.metric: s for s in PROTOCOLS["official"].score(with_encoder(unit(*what)))}

    assert scores("T6", "学而", "学")["open_qa"].value == pytest.approx((0.5 + 0.5) / 2)
    assert scores("T6", "学而", "学而")["open_qa"].value == pytest.approx((0.5 + 1) / 2)
    lost = scores("T6", "学而", "", "failed")["open_qa"]
    assert (lost.status, lost.numerator, lost.denominator) == ("failed", 0, 1)


def test_what_an_encoder_is_shown() -> None:
    asked = unit("T6", "明月", "<think>想</think>幾時")
    shown = {name: list(protocol.compares(asked)) for name, protocol in PROTOCOLS.items() if protocol.compares}
    assert shown == {
        "official": [TextComparison("cls_cosine", "<think>想</think>几时", "明月")],
        "paper": [TextComparison("bertscore", "<think>想</think>几时", "明月", "zh")],
        "standard": [TextComparison("bertscore", "几时", "明月", "zh")],
    }
    for other in (unit("T5", "B", "B"), unit("T6", "明月", "", "failed")):
        assert not any(list(protocol.compares(other)) for protocol in PROTOCOLS.values() if protocol.compares)


def test_the_signature_tells_the_converter() -> None:
    assert PROTOCOLS["official"].uses[0].startswith("zhconv-")
