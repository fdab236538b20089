"""The Python API: functions for everything that the command line does. They also work in a notebook's event loop."""

from triptych.api.analysing import analyse, compare, compare_all
from triptych.api.audits import audit, audit_data, audit_released, audit_run, audit_tables
from triptych.api.building import build, build_status, build_why, estimate_build, withdraw
from triptych.api.errors import analyse_errors
from triptych.api.plug_ins import PlugInCheck, check_plug_ins
from triptych.api.questions import new_benchmark
from triptych.api.runs import report, run, run_plan, score
from triptych.api.several import SeveralResult, WantedRun, crossed, estimate_many, plan_of_file, run_many
from triptych.api.storing import merge, pack, shard_command, unpack
from triptych.benchmarks import Benchmark, load_benchmark
from triptych.experiment.execution import RunResult
from triptych.experiment.judging import JudgePlan, calibrate, find_rubric, plan_judges
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan

__all__ = [
    "Benchmark",
    "JudgePlan",
    "Plan",
    "PlugInCheck",
    "RunResult",
    "SeveralResult",
    "WantedRun",
    "analyse",
    "analyse_errors",
    "audit",
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
