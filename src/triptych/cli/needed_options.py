"""Options that mean nothing without another one: given alone on the command line, they are refused, not ignored.

A file of `--config` may have them for later: it is read for many commands.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from triptych.errors import SpecError

_JUDGES = dict.fromkeys(("judge_base_url", "judge_setting", "judge_descriptions", "judge_media"), ("judge",))
_EVALUATIONS = dict.fromkeys(("judge_repeats", "judge_combine", "rubric"), ("judge",))
_FILES = ("to", "format_", "figures")
# command -> option -> the options of which it needs one, by the names of their parameters
NEEDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "run": {
        **_JUDGES,
        **_EVALUATIONS,
        "poll": ("batch",),
        **dict.fromkeys(("base_model", "base_model_base_url", "base_setting", "reader"), ("preset",)),
        "reader_base_url": ("preset", "condition", "plan"),
        "reader_setting": ("preset", "condition", "plan"),
    },
    "score": {
        **_JUDGES,
        **_EVALUATIONS,
        **dict.fromkeys(("retry_status", "same_model", "concurrency", "prices", "cache"), ("judge",)),
        **dict.fromkeys(("budget_usd", "budget_tokens"), ("judge",)),
        **dict.fromkeys(("reference", "recover", "verdicts"), ("predictions",)),
    },
    "errors": {**_JUDGES, "data": ("judge",), "same_model": ("judge",)},
    "analyse": {"data": ("predictions",)},
    "report": {"title": _FILES, "public": _FILES, "viewer": _FILES},
    "judge calibrate": {"with_published": ("benchmark",)},
    "serve": {"data": ("benchmark",)},
    "portal serve": {"key": ("certificate",)},
}


def check_needed(command: str, used: Collection[Any], configured: Collection[str], flags: Mapping[str, str]) -> None:
    """Raise SpecError if an option is given without one that it needs.

    Args:
        command: The command's name, such as `judge calibrate`.
        used: Names of the parameters on the command line.
        configured: Names of the parameters that a file of `--config` or a plan sets.
        flags: Name of each parameter -> its longest flag.
    """
    for name, needed in NEEDED.get(command, {}).items():
        if name in used and not any(other in used or other in configured for other in needed):
            others = " or ".join(flags[other] for other in needed)
            raise SpecError(f"{flags[name]} requires {others}", fix=f"add {others}, or remove {flags[name]}")
