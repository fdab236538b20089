"""Build a benchmark from a recipe and a configuration, with a history of every record."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from triptych.construction.asking.prompt import Wording
from triptych.construction.asking.replayed import with_replies
from triptych.construction.asking.stage import Budget, Group, Model, Roles, Unavailable, reworded
from triptych.construction.asking.unready import unready
from triptych.construction.engine.context import Context
from triptych.construction.engine.engine import Engine, Passed
from triptych.construction.engine.folder import MATERIAL, PAGE, BuildFolder, BuildManifest, DecisionLine, StageCounts
from triptych.construction.engine.funnel import count_material
from triptych.construction.engine.hashes import FileHashes
from triptych.construction.engine.media import MediaStore, media_values
from triptych.construction.held_records import HeldRecords
from triptych.construction.merge import refuse_merged
from triptych.construction.parameters import Parameters
from triptych.construction.recipe import Recipe, Start, load_recipe
from triptych.construction.record import Outcome
from triptych.construction.release.card import write_card
from triptych.construction.release.media import faults_of_ids
from triptych.construction.release.provenance import write_provenance
from triptych.construction.release.verdict import Examiner, Verdict
from triptych.construction.release.versions import (
    forget_records,
    keep_release,
    release,
    remember,
    remembering,
    write_changes,
)
from triptych.construction.release.withdrawal import (
    add_withdrawn,
    forget_people,
    purge,
    purge_texts_about,
    records_about,
    records_of_sources,
    withdrawn,
)
from triptych.construction.report.estimate import StageEstimate, estimate_build, estimate_by_prompts
from triptych.construction.report.reasons import EmptiedPart, emptied_parts
from triptych.construction.stage import Stage
from triptych.construction.stages.guessing import guessable
from triptych.construction.stages.validation import check_families
from triptych.construction.tables import RowFaults
from triptych.errors import DataError, RunFolderError, SpecError, TriptychError, nearest
from triptych.models.registry import load_adapter
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason, reason_at_key
from triptych.running.loop import RunOptions
from triptych.running.prices import StatedPrice
from triptych.store.files.lock import locked
from triptych.store.files.run_files import remove_own

# Keys of every configuration; all others belong to the recipe
MATERIAL_OF_A_PREVIEW = 20  # rows of raw material that are tried for each record of a preview
COMMON = ("models", "stages", "prompts", "budgets", "prices", "seed", "allow_same_family", "allow_guessable")


class ModelConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table `[models.ROLE]`: the model in a role (or `human/NAME`: people), its endpoint, settings, decoding, and its
    price if no file of prices has it."""

    model: str
    base_url: str = ""
    settings: dict[str, Any] = {}
    decoding: dict[str, Any] = {}
    price: StatedPrice | None = None


class Configuration(msgspec.Struct, frozen=True):
    """A configuration file: the recipe's own part, the models, the seed; parameters, prompts and budgets of stages;
    `prices`: a file of prices that come before the built-in ones."""

    recipe: Any
    models: dict[str, ModelConfig] = {}
    stages: dict[str, dict[str, Any]] = {}
    prompts: dict[str, Wording] = {}
    budgets: dict[str, Budget] = {}
    prices: str = ""
    seed: int = 0
    allow_same_family: bool = False
    allow_guessable: bool = False


@dataclass(frozen=True)
class Built:
    """The outcome of a build.

    Attributes:
        folder: The build folder; the benchmark is in `out`.
        counts: The counts of each stage.
        written: Number of Items written.
        waiting: Number of records that wait for people.
        interrupted: Whether a signal ended the session.
        stopped: Why the session ended early; None otherwise.
        refused: Why no benchmark was written although all records are decided; empty otherwise.
        verdict: What `check` and `audit data` find in the output, if these were asked for.
        emptied: Parts of the benchmark (subtasks) that have raw material and no record left.
    """

    folder: Path
    counts: tuple[StageCounts, ...]
    written: int
    waiting: int
    interrupted: bool = False
    stopped: str | None = None
    refused: tuple[str, ...] = ()
    verdict: Verdict | None = None
    emptied: tuple[EmptiedPart, ...] = ()

    @property
    def complete(self) -> bool:
        """True if nothing waits, failed or was interrupted, and the output was written."""
        return not (self.waiting or self.interrupted or self.stopped or self.refused)


def build(
    recipe: str | Recipe,
    config: Path | Mapping[str, Any],
    to: Path,
    *,
    limit: int | None = None,
    only: Sequence[str] = (),
    options: RunOptions | None = None,
    ask: bool = True,
    progress: Callable[[StageCounts], None] | None = None,
    examine: Examiner | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Built:
    """Start or continue a build.

    `config`: a TOML file, or its content; paths in it are relative to the file. `limit`: number of Records of raw
    material to use; `out/` is then not written. `only`: stop after the last of these stages. `ask`: if False, no model
    is asked, and records that need a reply wait. `examine`: the function that gives the verdict on the output
    (`api.build_verdict.verdict_on`). `changes`: keys of the recipe's configuration that take precedence over `config`.
    Raises SpecError for an invalid recipe, configuration or stage; DataError if the raw material can't be read;
    RunFolderError if another process builds in this folder, or if it contains a build of another recipe.
    """
    loaded = recipe if isinstance(recipe, Recipe) else load_recipe(recipe)
    built = _built(loaded, config, to, limit, only, options or RunOptions(), ask, progress, changes)
    if not (examine and built.written):
        return built
    return replace(built, verdict=examine(loaded.format, to / "out"))  # the records are not in memory any more


def _built(
    loaded: Recipe,
    config: Path | Mapping[str, Any],
    to: Path,
    limit: int | None,
    only: Sequence[str],
    options: RunOptions,
    ask: bool,
    progress: Callable[[StageCounts], None] | None,
    changes: Mapping[str, Any] | None,
) -> Built:
    """Build without a verdict."""
    configuration, base = read_config(loaded, config, changes)
    if limit is not None and limit < 1:
        raise SpecError("limit must be at least 1", got=limit)
    folder = BuildFolder(to)
    configured = stages_up_to(list(_configure_stages(loaded.stages_for(configuration.recipe), configuration)), only)
    models = _models(configuration, base)
    options = replace(options, prices=options.prices or _price_file(configuration, base))
    same = _same_family(models, configuration, loaded.makers(configuration.recipe))
    to.mkdir(parents=True, exist_ok=True)
    with locked(to):
        with _nothing_left_in_a_new_folder(to):
            _check_manifest(folder, loaded)
            context = Context(Parameters(), MediaStore(to), configuration.seed, base, FileHashes(to))
            stages = remembering(configured, to)
            folder.save(_manifest(loaded, configuration, stages, models, same))
            records, unusable = _material(folder, loaded, configuration, base, context, limit)
        engine = Engine(folder, context, models, options, ask, withdrawn(to), configuration.budgets)
        passed = engine.run(stages, records.take_records(), progress, unusable)
        complete = not only and limit is None and passed.ended is None
        if complete:
            remember(folder, passed.counts, written=bool(passed.records))
        refused = guessable(passed.records) if complete and not configuration.allow_guessable else []
        if complete and not refused:
            write_output(folder, loaded, configuration, passed, context)
        elif refused and withdrawn(to):
            _remove(to / "out")  # the previous output contains what was withdrawn
    ended = passed.ended
    stopped = f"{passed.counts[-1].stage}: {ended.stopped}" if ended and ended.stopped else None
    written = len(passed.records) if complete and not refused else 0
    return Built(
        to,
        passed.counts,
        written,
        passed.waiting,
        bool(ended and ended.interrupted),
        stopped,
        tuple(refused),
        emptied=emptied_parts(folder, loaded.parted_by, passed.records) if complete else (),
    )


@contextmanager
def _nothing_left_in_a_new_folder(to: Path) -> Iterator[None]:
    """Remove what the block writes into a folder that is empty except for its lock, and the folder, if the block
    fails."""
    is_new = {path.name for path in to.iterdir()} <= {".lock"}
    try:
        yield
    except TriptychError:
        if is_new:
            shutil.rmtree(to, ignore_errors=True)
        raise


def withdraw(
    recipe: str | Recipe,
    config: Path | Mapping[str, Any],
    to: Path,
    sources: Sequence[str],
    *,
    progress: Callable[[StageCounts], None] | None = None,
) -> Built:
    """Remove sources and their media from a build, and write its output again; no model is asked.

    `person:NAME` takes back what a reviewer or translator returned: records that need it wait for somebody else.
    Records that were dropped because of a withdrawn one (as duplicates, say) may come back; those that need replies
    wait until the next `build`. Raises DataError for a source that no record has, and the errors of `build`.
    """
    folder = BuildFolder.open(to)
    people = frozenset(source.partition(":")[2] for source in sources if source.startswith("person:"))
    sources = [source for source in sources if not source.startswith("person:")]
    all_sources = {source for line in folder.lines(MATERIAL) for source in line.outcome.sources} | withdrawn(to)
    all_sources |= {source for stage in folder.stages() for line in folder.lines(stage) for source in _sources(line)}
    for source in sources:
        if source not in all_sources:
            raise DataError("no record has this source", got=source, where=to, fix=nearest(source, all_sources))
    if people:
        forget_people(to, people)
    gone = records_of_sources(folder, sources)
    about = records_about(folder, gone)
    if sources:
        add_withdrawn(to, sources)
        forget_records(folder, gone)
    remove_own(to / PAGE)  # it shows samples of the withdrawn material
    built = build(recipe, config, to, ask=False, progress=progress)
    purge(to, gone, frozenset(sources))
    purge_texts_about(folder, about)
    MediaStore(to).forget(
        value
        for stage in folder.stages()
        for line in folder.lines(stage)
        for fields in (line.outcome.fields, *(child.fields for child in line.outcome.children))
        for value in media_values(fields)
    )
    return built


def configure_build(recipe: str | Recipe, config: Path | Mapping[str, Any]) -> tuple[list[Stage], Roles, int, Path]:
    """Return the configured stages, the models, the seed, and the folder of relative paths. Raises SpecError."""
    loaded = recipe if isinstance(recipe, Recipe) else load_recipe(recipe)
    configuration, base = read_config(loaded, config)
    stages = list(_configure_stages(loaded.stages_for(configuration.recipe), configuration))
    return stages, _models(configuration, base), configuration.seed, base


def estimate(
    recipe: str | Recipe,
    config: Path | Mapping[str, Any],
    to: Path,
    *,
    limit: int | None = None,
    changes: Mapping[str, Any] | None = None,
    prices: Path | None = None,
) -> tuple[int, list[StageEstimate]]:
    """Estimate how many Records the raw material has, and the cost of each stage; nothing is asked or written.

    Without a pilot in `to`, the estimate follows from the prompts and the models' prices, as if every record went on.
    `prices`: a file of prices in place of the one that the configuration names.
    """
    loaded = recipe if isinstance(recipe, Recipe) else load_recipe(recipe)
    configuration, base = read_config(loaded, config, changes)
    with TemporaryDirectory(prefix="triptych-estimate-") as scratch:
        hashes = FileHashes(to, keep=False)
        context = Context(Parameters(), MediaStore(Path(scratch)), configuration.seed, base, hashes)
        starts = islice(loaded.start(configuration.recipe, base, context), limit)
        usable = [start.record for start in starts if start.unusable is None]
    stages = list(_configure_stages(loaded.stages_for(configuration.recipe), configuration))
    if BuildFolder(to).funnel():
        return len(usable), estimate_build(BuildFolder(to), stages, len(usable))
    price_file = prices or _price_file(configuration, base)
    return len(usable), estimate_by_prompts(stages, usable, _models(configuration, base), price_file)


def read_config(
    recipe: Recipe, config: Path | Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> tuple[Configuration, Path]:
    """Return the configuration, with `changes`, and the folder that its paths are relative to. Raises SpecError."""
    base = Path.cwd()
    where: Path | None = None
    document: dict[str, Any] = dict(config) if isinstance(config, Mapping) else {}
    if not isinstance(config, Mapping):
        where, base = config, config.resolve().parent
        try:
            document = parse_toml(config.read_text(encoding="utf-8"))
        except OSError as error:
            raise SpecError(f"the configuration can't be read ({error.strerror})", where=config) from None
        except NO_TOML as error:
            raise SpecError("the configuration is not valid TOML", where=config, got=reason(error)) from None
    for name, value in (changes or {}).items():
        if name not in {each.name for each in msgspec.structs.fields(recipe.config)}:
            raise SpecError(f"the recipe {recipe.name!r} has no setting {name!r}", got=str(value))
        document[name] = os.path.relpath(value.resolve(), base) if isinstance(value, Path) else value
    common: dict[str, Any] = {name: document.pop(name) for name in COMMON if name in document}
    common["recipe"] = None
    configuration, rest = _typed(document, recipe.config, where), _typed(common, Configuration, where)
    roles = (*recipe.roles, *recipe.makers(configuration))
    if unknown := sorted(rest.models.keys() - set(roles)):
        names = ", ".join(dict.fromkeys(roles)) or "none"
        raise SpecError(f"the recipe {recipe.name!r} has no role {unknown[0]!r}", where=where, expected=names)
    return msgspec.structs.replace(rest, recipe=configuration), base


def _typed(document: dict[str, Any], kind: Any, where: object) -> Any:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        got = reason_at_key(error, document, kind)
        raise SpecError("the configuration is not valid", where=where, got=got) from None


def stages_up_to(stages: Sequence[Stage], only: Sequence[str]) -> list[Stage]:
    """Return the stages up to the last named one; all if none is named. Raises SpecError for an unknown name."""
    names = [stage.name for stage in stages]
    if unknown := [name for name in only if name not in names]:
        raise SpecError(f"no stage {unknown[0]!r}", expected=", ".join(names))
    return list(stages[: max(names.index(name) for name in only) + 1] if only else stages)


def write_output(
    folder: BuildFolder,
    recipe: Recipe,
    configuration: Configuration,
    passed: Passed,
    context: Context,
) -> None:
    """Write the benchmark next to the old one, then exchange the folders, so that `out/` is always complete."""
    new, old, out = (folder.path / name for name in (".out.new", ".out.old", "out"))
    for leftover in (new, old):
        _remove(leftover)
    new.mkdir(parents=True)
    recipe.write(configuration.recipe, passed.records, new, context)
    write_provenance(folder, passed.records, new / "provenance.jsonl")
    made = release(folder, passed.records, complete=not passed.waiting)
    write_changes(new, made)
    if recipe.about_output is not None:
        manifest = folder.manifest()
        assert manifest is not None
        about = recipe.about_output(configuration.recipe, new)
        write_card(new, about, manifest, passed.counts, passed.records, version=made.version)
    if os.path.lexists(out):
        out.rename(old)
    new.rename(out)
    keep_release(folder, made)
    _remove(old)


def _remove(leftover: Path) -> None:
    """Remove a folder of an earlier build; if it is a link, remove only the link."""
    if leftover.is_dir() and not leftover.is_symlink():
        shutil.rmtree(leftover, ignore_errors=True)
    else:
        leftover.unlink(missing_ok=True)


def _material(
    folder: BuildFolder, recipe: Recipe, configuration: Configuration, base: Path, context: Context, limit: int | None
) -> tuple[HeldRecords, list[StageCounts]]:
    """Return the Records of the raw material, without those of withdrawn sources, and counts if some can't be used."""
    gone = withdrawn(folder.path)
    starts: list[Start] = []
    faults = RowFaults()
    with faults.row():
        for start in recipe.starts(configuration.recipe, base, context):
            if not gone.intersection(start.record.sources):
                starts.append(start)
            if limit is not None and len(starts) >= limit:
                break
    counts = Counter(start.record.id for start in starts)
    for doubled in (id for id, count in counts.items() if count > 1):
        with faults.row():
            raise DataError("two records of the raw material have the same id", got=doubled)
    faults.errors += faults_of_ids(counts)
    faults.check()
    lines = [_line(start) for start in starts]
    folder.write_lines(folder.stage(MATERIAL, 0), lines)
    return HeldRecords(start.record for start in starts if start.unusable is None), count_material(lines)


def _sources(line: DecisionLine) -> Iterator[str]:
    yield from line.outcome.sources
    for child in line.outcome.children:
        yield from child.sources


def _line(start: Start) -> DecisionLine:
    record = start.record
    outcome = start.unusable or Outcome()
    started = msgspec.structs.replace(outcome, fields=record.fields, makers=start.makers, sources=record.sources)
    return DecisionLine(record.id, "", started)


def _configure_stages(stages: Sequence[Stage], configuration: Configuration) -> Iterator[Stage]:
    """The stages with the parameters of `[stages.NAME]` and the wordings of `[prompts.NAME]`, where NAME is a stage's;
    `[budgets.NAME]` must name a stage too.

    Raises SpecError for a stage that doesn't exist, or for a wording of one that asks no model.
    """
    names = {stage.name for stage in stages}
    asking = {stage.name for stage in stages if stage.asks}
    for table, values, expected in (
        ("stages", configuration.stages, names),
        ("prompts", configuration.prompts, asking),
        ("budgets", configuration.budgets, asking),
    ):
        if unknown := sorted(values.keys() - expected):
            raise SpecError(
                f"no stage {unknown[0]!r}", where=f"[{table}.{unknown[0]}]", expected=", ".join(sorted(expected))
            )
    for stage in stages:
        made = stage.with_(**configuration.stages.get(stage.name, {}))
        wording = configuration.prompts.get(stage.name)
        yield reworded(made, wording) if wording else made


def _price_file(configuration: Configuration, base: Path) -> Path | None:
    return base / configuration.prices if configuration.prices else None


def _models(configuration: Configuration, base: Path) -> Roles:
    models: dict[str, Model | Group | Unavailable] = {}
    for role, model in configuration.models.items():
        if model.model.startswith("human/"):
            models[role] = Group(role, model.model)
            continue
        endpoint = {"base_url": model.base_url} if model.base_url else {}
        settings: dict[str, Any] = {**model.settings, **endpoint}
        price = (model.price.input, model.price.output) if model.price else None
        try:
            models[role] = Model(role, with_replies(load_adapter(model.model, settings), base), model.decoding, price)
        except TriptychError as error:
            reason = unready(model.model, settings, error)
            models[role] = (
                Model(role, reason, model.decoding, price)
                if reason
                else Unavailable(role, model.model, error, price=price)
            )
    _check_stated_prices(models)
    return models


def _check_stated_prices(models: Roles) -> None:
    """Raise SpecError if two roles state different prices for the same model with the same settings."""
    stated: dict[str, Model] = {}
    for model in models.values():
        if isinstance(model, Model) and (first := stated.setdefault(model.journal, model)).price != model.price:
            raise SpecError(
                "the same model has different prices in two roles",
                where=f"[models.{first.role}] and [models.{model.role}]",
                got=f"{first.price or 'no price'} and {model.price or 'no price'}",
                fix='state the same `price` in both, or name a file: prices = "prices.toml"',
            )


def _same_family(models: Roles, configuration: Configuration, makers: Sequence[str]) -> list[str]:
    """Return the validators and judges of a maker's model family. Raises SpecError if these are not allowed."""
    validators = [
        model for role, model in models.items() if role.startswith(("validator", "judge")) and role not in makers
    ]
    allow = configuration.allow_same_family
    same = [check_families(models[role], validators, allow=allow) for role in makers if role in models]
    return list(dict.fromkeys(role for stage in same for role in stage))


def _check_manifest(folder: BuildFolder, recipe: Recipe) -> None:
    refuse_merged(folder.path)
    manifest = folder.manifest()
    if manifest is None and (folder.path / "out").exists():
        raise RunFolderError(
            "this folder has an `out` that is not from a build, and a build would replace it",
            where=folder.path,
            fix="choose another --to",
        )
    if manifest is not None and manifest.recipe != recipe.name:
        raise RunFolderError(
            "this is a build of another recipe",
            where=folder.path,
            got=manifest.recipe,
            expected=recipe.name,
            fix="choose another --to",
        )


def _manifest(
    recipe: Recipe,
    configuration: Configuration,
    stages: Sequence[Stage],
    models: Roles,
    same_family: Sequence[str],
) -> BuildManifest:
    return BuildManifest(
        recipe.name,
        str(recipe.version),
        msgspec.to_builtins(configuration.recipe),
        tuple(f"{stage.name}@{stage.version}" for stage in stages),
        {role: f"{model.name}#{model.identity[:8]}" for role, model in models.items()},
        configuration.seed,
        same_family=tuple(same_family),
    )
