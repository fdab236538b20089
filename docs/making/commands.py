"""The reference of the command line, from the commands themselves: run as a script, it writes `docs/cli.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "cli.md"
HEAD = """\
<!-- Made from the code by docs/making/commands.py (`make docs`): change the commands, not this page. -->

# Command line

Every command, argument, option and default. Options marked with … may be given several times. All options of a command
can be set in its table of a TOML file:

```toml
[run]                        # triptych run … --config FILE.toml; a flag wins over the file
model = "openai/NAME"
model-base-url = "http://localhost:8000/v1"
M = { temperature = 0 }
```

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | done, but some Items failed, or an audit or check found something severe |
| 2 | wrong use, or bad input |
| 130 | interrupted; the same command goes on |

Standard output holds what was asked for (with `--json` one JSON document, and nothing else); progress, notes and errors
go to standard error. Keys come from the environment alone. `--log-level LEVEL`
(debug, info, warning or error), before or after the command's name, prints log messages there, too.

| variable | what for |
|---|---|
| `OPENAI_API_KEY`, `GEMINI_API_KEY`, `ANTHROPIC_API_KEY`, `HF_TOKEN` | keys; others: `-M key_env=TRIPTYCH_X_API_KEY` |
| `OPENAI_BASE_URL`, `GOOGLE_GEMINI_BASE_URL`, `ANTHROPIC_BASE_URL`, `HF_ENDPOINT` | other endpoints |
| `TRIPTYCH_CACHE` | Triptych's cache `[~/.cache/triptych]` |
| `TRIPTYCH_WEIGHTS_DIR` | a folder of [weights](models/local.md) |
| `TRIPTYCH_ENCODERS`, `TRIPTYCH_COMET_PYTHON` | [text encoders](embedding-metrics.md), COMET's Python |
| `HF_HUB_OFFLINE` | forbids the Hugging Face Hub |
"""


def reference() -> str:
    """The page: a section for each command in the order of `triptych --help`."""
    import typer

    from triptych.cli.main import app

    root = typer.main.get_command(app)
    return "\n".join([HEAD, *(line for name, command in commands(root) for line in section(name, command))])


def commands(group: Any, above: str = "triptych") -> Iterator[tuple[str, Any]]:
    """Every command below `group` with its full name; a group comes before its own commands."""
    for name, command in group.commands.items():
        yield f"{above} {name}", command
        if hasattr(command, "commands"):
            yield from commands(command, f"{above} {name}")


def section(name: str, command: Any) -> list[str]:
    """Heading, meaning, usage, and a table of arguments and options."""
    level = "#" * len(name.split())
    lines = [f"{level} `{name}`", "", sentence(command.help), ""]
    if hasattr(command, "commands"):
        return lines
    shown = [parameter for parameter in command.params if not parameter.hidden]
    usage = " ".join([name, *map(placeholder, filter(is_argument, shown)), "[OPTIONS]"])
    lines += ["```", usage, "```", "", "| name | meaning | default |", "|---|---|---|"]
    helps = argument_helps(command)
    group = getattr(command, "group_of", lambda _: "")
    places = [*getattr(command, "groups", ()), "Other", ""]
    told = ""
    for parameter in sorted(shown, key=lambda p: (not is_argument(p), places.index(group(p.name)))):
        if not is_argument(parameter) and group(parameter.name) != told:
            told = group(parameter.name)
            lines.append(f"| **{told}** |  |  |")
        meaning, otherwise = divided(getattr(parameter, "help", None) or helps.get(parameter.name, ""))
        shown_default = default(parameter) or cell(otherwise)
        lines.append(f"| {spelled(parameter)} | {cell(meaning)} | {shown_default} |")
    return [*lines, ""]


def divided(text: str) -> tuple[str, str]:
    """(what an option means, what holds without it): a help text has the latter in brackets after a space."""
    found = re.search(r" \[((?!\{)(?:[^\[\]]|\[[^\[\]]*\])*)\]", text)  # not a list of JSON
    return (text[: found.start()] + text[found.end() :], found[1]) if found else (text, "")


def is_argument(parameter: Any) -> bool:
    """Return whether the parameter is given by position and not by name."""
    return bool(parameter.param_type_name == "argument")


def argument_helps(command: Any) -> dict[str, str]:
    """Return the function's help texts of its arguments, which some versions of click lose."""
    from typer.utils import get_params_from_function

    found = get_params_from_function(command.callback)
    return {name: getattr(parameter.default, "help", None) or "" for name, parameter in found.items()}


def placeholder(parameter: Any) -> str:
    """An argument in the usage line: `RUNS…`, `[BENCHMARK]`."""
    name = str(parameter.name).upper() + ("…" if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def spelled(parameter: Any) -> str:
    """How the parameter is written: its names, and what follows them."""
    if is_argument(parameter):
        return f"`{placeholder(parameter)}`" + choices(parameter)
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    if parameter.is_flag:
        return names
    kind = choices(parameter) or f" {cell(parameter.metavar or parameter.type.name.upper())}"
    return names + kind + ("…" if parameter.multiple else "")


def choices(parameter: Any) -> str:
    """The words that a parameter takes, where these are all."""
    words = getattr(parameter.type, "choices", ())
    return ": " + ", ".join(f"`{getattr(word, 'value', word)}`" for word in words) if words else ""


def default(parameter: Any) -> str:
    """The default as it would be typed; nothing where there is none (the help may tell in brackets what then holds)."""
    if parameter.required:
        return "required"
    value = parameter.default
    if value is None or str(value) in ("", "()", "[]") or value is False or "UNSET" in repr(value).upper():
        return ""
    return f"`{parameter.opts[0]}`" if value is True else f"`{value}`"


def sentence(text: str | None) -> str:
    """The help in one line."""
    return " ".join((text or "").split())


def cell(text: str) -> str:
    """Text in a table: bars outside code would end the cell, and what looks like a tag or a link would be one."""
    return sentence(text).replace("|", r"\|").replace("<", "&lt;").replace("[", r"\[").replace("]", r"\]")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
