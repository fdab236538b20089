"""Tests of `triptych portal remind` and `status`: a file of letters that nobody sends, and how far the queues are."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the portal's packages are not installed")
pytest.importorskip("starlette", reason="the portal's packages are not installed")

from tests.portal.conftest import visitor
from tests.portal.review.test_review import put
from triptych.cli.main import main
from triptych.portal.project import Portal, open_portal


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """A portal with three questions that nobody has reviewed."""
    opened = open_portal(tmp_path_factory.mktemp("portal") / "p", create=True)
    put(opened, 3)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def reviewer(portal: Portal) -> str:
    """The pseudonym of a reviewer without results."""
    return visitor(portal, "reviewer").session.person.pseudonym


def ended(capsys: pytest.CaptureFixture[str], portal: Portal, command: str, *more: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["portal", command, *map(str, more), "--project", str(portal.path)])
    shown = capsys.readouterr()
    return int(stop.value.code or 0), shown.out, shown.err


def addresses(folder: Path, *rows: str, head: str = "Pseudonym,Address") -> Path:
    path = folder / "addresses.csv"
    path.write_text("\ufeff" + "\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_letter_for_each_person_with_an_address_and_none_for_strangers(
    portal: Portal, reviewer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, to = addresses(tmp_path, f"{reviewer},wang@example.org", "p-nobody,x@example.org"), tmp_path / "to.csv"
    code, out, said = ended(capsys, portal, "remind", "--addresses", table, "--to", to)
    assert (code, out) == (0, "") and f"{to}: 1 reminder\n" in said
    assert "nobody has the label or pseudonym of 1 row: p-nobody" in said
    ((address, pseudonym, _, subject, text, link),) = list(csv.reader(to.open(encoding="utf-8-sig")))[1:]
    assert (address, pseudonym, link) == ("wang@example.org", reviewer, "http://127.0.0.1:8780")
    assert subject and "3" in text and link in text, "three questions are left"
    assert b"wang@example.org" not in b"".join(p.read_bytes() for p in portal.path.rglob("*") if p.is_file())


def test_letters_in_chinese_with_a_link_to_the_persons_own_account(
    portal: Portal, reviewer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, to = addresses(tmp_path, f"{reviewer},wang@example.org"), tmp_path / "to.csv"
    more = ["--language", "zh", "--links", "--address", "https://p.example/"]
    assert ended(capsys, portal, "remind", "--addresses", table, "--to", to, *more)[0] == 0
    row = list(csv.reader(to.open(encoding="utf-8-sig")))[1]
    assert row[5].startswith("https://p.example/enter/") and row[5] in row[4]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in row[3])


@pytest.mark.parametrize(
    ("head", "row", "more", "words"),
    [
        ("who,mail", "a,b@c", [], "no usable heading"),
        ("label,address", "Wang,nowhere", [], "not an address"),
        ("label,address", "Wang,a@example.org", ["--language", "tlh"], "unknown language"),
    ],
)
def test_wrong_use_writes_no_file(
    portal: Portal, tmp_path: Path, head: str, row: str, more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = addresses(tmp_path, row, head=head)
    code, _, said = ended(capsys, portal, "remind", "--addresses", table, "--to", tmp_path / "to.csv", *more)
    assert code == 2 and words in said and not (tmp_path / "to.csv").exists()


def test_a_table_that_cannot_be_read_is_named(
    portal: Portal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "地址.csv"
    for content, words in ((None, "can't be read"), ("label,address\n王,a@b\n".encode("gb18030"), "isn't UTF-8")):
        if content is not None:
            table.write_bytes(content)
        code, _, said = ended(capsys, portal, "remind", "--addresses", table, "--to", tmp_path / "to.csv")
        assert code == 2 and words in said and "地址.csv" in said


def test_the_state_of_each_queue_and_the_disk(
    portal: Portal, reviewer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = ended(capsys, portal, "status")
    assert code == 0 and out.startswith("review (review): 0 of 3 done, 0 today\n") and "disk: " in out
    code, out, _ = ended(capsys, portal, "status", "--json")
    (queue,) = json.loads(out)["queues"]
    assert (queue["name"], queue["done"], queue["wanted"]) == ("review", 0, 3)
