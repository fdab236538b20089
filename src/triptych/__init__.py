"""Triptych builds, runs, scores, audits and explains omni-modal benchmarks.

The Python API is the command line in functions, such as `run`, `score`, `compare`, `audit_tables`, `report` and
`build`. They are imported on first use, so that `import triptych` takes almost no time. Type checkers see them all.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from triptych.version import __version__

if TYPE_CHECKING:
    from triptych.api import (
        Benchmark,
        JudgePlan,
        Plan,
        PlugInCheck,
        RunResult,
        SeveralResult,
        WantedRun,
        analyse,
        analyse_errors,
        audit_data,
        audit_released,
        audit_run,
        audit_tables,
        build,
        build_status,
        build_why,
        calibrate,
        check_plug_ins,
        compare,
        compare_all,
        crossed,
        estimate_build,
        estimate_many,
        find_rubric,
        load_benchmark,
        merge,
        new_benchmark,
        pack,
        plan,
        plan_judges,
        plan_of_file,
        report,
        run,
        run_many,
        run_plan,
        score,
        shard_command,
        unpack,
        withdraw,
    )

__all__ = [
    "Benchmark",
    "JudgePlan",
    "Plan",
    "PlugInCheck",
    "RunResult",
    "SeveralResult",
    "WantedRun",
    "__version__",
    "analyse",
    "analyse_errors",
    "audit_data",
    "audit_released",
    "audit_run",
    "audit_tables",
    "build",
    "build_status",
    "build_why",
    "calibrate",
    "check_plug_ins",
    "compare",
    "compare_all",
    "crossed",
    "estimate_build",
    "estimate_many",
    "find_rubric",
    "load_benchmark",
    "merge",
    "new_benchmark",
    "pack",
    "plan",
    "plan_judges",
    "plan_of_file",
    "report",
    "run",
    "run_many",
    "run_plan",
    "score",
    "shard_command",
    "unpack",
    "withdraw",
]


if not TYPE_CHECKING:  # a type checker reports an unknown name instead

    def __getattr__(name):
        if name in __all__:
            return getattr(import_module("triptych.api"), name)
        raise AttributeError(f"module 'triptych' has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
