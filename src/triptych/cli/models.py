"""`triptych models`: confirm that a runner gives its model's answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.arguments import say, tell
from triptych.cli.options import Json, OwnCatalogue

HELP = "Confirm that a model's runner gives the answers of its card. `triptych list models` lists the models."
app: typer.Typer = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
CONFIRM = (
    "Ask a model the example of its card, and compare the answer. If they agree, the confirmation is stored in "
    "Triptych's cache, and `list models`, manifests and reports no longer say that its runner was never run with the "
    "model's weights. Exit code 1 if they don't agree."
)


@app.callback()
def _group() -> None:
    """Keep `confirm` a command of its own."""


@app.command("confirm", help=CONFIRM, short_help="Ask the example of a model's card, and compare the answer.")
def confirm(
    model: Annotated[str, typer.Argument(help="name of the catalogue, or worker/NAME")],
    example: Annotated[
        Path,
        typer.Option(
            help='JSON file: {"source": "https://…", "parts": [{"audio": "a.wav"}, {"text": "…"}], "expected": "…"}'
        ),
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option("-M", "--model-setting", help="key=value: a setting of the model; may be repeated"),
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="allow the model's own code to be run")
    ] = False,
    catalogue: OwnCatalogue = None,
    json: Json = False,
) -> int:
    """See CONFIRM."""
    from triptych.api.confirming import confirm_model
    from triptych.cli.arguments import print_json, settings_of
    from triptych.models.catalogue import use_catalogue
    from triptych.models.worker.trust import allow_foreign_code

    use_catalogue(catalogue)
    allow_foreign_code(trust_remote_code)
    done, stored = confirm_model(model, example, settings_of(settings, "-M"))
    wanted = done.example.expected
    if json:
        print_json(
            {
                "model": done.model,
                "agrees": stored is not None,
                "expected": wanted,
                "answer": done.answer,
                "revision": done.revision,
                "file": str(stored or ""),
            }
        )
    elif stored is not None:
        tell(f"{done.model} is confirmed: {done.answer!r} ({done.example.source}). Stored in {stored}")
    else:
        say(f"{done.model} is not confirmed. Expected ({done.example.compare}): {wanted!r}; got: {done.answer!r}")
    return 0 if stored is not None else 1
