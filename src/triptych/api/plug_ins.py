"""Check the plug-ins of a package: whether each entry point offers what its group's contract asks for."""

from __future__ import annotations

from triptych.api.contracts.result import PlugInCheck
from triptych.records.checked_calls import checked_arguments

__all__ = ["PlugInCheck", "check_plug_ins"]


@checked_arguments
def check_plug_ins(package: str, *, model: str = "") -> list[PlugInCheck]:
    """Check every entry point of an installed package, in a process of its own, so that a plug-in can't end this one.

    Each module is imported. Models are created, but nothing is asked. Conditions are applied to questions of mini sets.
    Benchmarks with a mini set are run with the model `baseline/reference` in a temporary folder and scored under all
    protocols, and their other files are loaded.

    Args:
        package: Name of the package, as `pip list` shows it.
        model: The part of `ADAPTER/NAME` after the slash, for adapters that accept only certain names.

    Returns:
        One result for each entry point, in the order of the groups.

    Raises:
        SpecError: If the package is not installed, or has no entry points of Triptych.

    Example:
        >>> check_plug_ins("no-such-package")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        SpecError: no package 'no-such-package' is installed
    """
    from triptych.api.contracts.checking import entry_points_of
    from triptych.api.contracts.child import checked_apart

    return checked_apart(package, model, entry_points_of(package))
