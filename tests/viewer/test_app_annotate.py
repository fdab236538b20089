"""What people say of replies: kept, shown, exported; and believed only from this server's own pages."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from triptych.records import Annotation
from triptych.reports.html.links import item_path, items_path, run_path
from triptych.store.annotations import read_annotations
from triptych.store.folder import RunFolder
from triptych.viewer.app import make_app


class Desk:
    """A Run of the test's own, and the form of its first Item."""

    def __init__(self, path: Path, root: Path) -> None:
        shutil.copytree(root / "xmodbench" / "random", path / "run")
        self.folder = RunFolder.open(path / "run")
        self.client = TestClient(make_app(path), base_url="http://127.0.0.1:8765", follow_redirects=False)
        self.item = next(iter(self.folder.items()))
        self.page = item_path("run", self.item.id)
        found = re.search(r'name="token" value="([^"]+)"', self.client.get(self.page).text)
        assert found
        self.token = found[1]

    def send(self, headers: dict[str, str] | None = None, **form: str) -> int:
        data = {"token": self.token, "repeat": "0", **form}
        return self.client.post(f"{self.page}/annotate", data=data, headers=headers or {}).status_code

    def kept(self) -> list[Annotation]:
        return read_annotations(self.folder.path)


@pytest.fixture
def desk(tmp_path: Path, root: Path) -> Desk:
    return Desk(tmp_path, root)


def test_what_is_said_is_kept_and_shown(desk: Desk) -> None:
    assert desk.send(verdict="wrong", kind="Wrong  Language", note="读错了 <b>", by="文 W") == 303
    (kept,) = desk.kept()
    assert (kept.item, kept.repeat, kept.kind, kept.verdict) == (desk.item.id, 0, "wrong_language", "wrong")
    assert (kept.note, kept.by) == ("读错了 <b>", "文 W")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", kept.at)
    page = desk.client.get(desk.page).text
    assert "读错了 &lt;b&gt;" in page
    assert 'value="文 W"' in page  # the person is remembered
    assert "1 annotations" in desk.client.get(run_path("run")).text


def test_a_second_word_counts_and_an_empty_one_takes_it_back(desk: Desk) -> None:
    desk.send(verdict="wrong", by="W")
    desk.send(verdict="right", by="W")
    assert [a.verdict for a in desk.kept()] == ["right"]
    desk.send(by="W")
    assert desk.kept() == []


def test_annotated_items_can_be_listed(desk: Desk) -> None:
    desk.send(verdict="unsure", by="W")
    page = desk.client.get(f"{items_path('run')}?annotated=yes").text
    assert page.count('class="row-link"') == 1
    assert "✎ unsure" in page


def test_one_goes_back_to_where_one_was(desk: Desk) -> None:
    data = {"token": desk.token, "verdict": "right", "back": "?outcome=wrong"}
    answer = desk.client.post(f"{desk.page}/annotate", data=data)
    assert answer.headers["location"] == f"{desk.page}?outcome=wrong#yours"
    away = desk.client.post(f"{desk.page}/annotate", data={**data, "back": "//evil.example/"})
    assert away.headers["location"] == f"{desk.page}#yours"
    broken = desk.client.post(f"{desk.page}/annotate", data={**data, "back": "?a\r\nSet-Cookie: x=y"})
    assert "x=y" not in broken.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
    ],
)
def test_other_sites_are_not_believed(desk: Desk, headers: dict[str, str]) -> None:
    assert desk.send(headers, verdict="wrong") == 403
    assert desk.kept() == []


def test_own_pages_are(desk: Desk) -> None:
    assert desk.send({"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}, verdict="wrong") == 303


def test_without_the_token_nothing_is_kept(desk: Desk) -> None:
    for token in ("", "x", desk.token[:-1]):
        assert desk.send(token=token, verdict="wrong") == 403
    assert desk.client.get(f"{desk.page}/annotate?token={desk.token}&verdict=wrong").status_code == 405
    assert desk.kept() == []


def test_bad_forms(desk: Desk) -> None:
    assert desk.send(verdict="great") == 400
    assert desk.send(repeat="7", verdict="wrong") == 404
    assert desk.send(note="x" * 70_000) == 413
    answer = desk.client.post(f"{desk.page}/annotate", json={"token": desk.token})
    assert answer.status_code == 415
    assert desk.kept() == []
    assert desk.send(note="n" * 9000, by="b" * 900, kind="k" * 900) == 303
    (kept,) = desk.kept()
    assert (len(kept.note), len(kept.by), len(kept.kind)) == (4000, 80, 60)


def test_the_export_is_what_analysis_reads(desk: Desk, tmp_path: Path) -> None:
    desk.send(verdict="wrong", kind="perception", note="=HYPERLINK(1)", by="W")
    lines = desk.client.get(f"{run_path('run')}annotations.jsonl")
    assert "attachment" in lines.headers["content-disposition"]
    (tmp_path / "out.jsonl").write_bytes(lines.content)
    assert read_annotations(tmp_path / "out.jsonl") == desk.kept()
    text = desk.client.get(f"{run_path('run')}annotations.csv").content.decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["item"], row["kind"], row["note"]) == (desk.item.id, "perception", "'=HYPERLINK(1)")
