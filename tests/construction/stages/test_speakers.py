"""Speakers: synthetic voices are found by a real ONNX encoder, voices are clustered, and pairs rest on them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.single_stage import decide_all
from tests.support.onnx_file import mean_over
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.clips import pairs
from triptych.construction.stages.speakers import speakers, voices
from triptych.errors import SpecError, WeightsError
from triptych.media.sound.coding import encode_wav
from triptych.models.local.onnx_file import OnnxFile

RATE = 16_000


def voice(seconds: float, pitch: float, formant: float, seed: int = 0) -> Any:
    """Harmonics of a pitch that rises and falls, loudest around a formant, in syllables: a small synthetic voice."""
    draw = np.random.default_rng(seed)
    at = np.arange(round(seconds * RATE)) / RATE
    phase = 2 * np.pi * np.cumsum(pitch * (1 + 0.1 * np.sin(2 * np.pi * 0.7 * at + draw.uniform(0, 6)))) / RATE
    numbers = np.arange(1, int(7000 / pitch))
    loud = 1 / (1 + ((numbers * pitch - formant) / 400) ** 2)
    wave = (loud[:, None] * np.sin(numbers[:, None] * phase)).sum(axis=0)
    syllables = 0.55 + 0.45 * np.sin(2 * np.pi * 4 * at + draw.uniform(0, 6))
    return (0.2 * wave / np.abs(wave).max() * syllables).astype(np.float32)


ANNA, BEN, CLEO = (210, 2200), (110, 900), (300, 3600)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder whose vector is the mean of the log mel energies over time: crude, but it has a voice's timbre."""
    pytest.importorskip("onnxruntime", reason="onnxruntime comes with the extra [local]")
    path = tmp_path_factory.mktemp("weights") / "voices.onnx"
    path.write_bytes(mean_over([1], [1, "frames", 80], {"feature_normalize_type": "none"}))
    return path


def heard(tmp_path: Path, encoder: Path, samples: Any, **parameters: Any) -> Outcome:
    store = MediaStore(tmp_path)
    audio = store.put(encode_wav(samples.reshape(-1, 1), RATE), "wav")
    digest = hashlib.sha256(encoder.read_bytes()).hexdigest()
    own = voices.with_(**{"weights": encoder.name, "sha256": digest, "apart": 0.02, "threshold": 0.95, **parameters})
    context = Context(own.parameters, store, 0, encoder.parent)
    return own.checked(own.run(Values(own, "r", {"audio": audio}), context), "r")


def test_the_turns_of_two_synthetic_voices_are_found(tmp_path: Path, encoder: Path) -> None:
    pause = np.zeros(RATE, dtype=np.float32)
    outcome = heard(
        tmp_path, encoder, np.concatenate([voice(6, *ANNA), pause, voice(6, *BEN), pause, voice(5, *ANNA, 1)])
    )
    turns = outcome.fields["turns"]
    assert [turn[2] for turn in turns] == [0, 1, 0]
    expected = [(0, 6), (7, 13), (14, 19)]
    for (begin, end, _), (a, b) in zip(turns, expected, strict=True):
        assert begin == pytest.approx(a, abs=1.0) and end == pytest.approx(b, abs=1.0)
    assert outcome.fields["voices"]["count"] == 2


def test_one_person_is_found_in_two_recordings_and_pairs_rest_on_it(tmp_path: Path, encoder: Path) -> None:
    clips = {"c0": [ANNA, BEN], "c1": [CLEO, CLEO], "c2": [CLEO, ANNA]}
    records = []
    for number, (clip, people) in enumerate(clips.items()):
        samples = np.concatenate([voice(6, *who, seed=number * 10 + n) for n, who in enumerate(people)])
        found = heard(tmp_path, encoder, samples).fields
        records.append(
            {
                "clip": clip,
                **found,
                "film": "f",
                "begin": 60.0 * number,
                "end": 60.0 * number + 12,
                "audio": "a",
                "transcript": "t",
                "audio_description": "d",
            }
        )
    outcomes = decide_all(speakers, records, tmp_path, apart=0.01)
    named = [outcome.fields["speakers"] for outcome in outcomes]
    assert named == [["c0#0", "c0#1"], ["c1#0"], ["c0#0", "c1#0"]]
    both = [{**record, "speakers": names} for record, names in zip(records, named, strict=True)]
    proposed = [[c.fields["pair"] for c in o.children if "pair" in c.fields] for o in decide_all(pairs, both)]
    assert proposed == [[["c0", "c2"]], [["c1", "c2"]], []]


def test_silence_has_no_speaker(tmp_path: Path, encoder: Path) -> None:
    assert heard(tmp_path, encoder, np.zeros(5 * RATE, dtype=np.float32)).reason == "no-speech"


def made_up(vectors: list[list[float]], lengths: list[float], tmp_path: Path) -> dict[str, Any]:
    value = MediaStore(tmp_path).put(np.asarray(vectors, dtype="<f4").tobytes(), "f32")
    turns, at = [], 0.0
    for number, seconds in enumerate(lengths):
        turns.append([at, at + seconds, number])
        at += seconds
    return {"voices": {"count": len(vectors), "vectors": value}, "turns": turns}


def test_made_up_voices_are_clustered_conservatively(tmp_path: Path) -> None:
    """Two voices of one recording stay separate however alike; a voice that is hardly heard gets no speaker."""
    records = [
        made_up([[1, 0, 0], [0.99, 0.1, 0]], [10, 10], tmp_path),
        made_up([[1, 0.05, 0], [0, 0, 1]], [10, 1], tmp_path),
        made_up([[0, 1, 0]], [10], tmp_path),
    ]
    found = [outcome.fields for outcome in decide_all(speakers, records, tmp_path)]
    assert [own["speakers"] for own in found] == [["r0#0", "r0#1"], ["r0#0"], ["r2#0"]]
    assert found[1]["turns"] == [[0.0, 10.0, "r0#0"], [10.0, 11.0, None]]


def test_fifty_people_in_two_hundred_recordings_are_found_again(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    people = draw.standard_normal((50, 64))
    who = [draw.choice(50, 2, replace=False) for _ in range(200)]
    records = [made_up((people[w] + 0.5 * draw.standard_normal((2, 64))).tolist(), [9, 9], tmp_path) for w in who]
    first: dict[int, str] = {}
    for number, own in enumerate(who):
        for place, person in enumerate(own):
            first.setdefault(int(person), f"r{number}#{place}")
    expected = [sorted({first[int(person)] for person in own}) for own in who]
    assert [outcome.fields["speakers"] for outcome in decide_all(speakers, records, tmp_path)] == expected


def test_weights_must_be_named_and_have_their_hash(tmp_path: Path, encoder: Path) -> None:
    with pytest.raises(SpecError, match="no weights are named"):
        heard(tmp_path, encoder, np.zeros(RATE), weights="")
    with pytest.raises(WeightsError, match="other bytes"):
        heard(tmp_path, encoder, np.zeros(RATE), sha256="0" * 64)
    with pytest.raises(SpecError, match="one of: onnx, pyannote"):
        heard(tmp_path, encoder, np.zeros(RATE), engine="other")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model")
    with pytest.raises(SpecError, match="not an ONNX model"):
        OnnxFile(broken, hashlib.sha256(b"no model").hexdigest())
