"""Tests of `reports/html/examples.py`: A few complete questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs

from tests.reports.conftest import Reported
from tests.reports.html.test_html import Seen
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response, score
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.records import Item, Part, text
from triptych.reports.html.examples import _kind, asks_the_same, choose
from triptych.reports.report import write_report

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}\u202e'\"&"


def test_the_same_runs_make_the_same_file(reported: Reported, tmp_path: Path) -> None:
    first, second = (
        write_report(reported.folders[2:], to=tmp_path / name, formats=["html"])[0].read_bytes() for name in ("a", "b")
    )
    assert first == second


def test_hostile_replies_questions_and_names_are_text(make_run: MakeRun, tmp_path: Path) -> None:
    asked = structs.replace(item(HOSTILE, facets={"genre": HOSTILE}), parts=(text(HOSTILE),), target=HOSTILE)
    folder = make_run([asked], [response(HOSTILE, HOSTILE + "x")], "run", model=f"openai/{HOSTILE}", prompt=HOSTILE)
    (path,) = write_report([folder], to=tmp_path / "out", formats=["html"])
    found = Seen(path.read_text(encoding="utf-8"))
    scripts = [a for tag, a in found.elements if tag == "script"]
    assert [a.get("type", "") for a in scripts] == ["application/json", ""]
    assert not [a for tag, a in found.elements if tag == "img" or "onerror" in a]
    assert "49" not in "".join(a.get("data-run", "") for _, a in found.elements)
    assert any(a.get("data-run", "").startswith("openai/</script>") for _, a in found.elements)


def test_examples_are_of_different_kinds_and_tasks(reported: Reported) -> None:
    from triptych.scoring.runs import load_scores

    scores = load_scores(reported.folders[0], "official")
    chosen = choose(scores)
    assert [(score.status, score.value) for score in chosen] == [("scored", 0), ("scored", 0)]
    assert len({score.task.split("/")[1] for score in chosen}) == 2
    known = {score.unit for score in scores if score.value == 0} - {score.unit for score in chosen}
    assert {score.unit for score in choose(scores, known)} <= known  # of questions shown anyway first
    assert choose(reversed(scores)) == chosen
    assert choose(load_scores(reported.folders[1], "official")) == []


@pytest.mark.parametrize(
    ("metric", "value", "kind"),
    [("acc", 1.0, "right"), ("acc", 0.0, "wrong"), ("wer", 0.0, "right"), ("wer", 0.3, "part"), ("wer", 1.4, "wrong")],
)
def test_of_errors_none_is_right(metric: str, value: float, kind: str) -> None:
    assert _kind(score("u", value, metric=metric)) == kind


def test_examples_stand_together_where_the_same_was_asked() -> None:
    plain = Item("1", "t", (Part("text", text="what?"), Part("image", path="a.png")), target="x")
    hashed = structs.replace(plain, parts=(plain.parts[0], Part("image", path="a.png", sha256="ab")))
    other = structs.replace(plain, parts=(plain.parts[0], Part("image", path="a.png", sha256="cd")))
    grey = structs.replace(plain, parts=(plain.parts[0], Part("image", path="a.png", transform="grey")))
    blind = structs.replace(plain, parts=plain.parts[:1])
    asked = structs.replace(plain, parts=(Part("text", text="who?"), plain.parts[1]))
    assert asks_the_same(plain, plain) and asks_the_same(plain, hashed) and not asks_the_same(hashed, other)
    assert not any(
        asks_the_same(plain, changed) for changed in (grey, blind, asked, structs.replace(plain, target="y"))
    )
    assert not asks_the_same(plain, structs.replace(plain, options=((Part("text", text="o"),),)))


def test_a_report_over_a_plain_run_and_a_grey_one_tells_them_apart(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    runs = [
        api.run("mcs_bench", "baseline/constant", tasks=["T10"], conditions=conditions, out=tmp_path / name, limit=1)
        for name, conditions in (("plain", []), ("grey", ["grey"]))
    ]
    (path,) = write_report([run.folder for run in runs], to=tmp_path / "out", formats=["html"])
    page = path.read_text(encoding="utf-8")
    examples = page[page.index("mcs-bench-examples") :]
    assert examples.count('<article class="example">') == 2 and examples.count("data:image/jpeg") == 2
    shown = {part.partition('"')[0] for part in examples.split('src="data:image/jpeg;base64,')[1:]}
    assert len(shown) == 2


def test_what_is_damaged_ends_no_report_and_is_named_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    run = api.run("mcs_bench", "baseline/constant", tasks=["T10"], out=tmp_path / "run", limit=1)
    monkeypatch.setattr("triptych.media.payload._read", lambda path: b"DDS |\x00\x00\x00 cut")
    (path,) = write_report([run.folder], to=tmp_path / "out", formats=["html"])
    page = path.read_text(encoding="utf-8")
    assert 'class="media absent"' in page and "image can't be decoded" in page.replace("&#39;", "'")


@pytest.mark.parametrize("named", [True, False])
def test_a_report_shows_pictures_of_a_folder_that_its_user_named(tmp_path: Path, named: bool) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    mini = api.run("mcs_bench", "baseline/constant", tasks=["T10"], out=tmp_path / "mini", limit=1)
    told = tmp_path / "mini" / "manifest.json"
    told.write_text(told.read_text().replace('"mini"', json.dumps(str(mini_folder("mcs_bench"))), 1))
    items = tmp_path / "mini" / "items.jsonl"
    lines = [json.loads(line) for line in items.read_text().splitlines()]
    for line in lines:
        for part in line["parts"]:
            part.pop("sha256", None)
    items.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    data = {"mcs_bench": mini_folder("mcs_bench")} if named else {}
    (path,) = api.report([mini.folder.path], to=tmp_path / "out", formats=["html"], data=data)
    assert ("data:image/jpeg" in path.read_text(encoding="utf-8")) == named


def mini_folder(name: str) -> Path:
    return load_benchmark(name).mini
