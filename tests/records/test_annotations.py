"""Tests of `records/annotations.py`: people's lines about a reply and about a Run, also from other tools."""

from __future__ import annotations

import msgspec
import pytest

from triptych.records import Annotation, RunNote


def test_the_identity_is_the_item_the_repeat_and_the_person() -> None:
    first = Annotation("诗词/12", 1, "perception", "wrong", "听错", "文", "2026-01-02T03:04:05+00:00")
    later = Annotation("诗词/12", 1, "format", "right", "", "文", "2026-02-03T04:05:06+00:00")
    assert first.entry == later.entry == ("诗词/12", 1, "文")
    others = [Annotation("诗词/13", 1, by="文"), Annotation("诗词/12", 0, by="文"), Annotation("诗词/12", 1, by="Ana")]
    assert first.entry not in {other.entry for other in others}


@pytest.mark.parametrize("field", [{"kind": "refusal"}, {"verdict": "unsure"}, {"note": "?"}])
def test_any_of_kind_verdict_and_note_says_something(field: dict[str, str]) -> None:
    line = msgspec.json.encode({"item": "a", **field})
    assert msgspec.json.decode(line, type=Annotation).says_something


def test_the_person_and_the_time_alone_withdraw() -> None:
    assert not Annotation("a", 3, by="Wen", at="2026-01-02T03:04:05+00:00").says_something


def test_a_line_of_a_spreadsheet_is_read_with_its_further_columns() -> None:
    line = '{"item": "a", "verdict": "wrong", "kind": "", "reviewed by": "Ana", "row": 7}'
    assert msgspec.json.decode(line, type=Annotation) == Annotation("a", verdict="wrong")


@pytest.mark.parametrize("line", ['{"verdict": "right"}', '{"item": "a", "verdict": "correct"}', '{"item": 5}'])
def test_a_line_without_item_or_with_another_verdict_is_refused(line: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Annotation)


def test_only_what_was_said_is_written() -> None:
    assert msgspec.json.encode(Annotation("a", by="Wen")) == b'{"item":"a","by":"Wen"}'
    assert msgspec.json.encode(RunNote()) == b"{}"
    note = RunNote(True, ("final", "论文"), "see §4", "Wen")
    assert msgspec.json.decode(msgspec.json.encode(note), type=RunNote) == note
