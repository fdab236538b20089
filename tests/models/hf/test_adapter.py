"""Tests of `models/hf/adapter.py`: the adapter of `hf/ID`."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

from triptych.models.hf.adapter import out_of_memory

pytestmark = pytest.mark.slow


def test_out_of_memory_is_recognised_on_every_device() -> None:
    import torch

    assert out_of_memory(torch.OutOfMemoryError("CUDA out of memory."))
    assert out_of_memory(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"))
    assert not out_of_memory(RuntimeError("shapes differ"))
