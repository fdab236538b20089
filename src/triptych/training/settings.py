"""Settings of a LoRA adapter; the defaults are those of MCGA, section 4.1."""

from __future__ import annotations

from math import inf

import msgspec

from triptych.errors import SpecError


class LoraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an adapter is trained.

    rank, alpha, dropout  of the adapter
    learning_rate         highest rate of AdamW; it rises over the first share `warmup` of the steps, and falls to 0
    epochs                number of times each example is seen
    batch, accumulation   examples per device and forward pass; passes per step of the optimizer
    dtype                 bfloat16 or float32; empty: bfloat16 on a GPU, otherwise float32
    seed                  of the order of the examples and of the adapter's first weights
    save_every            steps between two checkpoints
    """

    rank: int = 8
    alpha: int = 32
    dropout: float = 0.0
    learning_rate: float = 1e-4
    warmup: float = 0.05
    epochs: int = 3
    batch: int = 8
    accumulation: int = 4
    dtype: str = ""
    device: str = ""
    seed: int = 0
    save_every: int = 50

    def __post_init__(self) -> None:
        """Raise SpecError for a number that is out of range."""
        for name in ("rank", "alpha", "epochs", "batch", "accumulation", "save_every", "learning_rate"):
            if not 0 < getattr(self, name) < inf:
                raise SpecError(f"{name} must be above 0 and finite", got=getattr(self, name))
        if not (0 <= self.dropout < 1 and 0 <= self.warmup < 1):
            raise SpecError("dropout and warmup must be at least 0 and below 1", got=f"{self.dropout}, {self.warmup}")
        if self.dtype not in ("", "bfloat16", "float32"):
            raise SpecError("dtype must be bfloat16 or float32", got=self.dtype)
