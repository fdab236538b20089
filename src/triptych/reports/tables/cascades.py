"""The grid of cascades: the model that turned media into text (rows) by the model that answered (columns)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from triptych.records import Column, RunManifest, Table, TableCell, TableRow
from triptych.reports.tables import words
from triptych.store.folder import RunFolder

TEXT_CONDITIONS = ("description", "transcript", "ocr")  # Conditions that give a model another's words
ITSELF = "the model itself"


def cascade_grid(overview: Table, folders: Mapping[str, RunFolder]) -> Table | None:
    """Return a row for each source of text, one for models alone, and a column for each answering model; None with
    fewer than two cascades. The figure is the overview's total or, without one, its first column.

    Runs that differ in anything else (another Condition, another prompt) and second Runs of a pair are left out.
    """
    path = _main_column(overview)
    cells = {row.label: row.cells[path] for row in overview.rows if row.origin == "run"} if path is not None else {}
    cascades = [(label, folder.manifest, maker_of(folder.manifest)) for label, folder in folders.items()]
    usual = next((manifest.prompt for _, manifest, maker in cascades if maker not in (None, ITSELF)), "")
    shown: dict[tuple[str, str], TableCell] = {}
    for label, manifest, maker in cascades:
        if maker is not None and manifest.prompt == usual and label in cells and cells[label].value is not None:
            shown.setdefault((maker, manifest.called), cells[label])
    if path is None or sum(maker != ITSELF for maker, _ in shown) < 2:
        return None
    makers = sorted({maker for maker, _ in shown}, key=lambda maker: (maker == ITSELF, maker))
    return _table(overview, path, makers, shown)


def maker_of(manifest: RunManifest) -> str | None:
    """Return the source of the Run's text: `description by MODEL`; `ITSELF` for none; None for a Run under any other
    Condition."""
    if not manifest.conditions:
        return ITSELF
    (condition, *more) = manifest.conditions
    kind, _, engine_name = condition.partition(":")
    if kind not in TEXT_CONDITIONS or any(name != "blind" for name in more):
        return None
    arguments = dict(pair.partition("=")[::2] for pair in engine_name.split(","))
    read = manifest.readings.get(condition, {}).get("model")
    maker = read or words.condition(arguments.get("name") or {"data": "the data"}.get(arguments.get("from", ""), ""))
    beside = ", in addition" if arguments.get("place") == "beside" else ""
    return f"{kind} by {maker}{beside}" if maker else None


def _table(overview: Table, index: int, makers: list[str], shown: Mapping[tuple[str, str], TableCell]) -> Table:
    models = list(dict.fromkeys(model for _, model in shown))
    heading = overview.headings[index]
    column = overview.columns[index] if overview.columns else Column(heading, "", "")
    rows = [TableRow(maker, tuple(_cell(shown.get((maker, model))) for model in models)) for maker in makers]
    return Table(
        id="cascades",
        title=f"Cascades: source of the text (rows), model that answers (columns): {heading}",
        headings=tuple(models),
        rows=tuple(rows),
        protocol=overview.protocol,
        headline=overview.headline,
        columns=tuple(structs.replace(column, heading=model, published="", published_sum={}) for model in models),
    )


def _cell(cell: TableCell | None) -> TableCell:
    return TableCell(None, note="no such Run") if cell is None else structs.replace(cell, best=False, second=False)


def _main_column(overview: Table) -> int | None:
    """Return the overview's total (its last column) or the first column in which any Run has a value."""
    rows = [row for row in overview.rows if row.origin == "run"]
    columns = [n for n in range(len(overview.headings)) if any(row.cells[n].value is not None for row in rows)]
    if not columns:
        return None
    return columns[-1] if columns[-1] == len(overview.headings) - 1 else columns[0]
