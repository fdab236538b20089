"""Training a LoRA adapter: peft's layers, Accelerate's devices and processes, a loop of our own that can be resumed."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import SpecError
from triptych.records.packages import need
from triptych.store.files.atomic import write_atomically
from triptych.training.collate import answer_loss
from triptych.training.examples import Example
from triptych.training.settings import LoraSettings
from triptych.training.targets import language_layers

ADAPTER, CHECKPOINT, RECORD = "adapter", "checkpoint", "training.json"
Say = Callable[[int, int, float], None]


class TrainingRecord(msgspec.Struct, frozen=True):
    """The record of a training: `training.json`.

    identity  of model, examples and settings; a session with another one does not resume
    layers    number of layers that the adapter changes; `weights`: its numbers
    losses    mean loss of each step
    done      whether all epochs are over
    """

    identity: str
    settings: LoraSettings
    examples: int
    layers: int
    weights: int
    losses: tuple[float, ...] = ()
    done: bool = False


@dataclass
class _Progress:
    """How far the training has come."""

    epoch: int = 0
    batch: int = 0
    losses: list[float] = field(default_factory=list)


def fine_tune(
    model: Any,
    examples: Sequence[Example],
    collate: Callable[[Sequence[Example]], dict[str, Any]],
    to: Path,
    settings: LoraSettings,
    identity: str,
    say: Say = lambda step, steps, loss: None,
) -> TrainingRecord:
    """Train an adapter and write it to the folder `to/adapter`; an earlier session in the folder is resumed.

    `collate` turns examples into inputs with labels; `say(step, steps, loss)` is called after each step. The model is
    changed: it carries the adapter afterwards. Started by `accelerate launch`, all processes train together.

    Raises SpecError if the folder contains another training.
    """
    torch, peft, accelerate = (need(name, "fine-tuning", "train") for name in ("torch", "peft", "accelerate"))
    before = read_record(to)
    if before is not None and before.identity != identity:
        raise SpecError(
            "the folder contains another training: model, examples or settings differ",
            got=to,
            fix="name another folder with --to",
        )
    if before is not None and before.done:
        return before
    accelerator = accelerate.Accelerator(
        gradient_accumulation_steps=settings.accumulation,
        cpu=settings.device == "cpu",
        mixed_precision="bf16" if _bfloat16(torch, settings) else "no",
    )
    torch.manual_seed(settings.seed)
    layers = language_layers(model)
    config = peft.LoraConfig(
        r=settings.rank, lora_alpha=settings.alpha, lora_dropout=settings.dropout, target_modules=layers
    )
    tuned = peft.get_peft_model(model, config)
    weights = [weight for weight in tuned.parameters() if weight.requires_grad]
    record = TrainingRecord(identity, settings, len(examples), len(layers), sum(w.numel() for w in weights))
    losses = _Loop(torch, accelerator, tuned, weights, examples, collate, to, settings).run(record, say)
    record = msgspec.structs.replace(record, losses=tuple(losses), done=True)
    if accelerator.is_main_process:
        with _replacing(to / ADAPTER) as folder:
            accelerator.unwrap_model(tuned).save_pretrained(folder)
        _write(to, record)
        shutil.rmtree(to / CHECKPOINT, ignore_errors=True)
    accelerator.wait_for_everyone()
    return record


class _Loop:
    """Epochs, batches and steps; the state of a session is written every few steps."""

    def __init__(
        self,
        torch: Any,
        accelerator: Any,
        tuned: Any,
        weights: Sequence[Any],
        examples: Sequence[Example],
        collate: Callable[[Sequence[Example]], dict[str, Any]],
        to: Path,
        settings: LoraSettings,
    ) -> None:
        from transformers import get_cosine_schedule_with_warmup

        self.torch, self.accelerator, self.to, self.settings = torch, accelerator, to, settings
        self.order = torch.Generator()
        loader = torch.utils.data.DataLoader(
            list(examples), batch_size=settings.batch, shuffle=True, collate_fn=collate, generator=self.order
        )
        optimizer = torch.optim.AdamW(weights, lr=settings.learning_rate)
        self.model, self.optimizer, self.loader = accelerator.prepare(tuned, optimizer, loader)
        self.steps = settings.epochs * math.ceil(len(self.loader) / settings.accumulation)
        warm = round(settings.warmup * self.steps)
        self.schedule = get_cosine_schedule_with_warmup(self.optimizer.optimizer, warm, self.steps)
        self.progress = _Progress(losses=[])

    def run(self, record: TrainingRecord, say: Say) -> list[float]:
        """Return the mean loss of each step, those of earlier sessions included."""
        self._resume()
        self.model.train()
        for epoch in range(self.progress.epoch, self.settings.epochs):
            self.order.manual_seed(self.settings.seed + epoch)
            skipped = self.progress.batch if epoch == self.progress.epoch else 0
            batches = self.accelerator.skip_first_batches(self.loader, skipped) if skipped else self.loader
            losses: list[float] = []
            for number, batch in enumerate(batches, skipped + 1):
                losses.append(self._run_pass(batch))
                if self.accelerator.sync_gradients:
                    self.progress = _Progress(epoch, number, [*self.progress.losses, sum(losses) / len(losses)])
                    losses = []
                    say(len(self.progress.losses), self.steps, self.progress.losses[-1])
                    if len(self.progress.losses) % self.settings.save_every == 0:
                        self._save(record)
            self.progress = _Progress(epoch + 1, 0, self.progress.losses)
        return self.progress.losses

    def _run_pass(self, batch: dict[str, Any]) -> float:
        """Make one pass, and a step of the optimizer when its gradients are complete; returns the loss."""
        dtype = next(self.model.parameters()).dtype
        inputs = {
            name: value.to(dtype) if self.torch.is_tensor(value) and value.is_floating_point() else value
            for name, value in batch.items()
        }
        with self.accelerator.accumulate(self.model):
            loss = answer_loss(self.model, inputs)
            self.accelerator.backward(loss)
            self.optimizer.step()
            if self.accelerator.sync_gradients:
                self.schedule.step()
            self.optimizer.zero_grad()
        if not self.torch.isfinite(loss):
            raise SpecError("the loss is not finite", fix="lower the learning rate, or train in float32")
        return float(self.accelerator.gather(loss.detach()).mean())

    def _save(self, record: TrainingRecord) -> None:
        """Write weights, optimizer, schedule, random state and position; an interruption leaves the earlier ones."""
        if self.accelerator.is_main_process:
            weights_of_lora = self._lora_weights()
            state = {
                "weights": {name: weights_of_lora[name].detach().cpu() for name in weights_of_lora},
                "random": self.torch.get_rng_state(),
                "optimizer": self.optimizer.state_dict(),
                "schedule": self.schedule.state_dict(),
                "epoch": self.progress.epoch,
                "batch": self.progress.batch,
                "losses": self.progress.losses,
            }
            with _replacing(self.to / CHECKPOINT) as folder:
                self.torch.save(state, folder / "state.pt")
            _write(self.to, msgspec.structs.replace(record, losses=tuple(self.progress.losses)))
        self.accelerator.wait_for_everyone()

    def _resume(self) -> None:
        path = self.to / CHECKPOINT / "state.pt"
        if not path.is_file():
            return
        state = self.torch.load(path, map_location="cpu", weights_only=True)
        weights_of_lora = self._lora_weights()
        for name, value in state["weights"].items():
            weights_of_lora[name].data.copy_(value)
        self.optimizer.load_state_dict(state["optimizer"])
        self.schedule.load_state_dict(state["schedule"])
        self.torch.set_rng_state(state["random"])
        self.progress = _Progress(state["epoch"], state["batch"], list(state["losses"]))

    def _lora_weights(self) -> dict[str, Any]:
        """The adapter's weights by name."""
        inner = self.accelerator.unwrap_model(self.model)
        return {name: weight for name, weight in inner.named_parameters() if weight.requires_grad}


def read_record(to: Path) -> TrainingRecord | None:
    """Return the record of a training folder; None if there is none. Raises SpecError if it is damaged."""
    path = to / RECORD
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=TrainingRecord)
    except (msgspec.DecodeError, OSError) as error:
        raise SpecError("the record of the training can't be read", where=path, got=str(error)) from None


def merge(model: Any, processor: Any, to: Path) -> Path:
    """Write the model with its adapter merged into its weights, and its processor, to a folder."""
    with _replacing(to) as folder:
        model.merge_and_unload().save_pretrained(folder)
        processor.save_pretrained(folder)
    return to


def _bfloat16(torch: Any, settings: LoraSettings) -> bool:
    usual = "bfloat16" if torch.cuda.is_available() and settings.device != "cpu" else "float32"
    return (settings.dtype or usual) == "bfloat16"


def _write(to: Path, record: TrainingRecord) -> None:
    to.mkdir(parents=True, exist_ok=True)
    write_atomically(to / RECORD, msgspec.json.format(msgspec.json.encode(record)))


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Write a folder under another name, and exchange it when it is complete."""
    fresh, old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    yield fresh
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        os.replace(folder, old)  # noqa: PTH105 - atomic
    os.replace(fresh, folder)  # noqa: PTH105
    shutil.rmtree(old, ignore_errors=True)
