"""Tests of `construction/text_checks/classical/editions.py`: what editions add to classical texts and leave out of
them."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.classical.editions import cut_end, gap, without_heading, without_notes

QUIET_NIGHT = "床前明月光，疑是地上霜。举头望明月，低头思故乡。"  # Li Bai


@pytest.mark.parametrize(
    "edition",
    [
        "床前明月光，疑（yí）是地上霜。举头望明月，低头思故乡。",
        "床前明月光①，疑是地上霜②。举头望明月③，低头思故乡。",
        "床前明月光，疑是地上霜。举(jǔ)头望明月，低头思故乡(xiāng)。",
        "床前明月光，疑是地上霜（霜：指月光）。举头望明月，低头思故乡。",
        "床前明月光，疑是地上霜。举头（一作“山”）望明月，低头思故乡。",
        "床前明月光，疑是地上霜。—12—举头望明月，低头思故乡。",
        QUIET_NIGHT,
    ],
)
def test_readings_glosses_and_page_numbers_are_removed(edition: str) -> None:
    assert without_notes(edition) == QUIET_NIGHT


def test_brackets_with_words_and_abbreviations_stay() -> None:
    text = "他说（笑着）：“这是DNA（脱氧核糖核酸）。”见《史记》（BC）"
    assert "（笑着）" in without_notes(text) and "（BC）" in without_notes(text)


@pytest.mark.parametrize("text", ["齐鲁青未□", "造化钟神秀，阴阳割[?]晓", "荡胸生(缺)云", "决眦入〓鸟"])
def test_lost_characters_are_found(text: str) -> None:
    assert gap(text)


@pytest.mark.parametrize("text", [QUIET_NIGHT, "二〇〇三年", "子曰：“学而时习之，不亦说乎？”", ""])
def test_whole_texts_have_no_gap(text: str) -> None:
    assert gap(text) == ""


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("床前明月光，疑是地上霜。举头望明月，", "举头望明月，"),
        ("床前明月光，疑是地上霜。举头望", "举头望"),
        (QUIET_NIGHT, ""),
        (QUIET_NIGHT[:-1], ""),
        ("学而时习之", ""),
        ("", ""),
    ],
)
def test_a_text_that_stops_within_a_sentence(text: str, end: str) -> None:
    assert cut_end(text) == end


@pytest.mark.parametrize(
    "text",
    [
        f"《静夜思》 李白 {QUIET_NIGHT}",
        f"静夜思\n李白\n{QUIET_NIGHT}",
        f"【静夜思】（唐）李白：{QUIET_NIGHT}",
        f"{QUIET_NIGHT}——李白《静夜思》",
    ],
)
def test_title_and_author_of_the_row_are_removed(text: str) -> None:
    row = {"title": "静夜思", "author": "李白", "dynasty": "唐"}
    assert without_heading(text, row) == QUIET_NIGHT


@pytest.mark.parametrize("row", [{}, {"title": "", "author": "李白"}, {"title": "春晓"}, {"title": None}])
def test_a_row_without_that_title_changes_nothing(row: dict[str, str]) -> None:
    assert without_heading(f"《静夜思》李白 {QUIET_NIGHT}", row) == f"《静夜思》李白 {QUIET_NIGHT}"
