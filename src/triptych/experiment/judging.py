"""Judges that are ready to be asked, and their calibration against people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from triptych.errors import SpecError
from triptych.experiment.as_in import catalogue_row
from triptych.experiment.data import hash_lines
from triptych.experiment.plan import Plan
from triptych.experiment.settings import as_number
from triptych.judges.panel import ALL_MEDIA, NO_JUDGES, Judge, Panel, load_descriptions
from triptych.models.adapter import DECODING, Adapter, check_decoding, check_used
from triptych.models.registry import load_adapter
from triptych.records import Kind
from triptych.records.checked_calls import checked_arguments
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.judges.calibration import Calibration
    from triptych.judges.rubric import Rubric
    from triptych.media.payload import MediaReader
    from triptych.running.loop import RunOptions
    from triptych.scoring.judging import JudgeSession

MEDIA = ("known", "all", "none")  # which judges are sent media


@dataclass(frozen=True)
class JudgePlan:
    """Judges that are ready to be asked, and how to ask them.

    Attributes:
        panel: The judges, how often each is asked, and how their verdicts are combined.
        adapters: The adapters that ask them, in the same order.
        options: Concurrency, retries, time-outs and budgets; None for the defaults.
    """

    panel: Panel
    adapters: tuple[Adapter, ...]
    options: RunOptions | None = None

    def after(self, folder: RunFolder) -> JudgePlan:
        """Return the judges with the rest of the Run's budget."""
        from triptych.running.budget import remaining_budget
        from triptych.running.readings import journals

        if self.options is None:
            return self
        return replace(self, options=remaining_budget(self.options, [folder, *journals(folder)]))

    def check(self, ready: Plan, out: Path, *, same_model: bool = False) -> None:
        """Check the judges for a Run in `out` before anything is asked. Raises SpecError."""
        from triptych.judges.asking import check_endpoints
        from triptych.judges.rubric import load_rubric
        from triptych.scoring.judging import check_rubrics

        check_rubrics(self.panel, ready.benchmark, ready.items())
        usual = [load_rubric(name) for task in ready.tasks for name in task.rubrics.values()]
        rubrics, verdicts_folder = [*self.panel.rubrics.values(), *usual], RunFolder(out, ready.manifest).verdicts_path
        check_endpoints(self.panel, self.adapters, rubrics, verdicts_folder, same_model=same_model)

    def at(self, path: Path, media: MediaReader | None = None) -> JudgeSession:
        """Return the judges with the folder for their verdicts and, if they are sent media, what reads these."""
        from triptych.scoring.judging import JudgeSession

        return JudgeSession(self.panel, path, self.adapters, self.options, media)


@checked_arguments
def plan_judges(
    models: Sequence[str],
    *,
    base_urls: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    evaluations: int = 1,
    combine: Literal["mean", "median", "majority"] = "mean",
    descriptions: Path | str | None = None,
    options: RunOptions | None = None,
    rubrics: Mapping[str, Path | str] | None = None,
    media: Literal["known", "all", "none"] = "none",
) -> JudgePlan | None:
    """Check the judges that are named, and return them ready to be asked.

    Args:
        models: The judges, as `ADAPTER/NAME`.
        base_urls: One endpoint for all judges, or one for each.
        settings: Settings of all judges (temperature …); they have precedence over the rubric's.
        evaluations: How often each judge is asked about a reply.
        combine: How verdicts are combined: `mean`, `median` or `majority`.
        descriptions: A JSON file: Item id or media path -> a description of the media, for judges that only read.
        options: Concurrency, retries, time-outs and budgets of the Requests to judges.
        rubrics: Metric -> the TOML file or id of a rubric to use instead of the benchmark's.
        media: Which judges are sent a question's media: `known` (those that the catalogue says take them), `all` or
            `none`. Judges of kinds of error, and those whose rubric has a place for a description of the media.

    Returns:
        The judges, for `run`, `score`, `analyse_errors` and `calibrate`; None if `models` is empty.

    Raises:
        SpecError: If a model can't be a judge, a rubric is unknown, or an argument is given without a model.

    Example:
        >>> import triptych
        >>> judges = triptych.plan_judges(["openai/judge"], base_urls=["http://localhost:8000/v1"], evaluations=3)
        >>> judges.panel.evaluations, judges.adapters[0].name
        (3, 'openai/judge')
    """
    if not models:
        _check_unused(base_urls=base_urls, settings=settings, descriptions=descriptions, rubrics=rubrics)
        _check_unused(evaluations=evaluations != 1, combine=combine != "mean", media=media != "none")
        return None
    if len(base_urls) > 1 and len(base_urls) != len(models):
        raise SpecError(
            "expected one endpoint for all judges, or one for each",
            got=f"{len(base_urls)} for {len(models)}",
        )
    decoding = {key: as_number(key, value) for key, value in (settings or {}).items() if key in DECODING}
    model_settings = {key: value for key, value in (settings or {}).items() if key not in DECODING}
    refuse = [model for model in models if model.partition("/")[0] in NO_JUDGES]
    if refuse:
        raise SpecError(
            "this model can't be used as a judge", got=refuse[0], fix="name one that reads text: --judge openai/NAME"
        )
    adapters = []
    for number, model in enumerate(models):
        url = base_urls[number % len(base_urls)] if base_urls else None
        adapters.append(load_adapter(model, model_settings if url is None else {**model_settings, "base_url": url}))
        check_decoding(adapters[-1], decoding)
        check_used(adapters[-1], decoding, "-J")
    described = load_descriptions(Path(descriptions)) if descriptions else {}
    digest = hash_lines(f"{key}={words}" for key, words in described.items())[:8]
    source = f"{Path(descriptions).name}({digest})" if descriptions else ""
    own_rubrics = {metric: find_rubric(str(file)) for metric, file in (rubrics or {}).items()}
    files = {metric: str(file) for metric, file in (rubrics or {}).items()}
    files |= {"descriptions": str(descriptions)} if descriptions else {}
    if media not in MEDIA:
        raise SpecError("unknown choice of judges that are sent media", got=media, expected=", ".join(MEDIA))
    panel = Panel(
        tuple(Judge.from_adapter(a, decoding, _media_kinds(a, media)) for a in adapters),
        evaluations,
        combine,
        described,
        source,
        own_rubrics,
        files,
    )
    return JudgePlan(panel.validated(), tuple(adapters), options)


def _check_unused(**arguments: Any) -> None:
    """Raise SpecError for the first argument that is given: it means nothing without a judge."""
    if names := [name for name, value in arguments.items() if value]:
        raise SpecError(f"{names[0]} requires a judge", got="models is empty", fix='models=["ADAPTER/NAME"]')


@checked_arguments
def calibrate(
    ratings: Path | str,
    judges: JudgePlan,
    *,
    rubric: str = "pair",
    human_scale: tuple[float, float] | None = None,
    verdicts: Path | str | None = None,
) -> Calibration:
    """Let judges rate replies that people have rated, and return their agreement.

    Args:
        ratings: A table of replies with people's ratings: JSONL, CSV, TSV, XLSX, JSON or Parquet.
        judges: The judges: see `plan_judges`.
        rubric: Id or TOML file of the rubric by which the judges rate.
        human_scale: Lowest and highest rating of the people, if it isn't the rubric's scale.
        verdicts: Folder of the verdicts; by default next to the ratings.

    Returns:
        Pearson's and Spearman's correlation, Krippendorff's alpha and the bias, over all replies and by system.

    Raises:
        SpecError: If the rubric is unknown or the scale is wrong.
        DataError: If the ratings can't be read.

    Example:
        >>> import triptych
        >>> judges = triptych.plan_judges(["openai/judge"], base_urls=["http://localhost:8000/v1"])
        >>> agreement = triptych.calibrate("ratings.csv", judges, rubric="pair")  # doctest: +SKIP
    """
    from triptych.experiment.rated_replies import load_ratings
    from triptych.judges import calibration
    from triptych.running.loop import RunOptions
    from triptych.scoring.predictions import verdicts_place

    chosen, path = find_rubric(rubric), Path(ratings)
    rated = load_ratings(path, chosen, human_scale)
    verdicts_folder = Path(verdicts) if verdicts else verdicts_place(path)
    options = judges.options or RunOptions()
    return calibration.calibrate(rated, chosen, judges.panel, judges.adapters, verdicts_folder, options, human_scale)


@checked_arguments
def find_rubric(name: str | Path) -> Rubric:
    """Return a rubric: the instructions and the scale by which judges rate.

    Args:
        name: Id of a built-in rubric, or a TOML file.

    Returns:
        The rubric, with its prompt, scale and dimensions.

    Raises:
        SpecError: If no rubric has this id, or the file is not a rubric.

    Example:
        >>> import triptych
        >>> triptych.find_rubric("pair").scale
        (1.0, 10.0)
    """
    from triptych.judges.rubric import load_rubric

    return load_rubric(str(name))


def _media_kinds(adapter: Adapter, media: str) -> tuple[Kind, ...]:
    """Return the kinds of media that a judge is sent: all that its adapter takes, or those of the catalogue's row."""
    row = catalogue_row(adapter.name)
    takes: Collection[Kind] = row.takes if row is not None and media == "known" else ()
    takes = ALL_MEDIA if media == "all" else takes
    able = getattr(adapter, "accepts", None)  # of models in this process it is known once they are loaded
    return tuple(kind for kind in takes if kind != "text" and (able is None or kind in able))
