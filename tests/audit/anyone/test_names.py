"""Tests of `audit/anyone/names.py`: labels of rows and columns, as tables of published papers print them."""

from __future__ import annotations

import pytest

from triptych.audit.anyone.names import (
    is_average,
    is_change,
    is_error_rate,
    is_limited,
    is_meta,
    is_reference,
    is_sum,
    label_key,
    lower_is_better,
    may_be_share,
)

CASES = {
    is_average: (
        [
            *("Avg.", "Overall", "MMLU|Average", "macro", "平均", "All", "Moyenne", "Durchschnitt", "Среднее"),
            *("Promedio", "المتوسط", "평균", "Média", "Gesamt", "總體"),
        ],
        ["Savage", "Audio", "Falling", "Manner", "Средний", "Mittel", "متوسط", "Media", "Gesamtschule"],
    ),
    is_sum: (["Total", "RSum", "R-sum", "总分", "合計", "Summe"], ["Totalitarian", "Summer", "Accuracy"]),
    is_change: (["Δ", "Improvement", "Gain", "Diff.", "↑"], ["Acc ↑", "", "Different", "Again", "BLEU", "Delhi"]),
    is_meta: (
        ["#Params", "Size", "Frames", "Year", "7B", "大小", "樣本數"],
        ["Acc@1", "pass@10", "Average", "Counting rate", "BLEU"],
    ),
    is_error_rate: (["WER", "CER (%)", "test-clean|WER", "字错率"], ["Answer", "Acer", "Accuracy", "error"]),
    is_limited: (
        ["Accuracy", "F1", "mIoU", "R@1", "EM", "准确率 (%)", "正解率", "Точность"],
        ["BLEU", "CIDEr", "WER", "ΔAcc", "PESQ"],
    ),
    is_reference: (
        ["Random", "Human", "Chance", "Most frequent", "Average"],
        ["Humanoid-7B", "GPT-4o", "Randomly-init"],
    ),
    may_be_share: (["Accuracy", "Music", "Recall"], ["BLEU", "F1", "MOS", "#Params"]),
}


@pytest.mark.parametrize("function", CASES)
def test_labels_of_published_tables(function) -> None:  # type: ignore[no-untyped-def]
    yes, no = CASES[function]
    assert [label for label in yes if not function(label)] == []
    assert [label for label in no if function(label)] == []


@pytest.mark.parametrize(
    ("label", "lower"),
    [
        ("WER", True),
        ("WER ↓", True),
        ("RTF", True),
        ("FID", True),
        ("Acc", False),
        ("BLEU", False),
        ("Error ↑", False),
        ("Overall", None),
        ("Music", None),
    ],
)
def test_directions(label: str, lower: bool | None) -> None:
    assert lower_is_better(label) is lower


def test_labels_are_compared_without_case_and_marks() -> None:
    assert label_key("Qwen2.5-Omni (7B)") == label_key("qwen2.5 omni 7b")
    assert label_key("模型 Ａ") != label_key("模型 B")
