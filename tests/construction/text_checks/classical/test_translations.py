"""Tests of `construction/text_checks/classical/translations.py`: english translations of classical Chinese texts."""

from __future__ import annotations

from triptych.construction.text_checks.classical.translations import other_date


def test_a_number_of_several_words_is_not_read_by_its_last_word() -> None:
    assert other_date("一年三百六十日", "Three hundred and sixty days in one year.") is None
    assert other_date("一年三十日", "Sixty days in one year.") is not None
