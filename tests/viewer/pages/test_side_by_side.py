"""Several Runs side by side, and the figure over checkpoints of one model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder
from triptych.viewer.app import make_app
from triptych.viewer.index.files import open_index
from triptych.viewer.index.query import read_filter
from triptych.viewer.pages.side_by_side import Several


@pytest.fixture(scope="module")
def three(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("three")
    for name, model, seed, limit in [("a", "random", 1, 6), ("b", "random", 2, 6), ("c", "reference", 0, 4)]:
        triptych.run("cmdar/main", f"baseline/{model}", seed=seed, limit=limit, out=root / name)
    return root


def rights(root: Path, name: str) -> dict[str, bool]:
    folder = RunFolder.open(root / name)
    protocol = next(iter(open_index(folder).contents.metrics))
    metric = open_index(folder).contents.metrics[protocol][0]
    return {s.unit: s.numerator == s.denominator for s in load_scores(folder, protocol) if s.metric == metric}


def test_counts_are_those_of_the_records(three: Path) -> None:
    a, b, c = (rights(three, name) for name in "abc")
    common = a.keys() & b.keys() & c.keys()
    assert len(common) < len(a)
    several = Several(tuple(open_index(RunFolder.open(three / name)) for name in "abc"))
    wanted = read_filter({}, several.indexes[0], several.sides)
    counts, right = several.counts(wanted)
    hits = [(a[u], b[u], c[u]) for u in common]
    assert counts[""] == len(common) and right == [sum(column) for column in zip(*hits, strict=True)]
    assert counts["every"] == sum(all(h) for h in hits) and counts["none"] == sum(not any(h) for h in hits)
    assert counts["some"] == sum(any(h) and not all(h) for h in hits)
    for kind in ("differ", "every", "some", "none"):
        assert len(several.page(wanted, kind, 1)) == counts[kind]
    named = read_filter({"where": "A.outcome = right and not B.outcome = right"}, several.indexes[0], several.sides)
    assert not named.problem
    assert several.counts(named)[0][""] == sum(h[0] and not h[1] for h in hits)


def test_the_page_shows_every_reply(three: Path) -> None:
    client = TestClient(make_app(three), base_url="http://127.0.0.1:8765")
    page = client.get("/side?run=a&run=b&run=c").text
    assert "3 Runs side by side" in page and 'data-label="C"' in page and "/side?run=a&amp;run=c" in page
    assert client.get("/side?run=c&kind=nonsense&page=9").status_code == 200
    assert client.get("/side?run=a&run=nowhere").status_code == 404 and client.get("/side").status_code == 400
    wrong = client.get("/side", params={"run": ["a", "b"], "where": "C.outcome = right"}).text
    assert "unknown field" in wrong and "B.outcome" in wrong
    assert "matches the filters" in wrong


def test_runs_of_other_benchmarks_have_no_common_items(client: TestClient) -> None:
    page = client.get("/side?run=xmodbench~random&run=mcga")
    assert page.status_code == 200 and "No Item that all of these Runs have" in page.text
    many = "&".join(["run=hostile", "run=mcga", "run=cmdar", "run=mcif", "run=repeats", "run=mcs_bench"])
    page = client.get(f"/side?{many}")
    assert page.status_code == 200 and "<script>document" not in page.text
    assert client.get(f"/side?{many}&run=xmodbench~random").status_code == 400


def test_without_checkpoints_the_page_says_how(client: TestClient) -> None:
    assert "step=500" in client.get("/checkpoints").text


def test_a_row_says_each_thing_once_and_names_can_break(tmp_path: Path) -> None:
    for name, model in (("a", "constant"), ("b", "reference")):
        triptych.run("mcga/asr", f"baseline/{model}", limit=1, out=tmp_path / name)
    client = TestClient(make_app(tmp_path), base_url="http://127.0.0.1:8765")
    page = client.get("/side?run=a&run=b").text
    row = page.partition('data-label="Question"')[2].partition("</tr>")[0]
    words = re.sub(r"<[^>]*>", "", row)
    assert words.count("mcga/asr/") == 1 and words.count("skipped") == 1
    assert "baseline/<wbr>constant" in page and "baseline/<wbr>constant" in client.get("/live").text
