"""The corpus is well formed, and the rates are those of a case counted by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from tests.metrics.replies.rates import SETS, Rates, Row, rates_by, read_rows

OPTIONS = {"A": "rain", "B": "wind"}


def row(label: str | int | None, reply: str, name: str = "ordinary", language: str = "en") -> Row:
    options = ["rain", "wind"] if name == "texts" else OPTIONS
    return Row(reply, name, "bare", language, options, reply, label, "", "")


def first_letter(reply: str, options: Mapping[str, str | None]) -> str | None:
    return reply[0] if reply[0] in options else None


def whole_text(reply: str, options: Sequence[str]) -> int | None:
    return options.index(reply) if reply in options else None


def test_the_rates_of_a_case_counted_by_hand() -> None:
    rows = [row("A", "A"), row("B", "A, no, B"), row("B", "wind"), row(None, "A or B"), row(None, "neither")]
    assert rates_by(rows, "set", letter=first_letter) == {"ordinary": Rates(rows=5, labelled=3, wrong=2, unread=1)}
    found = rates_by(rows, "set", letter=first_letter)["ordinary"]
    assert found.wrong_rate == pytest.approx(2 / 5)
    assert found.unread_rate == pytest.approx(1 / 3)


def test_rates_of_no_rows_are_zero() -> None:
    assert (Rates().wrong_rate, Rates().unread_rate) == (0.0, 0.0)


def test_each_set_has_its_own_reader() -> None:
    rows = [row("A", "A"), row(1, "wind", "texts", "zh"), row(0, "a storm", "texts", "zh")]
    assert rates_by(rows, "language", text=whole_text) == {"zh": Rates(rows=2, labelled=2, wrong=0, unread=1)}
    assert list(rates_by(rows, "set", letter=first_letter, text=whole_text)) == ["ordinary", "texts"]


def test_a_position_0_is_an_answer_and_not_nothing() -> None:
    assert rates_by([row(0, "rain", "texts")], "set", text=whole_text)["texts"].unread == 0
    assert rates_by([row(None, "rain", "texts")], "set", text=whole_text)["texts"].wrong == 1


def test_every_row_is_well_formed() -> None:
    rows = read_rows()
    assert {r.set for r in rows} == set(SETS)
    assert [i for i, n in Counter(r.id for r in rows).items() if n > 1] == []
    for r in rows:
        choices = list(r.options) if isinstance(r.options, Mapping) else list(range(len(r.options)))
        assert isinstance(r.options, Mapping) == (r.set != "texts"), r.id
        assert len(choices) >= 2, r.id
        assert r.label is None or r.label in choices, r.id
        assert r.format and r.language and r.why and r.source, r.id


def test_no_reply_is_labelled_in_two_ways() -> None:
    labels: dict[tuple[str, str], set[str | int | None]] = {}
    for r in read_rows():
        labels.setdefault((r.reply, str(r.options)), set()).add(r.label)
    assert [key for key, found in labels.items() if len(found) > 1] == []
