"""The page of a build: the funnel, reasons, statistics and samples; figures computed by hand on a small build."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from triptych.construction.build import build, withdraw
from triptych.construction.engine.folder import PAGE, BuildFolder
from triptych.construction.report.statistics import records_of

WORKS = "id,title,author,author_died,genre,dynasty,text\n" + "".join(
    f"w{n},题{n},作者{n},{year},{genre},唐,{text}\n"
    for n, (year, genre, text) in enumerate(
        [
            (740, "诗", "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"),
            (742, "词", "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。"),
            (1990, "诗", "这是一首不能使用的近人作品，<script>它</script>太新了。"),
        ]
    )
)
CONFIG = {"works": "works.csv", "year": 2026, "tasks": ["asr", "sqa"], "record": False, "review": False}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for package in ("pypinyin", "datasketch", "jinja2", "matplotlib"):
        pytest.importorskip(package, reason="comes with the extras [build] and [report]")
    monkeypatch.chdir(tmp_path)
    Path("works.csv").write_text(WORKS, encoding="utf-8")
    assert build("mcga", CONFIG, tmp_path / "b").complete
    return tmp_path / "b"


def test_the_page_shows_funnel_reasons_and_samples(built: Path) -> None:
    from triptych.construction.report.page import write_report

    page = write_report(BuildFolder.open(built)).read_text(encoding="utf-8")
    assert "author-died-too-recently" in page and "w2" in page and "春眠" in page
    assert re.search(r"<svg[^>]*>.*rights", page, re.S)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy and "default-src 'none'" in policy[1]
    assert "<script>它" not in page
    assert write_report(BuildFolder.open(built)).read_text(encoding="utf-8") == page


def test_the_page_of_a_build_in_which_nothing_came_through(built: Path) -> None:
    from triptych.construction.report.page import write_report

    Path("works.csv").write_text("id,title,author,genre,dynasty,text\n", encoding="utf-8")
    build("mcga", CONFIG, built)
    page = write_report(BuildFolder.open(built)).read_text(encoding="utf-8")
    assert "no record has come through yet" in page


def test_a_withdrawal_removes_the_page(built: Path) -> None:
    from triptych.construction.report.page import write_report

    page = write_report(BuildFolder.open(built))
    assert page == built / PAGE
    withdraw("mcga", CONFIG, built, ["work:w0"])
    assert not page.exists()
    assert {record.fields["work"] for record in records_of(BuildFolder.open(built))} == {"w1"}
