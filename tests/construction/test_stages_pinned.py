"""A stage whose code changed must have a new version: else builds would serve what the old code decided.

`golden/stages.json` holds, for each shared stage, its version and a digest of its module's syntax tree (comments and
docstrings aside). After a change that can change an outcome, raise the stage's `version` and run
`python -m tests.construction.test_stages_pinned`; after one that can't, run it alone.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import sys
from pathlib import Path

from triptych.construction.stage import Stage
from triptych.construction.stages import known_stages

GOLDEN = Path(__file__).parent / "golden/stages.json"


def source_digest(stage: Stage) -> str:
    """Eight hex digits of the syntax tree of the module that the stage is in."""
    module = inspect.getmodule(stage.run)
    assert module is not None
    tree = ast.parse(inspect.getsource(module))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0].value.value = ""
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:8]


def found() -> dict[str, dict[str, object]]:
    stages = {name: stage for name, (stage, origin) in known_stages().items() if origin == "triptych"}
    return {name: {"version": s.version, "source": source_digest(s)} for name, s in sorted(stages.items())}


def test_every_stage_is_as_pinned() -> None:
    pinned = json.loads(GOLDEN.read_text(encoding="utf-8"))
    changed = [name for name, now in found().items() if pinned.get(name) != now]
    assert not changed and pinned.keys() == found().keys(), f"see the module's docstring: {changed}"


def test_every_stage_describes_itself() -> None:
    for name, (stage, _) in known_stages().items():
        assert stage.about.endswith("."), name
        assert stage.run.__doc__, name


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(found(), indent=1) + "\n", encoding="utf-8")
    sys.exit(0)
