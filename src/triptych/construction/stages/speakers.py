"""Speakers: who speaks when in each recording, and which voices in different recordings are the same person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import named_weights, stage
from triptych.construction.stages._media_fields import Detector, Sha256, Threshold, Weights


class VoicesParameters(Parameters, frozen=True):
    """Parameters of `voices`."""

    engine: Annotated[
        Literal["onnx", "pyannote"],
        Meta(description="encoder of voices in an ONNX file, or a pipeline of pyannote.audio in a folder"),
    ] = "onnx"
    weights: Weights = ""
    sha256: Sha256 = ""
    detector: Detector = "level"
    window: Annotated[float, Meta(gt=0, description="length of a window, in seconds")] = 1.5
    hop: Annotated[float, Meta(gt=0, description="time between the beginnings of two windows, in seconds")] = 0.75
    apart: Annotated[float, Meta(ge=0, le=2, description="greatest cosine distance of windows of one voice")] = 0.5
    threshold: Threshold = 0.5


@stage(
    "voices",
    version=2,
    reads=["audio"],
    writes=["turns", "voices"],
    costly=True,
    parameters=VoicesParameters,
)
def voices(values: Values, context: Context[VoicesParameters]) -> Outcome:
    """Find the speaker turns of each recording, and a vector for each voice in it.

    `engine`: `onnx`, an encoder of voices in an ONNX file (WeSpeaker, 3D-Speaker and others that take 80 log mel
    energies), or `pyannote`, a pipeline of pyannote.audio in a folder. `weights` names the file or folder, relative to
    the configuration, and `sha256` its hash. With `onnx`, windows of `window` seconds every `hop` seconds in which
    `detector` hears speech are clustered up to the cosine distance `apart`. `turns` holds [begin, end, voice];
    `voices` how many there are, and their vectors as float32 in the store. A recording without speech is dropped.
    """
    from triptych.media.sound.coding import decode_sound
    from triptych.models.local.speakers import by_pyannote, by_windows

    wanted, path = context.parameters, context.media.path(values["audio"])
    samples = decode_sound(path.read_bytes(), path).mono()
    weights = named_weights(context, "voices")
    if wanted.engine == "pyannote":
        windows = by_pyannote(weights, wanted.sha256, samples)
    else:
        from triptych.media.sound.voice import speech_curve
        from triptych.models.local.onnx_file import onnx_file

        model, curve = onnx_file(weights, wanted.sha256), speech_curve(samples, wanted.detector)
        settings = {name: getattr(wanted, name) for name in ("window", "hop", "apart", "threshold")}
        windows = by_windows(model, samples, curve, **settings)
    if not windows.turns:
        return dropped("no-speech")
    vectors = context.media.put(windows.vectors.tobytes(), "f32")
    return kept(
        turns=[list(turn) for turn in windows.turns], voices={"count": len(windows.vectors), "vectors": vectors}
    )


class Speakers(Parameters, frozen=True):
    """Parameters of `speakers`."""

    apart: Annotated[float, Meta(ge=0, le=2, description="greatest cosine distance of voices of one person")] = 0.35
    least_seconds: Annotated[
        float, Meta(ge=0, description="a voice that speaks for less time gets no speaker, in seconds")
    ] = 3.0


@stage(
    "speakers",
    version=1,
    kind="whole",
    reads=["voices", "turns", "clip?"],
    writes=["speakers", "turns"],
    parameters=Speakers,
)
def speakers(records: Sequence[Values], context: Context[Speakers]) -> list[Outcome]:
    """Cluster the voices of all recordings: voices of one cluster are proposed to be one person.

    Average linkage joins voices up to the cosine distance `apart`, which is smaller than within a recording: a wrong
    pair costs people's time and may reach the benchmark. Voices of one recording stay separate, and a voice that speaks
    for less than `least_seconds` gets no speaker. Records about the same `clip` share its voices. `speakers` lists the
    speakers of a record by the first record and voice of their cluster; the third element of each turn becomes the
    speaker (null: none).
    """
    owners: dict[str, Values] = {}
    for values in records:
        owners.setdefault(_clip(values), values)
    named = _name_speakers(owners, context)
    outcomes = []
    for values in records:
        turns = [[begin, end, named.get((_clip(values), voice))] for begin, end, voice in values["turns"]]
        outcomes.append(kept(turns=turns, speakers=sorted({name for _, _, name in turns if name})))
    return outcomes


def _name_speakers(owners: dict[str, Values], context: Context) -> dict[tuple[str, int], str]:
    """(Clip, voice) -> speaker, for the voices that speak long enough."""
    import numpy as np

    from triptych.metrics.vectors.clusters import clusters

    wanted = context.parameters
    voices: list[tuple[str, int]] = []
    vectors: list[Any] = []
    for clip, values in owners.items():
        vectors_of = values["voices"]
        all_vectors = np.frombuffer(context.media.path(vectors_of["vectors"]).read_bytes(), dtype="<f4")
        for voice, vector in enumerate(all_vectors.reshape(vectors_of["count"], -1)):
            if sum(b - a for a, b, v in values["turns"] if v == voice) >= wanted.least_seconds:
                voices.append((clip, voice))
                vectors.append(vector)
    if not voices:
        return {}
    clusters_ = clusters(np.stack(vectors), wanted.apart, [clip for clip, _ in voices])
    first: dict[int, str] = {}
    for (clip, voice), cluster in zip(voices, clusters_, strict=True):
        first.setdefault(cluster, f"{clip}#{voice}")
    return {voice: first[cluster] for voice, cluster in zip(voices, clusters_, strict=True)}


def _clip(values: Values) -> str:
    return str(values["clip"] or values.id)
