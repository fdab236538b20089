"""The page on the Run folder names every field that there is, and no other in its tables."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from triptych.records import Aggregate, Item, Part, Response, RunManifest, Score
from triptych.records.annotations import Annotation
from triptych.records.exchange import ErrorInfo, Intermediate, Sent, Usage
from triptych.records.findings import Finding
from triptych.scoring.documents import as_document

PAGE = (Path(__file__).parents[2] / "docs/run-folder.md").read_text(encoding="utf-8")
RECORDS: list[type[msgspec.Struct]] = [
    Annotation,
    ErrorInfo,
    Finding,
    Intermediate,
    Item,
    Part,
    Response,
    RunManifest,
    Score,
    Sent,
    Usage,
]


def section(heading: str) -> str:
    return re.split(r"^## ", PAGE, flags=re.M)[1:][[h.split("\n")[0] for h in _headings()].index(heading)]


def _headings() -> list[str]:
    return re.split(r"^## ", PAGE, flags=re.M)[1:]


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.__name__)
def test_every_field_of_a_record_is_told(record: type[msgspec.Struct]) -> None:
    assert [name for name in record.__struct_fields__ if f"`{name}`" not in PAGE and f'"{name}"' not in PAGE] == []


@pytest.mark.parametrize(("heading", "records"), [("`items.jsonl`", [Item, Part]), ("`responses.jsonl`", [Response])])
def test_the_tables_name_no_field_that_is_not_there(heading: str, records: list[type[msgspec.Struct]]) -> None:
    first_cells = re.findall(r"^\| (`[^|]+`) \|", section(heading), re.M)
    named = {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)}
    assert named
    assert named <= {name for record in records for name in record.__struct_fields__}


def test_every_key_of_the_scores_document_is_told() -> None:
    figure = Aggregate("official", "t", "f1.token", {}, 1.0, 1, {"scored": 1}, parts=(1, 2))
    row = as_document("cmdar", {"official": [figure]})["scores"][0]
    told = section("`score --json`")
    assert [key for key in row if f'"{key}"' not in told and f"`{key}`" not in told] == []
