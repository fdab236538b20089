"""Options of workers on a Ray cluster."""

from __future__ import annotations

from dataclasses import dataclass

from triptych.errors import SpecError


@dataclass(frozen=True)
class RayOptions:
    """Where workers run.

    workers   number of workers; 0 for as many as the cluster has room for
    gpus      GPUs of each worker, such as 0.5 for two workers on one; None: 1 if the cluster has GPUs, otherwise 0
    cpus      CPUs of each worker
    address   of the cluster; empty: that of RAY_ADDRESS, or of a cluster on this machine, which is started if needed

    Raises SpecError for a number out of range.
    """

    workers: int = 0
    gpus: float | None = None
    cpus: float = 1.0
    address: str = ""

    def __post_init__(self) -> None:
        for name, value in (("workers", self.workers), ("GPUs of a worker", self.gpus or 0), ("CPUs", self.cpus)):
            if not 0 <= value < 1e6:
                raise SpecError(f"the number of {name} must be at least 0", got=value)
        if self.gpus and self.gpus > 1 and self.gpus != int(self.gpus):
            fix = "use a whole number, or a fraction below 1"
            raise SpecError("a worker can't have a fraction of several GPUs", got=self.gpus, fix=fix)
