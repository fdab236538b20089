"""`triptych`: assembles the commands, reads --config, and turns errors into one message and an exit code."""

from __future__ import annotations

import atexit
import gc
import locale
import os
import sys
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import typer

from triptych.cli import (
    analyse,
    audit,
    build,
    check,
    check_plugin,
    compare,
    demo,
    doctor,
    errors,
    export,
    fetch,
    import_,
    judge,
    list_,
    merge,
    models,
    new,
    pack,
    portal,
    report,
    run,
    score,
    serve,
    train,
    view,
)
from triptych.cli.arguments import say
from triptych.cli.clean import clean_tracebacks
from triptych.cli.option_groups import Run as RunCommand
from triptych.cli.plan_name import plan_in
from triptych.cli.repeated_options import OnceCommand, OnceGroup, use_everywhere
from triptych.cli.streams import discard_unwritten, prepare_streams, why_not_written
from triptych.errors import SpecError, TriptychError, nearest
from triptych.importing import end_process_at_signals

app: typer.Typer = typer.Typer(
    name="triptych",
    cls=OnceGroup,
    help="Build, run, score, audit and explain omni-modal benchmarks.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # Rich's help costs more start-up time than everything else together
    suggest_commands=False,  # the parser below already suggests
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = {  # name: (its module, the line in `triptych --help`)
    "list": (list_, "List benchmarks, tasks, models, metrics, presets …"),
    "fetch": (fetch, "Download a benchmark's released data."),
    "check": (check, "Check that a benchmark's data is complete and well-formed."),
    "run": (run, "Run a model on a benchmark, or resume an interrupted Run."),
    "score": (score, "Score a Run, or results made elsewhere (--predictions)."),
    "report": (report, "Write tables and figures: terminal, HTML, CSV, LaTeX …"),
    "compare": (compare, "Compare Runs in pairs: differences, intervals, p-values."),
    "analyse": (analyse, "Analyse consistency, robustness, ablation, agreement, cost."),
    "errors": (errors, "Classify the errors of Runs."),
    "export": (export, "Write Runs for Inspect or lmms-eval, or as a dataset."),
    "import": (import_, "Convert a log of Inspect, lmms-eval or lm-eval to a Run."),
    "new": (new, "Make a benchmark from a file of your own questions."),
    "merge": (merge, "Merge Runs that asked disjoint questions."),
    "pack": (pack, "Pack finished Runs as Parquet files."),
    "view": (view, "Browse, search, compare and annotate Runs in a web browser."),
    "serve": (serve, "Serve a model with vLLM or SGLang, from the catalogue."),
    "demo": (demo, "Evaluate a small local model on the built-in mini sets."),
    "check-plugin": (check_plugin, "Check a package that extends Triptych against the contracts."),
    "doctor": (doctor, "Show what is installed and what is missing."),
}
for _name, (_module, _line) in COMMANDS.items():
    _class = RunCommand if _name == "run" else OnceCommand
    app.command(_name, help=_module.HELP, short_help=_line, cls=_class)(_module.command)
app.command("unpack", help=pack.UNPACK_HELP, short_help="Turn packed Runs into journals again.")(pack.unpack_command)
app.add_typer(judge.app, name="judge")
app.add_typer(models.app, name="models")
app.add_typer(audit.app, name="audit")
app.add_typer(build.app, name="build")
app.add_typer(train.app, name="train")
app.add_typer(portal.app, name="portal")
use_everywhere(app)


@app.callback(invoke_without_command=True)
def _common_options(
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
    config: str = typer.Option(
        "", metavar="FILE.toml", help="TOML file with options, one table per command; flags take precedence."
    ),
    log_level: str = typer.Option(
        "",
        metavar="LEVEL",
        help="Print log messages on standard error: debug, info, warning or error; also after the command.",
    ),
) -> None:
    if version:
        from triptych.version import __version__

        print(__version__)
        raise typer.Exit
    if log_level or os.environ.get("TRIPTYCH_LOG_LEVEL"):
        from triptych.logs import use_level

        use_level(log_level)


def main(arguments: list[str] | None = None) -> None:
    """The entry point: exits with 0 done, 1 done but something failed, 2 wrong use or bad input, 130 interrupted."""
    from triptych.records.checked_calls import flags_are_named

    token = flags_are_named.set(True)
    try:
        _carry_out(arguments)
    finally:
        flags_are_named.reset(token)
        discard_unwritten(sys.stdout)
        discard_unwritten(sys.stderr)


def _carry_out(arguments: list[str] | None) -> None:
    if arguments is None:  # the process is ours, and ends with the command
        _calm_collector()
        arguments = sys.argv[1:]
    arguments = list(arguments)
    prepare_streams()
    clean_tracebacks()
    end_process_at_signals()
    level, arguments = _take_log_level(arguments)
    command = _parser(_command_name(arguments))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads wait for each other: a quarter more CPU time
    try:
        arguments, defaults = _take_config(arguments, command)
        arguments = [*level, *_spread(arguments)]
        code = command.main(arguments, "triptych", standalone_mode=False, default_map=defaults)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except TriptychError as error:
        _say(f"{error}{_plug_in_suffix(error.__cause__)}")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(130)
    except BrokenPipeError:  # `triptych list … | head`
        discard_unwritten(sys.stdout)
        sys.exit(0)
    except OSError as error:
        if (message := why_not_written(error)) is None:
            raise
        discard_unwritten(sys.stdout)
        _say(message)
        sys.exit(2)
    except UnicodeEncodeError as error:
        if error.encoding == "utf-8":
            raise
        if _is_utf8(locale.getpreferredencoding(False)) and (
            whose := _plug_in_suffix(error)
        ):  # not the locale's encoding
            from triptych.records.plug_ins import why_not

            _say(why_not(error) + whose)
            sys.exit(2)
        _say(
            f"a text or the name of a file can't be written in the encoding of this locale\n  expected: UTF-8\n"
            f"  got: {error.encoding}, for {error.object[error.start : error.end][:20]!a}\n"
            "  what to do: export LC_ALL=C.UTF-8, or PYTHONUTF8=1, and run the command again"
        )
        sys.exit(2)
    except Exception as error:
        show = getattr(error, "show", None)  # wrong use, as the parser of the command line reports it
        if show is None or not hasattr(error, "exit_code"):
            if not (whose := _plug_in_suffix(error)):
                raise
            from triptych.records.plug_ins import why_not

            _say(why_not(error) + whose)
            sys.exit(2)
        show()
        sys.exit(2)


def _command_name(arguments: list[str]) -> str:
    """The name of the command that the arguments mean; empty if it may be any: a file of `--config` may have tables for
    all commands."""
    if not arguments or any(argument.startswith("--config") for argument in arguments):
        return ""
    commands = {one.name for one in app.registered_commands} | {one.name for one in app.registered_groups}
    return arguments[0] if arguments[0] in commands else ""


@cache
def _parser(named: str) -> Any:
    """Return the parser of one command, or of all (an empty name): reading the signatures of all takes a quarter of a
    short command's time. A process that carries out several commands makes each parser once."""
    if not named:
        return typer.main.get_command(app)
    alone = copy(app)
    alone.registered_commands = [
        group_or_command for group_or_command in app.registered_commands if group_or_command.name == named
    ]
    alone.registered_groups = [group for group in app.registered_groups if group.name == named]
    return typer.main.get_command(alone)


def _plug_in_suffix(error: BaseException | None) -> str:
    """The package of the plug-in that raised an error, and its line, as the end of a message."""
    from triptych.records.plug_ins import line_of, package_to_blame

    if not (name := package_to_blame(error)):
        return ""
    return f" (a plug-in of the package {name} failed: report it to its authors; {line_of(error)})"


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "").replace("_", "") == "utf8"


def _calm_collector() -> None:
    """Collect cycles less often, since a Run makes many short-lived records and no cycles (saves 2% of its CPU time),
    and not at exit. With a threshold of 50,000, a short Run met one collection before its first Request, and one
    of 17 ms while it asked."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    atexit.register(gc.freeze)


def _say(message: str) -> None:
    say(f"triptych: {message}")


def _spread(arguments: list[str]) -> list[str]:
    """Expand `-M a=1 b=2` to `-M a=1 -M b=2`; several key=value pairs may follow --filter, too."""
    spread: list[str] = []
    option = ""
    for index, argument in enumerate(arguments):
        after_value = index > 0 and "=" in arguments[index - 1] and not arguments[index - 1].startswith("-")
        if option and "=" in argument and not argument.startswith("-") and after_value:
            spread.append(option)
        elif argument.startswith("-"):
            option = argument if argument in ("-M", "-J", "-B", "--filter") else ""
        elif "=" not in argument:
            option = ""
        spread.append(argument)
    return spread


def _take_log_level(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return `--log-level LEVEL` apart from the other arguments: it may come before the command and after it."""
    level: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            return level, [*rest, word, *words]
        if word == "--log-level":
            level.append(f"{word}={next(words, '?')}")  # without a level: one that is unknown
        elif word.startswith("--log-level="):
            level.append(word)
        else:
            rest.append(word)
    return level, rest


def _take_config(arguments: list[str], command: Any) -> tuple[list[str], dict[str, Any]]:
    """Remove `--config FILE` from the arguments; its tables ([run], [score] …) become defaults of the commands.

    `build` has a `--config` of its own: the recipe's file.
    """
    if arguments[:1] == ["build"]:
        return arguments, {}
    rest: list[str] = []
    files: list[str] = []
    tokens = iter(arguments)
    for token in tokens:
        if token == "--config":
            if (file := next(tokens, None)) is None:
                raise SpecError("--config needs a file", expected="--config FILE.toml")
            files.append(file)
        elif token.startswith("--config="):
            files.append(token.partition("=")[2])
        else:
            rest.append(token)
    if len(files) > 1:
        raise SpecError("--config is given twice, but takes one file", got=" ".join(files), fix="give --config once")
    defaults = _read_config(Path(files[0]), command) if files else {}
    if (plan := plan_in(_spread(rest), command)) is not None:
        values = _read_config(plan, command, apart=("runs",)).get("run", {})
        defaults["run"] = {**values, **defaults.get("run", {})}
    return rest, defaults


def _read_config(path: Path, command: Any, apart: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the defaults in a file. `apart`: its other tables, which are read elsewhere."""

    from triptych.records.toml_text import parse_toml
    from triptych.records.unreadable import reason
    from triptych.store.files.text_files import read_text_input

    try:
        config = parse_toml(read_text_input(path, "utf-8"))
    except OSError as error:
        raise SpecError(f"the configuration can't be read ({error.strerror})", where=path) from None
    except (ValueError, RecursionError) as error:
        raise SpecError("the configuration is not valid TOML", where=path, got=reason(error)) from None
    return _defaults({name: table for name, table in config.items() if name not in apart}, command, path)


def _defaults(config: dict[str, Any], group: Any, path: Path, above: str = "") -> dict[str, Any]:
    """Return the defaults of a group's commands; `audit` and `judge` have nested tables ([audit.data])."""
    defaults: dict[str, Any] = {}
    for name, values in config.items():
        table = f"{above}{name}"
        if name not in group.commands or not isinstance(values, dict):
            raise SpecError(f"unknown table [{table}]", where=path, fix=nearest(name, group.commands))
        command = group.commands[name]
        if hasattr(command, "commands"):
            defaults[name] = _defaults(values, command, path, f"{table}.")
            continue
        options = _options(command)
        for key, value in values.items():
            if key not in options:
                raise SpecError(f"unknown key {key!r} in [{table}]", where=path, fix=nearest(key, options))
            option = options[key]
            flags = _as_flags(value, repeated=option.name == "filter_")
            if not (many := getattr(option, "multiple", False) or option.nargs != 1) and isinstance(value, dict | list):
                raise SpecError(f"{key!r} in [{table}] takes one value", where=path, got=value)
            defaults.setdefault(name, {})[option.name] = flags if many else flags[0]
    return defaults


def _options(command: Any) -> dict[str, Any]:
    """Return the parameters by the names allowed in the file (`model-base-url`, `model_base_url`)."""
    names = {}
    for parameter in command.params:
        names[parameter.name] = parameter
        for flag in parameter.opts:
            names[flag.lstrip("-")] = parameter
    return names


def _as_flags(value: Any, *, repeated: bool) -> list[str]:
    """Return a value as the values of flags: a list repeats the flag, a table of settings becomes key=value flags.

    `repeated`: a list inside such a table repeats its key; otherwise its values are joined by commas.
    """
    if isinstance(value, dict):
        return [
            f"{k}={text}"
            for k, v in value.items()
            for text in (_as_flags(v, repeated=True) if repeated else [_as_typed(v)])
        ]
    return [_as_typed(one) for one in (value if isinstance(value, list) else [value])]


def _as_typed(value: Any) -> str:
    """Return a value as it would be typed."""
    if isinstance(value, bool | dict):
        import json

        return json.dumps(value)
    return ",".join(map(_as_typed, value)) if isinstance(value, list) else str(value)
