"""`build`, `estimate_build`, `build_status`, `build_why` and `withdraw`: `triptych build` in functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.records.checked_calls import checked_arguments

if TYPE_CHECKING:
    from triptych.construction.build import Built
    from triptych.construction.engine.folder import StageCounts
    from triptych.construction.recipe import Recipe
    from triptych.construction.release.provenance import Life
    from triptych.construction.report.estimate import StageEstimate
    from triptych.running.loop import RunOptions


@checked_arguments
def build(
    recipe: str | Recipe,
    config: Path | str | Mapping[str, Any],
    to: Path | str,
    *,
    limit: int | None = None,
    only: Sequence[str] = (),
    options: RunOptions | None = None,
    progress: Callable[[StageCounts], None] | None = None,
) -> Built:
    """Build a benchmark, or continue a build where it stopped.

    Args:
        recipe: Name of a recipe, or a Recipe.
        config: A TOML file, or its content as a dict.
        to: The build folder.
        limit: Number of records of the raw material, for a pilot that writes no benchmark; None for all.
        only: Names of stages: the build stops after the last of them.
        options: Concurrency, retries, time-outs and budgets of the Requests to models.
        progress: Receives the counts of a stage whenever they change.

    Returns:
        The counts of what was written and of what waits for people. `verdict` is what `check` and `audit data` find in
        the output.

    Raises:
        SpecError: If the recipe or the configuration is wrong.
        DataError: If raw material can't be read.
        RunFolderError: If another process builds in this folder.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> head = "id,title,author,author_died,genre,dynasty,text\\n"
        >>> poem = "w1,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。\\n"
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "works.csv").write_text(head + poem, encoding="utf-8")
        ...     config = {"works": f"{folder}/works.csv", "year": 2026, "tasks": ["asr"]}
        ...     config |= {"record": False, "review": False}
        ...     built = triptych.build("mcga", config, f"{folder}/build")
        >>> built.written, built.waiting
        (1, 0)
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


@checked_arguments
def estimate_build(
    recipe: str | Recipe, config: Path | str | Mapping[str, Any], to: Path | str, *, limit: int | None = None
) -> tuple[int, list[StageEstimate]]:
    """Estimate what a build would take, from the means of a pilot in the same folder; nothing is asked.

    Args:
        recipe: Name of a recipe, or a Recipe.
        config: A TOML file, or its content as a dict.
        to: The build folder, with or without a pilot.
        limit: Number of records of the raw material; None for all.

    Returns:
        The number of records of the raw material; and for each stage the records, Requests, tokens and cost expected.

    Raises:
        SpecError: If the recipe or the configuration is wrong.
        DataError: If raw material can't be read.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> head = "id,title,author,author_died,genre,dynasty,text\\n"
        >>> poem = "w1,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。\\n"
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "works.csv").write_text(head + poem, encoding="utf-8")
        ...     config = {"works": f"{folder}/works.csv", "year": 2026, "tasks": ["asr"]}
        ...     config |= {"record": False, "review": False}
        ...     records, stages = triptych.estimate_build("mcga", config, f"{folder}/build")
        >>> records, stages[0].stage
        (1, 'rights')
    """
    from triptych.construction import build as building

    return building.estimate(recipe, _config(config), Path(to), limit=limit)


@checked_arguments
def build_status(folder: Path | str) -> list[StageCounts]:
    """Return the counts of every stage of a build.

    Args:
        folder: The build folder.

    Returns:
        The stages in their order, each with the records that came, went on, were dropped (with reasons) or wait.

    Raises:
        RunFolderError: If there is no build.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> head = "id,title,author,author_died,genre,dynasty,text\\n"
        >>> poem = "w1,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。\\n"
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "works.csv").write_text(head + poem, encoding="utf-8")
        ...     config = {"works": f"{folder}/works.csv", "year": 2026, "tasks": ["asr"]}
        ...     config |= {"record": False, "review": False}
        ...     _ = triptych.build("mcga", config, f"{folder}/build")
        ...     first = triptych.build_status(f"{folder}/build")[0]
        >>> first.stage, first.came, first.went
        ('rights', 1, 1)
    """
    from triptych.construction.engine.folder import BuildFolder

    return BuildFolder.open(Path(folder)).funnel()


@checked_arguments
def build_why(folder: Path | str, id: str) -> Life:
    """Return what happened to a record in every stage of a build.

    Args:
        folder: The build folder.
        id: Id of a record, or of an Item that a record became.

    Returns:
        The record's sources and its steps: stage, decision, reason, and what people or models said.

    Raises:
        DataError: If the build never had this id.
        RunFolderError: If there is no build.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> head = "id,title,author,author_died,genre,dynasty,text\\n"
        >>> poem = "w1,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。\\n"
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "works.csv").write_text(head + poem, encoding="utf-8")
        ...     config = {"works": f"{folder}/works.csv", "year": 2026, "tasks": ["asr"]}
        ...     config |= {"record": False, "review": False}
        ...     _ = triptych.build("mcga", config, f"{folder}/build")
        ...     life = triptych.build_why(f"{folder}/build", "w1")
        >>> life.sources, life.steps[0].stage
        (('work:w1',), 'material')
    """
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.release.provenance import life_of

    return life_of(BuildFolder.open(Path(folder)), id)


@checked_arguments
def withdraw(folder: Path | str, sources: Sequence[str], config: Path | str | Mapping[str, Any]) -> Built:
    """Take sources out of a build, erase their media, and write the output again; no model is asked.

    Args:
        folder: The build folder.
        sources: The sources as records name them, such as `work:w1` or `speaker:s3`.
        config: The build's configuration: a TOML file, or its content as a dict.

    Returns:
        The same as `build`, for the output that was written again.

    Raises:
        DataError: If no record has one of the sources.
        RunFolderError: If there is no build.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> head = "id,title,author,author_died,genre,dynasty,text\\n"
        >>> poem = "w1,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。\\n"
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "works.csv").write_text(head + poem, encoding="utf-8")
        ...     config = {"works": f"{folder}/works.csv", "year": 2026, "tasks": ["asr"]}
        ...     config |= {"record": False, "review": False}
        ...     _ = triptych.build("mcga", config, f"{folder}/build")
        ...     triptych.withdraw(f"{folder}/build", ["work:w1"], config).written
        0
    """
    from triptych.construction import build as building
    from triptych.construction.engine.folder import BuildFolder

    manifest = BuildFolder.open(Path(folder)).manifest()
    assert manifest is not None  # open() has found the file
    return building.withdraw(manifest.recipe, _config(config), Path(folder), sources)


def _config(config: Path | str | Mapping[str, Any]) -> Path | Mapping[str, Any]:
    return Path(config) if isinstance(config, str) else config
