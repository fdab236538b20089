"""Tests of `triptych portal invite` and `person`: links that open an account, and what is done about one person."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the portal's packages are not installed")
pytest.importorskip("starlette", reason="the portal's packages are not installed")

from tests.portal.conftest import anonymous, visitor
from tests.portal.review.test_review import put
from triptych.cli.main import main
from triptych.portal.project import Portal, open_portal


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    opened = open_portal(tmp_path_factory.mktemp("portal") / "p", create=True)
    yield opened
    opened.close()


def ended(capsys: pytest.CaptureFixture[str], portal: Portal, command: str, *more: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["portal", command, *map(str, more), "--project", str(portal.path)])
    shown = capsys.readouterr()
    return int(stop.value.code or 0), shown.out, shown.err


def test_a_link_opens_an_account_and_only_one(portal: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, portal, "invite", "--role", "reviewer", "--address", "http://127.0.0.1:8780/")
    (link,) = out.split()
    assert code == 0 and link.startswith("http://127.0.0.1:8780/enter/")
    path = link.removeprefix("http://127.0.0.1:8780")
    assert anonymous(portal).get(path).status_code == 200
    _, other, _ = ended(capsys, portal, "invite", "--role", "reviewer")
    assert other.strip() != link


def test_a_table_gives_a_link_for_each_line_and_a_code_to_scan(
    portal: Portal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, to = tmp_path / "people.csv", tmp_path / "links.csv"
    table.write_text("\ufeffRole,Label\nrecorder,王小明\nannotator,=1+1\n\n", encoding="utf-8")
    code, out, said = ended(capsys, portal, "invite", "--table", table, "--to", to, "--qr", tmp_path / "qr")
    assert (code, out) == (0, "") and f"{to}: 2 links" in said
    rows = list(csv.reader(to.open(encoding="utf-8")))
    assert rows[0] == ["label", "role", "link"] and [row[:2] for row in rows[1:]] == [
        ["王小明", "recorder"],
        ["'=1+1", "annotator"],
    ], "a label is no formula in a spreadsheet"
    assert len({row[2] for row in rows[1:]}) == 2
    assert sorted(path.name for path in (tmp_path / "qr").iterdir()) == ["001-recorder.svg", "002-annotator.svg"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"name,job\nx,y\n", "no usable heading"),
        ("label,role\n王,国王\n".encode(), "unknown role"),
        ("label,role\n王,recorder\n".encode("gb18030"), "save it as CSV UTF-8"),
        (None, "the table can't be read"),
    ],
)
def test_a_faulty_table_invites_nobody(
    portal: Portal, tmp_path: Path, content: bytes | None, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "people.csv").write_bytes(content)
    code, _, said = ended(capsys, portal, "invite", "--table", tmp_path / "people.csv", "--to", tmp_path / "to.csv")
    assert code == 2 and words in said and not (tmp_path / "to.csv").exists()


def test_a_person_is_paused_gets_and_loses_roles_and_is_logged_out(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    name = visitor(portal, "reviewer").session.person.pseudonym
    assert ended(capsys, portal, "person", name)[1] == f"{name}: reviewer\nsessions: 1\n"
    out = ended(capsys, portal, "person", name, "--pause", "--give-role", "recorder", "--end-sessions")[1]
    assert out == f"{name} (paused): recorder, reviewer\nsessions: 0\n"
    out = ended(capsys, portal, "person", name, "--resume", "--take-role", "reviewer")[1]
    assert out == f"{name}: recorder\nsessions: 0\n"


def test_the_tasks_that_a_person_has_open_are_listed_and_freed(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    put(portal, 2)
    who = visitor(portal, "reviewer")
    assert who.client.get("/review/review").status_code == 200
    name = who.session.person.pseudonym
    assert "open: review/talk/" in ended(capsys, portal, "person", name)[1]
    assert "open:" not in ended(capsys, portal, "person", name, "--release")[1]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--pause", "--resume"], "--pause can't be combined with --resume"),
        (["--to", "p-xxxxxx"], "--to needs --work"),
        (["--give-role", "king"], "unknown role"),
        (["--work", "review"], "QUEUE/WORK"),
    ],
)
def test_wrong_use_changes_nothing(
    portal: Portal, more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = visitor(portal, "reviewer").session.person.pseudonym
    code, _, said = ended(capsys, portal, "person", name, *more)
    assert code == 2 and words in said
    assert ended(capsys, portal, "person", name)[1] == f"{name}: reviewer\nsessions: 1\n"


def test_a_misspelt_pseudonym_is_met_with_the_nearest(portal: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    name = visitor(portal, "reviewer").session.person.pseudonym
    code, _, said = ended(capsys, portal, "person", name[:-1])
    assert code == 2 and "nobody has the pseudonym" in said and name in said
