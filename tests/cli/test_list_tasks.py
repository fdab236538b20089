"""`list tasks`: title, facets, and what the paper says about each Task."""

from __future__ import annotations

import json

import pytest

from triptych.cli.main import main


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["list", "tasks", *words])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_table_13_of_mcs_bench(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in json.loads(listed(capsys, "mcs_bench", "--json"))}
    assert len(rows) == 45
    one = rows["mcs_bench/T24"]
    assert "Source Identification" in one["title"] and one["facets"]["domain"] == "PAI"
    assert one["paper"] == {"made": "human-created", "licence": "CC-BY-4.0", "from": "https://www.shuge.org/"}
    shown = listed(capsys, "mcs_bench").splitlines()
    assert all(name in shown[0].split() for name in ("title", "domain", "made", "licence"))


def test_all_benchmarks_have_the_same_columns(capsys: pytest.CaptureFixture[str]) -> None:
    head, *rows = listed(capsys).splitlines()
    assert head.split() == ["name", "title", "count", "answer", "metrics"] and len(rows) > 100
