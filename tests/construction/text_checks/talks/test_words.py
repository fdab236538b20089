"""Tests of `construction/text_checks/talks/words.py`: which talk an abstract is about."""

from __future__ import annotations

from pathlib import Path

from tests.construction.test_construction_translations_and_transcripts import RAW, lines
from triptych.construction.text_checks.talks.words import other_talks


def test_an_abstract_of_another_talk_is_found() -> None:
    rows = {talk: "\n".join(lines(talk, "en")) for talk in ("t1", "t2", "t3")}
    own = {row["id"]: row["abstract"] for row in mcif_rows()}
    assert other_talks(own, rows) == {}
    assert other_talks({**own, "t1": own["t3"]}, rows) == {"t1": "t3"}
    assert other_talks(own, {**rows, "t1": rows["t2"]}) == {"t1": "t3"} or other_talks(
        own, {**rows, "t4": rows["t1"], "t1": rows["t2"]}
    ) == {"t1": "t4"}
    assert other_talks({"t1": own["t1"]}, {"t1": rows["t1"]}) == {}


def mcif_rows() -> list[dict[str, str]]:
    import csv

    with Path(RAW / "talks.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))
