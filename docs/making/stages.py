"""The page of the stages of builds, from the stages themselves: run as a script, it writes `docs/stages.md`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "stages.md"
HEAD = """\
<!-- Made from the code by docs/making/stages.py (`make docs`): change the stages, not this page. -->

# Stages of builds

Every stage of Triptych's recipes with the fields that it reads and writes, and its parameters. A configuration sets a
parameter in the table of its stage; a wrong name or value is refused before anything is built:

```toml
[stages.clip-text]
most_seconds = 25.0
```

`triptych list stages NAME` prints the same in a terminal, also for the stages of other packages. [Build a
benchmark](building.md) explains recipes and stages, and how to write one. A field that ends in `?` may be missing. The
kind says what a stage sees: `each` decides record by record, `whole` sees all records at once, `ask` asks models, and
`people` waits for people.
"""


def reference() -> str:
    """The page: the shared stages by name, then each recipe's own in their order."""
    from triptych.construction.listing import listed_stages

    stages = [each for each in listed_stages() if each.origin == "triptych"]
    shared, own = ([each for each in stages if each.shared is wanted] for wanted in (True, False))
    lines = [HEAD, "## Shared by recipes", ""]
    for each in shared:
        lines += section(each)
    for recipe in dict.fromkeys(each.recipes[0] for each in own):
        lines += [f"## Of the recipe {recipe}", ""]
        for each in own:
            if each.recipes[0] == recipe:
                lines += section(each)
    return "\n".join(lines).rstrip() + "\n"


def section(listed: Any) -> list[str]:
    """Heading, meaning, fields, and a table of parameters."""
    from triptych.cli.list_stages import paragraphs
    from triptych.construction.parameters import fields_of

    stage = listed.stage
    lines = [f"### {stage.name}", ""]
    for paragraph in paragraphs(stage):
        lines += [textwrap.fill(paragraph, 120, break_on_hyphens=False, break_long_words=False), ""]
    used = f"used by {', '.join(listed.recipes)}" if listed.recipes else "used by no recipe of Triptych"
    lines += [f"Version {stage.version}, `{stage.kind}`" + (f", {used}." if listed.shared else "."), ""]
    lines += [f"- reads {names(stage.reads)}", f"- writes {names(stage.writes)}", ""]
    fields = fields_of(stage.parameters)
    if fields:
        lines += ["| parameter | meaning | value | default |", "|---|---|---|---|", *map(row, fields), ""]
    return lines


def row(field: Any) -> str:
    """A row of the table of parameters."""
    default = json.dumps(field.default, ensure_ascii=False)
    cells = [f"`{field.name}`", field.meaning, field.expected, f"`{default}`" if len(default) < 200 else "see the code"]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def names(fields: Sequence[str]) -> str:
    """Names of fields, in code."""
    return ", ".join(f"`{name}`" for name in fields) or "nothing"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
