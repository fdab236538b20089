"""`docs/architecture.md` against the code: the rooms in their order, who imports whom, the path of one Item.

`python -m tests.docs.test_architecture` draws the imports anew.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.test_house import FREE, ROOMS, ROOT, imported_rooms, modules

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
DRAWN = re.compile(r"(?<=<!-- drawn -->\n).*?(?=<!-- /drawn -->)", re.DOTALL)


def rooms() -> list[str]:
    return [room for room in ROOMS if (ROOT / room).is_dir()]


def drawing() -> str:
    """A row for each room, with a mark in the column of each that it imports from."""
    order = rooms()
    taken: dict[str, set[str]] = {room: set() for room in order}
    for room, path in modules():
        taken[room] |= set(imported_rooms(path)) - FREE
    numbers = "".join(f"{number:3}" for number in range(1, len(order) + 1))
    lines = [f"{'':16}{numbers}"]
    for number, room in enumerate(order, 1):
        marks = "".join(
            "  \\" if other == room else "  ■" if other in taken[room] else "  ·" for other in order[:number]
        )
        lines.append(f"{number:2} {room:13}{marks}")
    return "```text\n" + "\n".join(lines) + "\n```\n"


def rows(heading: str) -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8").split(heading)[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return lines[1:]


def test_the_rooms_stand_in_the_order_of_the_house() -> None:
    assert [row[0].strip("`") for row in rows("# Architecture")] == rooms()


def test_the_drawing_is_of_the_code() -> None:
    drawn = DRAWN.search(PAGE.read_text(encoding="utf-8"))
    assert drawn and drawn[0] == drawing(), "python -m tests.docs.test_architecture"


def test_an_item_enters_each_room_once_and_every_step_is_in_the_code() -> None:
    steps = rows("## The path of one Item")
    entered = [row[0].strip("`") for row in steps]
    assert len(entered) == len(set(entered)) and set(entered) <= set(rooms())
    for room, where, _ in steps:
        assert where.strip("`").startswith(f"{room.strip('`')}."), where
        assert found(where.strip("`")) is not None


# They call the other rooms of the table, one after the other; the Item itself is passed on between those.
CALLERS = ("experiment", "running", "scoring")


def test_the_way_of_an_item_climbs_as_little_as_the_imports_allow() -> None:
    """Where the next room is above the last one, the last one imports it, directly or not: no order would be better."""
    way = [name for row in rows("## The path of one Item") if (name := row[0].strip("`")) not in CALLERS]
    climbs = [(one, next) for one, next in pairwise(way) if ROOMS.index(next) < ROOMS.index(one)]
    assert climbs == [("benchmarks", "conditions"), ("conditions", "prompts"), ("models", "store")]
    taken: dict[str, set[str]] = {room: set() for room in ROOMS}
    for room, path in modules():
        taken[room] |= set(imported_rooms(path)) - FREE
    for _ in ROOMS:
        for rooms_above in taken.values():
            rooms_above |= {far for room in rooms_above for far in taken[room]}
    assert all(next in taken[one] for one, next in climbs)


def found(dotted: str) -> Any:
    """What a dotted name below the package names."""
    names = dotted.split(".")
    last = next(n for n, name in enumerate(names) if not (ROOT.joinpath(*names[: n + 1]).is_dir()))
    value: Any = import_module(".".join(["triptych", *names[: last + 1]]))
    for name in names[last + 1 :]:
        value = getattr(value, name)
    return value


WHERE = re.compile(r"^\| [^|]+ \| `([\w/]+\.py)` \| `(\w+)` \|$", re.MULTILINE)


def test_each_behaviour_is_where_the_page_says() -> None:
    rows = WHERE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(rows) > 25
    for module, name in rows:
        tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
        defined = {getattr(node, "name", "") for node in tree.body}
        imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert name in defined | imported, f"{module} has no {name}"


if __name__ == "__main__":
    PAGE.write_text(DRAWN.sub(lambda _: drawing(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
