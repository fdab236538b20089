"""Triptych builds, runs, scores, audits and explains omni-modal benchmarks.

The Python API is the command line in functions: `load_benchmark`, `run`, `run_many`, `score`, `compare`, `analyse`,
`error_kinds`, `audit_data`, `audit_released`, `audit_run`, `audit_tables`, `report`, `build`, `estimate_build`,
`build_status`, `build_why`, `withdraw`. They are imported on first use, so that `import triptych` costs next to
nothing.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
__all__ = [
    "__version__", "analyse", "audit_data", "audit_released", "audit_run", "audit_tables", "build", "build_status",
    "build_why", "compare", "crossed", "error_kinds", "estimate_build", "load_benchmark", "plan_of_file", "report",
    "run", "run_many", "score", "withdraw",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("triptych.api"), name)
    raise AttributeError(f"module 'triptych' has no attribute {name!r}")
