"""A paper made by hand: its tables as CSV, its rules and claims, in a folder like a benchmark's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from triptych.audit.tables.check import audit_folder
from triptych.records import Finding

Table = Mapping[str, Mapping[str, str]]


def write_paper(folder: Path, tables: Mapping[str, Table], rules: str = "", claims: str = "") -> Path:
    (folder / "published").mkdir(parents=True, exist_ok=True)
    lines = ["paper,table,model,column,value"]
    lines += [
        f"toy,{table},{row},{column},{value}"
        for table, rows in tables.items()
        for row, cells in rows.items()
        for column, value in cells.items()
    ]
    (folder / "published" / "tables.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "audit.toml").write_text(rules, encoding="utf-8")
    (folder / "published" / "claims.toml").write_text(claims, encoding="utf-8")
    return folder


def audited(folder: Path, tables: Mapping[str, Table], rules: str = "", claims: str = "") -> list[Finding]:
    return audit_folder("toy", write_paper(folder, tables, rules, claims))


def derived(target: str, formula: str, **more: str) -> str:
    extra = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[derived]]\ntable = "T"\ntarget = "{target}"\nformula = "{formula}"\nwhy = "so it is"\n{extra}'
