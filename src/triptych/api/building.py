"""`build`, `estimate_build`, `build_status`, `build_why` and `withdraw`: `triptych build` in functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triptych.construction.build import Built
    from triptych.construction.engine.folder import StageCounts
    from triptych.construction.recipe import Recipe
    from triptych.construction.release.provenance import Life
    from triptych.construction.report.estimate import StageEstimate
    from triptych.running.loop import RunOptions

Config = Path | str | Mapping[str, Any]


def build(
    recipe: str | Recipe,
    config: Config,
    to: Path | str,
    *,
    limit: int | None = None,
    only: Sequence[str] = (),
    options: RunOptions | None = None,
    progress: Callable[[StageCounts], None] | None = None,
) -> Built:
    """Build a benchmark, or continue a build; `config` is a TOML file or its content.

    `limit`: number of records of the raw material, for a pilot that writes no benchmark. `only`: stop after the last of
    these stages. `Built.verdict` is what `check` and `audit data` find in the output. Raises SpecError for a wrong
    recipe or configuration, DataError for raw material that can't be read, RunFolderError if another process builds
    here.
    """
    from triptych.api.build_verdict import verdict_on
    from triptych.construction import build as building

    return building.build(
        recipe,
        _config(config),
        Path(to),
        limit=limit,
        only=only,
        options=options,
        progress=progress,
        examine=verdict_on,
    )


def estimate_build(
    recipe: str | Recipe, config: Config, to: Path | str, *, limit: int | None = None
) -> tuple[int, list[StageEstimate]]:
    """Return the number of records of the raw material, and what each stage is expected to take, by a pilot's means."""
    from triptych.construction import build as building

    return building.estimate(recipe, _config(config), Path(to), limit=limit)


def build_status(folder: Path | str) -> list[StageCounts]:
    """Return the funnel of a build: the counts of every stage. Raises RunFolderError if there is no build."""
    from triptych.construction.engine.folder import BuildFolder

    return BuildFolder.open(Path(folder)).funnel()


def build_why(folder: Path | str, id: str) -> Life:
    """Return the life of a record, or of the record of an Item. Raises DataError for an id that the build never had."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.release.provenance import life_of

    return life_of(BuildFolder.open(Path(folder)), id)


def withdraw(folder: Path | str, sources: Sequence[str], config: Config) -> Built:
    """Take sources out of a build and write its output again; no model is asked, and their media are erased.

    Raises DataError for a source that no record has, RunFolderError if there is no build.
    """
    from triptych.construction import build as building
    from triptych.construction.engine.folder import BuildFolder

    manifest = BuildFolder.open(Path(folder)).manifest()
    assert manifest is not None  # open() has found the file
    return building.withdraw(manifest.recipe, _config(config), Path(folder), sources)


def _config(config: Config) -> Path | Mapping[str, Any]:
    return Path(config) if isinstance(config, str) else config
