"""Triptych builds, runs, scores, audits and explains omni-modal benchmarks.

The Python API is the command line in functions, such as `run`, `score`, `compare`, `audit_tables`, `report` and
`build`. They are imported on first use, so that `import triptych` takes almost no time. Type checkers see them all.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from triptych.version import __version__

if TYPE_CHECKING:
    from triptych.api import (
        Benchmark as Benchmark,
    )
    from triptych.api import (
        JudgePlan as JudgePlan,
    )
    from triptych.api import (
        Plan as Plan,
    )
    from triptych.api import (
        RunResult as RunResult,
    )
    from triptych.api import (
        SeveralResult as SeveralResult,
    )
    from triptych.api import (
        WantedRun as WantedRun,
    )
    from triptych.api import (
        analyse as analyse,
    )
    from triptych.api import (
        audit as audit,
    )
    from triptych.api import (
        audit_data as audit_data,
    )
    from triptych.api import (
        audit_released as audit_released,
    )
    from triptych.api import (
        audit_run as audit_run,
    )
    from triptych.api import (
        audit_tables as audit_tables,
    )
    from triptych.api import (
        build as build,
    )
    from triptych.api import (
        build_status as build_status,
    )
    from triptych.api import (
        build_why as build_why,
    )
    from triptych.api import (
        calibrate as calibrate,
    )
    from triptych.api import (
        carry_out as carry_out,
    )
    from triptych.api import (
        compare as compare,
    )
    from triptych.api import (
        compare_all as compare_all,
    )
    from triptych.api import (
        crossed as crossed,
    )
    from triptych.api import (
        error_kinds as error_kinds,
    )
    from triptych.api import (
        estimate_build as estimate_build,
    )
    from triptych.api import (
        estimate_many as estimate_many,
    )
    from triptych.api import (
        find_rubric as find_rubric,
    )
    from triptych.api import (
        load_benchmark as load_benchmark,
    )
    from triptych.api import (
        merge as merge,
    )
    from triptych.api import (
        new_benchmark as new_benchmark,
    )
    from triptych.api import (
        pack as pack,
    )
    from triptych.api import (
        plan as plan,
    )
    from triptych.api import (
        plan_judges as plan_judges,
    )
    from triptych.api import (
        plan_of_file as plan_of_file,
    )
    from triptych.api import (
        report as report,
    )
    from triptych.api import (
        run as run,
    )
    from triptych.api import (
        run_many as run_many,
    )
    from triptych.api import (
        score as score,
    )
    from triptych.api import (
        shard_command as shard_command,
    )
    from triptych.api import (
        unpack as unpack,
    )
    from triptych.api import (
        withdraw as withdraw,
    )

__all__ = [
    "Benchmark",
    "JudgePlan",
    "Plan",
    "RunResult",
    "SeveralResult",
    "WantedRun",
    "__version__",
    "analyse",
    "audit",
    "audit_data",
    "audit_released",
    "audit_run",
    "audit_tables",
    "build",
    "build_status",
    "build_why",
    "calibrate",
    "carry_out",
    "compare",
    "compare_all",
    "crossed",
    "error_kinds",
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
