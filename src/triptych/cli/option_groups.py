"""The options of a long command in groups, in `--help` and in the reference of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from triptych.cli.repeated_options import OnceCommand

REST = "Other"
RUN: Mapping[str, Sequence[str]] = {
    "Model": (
        "model",
        "model_base_url",
        "name",
        "same_model",
        "setting",
        "packing",
        "as_in",
        "catalogue",
        "trust_remote_code",
    ),
    "Questions": (
        "plan",
        "data",
        "map_",
        "instance",
        "benchmarks",
        "condition",
        "prompt",
        "limit",
        "filter_",
        "items",
        "sample",
        "repeats",
        "seed",
        "texts",
        "reader",
        "reader_base_url",
        "reader_setting",
    ),
    "Experiments of the papers": ("preset", "base_model", "base_model_base_url", "base_setting"),
    "Limits, price and resuming": (
        "concurrency",
        "timeout",
        "retries",
        "rate",
        "budget_usd",
        "budget_tokens",
        "prices",
        "price_in",
        "price_out",
        "cache",
        "retry_status",
        "dry_run",
        "batch",
        "poll",
    ),
    "Scoring and judges": (
        "protocol",
        "judge",
        "judge_base_url",
        "judge_setting",
        "judge_repeats",
        "judge_combine",
        "judge_descriptions",
        "judge_media",
        "rubric",
    ),
    "Many machines": ("shard", "engine", "workers", "worker_gpus", "worker_cpus", "ray_address"),
    "Output": ("out", "track", "json"),
}


class Grouped(OnceCommand):
    """A command whose options are listed in groups; a subclass says which."""

    groups: ClassVar[Mapping[str, Sequence[str]]] = {}

    def group_of(self, name: str | None) -> str:
        """Return the group of an option by its parameter's name; `--help` is in the last one."""
        if name == "help" and self.groups:
            return list(self.groups)[-1]
        return next((group for group, names in self.groups.items() if name in names), REST)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options group by group."""
        options_by_group: dict[str, list[tuple[str, str]]] = {
            "Arguments": [],
            **{name: [] for name in self.groups},
            REST: [],
        }
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                argument = parameter.param_type_name == "argument"
                options_by_group["Arguments" if argument else self.group_of(parameter.name)].append(record)
        for name, records in options_by_group.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


class Run(Grouped):
    """`triptych run`."""

    groups: ClassVar[Mapping[str, Sequence[str]]] = RUN
