"""Text encoders of the transformers library: texts to tokens, tokens to vectors, in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triptych.errors import WeightsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

PACKAGES = ("torch", "transformers")
# Padded tokens per batch. On a CPU each text is a batch: that is as fast, since nothing is padded, and its vectors do
# not depend on the other texts, not even in the last digit, so that shards have the values of the whole.
BATCH_TOKENS = {"cuda": 65_536, "cpu": 1}
# A tokenizer that doesn't know its limit returns a number such as 10^30.
NO_LIMIT = 1_000_000


def lacking_packages() -> str:
    """Return what to install for encoders to work; empty if nothing is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    return f"needs {' and '.join(missing)}: pip install 'triptych[embed]'" if missing else ""


def library_versions() -> str:
    """`transformers-5.23.0,torch-2.13.0`."""
    return ",".join(f"{name}-{version(name).partition('+')[0]}" for name in reversed(PACKAGES))


class TextEncoder:
    """The first `layers` layers of a model (None: all), on a device ("": the GPU if there is one).

    Raises WeightsError if the folder can't be loaded, or if the model has fewer layers.
    """

    def __init__(self, folder: Path, layers: int | None = None, device: str = "") -> None:
        self._model: Any
        try:
            import torch

            with _quiet():
                self._load(folder, layers)
            self.device: str = device or ("cuda" if torch.cuda.is_available() else "cpu")
            self._model = self._model.to(self.device).eval()
        except WeightsError:
            raise
        except Exception as error:
            why = (str(error).strip().splitlines() or [""])[0]
            raise WeightsError(
                "the encoder can't be loaded",
                where=folder,
                got=f"{type(error).__name__}: {why}",
                fix="download config.json, the tokenizer and model.safetensors or pytorch_model.bin again",
            ) from error

    def _load(self, folder: Path, layers: int | None) -> None:
        from transformers import AutoConfig, AutoModel, AutoTokenizer

        config = AutoConfig.from_pretrained(folder, local_files_only=True)
        self.layers: int = _checked(folder, config, layers)
        config.num_hidden_layers = self.layers  # the layers above are neither loaded nor computed
        # RoBERTa and GPT-2 tokenise a text's first word differently; bert-score uses the form inside a text.
        spaced = {"add_prefix_space": True} if config.model_type in ("roberta", "gpt2") else {}
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, **spaced)
        self._model = AutoModel.from_pretrained(folder, config=config, local_files_only=True)
        self.limit: int = _limit(config, self._tokenizer)
        self._pad = self._tokenizer.pad_token_id or 0
        self.marks: set[int | None] = {self._tokenizer.cls_token_id, self._tokenizer.sep_token_id}

    def tokens(self, text: str, *, untruncated: bool = False) -> tuple[int, ...]:
        """Return the token ids of a text with the markers at its ends, truncated at the model's limit unless
        `untruncated`.
        """
        cut = {} if untruncated else {"truncation": True, "max_length": self.limit}
        return tuple(self._tokenizer.encode(text.strip(), add_special_tokens=True, verbose=False, **cut))

    def vectors(self, texts: Sequence[tuple[int, ...]]) -> list[Vectors]:
        """Return the last layer's vectors of each text's tokens, each of shape (tokens, dimensions)."""
        return self._encode_all(texts, lambda out, row, length: out[row, :length])

    def first_vectors(self, texts: Sequence[tuple[int, ...]]) -> list[Vectors]:
        """Return the last layer's vector of each text's first token, each of shape (dimensions,)."""
        return self._encode_all(texts, lambda out, row, length: out[row, 0])

    def _encode_all(self, texts: Sequence[tuple[int, ...]], take: Any) -> list[Vectors]:
        vectors: list[Any] = [None] * len(texts)
        left = list(self._batches(texts))
        while left:
            batch = left.pop(0)
            try:
                out = self._run([texts[number] for number in batch])
            except MemoryError:  # out of device memory: retry with half the batch, down to a single text
                if len(batch) == 1:
                    got = f"one text of {len(texts[batch[0]])} tokens on {self.device}"
                    raise WeightsError("the encoder doesn't fit into memory", got=got, fix="--device cpu") from None
                middle = len(batch) // 2
                left[:0] = [batch[:middle], batch[middle:]]
                continue
            for row, number in enumerate(batch):
                vectors[number] = take(
                    out, row, len(texts[number])
                ).copy()  # otherwise the whole batch would stay in memory
        return vectors

    def _batches(self, texts: Sequence[tuple[int, ...]]) -> Iterator[list[int]]:
        """Yield indices of texts, longest first: little padding, and the largest batch fails first or not at all."""
        max_tokens = BATCH_TOKENS.get(self.device.partition(":")[0], BATCH_TOKENS["cpu"])
        order = sorted(range(len(texts)), key=lambda number: -len(texts[number]))
        start = 0
        while start < len(order):
            size = max(1, max_tokens // max(1, len(texts[order[start]])))
            yield order[start : start + size]
            start += size

    def _run(self, batch: Sequence[tuple[int, ...]]) -> Vectors:
        import torch

        longest = max(map(len, batch))
        ids = np.full((len(batch), longest), self._pad, dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(batch):
            ids[row, : len(text)], mask[row, : len(text)] = text, 1
        with torch.inference_mode():
            inputs = {"input_ids": ids, "attention_mask": mask}
            try:
                out = self._model(**{name: torch.from_numpy(array).to(self.device) for name, array in inputs.items()})
                array: Vectors = out[0].float().cpu().numpy()
            except torch.OutOfMemoryError as error:
                raise MemoryError(str(error)) from None
        return array


def _checked(folder: Path, config: Any, layers: int | None) -> int:
    """Return the number of layers to keep. Raises WeightsError for a layer that the model doesn't have."""
    there = int(config.num_hidden_layers)
    if getattr(config, "is_encoder_decoder", False):
        raise WeightsError("only encoders can be used", where=folder, got=f"{config.model_type}, which also decodes")
    if layers is not None and not 0 < layers <= there:
        raise WeightsError("the model doesn't have this layer", where=folder, expected=f"1 to {there}", got=layers)
    return layers or there


def _limit(config: Any, tokenizer: Any) -> int:
    """Return the maximum number of tokens: the tokenizer's, or the model's positions (RoBERTa reserves the first
    two).
    """
    reserved = config.pad_token_id + 1 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
    positions = getattr(config, "max_position_embeddings", None)
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < NO_LIMIT else []
    return int(min([*limits, *([positions - reserved] if positions else [])], default=512))


@contextmanager
def _quiet() -> Iterator[None]:
    """Disable progress bars and the list of layers that are left out on purpose."""
    from transformers.utils import logging

    logger: Any = logging
    level, bars = logger.get_verbosity(), logger.is_progress_bar_enabled()
    logger.set_verbosity_error()
    logger.disable_progress_bar()
    try:
        yield
    finally:
        logger.set_verbosity(level)
        if bars:
            logger.enable_progress_bar()
