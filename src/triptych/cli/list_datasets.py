"""`triptych list datasets`: data sets that `build` can read, and the folder layout that is expected of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any


def list_datasets(name: str | None, json: bool, show: Callable[[list[dict[str, Any]]], None]) -> int:
    """Print the data sets, or the layout of the one that is named. Raises SpecError for an unknown name."""
    from triptych.cli.arguments import print_json
    from triptych.construction.datasets import known_datasets
    from triptych.errors import SpecError, nearest

    datasets = known_datasets()
    if name and name not in datasets:
        raise SpecError(f"no data set {name!r}", fix=nearest(name, datasets))
    rows = [asdict(datasets[each]) for each in datasets if name in (None, each)]
    if json:
        print_json(rows)
    elif name:
        print(f"{rows[0]['about']}\n\n{rows[0]['layout']}")
    else:
        show([{"name": row["name"], "what": row["about"]} for row in rows])
    return 0
