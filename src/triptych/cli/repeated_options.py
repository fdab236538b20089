"""An option that takes one value is refused if it is given twice: the parser itself would keep the last in silence.

An option without another one that it needs is refused, too (`needed_options`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from triptych.cli.needed_options import check_needed
from triptych.errors import SpecError


class OnceCommand(TyperCommand):
    """A command that raises SpecError for an option given more often than it takes values, or without one it needs."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments of the command line, after checking that no option of one value is doubled."""
        values, _, order = self.make_parser(ctx).parse_args(list(args))
        check_once(order, args)
        flags = {one.name: max(one.opts, key=len) for one in self.params}
        configured = set(ctx.default_map or ())
        if not isinstance(values.get("benchmark"), str):
            configured.add("plan")  # `triptych run` then carries out triptych.toml
        check_needed(ctx.command_path.removeprefix("triptych "), {one.name for one in order}, configured, flags)
        return super().parse_args(ctx, args)


class OnceGroup(TyperGroup):
    """The same for the options that come before a command's name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options before the command's name, after checking that none of one value is doubled."""
        _, rest, order = self.make_parser(ctx).parse_args(list(args))
        check_once(order, args[: len(args) - len(rest)])
        return super().parse_args(ctx, args)


def check_once(order: list[Any], args: list[str]) -> None:
    """Raise SpecError if an option that takes one value appears twice in `order`, the parameters as they were given."""
    counts = Counter(id(one) for one in order)
    for option in order:
        repeatable = getattr(option, "multiple", False) or getattr(option, "count", False) or option.nargs == -1
        if counts[id(option)] > 1 and option.param_type_name == "option" and not repeatable:
            flag = max(option.opts, key=len)
            raise SpecError(
                f"{flag} is given {_times(counts[id(option)])}, but takes one value",
                got=" ".join(_values(option, args)),
                fix=f"give {flag} once",
            )


def use_everywhere(app: typer.Typer) -> None:
    """Let all commands of an app, and of the apps below it, refuse doubled options."""
    for command in app.registered_commands:
        if not issubclass(command.cls or TyperCommand, OnceCommand):
            command.cls = OnceCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            use_everywhere(group.typer_instance)


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _values(option: Any, args: list[str]) -> list[str]:
    """Return the option's flags on the command line, each with its value."""
    flags = {*option.opts, *option.secondary_opts}
    values = []
    for index, word in enumerate(args):
        if word.partition("=")[0] in flags:
            words_ = [word] if option.is_flag or "=" in word else args[index : index + 2]
            values += words_
    return values
