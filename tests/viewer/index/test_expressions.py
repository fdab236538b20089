"""Filter expressions: against the same filters written over the records, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.viewer.index.test_query import Test, expected, folder, found, index
from triptych.errors import DataError
from triptych.reports.html.links import items_path
from triptych.store.folder import RunFolder
from triptych.viewer.index.expressions import Comparison, Joined, is_true_of, parse_expression
from triptych.viewer.index.files import RunIndex

__all__ = ["folder", "index"]

CASES: list[tuple[str, Test]] = [
    ("outcome = right", lambda i, r, s: s.numerator == 1),
    ("outcome != right", lambda i, r, s: s.numerator == 0),
    ("NOT outcome = Right", lambda i, r, s: s.numerator == 0),
    ("score >= 100", lambda i, r, s: s.numerator == 1),
    (
        "score < 50 and direction = audio_text",
        lambda i, r, s: s.numerator == 0 and i.facets["direction"] == "audio_text",
    ),
    ("task ~ linguistic or outcome = right", lambda i, r, s: "linguistic" in i.task or s.numerator == 1),
    (
        "direction = (audio_text, text_audio) and not task ~ 'perception'",
        lambda i, r, s: i.facets["direction"] in ("audio_text", "text_audio") and "perception" not in i.task,
    ),
    (
        "f.direction != (audio_text, text_audio)",
        lambda i, r, s: i.facets["direction"] not in ("audio_text", "text_audio"),
    ),
    ("question ~ PICTURE", lambda i, r, s: "picture" in "\n".join(p.text for p in i.parts).lower()),
    ("reply ~ b or reply = a", lambda i, r, s: "b" in r.text.lower() or r.text.lower() == "a"),
    ("reply !~ b", lambda i, r, s: "b" not in r.text.lower()),
    ("length <= 1", lambda i, r, s: len(r.text) <= 1),
    ("parsed = B", lambda i, r, s: s.extraction == "B"),
    ("status = failed", lambda i, r, s: False),
    ("repeat = 0", lambda i, r, s: True),
    ('id ~ "\' OR 1=1 --"', lambda i, r, s: False),
]


@pytest.mark.parametrize(("where", "fits"), CASES)
def test_an_expression_finds_what_the_records_say(folder: RunFolder, index: RunIndex, where: str, fits: Test) -> None:
    assert set(found(index, {"where": where})) == expected(folder, "official", fits)


@pytest.mark.parametrize(
    "text, problem",
    [
        ("outcome =", "missing value"),
        ("= right", "missing name"),
        ("outcome right", "missing comparison"),
        ("(outcome = right", "missing parenthesis"),
        ("outcome = right outcome = wrong", "unexpected text"),
        ("score > (1, 2)", "list of values"),
        ("outcome = 'right", "unexpected character"),
        ("a = b and", "missing name"),
        ("(" * 60 + "a = b" + ")" * 60, "too many parentheses"),
        ("a = " + "b" * 3000, "too long"),
        ("", "missing name"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_position(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        parse_expression(text)


def test_and_binds_closer_than_or_and_quotes_protect() -> None:
    tree = parse_expression("a = 1 or b = 'x and \\'y\\'' and not c ~ \"(z\"")
    second = Joined("and", (Comparison("b", "=", ("x and 'y'",)), Joined("not", (Comparison("c", "~", ("(z",)),))))
    assert tree == Joined("or", (Comparison("a", "=", ("1",)), second))


def test_several_values_of_one_field() -> None:
    run = {"tag": ["final", "v2"], "model": ["openai/x"], "step": ["500"], "note": []}
    for text, true in [
        ("tag = final", True),
        ("tag != final", False),
        ("tag = (a, V2)", True),
        ("tag != (a, b)", True),
        ("step >= 500", True),
        ("step < 500", False),
        ("note ~ x", False),
        ("note != x", True),
        ("model ~ OPENAI", True),
    ]:
        assert is_true_of(parse_expression(text), run, "") is true, text
    with pytest.raises(DataError, match="unknown field 'colour'"):
        is_true_of(parse_expression("colour = red"), run, "tag, model")


@pytest.mark.parametrize("where", ["colour = red", "score > high", "outcome ="])
def test_a_fault_is_shown_next_to_the_field_and_nothing_matches(client: TestClient, where: str) -> None:
    page = client.get(items_path("xmodbench~random"), params={"where": where})
    assert page.status_code == 200
    assert 'id="where-problem"' in page.text and "No Item matches" in page.text
    pair = client.get("/compare", params={"a": "xmodbench~random", "b": "xmodbench~knowing", "where": where})
    assert pair.status_code == 200 and 'id="where-problem"' in pair.text


def test_an_expression_is_kept_on_the_way_to_an_item_and_back(client: TestClient, root: Path) -> None:
    page = client.get(items_path("xmodbench~random"), params={"where": "outcome = wrong"}).text
    assert "where=outcome+%3D+wrong" in page and 'value="outcome = wrong"' in page
