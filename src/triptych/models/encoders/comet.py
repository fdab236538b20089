"""COMET: the package unbabel-comet in a separate environment, called as a process with JSON lines.

unbabel-comet requires old versions of numpy, transformers and the Hub client, which conflict with those of Triptych.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from triptych.errors import WeightsError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.comet_environment import environment_python, versions_of
from triptych.models.encoders.defaults import COMET_MODEL
from triptych.models.encoders.find import ModelFolder, find_model, short_name
from triptych.models.encoders.settings import EncoderSettings

CHECKPOINTS = ("checkpoints/model.ckpt", "model.ckpt")
WORKER = Path(__file__).with_name("comet_worker.py")
BATCH = 16  # lines, on a GPU; on a CPU each is alone


@dataclass(frozen=True)
class CometEngine:
    """A COMET checkpoint and the Python environment that can load it."""

    name: str
    folder: ModelFolder
    python: Path
    device: str

    @cached_property
    def signature_text(self) -> str:
        """`comet-Unbabel/wmt22-comet-da@REVISION-sha256.0123…-unbabel-comet-2.2.7,torch-2.13.0,transformers-4.57.6`."""
        with self.checkpoint.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()[:12]
        revision = f"@{self.folder.revision[:12]}" if self.folder.revision else ""
        return f"comet-{short_name(self.name)}{revision}-sha256.{digest}-{versions_of(self.python)}"

    @property
    def checkpoint(self) -> Path:
        """The file that the process loads."""
        return next(self.folder.path / name for name in CHECKPOINTS if (self.folder.path / name).is_file())

    def compare(self, comparisons: Sequence[TextComparison]) -> list[float]:
        """Return the score of each line. Raises WeightsError, with the process's last message, if it fails."""
        head = {"model": str(self.checkpoint), "batch": BATCH, "device": self.device}
        rows = [{"src": c.source, "mt": c.candidate, "ref": c.reference} for c in comparisons]
        # -I: modules in the same folder don't hide comet
        return call_worker([str(self.python), "-I", str(WORKER)], head, rows)


def find_comet(settings: EncoderSettings) -> CometEngine:
    """Return COMET as installed on this computer. Raises WeightsError if the model or the environment is missing."""
    name, _ = settings.model("comet", "", COMET_MODEL)
    weights = find_model(name, settings.folder, CHECKPOINTS)
    python = environment_python(make=settings.make_comet, report=settings.report)
    return CometEngine(name, weights, python, settings.device)


def call_worker(command: Sequence[str], head: dict[str, object], rows: Sequence[dict[str, str]]) -> list[float]:
    """Run the process with a line that says what to load, then one line per row; return one score per row.

    Output on standard error is ignored unless the process fails. Raises WeightsError if it ends with an error, or if it
    doesn't return a number for every row.
    """
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (head, *rows))
    # The encoder's own files are read from the Hugging Face cache, never from the network.
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    try:
        done = subprocess.run(
            command, input=lines, capture_output=True, encoding="utf-8", check=False, env={**os.environ, **offline}
        )
    except OSError as error:
        raise WeightsError("COMET's process can't be started", got=str(error), where=command[0]) from None
    if done.returncode:
        words = _error(done.stdout) or next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "")
        raise WeightsError("COMET failed", got=words or f"exit code {done.returncode}", fix=_requirements_hint())
    return _scores(done.stdout, len(rows))


def _scores(reply: str, wanted: int) -> list[float]:
    try:
        scores = [float(json.loads(line)["score"]) for line in reply.splitlines()]
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError("COMET's process returned no valid scores", got=str(error)) from None
    if len(scores) != wanted:
        raise WeightsError("COMET's process returned too few lines", expected=wanted, got=len(scores))
    return scores


def _error(reply: str) -> str:
    """Return the error reported by the process; empty if it ended before reporting one."""
    try:
        return str(json.loads(reply.splitlines()[-1])["error"]).partition("\n")[0]
    except (ValueError, KeyError, TypeError, IndexError):
        return ""


def _requirements_hint() -> str:
    return (
        "the checkpoint needs its hparams.yaml, and the configuration and tokenizer of its encoder in the Hugging Face "
        "cache: `hf download FacebookAI/xlm-roberta-large --exclude '*.safetensors' '*.bin' '*.h5' '*.msgpack'`"
    )
