"""The report file holds what it promises, needs nothing from elsewhere, and takes what Runs say for hostile."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.reports.conftest import Reported
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError
from triptych.experiment.run_commands import run_command
from triptych.records import Item, Response
from triptych.reports.findings.checks import Checks
from triptych.reports.report import collect, write_report


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


def test_nothing_comes_from_elsewhere(seen: Seen) -> None:
    for tag, attributes in seen.elements:
        for name in ("src", "href", "srcset", "poster", "action", "data"):
            value = attributes.get(name, "")
            local = value.startswith(("#", "data:", "http://127.0.0.1:8765/runs/")) or not value
            assert local, (tag, name, value)
    assert not {"link", "iframe", "object", "embed", "base"} & {tag for tag, _ in seen.elements}
    assert "@import" not in "".join(content for kind, content in seen.raw if kind.startswith("style"))


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


def test_what_is_the_same_under_every_protocol_is_told_not_repeated(reported: Reported) -> None:
    assert "Identical to the tables under official" in reported.text


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
