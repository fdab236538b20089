"""`triptych`: puts the commands together, reads --config, and turns errors into one clear message and an exit code."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from pathlib import Path
from typing import Any

import typer

from triptych.cli import (
    analyse,
    audit,
    check,
    compare,
    demo,
    doctor,
    errors,
    export,
    fetch,
    import_,
    judge,
    list_,
    report,
    run,
    score,
    view,
)  # fmt: skip
from triptych.errors import SpecError, TriptychError, nearest

app = typer.Typer(
    name="triptych",
    help="Build, run, score, audit and explain omni-modal benchmarks.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # Rich's help costs more start-up time than everything else together
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("list", help=list_.HELP)(list_.command)
app.command("fetch", help=fetch.HELP)(fetch.command)
app.command("check", help=check.HELP)(check.command)
app.command("run", help=run.HELP)(run.command)
app.command("score", help=score.HELP)(score.command)
app.add_typer(judge.app, name="judge")
app.command("report", help=report.HELP)(report.command)
app.command("compare", help=compare.HELP)(compare.command)
app.command("analyse", help=analyse.HELP)(analyse.command)
app.add_typer(audit.app, name="audit")
app.command("errors", help=errors.HELP)(errors.command)
app.command("export", help=export.HELP)(export.command)
app.command("import", help=import_.HELP)(import_.command)
app.command("view", help=view.HELP)(view.command)
app.command("demo", help=demo.HELP)(demo.command)
app.command("doctor", help=doctor.HELP)(doctor.command)


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    if version:
        from triptych import __version__

        print(__version__)
        raise typer.Exit


def main(arguments: list[str] | None = None) -> None:
    """The entry point: exits with 0 done, 1 done but something failed, 2 wrong use or bad input, 130 interrupted."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    command = typer.main.get_command(app)
    _calm_collector()
    try:
        arguments, defaults = _take_config(arguments, command)
        code = command.main(_spread(arguments), "triptych", standalone_mode=False, default_map=defaults)
        sys.exit(code if isinstance(code, int) else 0)
    except TriptychError as error:
        _say(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(130)
    except BrokenPipeError:  # `triptych list … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        show = getattr(error, "show", None)  # wrong use, as the parser of the command line reports it
        if show is None or not hasattr(error, "exit_code"):
            raise
        show()
        sys.exit(2)


def _calm_collector() -> None:
    """A Run makes many short-lived records and no cycles: look for cycles less often (2% of a Run's CPU time), and not
    at the end, when all goes anyway."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    atexit.register(gc.freeze)


def _say(message: str) -> None:
    print(f"triptych: {message}", file=sys.stderr)


def _spread(arguments: list[str]) -> list[str]:
    """`-M a=1 b=2` is `-M a=1 -M b=2`; the same for --filter: several key=value pairs may follow the option."""
    spread: list[str] = []
    option = ""
    for index, argument in enumerate(arguments):
        after_value = index > 0 and "=" in arguments[index - 1] and not arguments[index - 1].startswith("-")
        if option and "=" in argument and not argument.startswith("-") and after_value:
            spread.append(option)
        elif argument.startswith("-"):
            option = argument if argument in ("-M", "-J", "--filter") else ""
        elif "=" not in argument:
            option = ""
        spread.append(argument)
    return spread


def _take_config(arguments: list[str], command: Any) -> tuple[list[str], dict[str, Any]]:
    """Take `--config FILE` out of the arguments; its tables ([run], [score] …) become defaults of the commands."""
    rest, file = [], None
    tokens = iter(arguments)
    for token in tokens:
        if token == "--config":
            file = next(tokens, None)
            if file is None:
                raise SpecError("--config needs a file", expected="--config FILE.toml")
        elif token.startswith("--config="):
            file = token.partition("=")[2]
        else:
            rest.append(token)
    return rest, ({} if file is None else _read_config(Path(file), command))


def _read_config(path: Path, command: Any) -> dict[str, Any]:
    import tomllib

    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"the configuration can't be read ({error.strerror})", where=path) from None
    except tomllib.TOMLDecodeError as error:
        raise SpecError("the configuration is not valid TOML", where=path, got=str(error)) from None
    defaults: dict[str, Any] = {}
    for table, values in config.items():
        if table not in command.commands or not isinstance(values, dict):
            raise SpecError(f"unknown table [{table}]", where=path, fix=nearest(table, command.commands))
        names = _option_names(command.commands[table])
        for key in values:
            if key not in names:
                raise SpecError(f"unknown key {key!r} in [{table}]", where=path, fix=nearest(key, names))
        defaults[table] = {names[key]: _as_flags(value) for key, value in values.items()}
    return defaults


def _option_names(command: Any) -> dict[str, str]:
    """What a user may write in the file (`model-base-url`, `model_base_url`) -> the parameter's name."""
    names = {}
    for parameter in command.params:
        names[parameter.name] = parameter.name
        for flag in parameter.opts:
            names[flag.lstrip("-")] = parameter.name
    return names


def _as_flags(value: Any) -> Any:
    """A table of settings is the same as repeated key=value flags."""
    return [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else value
