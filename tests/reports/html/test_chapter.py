"""Tests of `reports/html/chapter.py`: A chapter of the report."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.records import text
from triptych.reports.html.chapter import chapter
from triptych.reports.html.media import Embedder
from triptych.reports.report import collect


def test_a_question_is_shown_once_with_what_every_run_said(make_run: MakeRun, tmp_path: Path) -> None:
    options = ((text("one"),), (text("two"),))
    asked = structs.replace(item("1"), options=options, labels=("A", "B"))
    folders = [make_run([asked], [response("1", answer)], model) for model, answer in (("r", "A"), ("s", "B"))]
    made = chapter(collect(folders)[0], ["standard"], tmp_path, Embedder(0))
    (example,) = made.examples
    assert [(reply.kind, reply.text) for reply in example.replies] == [("right", "A"), ("wrong", "B")]
    assert [(option.key, len(option.chosen)) for option in example.options] == [(True, 1), (False, 1)]
