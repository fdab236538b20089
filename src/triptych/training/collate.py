"""Batches to train on: prompts as they are asked, followed by the answers, of which alone the loss is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triptych.media.payload import MediaReader
from triptych.models.hf.content import converse
from triptych.models.hf.engine import Engine
from triptych.models.hf.films import packer_of
from triptych.models.packing.decoded import DecodedPacker
from triptych.models.packing.packing import Packing
from triptych.training.examples import Example

IGNORED = -100  # label of tokens that don't count in the loss


def answer_loss(model: Any, batch: Mapping[str, Any]) -> Any:
    """Return the mean cross-entropy of the answers' tokens, computed in float32.

    Computed here because some classes fail, or count other tokens, if they are given labels.
    """
    import torch

    labels = batch["labels"][:, 1:]
    counted = labels != IGNORED
    logits = model(**{name: value for name, value in batch.items() if name != "labels"}).logits[:, :-1]
    return torch.nn.functional.cross_entropy(logits[counted].float(), labels[counted])


class Collator:
    """Turns examples into a model's inputs with labels. The media are decoded when a batch is made."""

    def __init__(self, engine: Engine, media: MediaReader, packing: Packing) -> None:
        self._engine, self._media, self._packing = engine, media, packing

    def __call__(self, examples: Sequence[Example]) -> dict[str, Any]:
        """Return inputs of shape (examples, tokens): prompts padded on the left, answers on the right."""
        import torch

        engine = self._engine
        hears = "audio" in engine.accepts
        conversations = [converse(one.request, self._media, self._packer(), hears) for one in examples]
        inputs = dict(engine.encode(conversations))
        prompts, mask = inputs["input_ids"], inputs["attention_mask"]
        answers = self._answers([one.answer for one in examples])
        attention_mask = answers["attention_mask"]
        inputs["input_ids"] = torch.cat([prompts, answers["input_ids"]], 1)
        inputs["attention_mask"] = torch.cat([mask, attention_mask], 1)
        silent = torch.full_like(prompts, IGNORED)
        inputs["labels"] = torch.cat([silent, answers["input_ids"].masked_fill(attention_mask == 0, IGNORED)], 1)
        for name, value in inputs.items():  # kinds of tokens: answers are text
            if name.endswith("token_type_ids"):
                inputs[name] = torch.cat([value, torch.zeros_like(attention_mask, dtype=value.dtype)], 1)
        return inputs

    def _packer(self) -> DecodedPacker:
        return packer_of(self._engine.processor, self._engine.rate, self._packing, self._media)

    def _answers(self, answers: Sequence[str]) -> Any:
        """Return the tokens of the answers with the token that ends them, padded on the right."""
        import torch

        words = self._engine.tokenizer
        rows = [[*words(answer, add_special_tokens=False)["input_ids"], self._end] for answer in answers]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [words.pad_token_id] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        return {"input_ids": ids, "attention_mask": mask}

    @property
    def _end(self) -> int:
        """The token after which the model's generation ends."""
        end_tokens = getattr(self._engine.model.generation_config, "eos_token_id", None)
        first = end_tokens[0] if isinstance(end_tokens, list) else end_tokens
        return int(self._engine.tokenizer.eos_token_id if first is None else first)
