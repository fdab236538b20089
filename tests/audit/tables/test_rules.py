"""Tests of `audit/tables/rules.py`: rules for a benchmark's tables, data and prose, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.paper import audited, derived
from triptych.audit.tables.rules import load_stated
from triptych.errors import SpecError


@pytest.mark.parametrize(
    ("rules", "claims"),
    [
        ('[[derived]]\ntable = "T"\ntraget = "a"\n', ""),
        ("[[derived]\n", ""),
        (derived("nothing", "'a'"), ""),
        (derived("a", "cell('V', 'z')"), ""),
        ('[[bounded]]\ntable = "V"\nlow = 0.0\nhigh = 1.0\nwhy = "x"\n', ""),
        ('[[bounded]]\ntable = "T"\nrows = ["nobody"]\nlow = 0.0\nhigh = 1.0\nwhy = "x"\n', ""),
        (derived("a", "top(column('T', 'a'))"), ""),
        ("", '[[claim]]\nwhere = "1"\nsays = "x"\nholds = "\'a\'"\n'),
        ("", '[[claim]]\nwhere = "1"\nsays = "x"\nformula = "cell(\'T\', \'z\', \'a\')"\nprinted = "1"\n'),
        ("", '[[claim]]\nwhere = "1"\nsays = "x"\nformula = "1 + 1"\n'),
    ],
)
def test_rules_that_cannot_be_meant_are_refused(tmp_path: Path, rules: str, claims: str) -> None:
    with pytest.raises(SpecError):
        audited(tmp_path, {"T": {"m": {"a": "1.0"}}}, rules, claims)


def test_a_key_of_many_parts_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("[" + ".".join("a" * 100_000) + "]\n", encoding="utf-8")
    with pytest.raises(SpecError, match="more than 100 parts"):
        load_stated(path)
