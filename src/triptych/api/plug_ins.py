"""Check the plug-ins of a package: whether each entry point offers what its group's contract asks for."""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from triptych.errors import SpecError, TriptychError, nearest
from triptych.importing import importing
from triptych.models.adapter import SimpleAdapter
from triptych.models.registry import ADAPTERS
from triptych.records import Item, Kind
from triptych.records.checked_calls import checked_arguments
from triptych.records.plug_ins import GROUPS, origin_of, why_not

if TYPE_CHECKING:
    from triptych.benchmarks.spec import BenchmarkSpec

_CONTRACTS = "docs/adding/"  # pages with complete examples
_METHODS = {"open": 0, "close": 0, "prepare": 2, "respond": 2}  # of an adapter: name -> number of arguments


@dataclass(frozen=True, slots=True)
class PlugInCheck:
    """The result for one entry point.

    Attributes:
        kind: `benchmarks`, `models`, `metrics`, `conditions`, `stages` or `recipes`.
        name: Name of the entry point.
        module: Module that it names.
        faults: What does not follow the contract; empty if nothing was found.
        notes: What could not be checked, and why; and what is allowed, but rarely meant.
    """

    kind: str
    name: str
    module: str
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@checked_arguments
def check_plug_ins(package: str, *, model: str = "") -> list[PlugInCheck]:
    """Check every entry point of an installed package.

    Each module is imported. Models are created, but nothing is asked. Benchmarks with a mini set are run with the model
    `baseline/reference` in a temporary folder and scored under all protocols.

    Args:
        package: Name of the package, as `pip list` shows it.
        model: The part of `ADAPTER/NAME` after the slash, for adapters that accept only certain names.

    Returns:
        One result for each entry point, in the order of the groups.

    Raises:
        SpecError: If the package is not installed, or has no entry points of Triptych.

    Example:
        >>> check_plug_ins("no-such-package")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        SpecError: no package 'no-such-package' is installed
    """
    try:
        every = distribution(package).entry_points
    except (PackageNotFoundError, ValueError):  # ValueError: for an empty text
        raise SpecError(f"no package {package!r} is installed", fix="pip install -e FOLDER") from None
    points = [point for group in GROUPS for point in every if point.group == group]
    strange = [point for point in every if point.group.startswith("triptych.") and point.group not in GROUPS]
    if not points and not strange:
        raise SpecError(
            f"the package {package!r} has no entry points of Triptych",
            expected=", ".join(GROUPS),
            fix=f"{_CONTRACTS} shows the lines of pyproject.toml",
        )
    return [*(_checked(point, model) for point in points), *(_of_no_group(point) for point in strange)]


def _of_no_group(point: EntryPoint) -> PlugInCheck:
    fault = f"Triptych has no group of entry points {point.group!r}; {nearest(point.group, GROUPS)}"
    return PlugInCheck(point.group.partition(".")[2], point.name, point.value, (fault,))


def _checked(point: EntryPoint, model: str) -> PlugInCheck:
    kind = point.group.rpartition(".")[2]
    check: Callable[[EntryPoint, ModuleType, str], Iterator[str]] = _CHECKS[kind]
    faults: list[str] = []
    if ":" in point.value:
        module_name, _, attribute = point.value.partition(":")
        fault = f"the entry point names {point.value!r}; expected a module, without :{attribute}: {module_name}"
        return PlugInCheck(kind, point.name, point.value, (fault,))
    try:
        with redirect_stdout(sys.stderr):  # what the package prints must not be in a JSON document
            with importing(point.value, origin_of(point)):
                module = import_module(point.value)
            faults += check(point, module, model)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code can raise anything
        faults.append(str(error) if isinstance(error, TriptychError) else why_not(error))
    faults = list(dict.fromkeys(faults))
    notes = tuple(fault.removeprefix(_NOTE) for fault in faults if fault.startswith(_NOTE))
    wrong = tuple(fault for fault in faults if not fault.startswith(_NOTE))
    return PlugInCheck(kind, point.name, point.value, wrong, notes)


_NOTE = "note: "
_NO_SETTING = "no_such_setting"


def _model(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    uncallable = list(_takes(module, "make", 2, "make(name, settings)"))
    yield from uncallable
    settings = getattr(module, "SETTINGS", ())
    if isinstance(settings, str) or not isinstance(settings, Collection):
        yield f"SETTINGS is {type(settings).__name__}; expected the names of the settings, or a mapping by name"
    if uncallable:
        return
    try:
        adapter = module.make(model or "check", {})
    except SpecError as error:
        yield f"{_NOTE}make({model or 'check'!r}, {{}}) refuses: {error}. Give a name that it accepts with --model NAME"
        return
    if not hasattr(adapter, "respond") and not hasattr(adapter, "name"):
        returned = "None" if adapter is None else type(adapter).__name__
        yield f"make returns {returned}; expected an adapter, an object with name, settings, respond …"
        return
    yield from _attributes(adapter)
    yield from _names(point, adapter)
    yield from _unknown_setting(module, model or "check")
    if getattr(type(adapter), "respond", None) is SimpleAdapter.respond:
        yield "the adapter has no respond(request, prepared) of its own"
    for name, arguments in _METHODS.items():
        method = getattr(adapter, name, None)
        if not inspect.iscoroutinefunction(method):
            yield f"{name} is not a coroutine function (async def)"
        else:
            yield from _takes(adapter, name, arguments, f"{name} of the adapter")
    if hasattr(adapter, "settings") and any("key" in str(name).lower() for name in adapter.settings):
        yield "settings hold a name with 'key': settings are written to the manifest; read keys from the environment"


def _unknown_setting(module: ModuleType, name: str) -> Iterator[str]:
    """Yield a note if `make` accepts a setting of any name: a misspelt `-M` would be recorded, and change nothing."""
    try:
        module.make(name, {_NO_SETTING: "1"})
    except Exception:  # noqa: BLE001 - it is refused, in whatever words
        return
    accepted = f"make accepts a setting that doesn't exist ({_NO_SETTING})"
    yield f"{_NOTE}{accepted}, so a misspelt -M is recorded and changes nothing; see `take_settings`"


def _names(point: EntryPoint, adapter: Any) -> Iterator[str]:
    """Yield the faults of the names by which a model is asked and shown."""
    if point.name in ADAPTERS:
        yield f"the name {point.name!r} belongs to a built-in adapter; this one can't be used"
    if "/" in point.name:
        yield f"the name {point.name!r} contains a slash, which separates ADAPTER/NAME; this one can't be used"
    name = getattr(adapter, "name", None)
    if isinstance(name, str) and name and "/" not in name:
        yield f"name is {name!r}; expected {point.name}/NAME, by which tables and manifests know the model"


def _attributes(adapter: Any) -> Iterator[str]:
    expected = {
        "name": str,
        "revision": str,
        "settings": Mapping,
        "accepts": frozenset,
        "endpoint": str,
        "deterministic": bool,
    }
    for name, type_ in expected.items():
        if not hasattr(adapter, name):
            yield f"the adapter has no attribute {name}"
        elif not isinstance(value := getattr(adapter, name), type_):
            yield f"{name} is {type(value).__name__}; expected {type_.__name__}"
        elif name == "name" and not value:
            yield "name is empty"
        elif isinstance(value, frozenset) and (unknown := value - set(get_args(Kind))):
            kinds = ", ".join(map(str, sorted(unknown)))
            yield f"accepts has unknown kinds: {kinds}; known: {', '.join(get_args(Kind))}"


def _metrics(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    from triptych.metrics.metric import Metric, known_metrics

    metrics = getattr(module, "METRICS", None)
    if not metrics:
        yield "METRICS is missing or empty; expected a tuple of Metric"
        return
    if isinstance(metrics, Metric):
        yield "METRICS is a Metric; expected a tuple of Metric: METRICS = (Metric(…),)"
        return
    origin, ids = origin_of(point), Counter(metric.id for metric in metrics if isinstance(metric, Metric))
    for metric in metrics:
        if not isinstance(metric, Metric):
            yield f"METRICS holds {type(metric).__name__}, not Metric"
            continue
        if ids[metric.id] > 1:
            yield f"{metric.id}: two metrics have this id"
        if (owner := known_metrics().get(metric.id, (metric, origin))[1]) != origin:
            yield f"{metric.id}: {owner} has a metric with this id; name a rule of your own, such as {metric.id}.mine"
        if not re.fullmatch(r"[a-z][\w-]*(\.[\w-]+)*", metric.id):
            yield f"the id {metric.id!r} is not a name and rules separated by dots, such as f1.token"
        if metric.better not in ("higher", "lower"):
            yield f"{metric.id}: better is {metric.better!r}; expected higher or lower"
        if not metric.range[0] < metric.range[1]:
            yield f"{metric.id}: range is {metric.range}; expected (smallest, largest)"
        if len(metric.statistics) != 2 or not all(metric.statistics):
            yield f"{metric.id}: statistics must name two numbers, numerator and denominator"
        if not metric.source:
            yield f"{metric.id}: source is empty; name the publication that defines it"


def _conditions(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    from triptych.conditions.condition import Offer

    offered = getattr(module, "CONDITIONS", None)
    if not offered or not isinstance(offered, Mapping):
        yield "CONDITIONS is missing or empty; expected a mapping of names to (summary, make)"
        return
    for name, entry in offered.items():
        offer = Offer(*entry)
        if not isinstance(offer.summary, str) or not offer.summary:
            yield f"{name}: the summary is empty"
        if not callable(offer.make):
            yield f"{name}: make is not a function"
        elif not _accepts(offer.make, 2):
            yield f"{name}: make must take (arguments, seed)"


def _stages(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    from triptych.api.stage_trial import stage_trial
    from triptych.construction.stage import Stage
    from triptych.construction.stages import known_stages

    built_in = {name for name, (_, origin) in known_stages().items() if origin == "triptych"}
    stages = [value for value in vars(module).values() if isinstance(value, Stage)]
    if not stages:
        yield "the module has no Stage at its top level"
    names = [stage.name for stage in stages]
    yield from (f"two stages are named {name!r}" for name in sorted({n for n in names if names.count(n) > 1}))
    for stage in stages:
        if stage.name in built_in:
            yield f"{stage.name}: Triptych has a stage with this name; choose another one"
        if not callable(stage.run):
            yield f"{stage.name}: run is not a function"
        if not stage.writes and not stage.reads:
            yield f"{stage.name}: it declares neither reads nor writes, so no record would ever reach its key"
        if not stage.about and not stage.run.__doc__:
            yield f"{_NOTE}{stage.name}: it has no docstring, so `triptych list stages` can't say what it does"
        yield from stage_trial(stage)
        yield from _parameters(stage)


def _parameters(stage: Any) -> Iterator[str]:
    """Yield the faults of a stage's parameters: names that a prompt can't distinguish from fields, defaults that the
    stage itself would refuse, and fields of a Struct without a meaning."""
    from triptych.construction.parameters import changed, declared_loosely, fields_of

    for field in fields_of(stage.parameters):
        name = f"{stage.name}: the parameter {field.name!r}"
        if stage.asks and field.name in (*stage.required, *stage.optional):
            yield f"{name} has the name of a field that the stage reads, so its prompt can show only one of them"
        if not field.meaning and not declared_loosely(stage.parameters):
            yield f'{name} has no meaning; declare it as Annotated[…, Meta(description="…")]'
        try:
            changed(stage.name, stage.parameters, {field.name: field.default})
        except TriptychError as error:
            yield f"{name} has a default that its own type or range refuses: {error.got} ({error.expected})"


def _recipes(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    from triptych.construction.recipe import load_recipe

    recipe = load_recipe(point.name)
    if recipe is not getattr(module, "RECIPE", None):
        yield f"the name {point.name!r} belongs to a built-in recipe; this one can't be used"
    if recipe.name != point.name:
        yield f"RECIPE.name is {recipe.name!r}; the entry point is {point.name!r}"
    try:
        stages = recipe.every_stage()
    except (TriptychError, msgspec.ValidationError) as error:
        yield f"RECIPE.examples: a configuration isn't valid: {' '.join(str(error).split())}"
        return
    for stage in stages:
        yield from _parameters(stage)


def _benchmarks(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    from triptych.api.benchmark_trial import trial
    from triptych.benchmarks import load_benchmark
    from triptych.protocols.protocol import Protocol

    try:
        bench = load_benchmark(point.name)
    except SpecError:
        if (name := _name_in_spec(module)) in ("", point.name):
            raise
        yield f"spec.toml says name = {name!r}; the entry point is {point.name!r}: the two must be equal"
        return
    if bench.origin == "triptych":
        yield f"the name {point.name!r} belongs to a built-in benchmark; this one can't be used"
        return
    if bench.name != point.name:
        yield f"spec.toml says name = {bench.name!r}; the entry point is {point.name!r}"
    protocols = import_module(f"{point.value}.protocols").PROTOCOLS
    if not isinstance(protocols, Mapping):
        yield f"PROTOCOLS is {type(protocols).__name__}; expected a dict of names and Protocols"
        return
    yield from (
        f"PROTOCOLS[{name!r}] is {type(one).__name__}, not Protocol"
        for name, one in protocols.items()
        if not isinstance(one, Protocol)
    )
    if not bench.mini.is_dir():
        yield f"{_NOTE}there is no mini set (folder mini), so reading and scoring were not tried"
        return
    malformed: list[str] = []
    items = list(
        bench.items(bench.mini, report=lambda problem: malformed.append(f"{problem.where}: {problem.message}"))
    )
    yield from (f"mini: {line}" for line in malformed[:5])
    yield from _slices(bench.spec, items)
    if len({item.id for item in items}) < len(items):
        yield "mini: several Items have the same id"
    if not items:
        yield "mini: the reader yields no Items"
        return
    with tempfile.TemporaryDirectory(prefix="triptych-check-") as folder:
        yield from trial(bench, Path(folder) / "run")


def _name_in_spec(module: ModuleType) -> str:
    """Return the name in the `spec.toml` of a benchmark's package; empty if it can't be read."""
    from triptych.benchmarks.spec_file import load_spec

    try:
        return load_spec(Path(str(module.__file__)).parent / "spec.toml").name
    except SpecError:
        return ""


def _slices(spec: BenchmarkSpec, items: Collection[Item]) -> Iterator[str]:
    """Yield the `slices` that no Item and no Task has as a facet: a fault if one of theirs has a similar name."""
    facets = {facet for item in items for facet in item.facets} | {
        facet for task in spec.tasks for facet in task.facets
    }
    for name in spec.slices:
        if name not in facets:
            similar = nearest(name, facets) if facets else ""
            line = f"slices names the facet {name!r}, which no Item of the mini set has"
            yield f"{line}; {similar}" if similar.startswith("did you mean") else f"{_NOTE}{line}"


def _takes(owner: Any, name: str, arguments: int, shown: str) -> Iterator[str]:
    function = getattr(owner, name, None)
    if not callable(function):
        yield f"there is no function {shown}"
    elif not _accepts(function, arguments):
        yield f"{shown} can't be called with {arguments} arguments"


def _accepts(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:
        return False
    return True


_CHECKS: dict[str, Callable[[EntryPoint, ModuleType, str], Iterator[str]]] = {
    "models": _model,
    "metrics": _metrics,
    "conditions": _conditions,
    "stages": _stages,
    "recipes": _recipes,
    "benchmarks": _benchmarks,
}
