"""`triptych serve`: a model served with vLLM, from the catalogue."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.options import Json, OwnCatalogue

if TYPE_CHECKING:
    from triptych.models.serving.command import Serving
    from triptych.models.serving.needs import Needs

HELP = (
    "Serve a model of the catalogue, of the Hub or of a folder with vLLM or SGLang, until Ctrl-C. If the endpoint "
    "already serves it, that is reported and nothing is started. Arguments after -- are passed to the server."
)


def command(
    model: Annotated[str, typer.Argument(help="name of the catalogue (`triptych list models`), ID of the Hub, folder")],
    more: Annotated[list[str] | None, typer.Argument(help="further arguments of the server, after --")] = None,
    host: Annotated[str, typer.Option(help="address to listen on; others than this computer's are open to all")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="port")] = 8000,
    tensor_parallel: Annotated[
        int | None, typer.Option(help="number of GPUs that share the weights [as in the catalogue, or 1]")
    ] = None,
    lora: Annotated[
        list[str] | None, typer.Option(help="NAME=DIR: a LoRA adapter that is served as the model NAME")
    ] = None,
    media: Annotated[
        Path | None, typer.Option(help="folder with media that the server reads by path (-M media_urls=file)")
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="allow code from the Hub to be run, for models that need it")
    ] = False,
    wait: Annotated[float, typer.Option(min=0, help="seconds until the server must be ready")] = 1800.0,
    server: Annotated[str, typer.Option(help="vllm or sglang")] = "vllm",
    benchmark: Annotated[
        list[str] | None,
        typer.Option(help="BENCH, BENCH/TASK or a file of questions: limits per prompt as these need; may be repeated"),
    ] = None,
    data: Annotated[str, typer.Option(help="data folder of the benchmark [the built-in mini set]")] = "mini",
    program: Annotated[str, typer.Option(help="the program to start [vllm, or python for SGLang]")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="print the command and start nothing")] = False,
    catalogue: OwnCatalogue = None,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.cli.arguments import print_json, say, settings_of, tell
    from triptych.models.catalogue import find_model, use_catalogue
    from triptych.models.serving.command import Serving, arguments, context_of, first_steps, served_name, shell_command

    use_catalogue(catalogue)
    adapters = {name: Path(folder) for name, folder in settings_of(lora, "--lora").items()}
    serving = Serving(
        host,
        port,
        tensor_parallel,
        adapters,
        media,
        trust_remote_code,
        tuple(more or ()),
        server,
        _needs(benchmark or [], data),
        dry_run,
    )
    words = arguments(model, serving)
    argv = [program or words[0], *words[1:]]
    if serving.needs is not None:
        for note in serving.needs.notes(find_model(model), context_of(argv)):
            say(note)
    document = {"model": served_name(model), "base_url": serving.address, "command": argv}
    if dry_run:
        for step in first_steps(model):
            say(step)
        print_json(document) if json else tell(shell_command(argv))
        return 0

    def announce_address() -> None:
        print_json(document) if json else tell(serving.address)

    return _serve(model, served_name(model), argv, serving, wait, announce_address)


def _needs(benchmarks: list[str], data: str) -> Needs | None:
    """Return what the questions of benchmarks need together; None without a benchmark."""
    from triptych.benchmarks import addressed
    from triptych.cli.arguments import say
    from triptych.experiment.data import data_folder
    from triptych.models.serving.needs import Needs
    from triptych.running.estimate import text_tokens

    needs: Needs | None = None
    for one in benchmarks:
        bench, task = addressed(one)
        folder, name = data_folder(bench, data)
        needs = needs or Needs(one, text_tokens)
        needs.answer = max(needs.answer, int(bench.spec.decoding.get("max_tokens") or 0))
        needs.add(bench.items(folder, bench.spec.select([task]), lambda problem: None))
        media = ", ".join(f"{number} {kind}" for kind, number in sorted(needs.max_media.items())) or "no media"
        say(f"{one}{' (built-in mini set)' if name == 'mini' else ''}: at most {media} in a prompt")
    return needs


def _serve(model: str, name: str, argv: list[str], serving: Serving, wait: float, ready: Callable[[], None]) -> int:
    from triptych.cli.arguments import say
    from triptych.errors import SpecError
    from triptych.models.serving.command import asking, shell_command
    from triptych.models.serving.server import check_serves, is_occupied, running, served_at

    if (names := served_at(serving.address)) is not None:
        check_serves(name, names, serving.address)
        say(f"{serving.address} already serves {name}: nothing is started")
        ready()
        return 0
    if is_occupied(serving.address):
        raise SpecError("another program uses this port", got=serving.address, fix="choose another --port")
    say(shell_command(argv))
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with running(argv, serving.address) as server:
            server.until_ready(name, wait, say)
            say(f"ready: {asking(model, serving)}  (Ctrl-C ends the server)")
            ready()
            code = server.wait()
    except KeyboardInterrupt:
        say("the server has ended")
        return 0
    say(f"the server ended by itself with exit code {code}")
    return 1


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
