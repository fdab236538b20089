"""Tests of `records/tables.py`: which aggregate a column shows, alone or in a slice of rows."""

from __future__ import annotations

import msgspec
import pytest

from triptych.records.tables import Column, Layout, RowSlice, Table, TableCell, TableRow, column_key


def test_without_row_slice_the_column_says_all() -> None:
    column = Column("ACC", "mcga/sqa", "accuracy", slice={"language": "zh", "era": "唐"})
    assert column_key(column, None) == ("mcga/sqa", "accuracy", (("era", "唐"), ("language", "zh")))


def test_the_order_in_which_a_slice_is_written_does_not_count() -> None:
    one = Column("a", "t", "m", slice={"b": "2", "a": "1"})
    other = Column("a", "t", "m", slice={"a": "1", "b": "2"})
    assert column_key(one, None) == column_key(other, None)


def test_a_row_slice_is_merged_and_replaces_task_and_metric() -> None:
    column = Column("Audio→Text", "xmodbench/perception", "accuracy", slice={"direction": "audio_text"})
    row = RowSlice("general", slice={"family": "general"})
    assert column_key(column, row) == (
        "xmodbench/perception",
        "accuracy",
        (("direction", "audio_text"), ("family", "general")),
    )
    other = RowSlice("all", task="xmodbench/spatial", metric="accuracy.std")
    assert column_key(column, other) == ("xmodbench/spatial", "accuracy.std", (("direction", "audio_text"),))


def test_the_columns_slice_wins_where_both_name_a_facet() -> None:
    column, row = Column("zh", "t", "m", slice={"language": "zh"}), RowSlice("all", slice={"language": "en"})
    assert column_key(column, row)[2] == (("language", "zh"),)


@pytest.mark.parametrize(
    "document",
    [
        {"id": "T2", "title": "x", "columns": [{"heading": "a", "task": "t", "metric": "m", "digit": 1}]},
        {"id": "T2", "title": "x", "columns": [{"heading": "a", "task": "t", "metric": "m", "better": "more"}]},
        {"id": "T2", "title": "x", "columns": [], "rows": [{"heading": "r", "metrics": "m"}]},
        {"id": "T2", "columns": []},
    ],
)
def test_a_misspelt_or_missing_key_of_a_layout_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(document, Layout)


def test_a_filled_table_comes_back_from_its_json_with_its_dashes() -> None:
    cells = (TableCell(61.25, interval=(58.0, 64.5), n=90, units=100, best=True), TableCell(None, note="no reply"))
    row = TableRow("模型", cells, coverage=0.9, least=(0.5, "ACC"), counts={"failed": 3}, part=RowSlice("zh"))
    table = Table("main", "Main", ("ACC", "F1"), (row,), columns=(Column("ACC", "t", "m"),))
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table
