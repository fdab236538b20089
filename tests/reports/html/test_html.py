"""The report file holds what it promises, needs nothing from elsewhere, and takes what Runs say for hostile."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec import structs

from tests.reports.conftest import Reported
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response, score
from tests.support.fonts import make_font
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError
from triptych.experiment.run_commands import run_command
from triptych.records import Item, Response, text
from triptych.records.estimates import Estimate, Listing, Section, table_of
from triptych.records.findings import finding
from triptych.reports.findings.checks import Checks
from triptych.reports.html import page as page_module
from triptych.reports.html.chapter import chapter
from triptych.reports.html.examples import _kind, choose
from triptych.reports.html.fonts import FAMILY, font_face
from triptych.reports.html.media import Embedder
from triptych.reports.html.page import page
from triptych.reports.plots.text_style import TOKENS
from triptych.reports.report import collect, write_report

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}\u202e'\"&"


class Seen(HTMLParser):
    """Every element with its attributes; the text of scripts and styles."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.raw: list[tuple[str, str]] = []
        self._open = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        self._open = f"{tag} {len(self.elements)}" if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:  # comes in pieces
            kind, before = self.raw.pop() if self.raw and self.raw[-1][0] == self._open else (self._open, "")
            self.raw.append((kind, before + data))


@pytest.fixture(scope="session")
def seen(reported: Reported) -> Seen:
    return Seen(reported.text)


def test_the_file_is_small_and_in_the_layout_of_a_report(reported: Reported) -> None:
    assert len(reported.text.encode()) < 3_000_000
    for words in (
        "At a glance",
        "XModBench",
        "CMDAR",
        "Runs",
        "Scores",
        "Figures",
        "Breakdowns",
        "Example errors",
        "Reproduce",
        "baseline/<wbr>random",
        "95% intervals",
        "protocol official",
        "mini set",
        "(Table 2)",
        "triptych run cmdar --model baseline/random",
        "bench:cmdar@1|data:",
        "Gemini 2.5 Pro",
        ">paper</span>",
    ):
        assert words in reported.text, words


def test_nothing_comes_from_elsewhere(seen: Seen) -> None:
    for tag, attributes in seen.elements:
        for name in ("src", "href", "srcset", "poster", "action", "data"):
            value = attributes.get(name, "")
            local = value.startswith(("#", "data:", "http://127.0.0.1:8765/runs/")) or not value
            assert local, (tag, name, value)
    assert not {"link", "iframe", "object", "embed", "base"} & {tag for tag, _ in seen.elements}
    assert "@import" not in "".join(content for kind, content in seen.raw if kind.startswith("style"))


FONT = '@font-face{font-family:"Triptych CJK";src:url(data:font/woff;base64,AAAA)}'


@pytest.mark.parametrize("face", ["", FONT], ids=["no font", "a font"])
def test_the_policy_names_every_style_element_with_a_chinese_font_and_without(
    face: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fonts this machine has: the page has a second style element, and its digest, only for a font."""
    monkeypatch.setattr(page_module, "font_face", lambda text: face)
    made = Seen(page([], title="Odes"))
    assert [tag for tag, _ in made.elements].count("style") == (2 if face else 1)
    _holds_to_its_policy(made)


def test_the_policy_lets_in_this_style_and_this_script_alone(seen: Seen) -> None:
    _holds_to_its_policy(seen)


def _holds_to_its_policy(seen: Seen) -> None:
    (policy,) = [a["content"] for tag, a in seen.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    styles = [content for kind, content in seen.raw if kind.startswith("style")]
    digests = [base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() for style in styles]
    assert "style-src " + " ".join(f"'sha256-{digest}'" for digest in digests) + ";" in policy
    assert not [a for _, a in seen.elements if any(name.startswith("on") or name == "style" for name in a)]


def test_ids_are_unique_and_every_link_inside_leads_somewhere(seen: Seen) -> None:
    ids = Counter(a["id"] for _, a in seen.elements if "id" in a)
    assert [name for name, n in ids.items() if n > 1] == []
    inside = {a["href"][1:] for tag, a in seen.elements if a.get("href", "").startswith("#")}
    inside |= {name for _, a in seen.elements for name in a.get("aria-labelledby", "").split()}
    assert inside <= set(ids)


def test_every_number_that_can_be_pressed_has_questions_behind_it(seen: Seen, reported: Reported) -> None:
    blocks = [
        json.loads(content) for kind, content in seen.raw if kind.startswith("script") and content.startswith("{")
    ]
    told = {block["benchmark"]: block for block in blocks}
    for folder in reported.folders:
        run = told[folder.manifest.benchmark]["runs"][folder.manifest.model]
        assert len(run["units"]) == run["count"] == len([item for item in folder.items() if not item.place])
        assert set(run["scores"]) == set(load_benchmark(folder.manifest.benchmark).spec.protocols)
        assert run["slug"] == f"{folder.manifest.benchmark}~{folder.path.name}"


def test_the_same_runs_make_the_same_file(reported: Reported, tmp_path: Path) -> None:
    first, second = (
        write_report(reported.folders[2:], to=tmp_path / name, formats=["html"])[0].read_bytes() for name in ("a", "b")
    )
    assert first == second


def test_what_is_the_same_under_every_protocol_is_told_not_repeated(reported: Reported) -> None:
    assert "Identical to the tables under official" in reported.text


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


def test_chinese_is_marked_as_chinese() -> None:
    assert page_module.chinese("杜甫 <b> 1") == '<span lang="zh">杜甫</span> &lt;b&gt; 1'
    assert page_module.broken("a/b<") == "a/<wbr>b&lt;"


def test_sections_findings_and_listings_are_rendered_whatever_they_are(reported: Reported) -> None:
    estimates = [
        Estimate(
            "agreement", 71.3, "%", n=412, interval=(68.2, 74.4), runs=("baseline/random",), label="Same <answer>"
        ),
        Estimate("disparity", None, "points", runs=("baseline/reference",), label="Same <answer>", reason="asked once"),
    ]
    table = table_of("agree", "Agreement <b>", estimates, row=lambda e: e.runs[0], column=lambda e: e.label)
    listing = Listing("lost", "Left out", ("Item", "why"), (("a<1>", "no pair"),), total=9)
    section = Section(
        "consistency.forms",
        "Consistency",
        "What it is.",
        ("It is 71.3%.",),
        tuple(estimates),
        (table,),
        (listing,),
        ("A note.",),
    )
    found = [
        finding("average", "severe", "cmdar", "the mean of <these> is another", table="T1", published=3, recomputed=4)
    ]
    report = collect(reported.folders[2:])[0]
    made = page([chapter(report, report.protocols()[:1], reported.path.parent, Embedder(0), [section], found)], "T")
    for words in (
        "It is 71.3%.",
        "68.2–74.4",
        "Agreement &lt;b&gt;",
        "a&lt;1&gt;",
        "the first 1 of 9",
        "A note.",
        "the mean of &lt;these&gt; is another",
        "stated: 3; recomputed: 4",
        'id="cmdar-consistency"',
    ):
        assert words in made, words


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


def test_media_are_embedded_small_and_within_a_budget(reported: Reported) -> None:
    sizes = [len(data) for data in re.findall(r'src="(data:[^"]+)"', reported.text)]
    assert sizes and max(sizes) < 120_000
    report = collect(reported.folders[:1])[0]
    made = chapter(report, ["official"], reported.path.parent, Embedder(0))
    notes = {part.note for example in made.examples for part in example.parts if part.kind != "text"}
    assert notes == {"left out to limit the size of this file; see the viewer"}


def test_the_command_that_does_it_again_asks_the_same(reported: Reported, tmp_path: Path) -> None:
    """Typed with another --out, it makes a Run of the same identity."""
    import shlex

    from typer.testing import CliRunner

    from triptych.cli.main import app
    from triptych.store.folder import RunFolder

    for folder in reported.folders:
        words = shlex.split(run_command(folder.manifest, load_benchmark(folder.manifest.benchmark).spec, folder))
        assert words[0] == "triptych" and words[-2:] == ["--out", str(folder.path)]
        out = tmp_path / folder.path.parent.name / folder.path.name
        done = CliRunner().invoke(app, [*words[1:-1], str(out)])
        assert done.exception is None, done.output
        assert RunFolder.open(out).manifest.identity() == folder.manifest.identity()


def test_runs_that_are_too_large_are_left_to_the_viewer(
    make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triptych.reports.html.units.MAX_EMBEDDED_UNITS", 2)
    items = [item(str(n)) for n in range(3)]
    folder = make_run(items, [response(i.id) for i in items])
    (path,) = write_report([folder], to=tmp_path / "out", formats=["html"])
    (told,) = [
        json.loads(content) for kind, content in Seen(path.read_text()).raw if content.startswith('{"benchmark"')
    ]
    assert told["runs"]["replay/x"]["units"] == [] and told["runs"]["replay/x"]["count"] == 3


def test_what_is_missing_is_said(make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items: list[Item] = [item("1")]
    replies: list[Response] = [response("1")]
    folder = make_run(items, replies)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(SpecError, match=r"pip install 'triptych\[report\]'"):
        write_report([folder], to=tmp_path, formats=["html"])
    assert write_report([folder], to=tmp_path, formats=["csv", "md", "latex"])


def test_a_report_without_analyses_is_a_report(reported: Reported) -> None:
    report = collect(reported.folders[:1])[0]
    assert all(section.title for section in Checks(report, "official").analyses)


def test_chinese_comes_along_as_a_font_of_its_characters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from fontTools.ttLib import TTFont

    monkeypatch.setenv("TRIPTYCH_FONT", str(make_font(tmp_path / "han.ttf", "Han of a page", "的诗赋\u3002")))
    face = font_face("诗 the Odes 赋\u3002")
    data = base64.b64decode(re.findall(r"base64,([^)]+)", face)[0])
    assert set(TTFont(io.BytesIO(data)).getBestCmap()) == {ord(sign) for sign in "诗赋\u3002"}
    assert font_face("\u3002赋诗") == face and font_face("English") == ""
    assert f'"{FAMILY}", sans-serif' in (TOKENS.read_text(encoding="utf-8"))


def test_the_font_that_ships_is_the_one_that_is_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    from fontTools.ttLib import TTFont

    monkeypatch.delenv("TRIPTYCH_FONT", raising=False)
    face = font_face("诗 龘")  # the second is rare, and left to the reader's own fonts
    data = base64.b64decode(re.findall(r"base64,([^)]+)", face)[0])
    assert set(TTFont(io.BytesIO(data)).getBestCmap()) == {ord("诗")} and font_face("诗 龘") == face


def test_a_question_is_shown_once_with_what_every_run_said(make_run: MakeRun, tmp_path: Path) -> None:
    options = ((text("one"),), (text("two"),))
    asked = structs.replace(item("1"), options=options, labels=("A", "B"))
    folders = [make_run([asked], [response("1", answer)], model) for model, answer in (("r", "A"), ("s", "B"))]
    made = chapter(collect(folders)[0], ["standard"], tmp_path, Embedder(0))
    (example,) = made.examples
    assert [(reply.kind, reply.text) for reply in example.replies] == [("right", "A"), ("wrong", "B")]
    assert [(option.key, len(option.chosen)) for option in example.options] == [(True, 1), (False, 1)]


@pytest.mark.parametrize(
    ("metric", "value", "kind"),
    [("acc", 1.0, "right"), ("acc", 0.0, "wrong"), ("wer", 0.0, "right"), ("wer", 0.3, "part"), ("wer", 1.4, "wrong")],
)
def test_of_errors_none_is_right(metric: str, value: float, kind: str) -> None:
    assert _kind(score("u", value, metric=metric)) == kind


def test_a_run_without_a_unit_is_reported_as_such(make_run: MakeRun, tmp_path: Path) -> None:
    (path,) = write_report([make_run([], [])], to=tmp_path / "out", formats=["html"])
    shown = path.read_text(encoding="utf-8")
    assert "No Unit has been scored yet." in shown and "Breakdowns" not in shown


def test_a_command_cannot_be_turned_round(make_run: MakeRun, tmp_path: Path) -> None:
    (path,) = write_report(
        [make_run([item("1")], [response("1")], model="a/\u202eb\x1b")], to=tmp_path / "o", formats=["html"]
    )
    shown = path.read_text(encoding="utf-8")
    assert "⟨U+202E⟩b␛" in shown and not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e]", shown)
