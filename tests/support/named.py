"""Commands and options that a text names, held against the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer

# Options of other programs that our messages and commands name.
OTHERS = {
    "git": set[str](),
    "pip": {
        "--quiet",
        "--python",
        "--no-deps",
        "--only-binary",
        "--ignore-requires-python",
        "--no-input",
        "--dest",
        "--disable-pip-version-check",
        "--upgrade",
    },
    "ray": {"--head"},
    "nvidia-smi": {"--query-gpu", "--format"},
    "sglang": {
        "--tp",
        "--context-length",
        "--max-running-requests",
        "--limit-mm-data-per-request",
        "--model-path",
        "--lora-paths",
        "--mm-process-config",
    },
    "tesseract": {"--psm", "--list-langs"},
    "espeak-ng": {"--stdin"},
    "vllm": {
        "--reasoning-parser",
        "--lora-modules",
        "--max-num-seqs",
        "--max-lora-rank",
        "--default-mm-loras",
        "--tensor-parallel-size",
        "--enable-lora",
        "--tokenizer_mode",
        "--mm-processor-kwargs",
        "--max-model-len",
        "--limit-mm-per-prompt",
        "--deploy-config",
        "--omni",
        "--config_format",
        "--hf-overrides",
        "--load_format",
        "--allowed-local-media-path",
        "--media-io-kwargs",
    },
    "XModBench's runner": {"--reason"},
}
FOREIGN = frozenset[str]().union(*OTHERS.values())

_OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
# a command as it is typed: up to a quotation mark, an end of a clause, or two spaces
_COMMAND = re.compile(r"(?<![\w./-])triptych((?: +(?![(\[…·|])[^\s`'\";,()<>]+)+)")
_WORD = re.compile(r"[a-z][a-z_-]*")


@cache
def root() -> Any:
    """The whole command line."""
    from triptych.cli.main import app

    return typer.main.get_command(app)


def options_of(command: Any) -> set[str]:
    """The long options of a command, or of all commands of a group."""
    own = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return own.union({"--help", "--config"}, *(options_of(c) for c in getattr(command, "commands", {}).values()))


def command_at(words: list[str]) -> tuple[Any, str, list[str]]:
    """(the command that words name, the first word that names none in a group, the words after it)."""
    command = root()
    while words and hasattr(command, "commands"):
        name = words[0]
        if name not in command.commands:
            if otherwise := getattr(command, "otherwise", ""):
                return command.commands[otherwise], "", words
            return command, name if _WORD.fullmatch(name) else "", words
        command, words = command.commands[name], words[1:]
    return command, "", words


def unknown(text: str, running: list[str] | None = None) -> Iterator[str]:
    """Yield what a text names that the command line lacks.

    `running`: the words of the command that prints the text; an option that the text names without a command must be
    one of its own. None: of any command.
    """
    left = text
    for found in _COMMAND.finditer(text):
        command, strange, rest = command_at(found[1].split())
        if strange and _OPTION.search(found[0]):
            yield f"no command {found[0]!r}"
        yield from (
            f"{found[0]!r} has no {name}" for name in _OPTION.findall(" ".join(rest)) if name not in options_of(command)
        )
        left = left.replace(found[0], " ", 1)
    command = root() if running is None else command_at(running)[0]
    for name in _OPTION.findall(left):
        if name not in options_of(command) | FOREIGN:
            yield f"no option {name}" + ("" if running is None else f" of {' '.join(running[:2])}")
