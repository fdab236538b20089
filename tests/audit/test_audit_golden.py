"""The five papers' tables: every finding was looked up in the paper's text, and is kept with the reason."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from triptych import audit_tables
from triptych.audit.tables.rules import load_claims, load_rules
from triptych.benchmarks import load_benchmark
from triptych.records import Finding

GOLDEN = Path(__file__).parent / "golden"
PAPERS = sorted(path.stem for path in GOLDEN.glob("*.json"))


@cache
def audited(name: str) -> tuple[Finding, ...]:
    return tuple(audit_tables(name))


def test_every_paper_in_the_box_has_its_golden_file() -> None:
    assert PAPERS == ["cmdar", "mcga", "mcif", "mcs_bench", "xmodbench"]


@pytest.mark.parametrize("name", PAPERS)
def test_findings_are_those_that_were_checked_by_hand(name: str) -> None:
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert all(entry["reason"].strip() for entry in golden)
    fields = ("id", "kind", "severity", "table", "rows", "columns", "published", "recomputed")
    found = [
        {field: list(value) if isinstance(value := getattr(f, field), tuple) else value for field in fields}
        for f in audited(name)
    ]
    assert found == [{field: entry[field] for field in fields} for entry in golden]
    assert len({f["id"] for f in found}) == len(found)


@pytest.mark.parametrize("name", PAPERS)
def test_rules_and_claims_are_many_and_say_why(name: str) -> None:
    folder = load_benchmark(name).folder
    rules, claims = load_rules(folder), load_claims(folder)
    assert rules.derived and all(rule.why.strip() for rule in rules.derived)
    assert len(claims.claim) >= 25 and all(c.where and c.says for c in claims.claim)


def cells(name: str, **wanted: str) -> list[tuple[object, object]]:
    return [
        (f.published, f.recomputed)
        for f in audited(name)
        if f.kind == wanted["kind"] and wanted["row"] in f.rows and wanted["column"] in f.columns
    ]


def test_what_was_known_before_is_found() -> None:
    misprint = cells("xmodbench", kind="misprint", row="Gemini 2.0 Flash", column="A>V|MovingDirection")
    assert misprint == [(37.58, 67.58)]
    ten = [f for f in audited("mcif") if f.table == "overall" and f.kind in ("average", "mismatch")]
    assert len(ten) == 10
    assert cells("cmdar", kind="permutation", row="GPT-4o Audio", column="EM|PDR")
    assert cells("mcs_bench", kind="average", row="GPT-4o", column="MCQ")
    assert cells("mcs_bench", kind="copy", row="GPT-4o", column="T9")
    assert len([f for f in audited("mcga") if f.kind == "mismatch" and f.columns == ("S2TT",)]) == 1
