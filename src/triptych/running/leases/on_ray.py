"""Workers as actors of Ray: each has its CPUs and its share of a GPU. Only names and paths cross Ray."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import SpecError
from triptych.running.leases.options import RayOptions
from triptych.running.leases.team import WorkerLost
from triptych.running.leases.worker import Setup
from triptych.secrets import scrub

_CALLS_AT_ONCE = 8  # two leases, and messages in between


class RayTeam:
    """Workers of one Run on a cluster. Raises SpecError if the cluster can't be reached, or has no room."""

    def __init__(self, options: RayOptions, setup: Setup) -> None:
        self._ray = connected(options.address)
        resources = self._ray.cluster_resources()
        gpus = options.gpus if options.gpus is not None else float(min(1, resources.get("GPU", 0)))
        room = _room(resources, options.cpus, gpus)
        if not room:
            asked = f"{options.cpus:g} CPUs and {gpus:g} GPUs for a worker"
            there = f"{resources.get('CPU', 0):g} CPUs and {resources.get('GPU', 0):g} GPUs"
            fix = "ask for less with --worker-gpus or --worker-cpus, or add machines"
            raise SpecError("the cluster has no room for a worker", expected=asked, got=there, fix=fix)
        self.size, self.width = options.workers or room, setup.concurrency
        self._setup = msgspec.json.encode(setup).decode()
        self._actor = self._ray.remote(
            num_cpus=options.cpus, num_gpus=gpus, max_restarts=0, max_task_retries=0, max_concurrency=_CALLS_AT_ONCE
        )(_Actor)

    def start(self) -> RayMember:
        """Begin to start a worker, which waits until a machine has room for it."""
        return RayMember(self._ray, self._actor.remote(self._setup))


class RayMember:
    """A worker in an actor."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor

    async def ready(self) -> str:
        """Wait until the actor has a machine and the model is loaded."""
        return str(await self._heard(self._actor.open.remote()))

    async def carry(self, asks: Path, replies: Path) -> str:
        """Answer a lease."""
        return str(await self._heard(self._actor.carry.remote(str(asks), str(replies))))

    async def stop(self) -> None:
        """Begin nothing else."""
        await self._heard(self._actor.stop.remote())

    async def close(self) -> None:
        """Release the model."""
        await self._heard(self._actor.close.remote())

    def kill(self) -> None:
        """End the actor's process."""
        self._ray.kill(self._actor, no_restart=True)

    async def _heard(self, reference: Any) -> Any:
        """Return what a call returns. Raises WorkerLost if the actor, its machine or the connection is gone."""
        try:
            return await reference
        except self._ray.exceptions.RayError as error:
            why = getattr(error, "cause", None) or error  # of an exception in the worker, the exception itself
            said = scrub(str(why).strip().partition("\n")[0])
            raise WorkerLost(f"{type(why).__name__}: {said}" if said else type(why).__name__) from None


class _Actor:
    """The worker in the actor's process."""

    def __init__(self, setup: str) -> None:
        self._setup = msgspec.json.decode(setup, type=Setup)

    async def open(self) -> str:
        from triptych.errors import TriptychError

        try:
            self._worker = self._setup.worker()
        except TriptychError as error:
            return str(error)
        return await self._worker.open()

    async def carry(self, asks: str, replies: str) -> str:
        return await self._worker.carry(Path(asks), Path(replies))

    async def stop(self) -> None:
        self._worker.stop()

    async def close(self) -> None:
        await self._worker.close()


def connected(address: str = "") -> Any:
    """Return the module `ray`, connected to a cluster. Raises SpecError if it can't be reached."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report its use to its makers
    import ray

    if not ray.is_initialized():
        where = {"address": address} if address else {"include_dashboard": False}
        try:
            ray.init(**where, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            fix = "start a cluster with `ray start --head`, or leave --ray-address out"
            raise SpecError("no connection to the Ray cluster", got=str(error)[:300], fix=fix) from None
    return ray


def _room(resources: dict[str, float], cpus: float, gpus: float) -> int:
    """Return how many workers fit on the cluster."""
    rooms = [resources.get(name, 0) // each for name, each in (("CPU", cpus), ("GPU", gpus)) if each]
    return int(min(rooms)) if rooms else 1
