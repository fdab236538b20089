"""Who speaks when in one recording: by windows whose voice vectors are clustered, or by a pipeline of pyannote."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

from triptych.errors import SpecError, WeightsError
from triptych.media.sound.coding import SPEECH_HZ
from triptych.media.sound.voice import FRAME_S
from triptych.metrics.vectors.clusters import clusters
from triptych.models.local.onnx_file import OnnxFile, voice_vector
from triptych.models.weights.resolver import hash_of

Turn = tuple[float, float, int]


@dataclass(frozen=True)
class Diarised:
    """The turns of a recording (begin, end in seconds, number of the voice), and a unit vector per voice."""

    turns: tuple[Turn, ...]
    vectors: Any

    def seconds(self, voice: int) -> float:
        """How long a voice speaks."""
        return sum(end - begin for begin, end, turn_voice in self.turns if turn_voice == voice)


def by_windows(
    model: OnnxFile, samples: Any, curve: Any, *, window: float, hop: float, apart: float, threshold: float
) -> Diarised:
    """Return the turns found by clustering the voice vectors of windows of speech.

    Each window of `window` seconds, one every `hop` seconds, is speech if the mean of `curve` (the probability of
    speech in frames of 10 ms) exceeds `threshold`. Average linkage joins windows up to the cosine distance `apart`.
    Neighbouring windows of one voice form a turn.
    """
    import numpy as np

    starts = np.arange(0, max(len(samples) / SPEECH_HZ - window, 0) + 1e-9, hop)
    spoken = [at for at in starts if _speech(curve, at, window) > threshold]
    if not spoken:
        return Diarised((), np.zeros((0, 0), dtype=np.float32))
    vectors = np.stack([voice_vector(model, _cut(samples, at, window)) for at in spoken])
    voices = clusters(vectors, apart)
    means = np.stack([vectors[[v == n for v in voices]].mean(axis=0) for n in range(max(voices) + 1)])
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return Diarised(_turns(spoken, voices, window, hop), (means / np.maximum(lengths, 1e-9)).astype(np.float32))


def by_pyannote(folder: Path, sha256: str, samples: Any) -> Diarised:
    """Return the turns found by a pipeline of pyannote.audio (4 or later) in a local folder.

    `sha256`: the hash of the folder's content (`folder_hash`). Raises SpecError if pyannote.audio is not installed or
    the folder holds no pipeline that gives voice vectors, WeightsError if the folder's content is another one.
    """
    import numpy as np

    if not find_spec("pyannote") or not find_spec("pyannote.audio"):
        raise SpecError("pyannote.audio is not installed", fix="pip install pyannote.audio, or use engine = 'onnx'")
    if (digest := folder_hash(folder)) != sha256:
        raise WeightsError("the pipeline's folder has another content than expected", got=digest, expected=sha256)
    pipeline = import_module("pyannote.audio").Pipeline.from_pretrained(folder)
    waveform = import_module("torch").from_numpy(np.ascontiguousarray(samples, dtype=np.float32))[None]
    output = pipeline({"waveform": waveform, "sample_rate": SPEECH_HZ})
    vectors = getattr(output, "speaker_embeddings", None)
    if vectors is None:
        raise SpecError("the pipeline gives no voice vectors", where=folder, expected="pyannote.audio 4 or later")
    names = list(output.speaker_diarization.labels())
    tracks = output.exclusive_speaker_diarization.itertracks(yield_label=True)
    turns = sorted((round(t.start, 3), round(t.end, 3), names.index(name)) for t, _, name in tracks)
    return Diarised(tuple(turns), np.asarray(vectors, dtype=np.float32))


def folder_hash(folder: Path) -> str:
    """Return the SHA-256 over names and hashes of all files in a folder. Raises WeightsError for an empty folder."""
    import hashlib

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise WeightsError("the pipeline's folder is missing or empty", got=str(folder))
    lines = (f"{path.relative_to(folder).as_posix()} {hash_of(path)}\n" for path in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _cut(samples: Any, at: float, seconds: float) -> Any:
    begin = round(at * SPEECH_HZ)
    return samples[begin : begin + round(seconds * SPEECH_HZ)]


def _speech(curve: Any, at: float, seconds: float) -> float:
    speech = curve[round(at / FRAME_S) : round((at + seconds) / FRAME_S)]
    return float(speech.mean()) if len(speech) else 0.0


def _turns(starts: list[float], voices: list[int], window: float, hop: float) -> tuple[Turn, ...]:
    """Each window stands for its middle `hop` seconds; those that touch and share a voice are joined."""
    margin = (window - hop) / 2
    runs = groupby(enumerate(zip(starts, voices, strict=True)), key=lambda n: (n[1][1], round(n[1][0] / hop) - n[0]))
    turns = []
    for (voice, _), spans in runs:
        times = [start for _, (start, _) in spans]
        turns.append((round(times[0] + margin, 3), round(times[-1] + margin + hop, 3), voice))
    return tuple(turns)
