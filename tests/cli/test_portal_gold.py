"""Tests of `triptych portal gold`: the table of known tasks, and which tasks of a queue they become."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the portal's packages are not installed")
pytest.importorskip("starlette", reason="the portal's packages are not installed")

from tests.portal.conftest import visitor
from tests.portal.review.test_review import put
from triptych.cli import portal_gold
from triptych.cli.main import main
from triptych.cli.portal_gold import read_known
from triptych.errors import DataError
from triptych.portal.project import Portal, open_portal

EXPECTED = "one row per task, as many cells as the heading"


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """A portal with three questions to review."""
    opened = open_portal(tmp_path_factory.mktemp("portal") / "p", create=True)
    visitor(opened, "reviewer")
    put(opened, 3)
    yield opened
    opened.close()


def gold(capsys: pytest.CaptureFixture[str], portal: Portal, table: Path, *more: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(["portal", "gold", more[0] if more else "review", str(table), "--project", str(portal.path), *more[1:]])
    return int(stop.value.code or 0), capsys.readouterr().err


def test_cells_of_several_right_values_and_of_several_choices() -> None:
    first, second = read_known(
        "\ufeffid, verdict ,criterion,why,why_zh\n"
        "q1,reject || edit,harmful | illogical,The answer is wrong.,答案不对。\n"
        'q2,,"有害, 不合逻辑",,\n'
    )
    assert (first.key, first.values) == ("q1", {"verdict": ["reject", "edit"], "criterion": [["harmful", "illogical"]]})
    assert first.why == {"en": "The answer is wrong.", "zh": "答案不对。"}
    assert (second.values, second.why) == ({"criterion": ["有害, 不合逻辑"]}, {}), "an empty cell says nothing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no usable heading"),
        ("key,why\nq1,x\n", "no usable heading"),
        ("id,why,why\nq1,x,y\n", "no usable heading"),
        ("id,why\n", "has no rows"),
        ("id,why\nq1,x\nq1,y\n", "line 3"),
        ("id,why\n,x\n", "no id"),
        ("id,why\nq1,x,more\n", EXPECTED),
    ],
)
def test_a_faulty_table_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        read_known(text, "gold.csv")
    assert words in str(error.value) and "gold.csv" in str(error.value)


def test_the_tasks_of_the_table_become_gold_and_others_cease_to_be(
    portal: Portal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sqlalchemy import select

    from triptych.portal.store.tables import tasks

    def known() -> set[str]:
        with portal.database.reading() as connection:
            chosen = select(tasks.c.key).where(tasks.c.purpose != "", tasks.c.closed_at.is_(None))
            return set(connection.execute(chosen).scalars())

    table = tmp_path / "gold.csv"
    table.write_text("id,verdict,why\ntalk/0,reject,x\ntalk/2,reject,y\n", encoding="utf-8")
    assert gold(capsys, portal, table) == (0, "review: 2 gold tasks\n")
    assert known() == {"gold/talk/0", "gold/talk/2"}
    table.write_text("id,verdict\ntalk/1,reject\n", encoding="utf-8")
    assert gold(capsys, portal, table)[1] == "review: 1 gold task\n" and known() == {"gold/talk/1"}
    assert "practice shows the correct answer" in gold(capsys, portal, table, "review", "--practice")[1]
    table.write_text("id,verdict\ntalk/0,reject\n", encoding="utf-8")
    assert gold(capsys, portal, table, "review", "--practice")[1] == "review: 1 practice task\n"
    assert known() == {"gold/talk/1", "practice/talk/0"}
    for text, words in (
        ("id,verdict\ntalk/2,reject\ntalk/9,reject\n", "talk/9"),
        ("id,verdict\ntalk/2,perhaps\n", "perhaps"),
        ("id,verdict\ntalk/2,\n", "no right value"),
    ):
        table.write_text(text, encoding="utf-8")
        code, said = gold(capsys, portal, table)
        assert code == 2 and words in said and known() == {"gold/talk/1", "practice/talk/0"}, "nothing is half done"


def test_what_cannot_be_read_is_one_message(
    portal: Portal, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "gold.csv"
    assert "the table can't be read" in gold(capsys, portal, table)[1]
    table.write_bytes("id,why\nq1,答案\n".encode("gb18030"))
    code, said = gold(capsys, portal, table)
    assert code == 2 and "save it as CSV UTF-8" in said
    table.write_text("id,verdict\ntalk/0,reject\n", encoding="utf-8")
    code, said = gold(capsys, portal, table, "nobody")
    assert code == 2 and "the portal has no queue 'nobody'" in said
    monkeypatch.setattr(portal_gold, "MAX_FILE_BYTES", 10)
    assert gold(capsys, portal, table)[0] == 2, "a file without an end isn't read"


def test_a_table_of_known_tasks_separated_by_semicolons() -> None:
    (known,) = read_known("id;verdict;why\nq1;reject;The answer is wrong, it is B.\n")
    assert known.key == "q1" and known.why == {"en": "The answer is wrong, it is B."}
