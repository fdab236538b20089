"""Workers as actors of Ray: each has its CPUs and its share of a GPU. Only names and paths cross Ray."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import SpecError
from triptych.running.leases.options import RayOptions
from triptych.running.leases.ray_address import address_of, check_answers, no_connection, slow_connection_notice
from triptych.running.leases.team import WorkerLost, say
from triptych.running.leases.worker import Setup
from triptych.secrets import scrub

NOTICE_AFTER_S = 8.0  # before the message that a cluster doesn't answer
_CALLS_AT_ONCE = 8  # two leases, and messages in between


class RayTeam:
    """Workers of one Run on a cluster. Raises SpecError if the cluster can't be reached, or has no room."""

    def __init__(self, options: RayOptions, setup: Setup) -> None:
        self._ray = connected(options.address)
        resources = self._ray.cluster_resources()
        gpus = options.gpus if options.gpus is not None else float(min(1, resources.get("GPU", 0)))
        room = _room(resources, options.cpus, gpus)
        if not room:
            wanted = f"{options.cpus:g} CPUs and {gpus:g} GPUs for a worker"
            there = f"{resources.get('CPU', 0):g} CPUs and {resources.get('GPU', 0):g} GPUs"
            fix = "ask for less with --worker-gpus or --worker-cpus, or add machines"
            raise SpecError("the cluster has no room for a worker", expected=wanted, got=there, fix=fix)
        self.size: int = options.workers or room
        self.width: int = setup.concurrency
        self._setup = msgspec.json.encode(setup).decode()
        self._actor = self._ray.remote(
            num_cpus=options.cpus, num_gpus=gpus, max_restarts=0, max_task_retries=0, max_concurrency=_CALLS_AT_ONCE
        )(_Actor)

    def waiting_reason(self) -> str:
        """Return why no worker may be ready, as far as Ray knows."""
        free, all_ = self._ray.available_resources(), self._ray.cluster_resources()
        text = " and ".join(f"{free.get(name, 0):g} of {all_.get(name, 0):g} {name}s" for name in ("CPU", "GPU"))
        return f"they wait for a free machine, or load the model; free on the cluster: {text}"

    def start(self) -> RayMember:
        """Begin to start a worker, which waits until a machine has room for it."""
        return RayMember(self._ray, self._actor.remote(self._setup))


class RayMember:
    """A worker in an actor."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor

    async def wait_until_ready(self) -> str:
        """Wait until the actor has a machine and the model is loaded."""
        return str(await self._result_of(self._actor.open.remote()))

    async def carry(self, asks: Path, replies: Path) -> str:
        """Answer a lease."""
        return str(await self._result_of(self._actor.carry.remote(str(asks), str(replies))))

    async def stop(self) -> None:
        """Begin nothing else."""
        await self._result_of(self._actor.stop.remote())

    async def close(self) -> None:
        """Release the model."""
        await self._result_of(self._actor.close.remote())

    def kill(self) -> None:
        """End the actor's process."""
        self._ray.kill(self._actor, no_restart=True)

    async def _result_of(self, reference: Any) -> Any:
        """Return what a call returns. Raises WorkerLost if the actor, its machine or the connection is gone."""
        try:
            return await reference
        except self._ray.exceptions.RayError as error:
            why = getattr(error, "cause", None) or error  # of an exception in the worker, the exception itself
            first_line = scrub(str(why).strip().partition("\n")[0])
            raise WorkerLost(f"{type(why).__name__}: {first_line}" if first_line else type(why).__name__) from None


class _Actor:
    """The worker in the actor's process."""

    def __init__(self, setup: str) -> None:
        self._setup = msgspec.json.decode(setup, type=Setup)

    async def open(self) -> str:
        from triptych.errors import TriptychError

        try:
            self._worker = self._setup.make_worker()
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
    """Return the module `ray`, connected to a cluster. Raises SpecError if it can't be reached: within some seconds if
    nothing answers at its address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report its use to its makers
    located = address_of(address)
    import ray

    if ray.is_initialized():
        return ray
    check_answers(located)
    where: dict[str, Any] = {"include_dashboard": False} if located.address in ("", "local") else {}
    if located.source in ("--ray-address", "RAY_ADDRESS"):  # one that Ray finds by itself gets its token, too
        where["address"] = located.address or "local"
    patient = threading.Timer(NOTICE_AFTER_S, lambda: say(slow_connection_notice(located)))
    patient.daemon = True
    patient.start()
    try:
        ray.init(**where, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError, OSError, ray.exceptions.RayError) as error:
        raise no_connection(located, error) from None
    finally:
        patient.cancel()
    return ray


def _room(resources: dict[str, float], cpus: float, gpus: float) -> int:
    """Return how many workers fit on the cluster."""
    rooms = [resources.get(name, 0) // each for name, each in (("CPU", cpus), ("GPU", gpus)) if each]
    return int(min(rooms)) if rooms else 1
