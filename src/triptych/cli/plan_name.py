"""Which plan file `triptych run` reads; without imports, since it is asked before the command line is read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from triptych.errors import SpecError

PLAN = "triptych.toml"


def plan_file(benchmark: str, named: Path | None) -> Path | None:
    """Return the plan to carry out: the one that is named, or `triptych.toml` here if no benchmark is given.

    Raises SpecError if both a benchmark and a plan are given.
    """
    if named is not None and benchmark:
        raise SpecError(
            "--plan can't be combined with a benchmark",
            got=f"{benchmark} and --plan {named}",
            fix="leave one of them out",
        )
    if named is not None:
        return named
    return Path(PLAN) if not benchmark and Path(PLAN).is_file() else None


def plan_in(arguments: list[str], group: Any) -> Path | None:
    """Return the plan that the arguments of the whole command line lead to; None for other commands and wrong use."""
    if arguments[:1] != ["run"]:
        return None
    command = group.commands["run"]
    with suppress(Exception):  # wrong use is reported when the command line is read
        # A command keeps its first option for help, so that the flags of the group (-h) must be given already here.
        context = command.make_context("run", [], resilient_parsing=True, **group.context_settings)
        arguments_, _, _ = command.make_parser(context).parse_args(list(arguments[1:]))
        named, benchmark = arguments_.get("plan"), arguments_.get("benchmark")
        benchmark_name = benchmark if isinstance(benchmark, str) else ""  # the parser has a mark of its own for nothing
        return plan_file(benchmark_name, Path(named) if isinstance(named, str) else None)
    return None
