"""`triptych audit` as people and scripts meet it: exit codes, one JSON document, text that says what counts first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.records import finding
from triptych.reports.findings.audited import findings_text


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["audit", *arguments])
    return int(ended.value.code or 0)


def test_json_is_one_document_with_the_contracts_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("tables", "mcga", "--json") == 1
    document = json.loads(capsys.readouterr().out)
    keys = {
        "id",
        "kind",
        "severity",
        "benchmark",
        "table",
        "rows",
        "columns",
        "published",
        "recomputed",
        "terms",
        "effect",
        "message",
        "origin",
    }
    assert list(document) == ["verdict", "findings", "counts"] and document["counts"]["paper"]["severe"]
    assert document["findings"] and all(set(found) == keys for found in document["findings"])


def test_text_names_the_gravest_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("tables", "mcga") == 1
    out = capsys.readouterr().out
    verdict, counts = out.splitlines()[:2]
    assert verdict.endswith(" claims: 1 severe finding (1 mismatch).")
    assert counts == "mcga: published tables: 1 severe, 2 warnings, 1 note"
    assert out.index("SEVERE") < out.index("WARNING")


def test_nothing_severe_is_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("data", "cmdar/main") == 0
    assert "cmdar/main: data" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ("tables", "nothing"),
        ("tables", "cmdar/main"),
        ("data", "cmdar", "--data", "/not/there"),
        ("run", "/not/there"),
        ("run", ".", "--repeats", "a"),
    ],
)
def test_wrong_use_is_exit_code_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(*arguments) == 2
    assert "triptych:" in capsys.readouterr().err


def test_the_folder_is_told_once_and_the_widest_gap_first() -> None:
    found = [
        finding("coverage", "severe", "toy", f"m{n}", file=f"/a/b/{n}", rows=["r"], published=n, recomputed=50.0)
        for n in (49, 10, 30)
    ]
    lines = findings_text(found, "toy", width=80).splitlines()
    assert lines[1] == "in /a/b"
    assert [line.split()[0] for line in lines if line.endswith("r")] == ["10", "30", "49"]


def test_names_do_not_steer_the_terminal() -> None:
    text = findings_text([finding("skew", "note", "toy", "m\x9b2J", file="f", rows=["\x1b[2Jr\u202e"])], "toy")
    assert "\\x1b[2Jr\\u202e" in text and not set(text) & {"\x1b", "\x9b", "\u202e"}


def test_the_page_opens_with_the_verdict_and_holds_every_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("tables", "mcga", "--to", str(tmp_path / "page.html"), "--json") == 1
    document = json.loads(capsys.readouterr().out)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.index(document["verdict"]) < page.index("<h2")
    assert page.count('<ul class="audit">') and page.count("<li>", page.index('id="findings"')) == len(
        document["findings"]
    )
    assert call("data", "cmdar/main", "--to", str(tmp_path)) == 0 and (tmp_path / "audit.html").is_file()


def test_two_values_are_called_stated_and_recomputed_only_if_the_second_was_computed_again() -> None:
    lost = finding("coverage", "severe", "toy", "m", file="f", published=76.92, recomputed=4.46)
    assert lost.values == "over answered questions: 76.92; if the others count as wrong: 4.46"
    stored = finding("score", "severe", "toy", "m", file="f", published=93.0, recomputed=61.5)
    assert stored.values == "stated: 93.0; recomputed: 61.5"
    assert finding("score", "severe", "toy", "m", file="f", published=93.0).values == ""
    assert finding("score", "severe", "toy", "m", file="f", published=93.0, recomputed=93.0).values == ""
