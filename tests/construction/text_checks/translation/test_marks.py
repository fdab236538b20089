"""Tests of `construction/text_checks/translation/marks.py`: marks that a translator or a program left in a
translation."""

from __future__ import annotations

from triptych.construction.text_checks.translation.marks import full_width, mark_fault


def test_scripts_without_capitals_are_not_in_capitals() -> None:
    lines = ["我们的博物馆保存着三十万件干燥的植物，每件都有一张纸标签。", "متحفنا يحفظ ثلاثمئة ألف نبتة مجففة."]
    for line in lines:
        fault = mark_fault(line, "Our museum keeps three hundred thousand dried plants.", "")
        assert fault is None, fault


def test_half_width_punctuation_becomes_full_width() -> None:
    assert full_width("声音很轻,但是(几乎)听得到.") == "声音很轻，但是（几乎）听得到。"
    assert full_width("误差为2.6米，版本3.11。见 arXiv:1706.") == "误差为2.6米，版本3.11。见 arXiv:1706."
