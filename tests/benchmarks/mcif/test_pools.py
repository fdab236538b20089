"""Tests of `benchmarks/mcif/pools.py`: the 120 prompts of the released generator."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from triptych.benchmarks.mcif.names import LANGUAGES
from triptych.benchmarks.mcif.pools import pools, wording_of
from triptych.prompts.pool import fill_question

REPAIRED = {("QA/de", 9), ("QA/de", 10)}


def test_there_are_120_in_twelve_pools_of_ten() -> None:
    assert len(pools()) == 12
    assert {len(pool) for pool in pools().values()} == {10}
    assert len({wording for pool in pools().values() for wording in pool}) == 120
    for name, pool in pools().items():
        assert all(wording.count("{QUESTION}") == name.startswith("QA") for wording in pool), name


def test_they_stand_in_the_paper_but_for_the_width_of_marks_and_a_full_stop(shared_data: Path) -> None:
    papers = list((shared_data.parent / "papers").glob("003_*.txt"))
    if not papers:
        pytest.skip("the paper's text is not here")
    paper = papers[0].read_text(encoding="utf-8").replace("UTF8gbsn", "")
    narrow, printed = unicodedata.normalize("NFKC", paper), 0
    for name, pool in pools().items():
        for number, wording in enumerate(pool, 1):
            if (name, number) not in REPAIRED:
                printed += f"{number}. {wording}" in paper and f"{number}. {wording}." not in paper
                assert f"{number}. {unicodedata.normalize('NFKC', wording)}" in narrow, (name, number)
    assert printed == 120 - len(REPAIRED) - 15  # 14 Chinese ones with half-width marks, a German one with a full stop
    ninth, tenth = pools()["QA/de"][8:]
    assert f"9. {ninth} {tenth.removesuffix(' {QUESTION}')} |" in paper


def test_every_wording_is_recognised_with_any_question_in_it() -> None:
    for name, pool in pools().items():
        for number, wording in enumerate(pool, 1):
            for question in ("Who? {QUESTION}", "为什么？", "Transcribe the English content."):
                assert wording_of(fill_question(wording, question)) == (*name.split("/"), number)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("提炼英文内容的主要信息，用400字左右表达。", ("SUM", "zh", 8)),  # full-width comma
        ("Write a short summary (about 200 words) of what's in the English content.", ("SUM", "en", 10)),
        ("Transcribe the German content.", None),
        ("", None),
    ],
)
def test_marks_and_widths_do_not_matter_and_words_do(instruction: str, expected: object) -> None:
    assert wording_of(instruction) == expected


def test_the_fixed_prompts_are_the_first_of_their_pools() -> None:
    assert pools()["ASR/en"][0] == "Transcribe the English content."
    assert pools()["SUM/de"][0] == "Fasse den englischen Inhalt in einem Abstract mit maximal 200 Wörtern zusammen."
    assert {name.partition("/")[2] for name in pools() if name.startswith("QA")} == set(LANGUAGES)
