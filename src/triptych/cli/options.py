"""Options that several commands share, each with one help text, and the judges that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from triptych.experiment.judging import JudgePlan
    from triptych.running.loop import RunOptions

Json = Annotated[bool, typer.Option("--json", help="print one JSON document to standard output")]
OwnCatalogue = Annotated[
    Path | None, typer.Option("--catalogue", metavar="FILE.toml", help="catalogue of further models, of your own")
]
Prices = Annotated[Path | None, typer.Option(help="file of prices (TOML or JSON) that come before the built-in ones")]
PriceIn = Annotated[
    float | None, typer.Option(help="US dollars per million input tokens of --model [of the price files]")
]
PriceOut = Annotated[
    float | None, typer.Option(help="US dollars per million output tokens of --model [of the price files]")
]
Judges = Annotated[list[str] | None, typer.Option(help="a judge for metrics that need one; may be repeated")]
JudgeUrls = Annotated[list[str] | None, typer.Option(help="base URL of the judge's endpoint, for openai/…")]
JudgeSettings = Annotated[
    list[str] | None, typer.Option("-J", help="key=value: a setting of the judges; may be repeated")
]
JudgeRepeats = Annotated[int, typer.Option(help="number of evaluations by each judge in each order")]
JudgeCombine = Annotated[str, typer.Option(help="how to combine several judges: mean, median or majority")]
JudgeDescriptions = Annotated[
    Path | None, typer.Option(help="JSON file with a description of each Item's media, for the judges")
]
JudgeMedia = Annotated[
    str,
    typer.Option(
        help="which judges are sent the questions' media, if their rubric has a place for a description: none, known "
        "(those that the catalogue says take them) or all"
    ),
]
JudgeSameModel = Annotated[
    bool, typer.Option("--same-model", help="confirm that the judge at another endpoint is the same model")
]
Rubrics = Annotated[
    list[str] | None, typer.Option(help="METRIC=FILE.toml: judge this metric by your own rubric; may be repeated")
]


def ending(*endings: str) -> Callable[[typer.CallbackParam, Path | None], Path | None]:
    """Return the callback of an option FILE that refuses a name whose ending is of another kind of file."""

    def check(param: typer.CallbackParam, value: Path | None) -> Path | None:
        from triptych.errors import SpecError

        folder = "" in endings and value is not None and value.is_dir()
        if value is not None and not folder and value.suffix.lower() not in endings:
            expected = " or ".join(one or "a folder" for one in endings)
            raise SpecError(f"{param.opts[0]} can't write a file of this kind", got=value.name, expected=expected)
        return value

    return check


def judges_of(
    judges: Iterable[str] | None,
    urls: Iterable[str] | None,
    settings: Iterable[str] | None,
    options: RunOptions,
    *,
    rubrics: Iterable[str] | None = None,
    **how: Any,
) -> JudgePlan | None:
    """Return the judges that the options of a command name, or None if they name none.

    `how` holds further keywords of `plan_judges`. Raises SpecError for a judge that can't be used.
    """
    from triptych import api
    from triptych.cli.arguments import settings_of

    if not judges:  # a file of --config may have the other options for later
        return None
    return api.plan_judges(
        tuple(judges),
        base_urls=tuple(urls or ()),
        settings=settings_of(settings, "-J"),
        options=options,
        rubrics=settings_of(rubrics, "--rubric"),
        **how,
    )
