"""Where the Requests of a Run are sent from: this process, or workers on a Ray cluster."""

from __future__ import annotations

from collections.abc import Coroutine
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.errors import SpecError
from triptych.experiment.plan import Plan
from triptych.media.payload import MediaReader
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.running.loop import RunOptions, RunOutcome

_ONE_LOOP = "use --engine local with a higher --concurrency, or divide the Run with --shard"


def check_engine(ready: Plan, options: RunOptions) -> None:
    """Raise SpecError if the model or an option does not work with the workers of `options.ray`."""
    if options.batch:
        from triptych.running.batches import check_batches

        if options.ray is not None:
            raise SpecError("--batch can't be combined with --engine ray", fix="leave one of them out")
        check_batches(ready.adapter)
    if options.ray is None:
        return
    if find_spec("ray") is None:
        raise SpecError("Ray is not installed", fix="pip install 'triptych[ray]'")
    adapter = ready.adapter
    if adapter.endpoint.startswith("http"):
        raise SpecError(
            f"{adapter.name} is asked at an endpoint, and --engine ray is for models in the process",
            expected="hf/ID, local/…, or an adapter that computes by itself",
            fix=f"one process can keep an endpoint busy: {_ONE_LOOP}",
        )
    if hasattr(adapter, "load") or hasattr(adapter, "learn"):
        what = "replays results" if hasattr(adapter, "load") else "learns from all Items before it is asked"
        raise SpecError(f"{adapter.name} {what}, so its workers would have nothing to compute", fix="--engine local")
    for name, value in (("--cache", options.cache), ("--rate", options.rate_per_minute)):
        if value is not None:
            raise SpecError(
                f"{name} can't be combined with --engine ray: workers on several machines don't share it",
                fix=f"remove {name}, or use --engine local",
            )


def asking(ready: Plan, folder: RunFolder, media: MediaReader, options: RunOptions) -> Coroutine[Any, Any, RunOutcome]:
    """Return the session that sends the Requests of a plan. Raises SpecError if there is no Ray, or no room on it."""
    if options.batch:
        from triptych.running.batches import execute_in_batches

        return execute_in_batches(ready.requests(), ready.adapter, folder, media, options)
    if options.ray is None:
        from triptych.running.loop import execute

        return execute(ready.requests(), ready.adapter, folder, media, options)
    from triptych.models.worker.trust import foreign_code_allowed
    from triptych.running.leases.driver import execute_leased
    from triptych.running.leases.on_ray import RayTeam
    from triptych.running.leases.worker import Setup

    model, settings = ready.recipe
    setup = Setup(
        model,
        dict(settings),
        str(ready.data.resolve()),
        extra={digest: str(path.resolve()) for digest, path in ready.extra_files.items()},
        concurrency=options.concurrency,
        retries=options.retries,
        timeout_s=options.timeout_s,
        prices=str(options.prices.resolve()) if options.prices else None,
        price=options.price,
        cwd=str(Path.cwd()),
        foreign_code=foreign_code_allowed(),
    )
    at = RunFolder(folder.path.resolve(), folder.manifest)  # workers have other working folders
    return execute_leased(ready.requests(), ready.adapter, at, RayTeam(options.ray, setup), options)
