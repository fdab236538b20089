"""Tests of `models/local/onnx_file.py`: models that a user names by file and SHA-256."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from tests.support.onnx_file import mean_over
from triptych.errors import SpecError, WeightsError
from triptych.media.sound.fbank import log_mel
from triptych.models.local.onnx_file import OnnxFile, onnx_file, picture_vector, voice_vector

RATE = 16_000


def test_a_picture_becomes_a_unit_vector(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from PIL import Image

    path = tmp_path / "pictures.onnx"
    path.write_bytes(mean_over([2, 3], [1, 3, 8, 8]))
    model = OnnxFile(path, hashlib.sha256(path.read_bytes()).hexdigest())
    vector = picture_vector(model, Image.new("RGB", (30, 20), (255, 0, 128)), 8, [0.5] * 3, [0.5] * 3)
    assert vector == pytest.approx(np.array([1, -1, 0.0039]) / np.linalg.norm([1, -1, 0.0039]), abs=1e-3)


def voices(tmp_path: Path, **metadata: str) -> OnnxFile:
    """An encoder whose vector is the mean over frames."""
    pytest.importorskip("onnxruntime")
    path = tmp_path / f"voices{len(list(tmp_path.iterdir()))}.onnx"
    path.write_bytes(mean_over([1], [1, "frames", 80], metadata))
    return OnnxFile(path, hashlib.sha256(path.read_bytes()).hexdigest())


def speech() -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * 220 * np.arange(RATE) / RATE)).astype(np.float32)


def test_a_voice_is_given_as_the_models_metadata_say(tmp_path: Path) -> None:
    """By default the mean over time is taken away, so that this encoder gives nothing; otherwise, the mean spectrum."""
    assert np.linalg.norm(log_mel(speech() * 32768.0, 80).mean(axis=0)) > 10
    features = log_mel(speech() * 32768.0, 80)
    left = (features - features.mean(axis=0)).mean(axis=0)
    assert np.abs(left).max() < 1e-3 and not np.isnan(voice_vector(voices(tmp_path), speech())).any()
    for full_scale, scale in (("1", 1.0), ("0", 32768.0)):
        model = voices(tmp_path, feature_normalize_type="none", normalize_samples=full_scale)
        spectrum = log_mel(speech() * scale, 80).mean(axis=0)
        expected = spectrum / np.linalg.norm(spectrum)
        assert voice_vector(model, speech()) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("metadata", [{}, {"feature_normalize_type": "global-mean"}])
def test_the_mean_of_each_band_over_time_is_taken_away(metadata: dict[str, str]) -> None:
    """Not that of all bands: a loud band would stay loud in every frame."""

    class FirstFrame(OnnxFile):
        about = metadata

        def __init__(self) -> None:
            """No file."""

        def __call__(self, batch: np.ndarray) -> np.ndarray:
            return batch[:, 0]

    rising = speech() * np.linspace(0.1, 1, RATE, dtype=np.float32)
    features = log_mel(rising * 32768.0, 80)
    expected = (features - features.mean(axis=0))[0]
    assert np.linalg.norm(expected) > 1, "the first frame differs from the mean"
    assert voice_vector(FirstFrame(), rising) == pytest.approx(expected / np.linalg.norm(expected), abs=1e-4)


def test_the_class_token_counts_of_several() -> None:
    class Tokens(OnnxFile):
        def __init__(self) -> None:
            """No file."""

        def __call__(self, batch: np.ndarray) -> np.ndarray:
            assert batch.shape == (1, 3, 8, 8) and batch.dtype == np.float32
            return np.array([[[3.0, 4.0], [9.0, 9.0]]], np.float32)

    from PIL import Image

    vector = picture_vector(Tokens(), Image.new("L", (30, 20)), 8, [0.5] * 3, [0.5] * 3)
    assert vector == pytest.approx([0.6, 0.8])


def test_a_vector_of_nothing_is_nothing_and_no_nan(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from PIL import Image

    path = tmp_path / "pictures.onnx"
    path.write_bytes(mean_over([2, 3], [1, 3, 8, 8]))
    model = OnnxFile(path, hashlib.sha256(path.read_bytes()).hexdigest())
    assert picture_vector(model, Image.new("RGB", (8, 8)), 8, [0.0] * 3, [1.0] * 3).tolist() == [0.0, 0.0, 0.0]


def test_a_file_with_other_bytes_is_not_loaded(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = tmp_path / "m.onnx"
    path.write_bytes(mean_over([1], [1, 2]))
    true = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(WeightsError, match="other bytes than expected") as error:
        OnnxFile(path, "0" * 64)
    assert true in str(error.value) and "0" * 64 in str(error.value)
    with pytest.raises(WeightsError, match=r"missing(.|\n)*none\.onnx"):
        OnnxFile(tmp_path / "none.onnx", true)


@pytest.mark.parametrize("content", [b"", b"no model", b"\x08\x07" + b"\xff" * 40])
def test_what_is_no_model_is_refused_by_its_place(content: bytes, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    (tmp_path / "m.onnx").write_bytes(content)
    with pytest.raises(SpecError, match=r"not an ONNX model(.|\n)*m\.onnx"):
        OnnxFile(tmp_path / "m.onnx", hashlib.sha256(content).hexdigest())


def test_without_onnxruntime_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("triptych.models.local.onnx_file.find_spec", lambda name: None)
    with pytest.raises(SpecError, match=r"triptych\[local\]"):
        OnnxFile(tmp_path / "m.onnx", "0" * 64)


def test_a_model_is_loaded_once(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = tmp_path / "m.onnx"
    path.write_bytes(mean_over([1], [1, 2], {"about": "模型"}))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert onnx_file(path, digest) is onnx_file(path, digest) and onnx_file(path, digest).about == {"about": "模型"}
    assert onnx_file(path, digest)(np.array([[1.0, 4.0]], np.float32)).tolist() == [2.5]
