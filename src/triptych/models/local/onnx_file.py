"""ONNX models that a user names by file and SHA-256: encoders of voices and of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from triptych.errors import SpecError, WeightsError
from triptych.models.weights.resolver import hash_of


class OnnxFile:
    """A model with one input and one output that counts.

    Raises WeightsError if the file is missing or its SHA-256 is another one, SpecError if onnxruntime is missing or the
    file is not an ONNX model.
    """

    def __init__(self, path: Path, sha256: str) -> None:
        if not find_spec("onnxruntime"):
            raise SpecError("onnxruntime is not installed", fix="pip install 'triptych[local]'")
        if not path.is_file():
            raise WeightsError("the model's file is missing", got=str(path), expected=f"a file with SHA-256 {sha256}")
        if (digest := hash_of(path)) != sha256:
            raise WeightsError("the model's file has other bytes than expected", got=digest, expected=sha256)
        onnxruntime = import_module("onnxruntime")
        options = onnxruntime.SessionOptions()
        # One thread, so that the same input gives the same output in every build on a machine
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 (onnxruntime raises exceptions of its own for a damaged file)
            raise SpecError("not an ONNX model that can be loaded", where=path, got=str(error)[:200]) from None
        self._input = self._session.get_inputs()[0].name
        self.about: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map

    def __call__(self, batch: Any) -> Any:
        """The first output for a batch of inputs (float32)."""
        return self._session.run(None, {self._input: batch})[0]


@lru_cache(maxsize=2)
def onnx_file(path: Path, sha256: str) -> OnnxFile:
    """The loaded model; it is loaded and hashed once per process."""
    return OnnxFile(path, sha256)


def voice_vector(model: OnnxFile, samples: Any) -> Any:
    """Return the unit vector of a voice: mono speech at 16 kHz (float32, full scale 1) of at least a second.

    The input is (1, frames, mel bins). Metadata that sherpa-onnx writes into models is followed: `normalize_samples`
    (1: samples at full scale 1; otherwise, and by default, in the range of 16-bit integers) and
    `feature_normalize_type` (`global-mean`, the default: without the mean over time).
    """
    import numpy as np

    from triptych.media.sound.fbank import log_mel

    scale = 1.0 if model.about.get("normalize_samples") == "1" else 32768.0
    features = log_mel(np.asarray(samples) * scale, int(model.about.get("feature_dim", 80)))
    if model.about.get("feature_normalize_type", "global-mean") == "global-mean":
        features -= features.mean(axis=0)
    return _unit(model(features[None]))


def picture_vector(model: OnnxFile, image: Any, side: int, mean: Any, deviation: Any) -> Any:
    """Return the unit vector of a picture (a PIL image), scaled to a square of `side` pixels and normalised.

    The input is (1, 3, side, side). An output (1, tokens, dim) counts by its first token, the class token.
    """
    import numpy as np

    pixels = np.asarray(image.convert("RGB").resize((side, side)), dtype=np.float32) / 255
    normal = (pixels - np.asarray(mean, np.float32)) / np.asarray(deviation, np.float32)
    return _unit(model(np.ascontiguousarray(normal.transpose(2, 0, 1)[None])))


def _unit(output: Any) -> Any:
    import numpy as np

    vector = np.asarray(output[0], dtype=np.float64)
    vector = vector[0] if vector.ndim > 1 else vector
    length = float(np.linalg.norm(vector))
    return (vector / length if length > 0 else vector).astype(np.float32)
