"""A stand-in for COMET's environment and checkpoint: a Python whose package `comet` measures lengths."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# A package `comet` that says how long the texts are, and prints where it shouldn't. As in the real one, the texts of a
# batch are padded, which changes a score a little.
PACKAGE = """
from types import SimpleNamespace
print("libraries like to talk")
def load_from_checkpoint(path, local_files_only=False):
    assert open(path).read() == "weights"
    return Model()
class Model:
    def predict(self, rows, batch_size, **how):
        assert how["num_workers"] == 0 and how["gpus"] == 0
        print("a progress bar")
        batches = [rows[start : start + batch_size] for start in range(0, len(rows), batch_size)]
        return SimpleNamespace(scores=[score(row, batch) for batch in batches for row in batch])
def score(row, batch):
    padding = max(len(each["mt"]) for each in batch) - len(row["mt"])
    return len(row["src"]) + len(row["mt"]) / 10 + len(row["ref"]) / 100 + padding * 1e-9
"""
TORCH = "from types import SimpleNamespace\ncuda = SimpleNamespace(is_available=lambda: False)\n"


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a checkpoint; TRIPTYCH_COMET_PYTHON is a Python that has the stand-in (a shell script)."""
    (folder / "packages").mkdir()
    (folder / "packages" / "comet.py").write_text(PACKAGE)
    (folder / "packages" / "torch.py").write_text(TORCH)
    python = folder / "python"
    # -I leaves PYTHONPATH out, so the stand-ins are put into sys.path as an environment's packages would be
    start = f"import runpy, sys; sys.path.insert(0, {str(folder / 'packages')!r}); sys.argv = sys.argv[1:]"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] && {{ echo unbabel-comet-9; exit; }}\n'
        f'exec "{sys.executable}" -I -c "{start}; runpy.run_path(sys.argv[1], run_name=\'__main__\')" "$@"\n'
    )
    python.chmod(0o755)
    monkeypatch.setenv("TRIPTYCH_COMET_PYTHON", str(python))
    checkpoint = folder / "models" / "wmt22-comet-da" / "checkpoints" / "model.ckpt"
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_text("weights")
    return folder / "models"
