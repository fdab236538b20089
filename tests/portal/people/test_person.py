"""Tests of `portal/people/person.py`."""

from __future__ import annotations

import pytest

from triptych.errors import DataError
from triptych.portal.people.person import read_invitations


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("label,role\n王丽,recorder\n王丽,recorder\n", "twice"),
        ("label,role\n,recorder\n", "no name"),
        ("label,role\nWang,recoder\n", "unknown role"),
    ],
)
def test_a_table_of_people_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(DataError, match=says) as raised:
        read_invitations(text)
    assert "line" in str(raised.value.where)


def test_blank_lines_and_roles_in_capitals_are_read() -> None:
    assert read_invitations("label,role\n,\nWang,Recorder\nWang,reviewer\n") == [
        ("Wang", "recorder"),
        ("Wang", "reviewer"),
    ]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_table_of_invitations_as_excel_writes_it(separator: str) -> None:
    assert read_invitations(f"label{separator}role\nWang{separator}recorder\n") == [("Wang", "recorder")]
