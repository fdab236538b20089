"""Stages about talks, on bursts of noise that stand for speech."""

from __future__ import annotations

import hashlib
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Maker, Outcome
from triptych.construction.stages.talks import (
    natural_voice,
    one_speaker,
    own_recording,
    parallel_lines,
    question_clip,
    recent,
    segments,
    talk_clip,
    talk_print,
    talk_sound,
)
from triptych.errors import MediaError, SpecError
from triptych.media.sound.coding import decode_sound, encode_wav
from triptych.media.sound.prints import sound_print, twins

RATE = 16_000


def spoken(*stretches: tuple[float, float], level: float = 0.1, rest: float = 0.0005, seed: int = 7) -> Any:
    """Noise in stretches of (speech, pause) seconds."""
    draw = np.random.default_rng(seed)
    pieces = []
    for speech, pause in stretches:
        pieces += [draw.normal(0, level, round(speech * RATE)), draw.normal(0, rest, round(pause * RATE))]
    return np.concatenate(pieces).clip(-1, 1).astype(np.float32)


def voiced(samples: Any) -> Any:
    """The samples without low frequencies in every other third of a second, as the sounds of speech alternate."""
    made, width = samples.copy(), RATE // 3
    for begin in range(width, len(made) - width, 2 * width):
        made[begin : begin + width] = np.diff(samples[begin - 1 : begin + width]) / np.sqrt(2)
    return made


@pytest.mark.parametrize("depth", [0.3, 0.9])
def test_noise_that_swells_is_no_talk(tmp_path: Path, depth: float) -> None:
    swell = 1 + depth * np.sin(2 * np.pi * 0.3 * np.arange(40 * RATE) / RATE)
    noise = np.random.default_rng(3).normal(0, 0.05, 40 * RATE)
    for sound in (noise, np.cumsum(noise) / np.abs(np.cumsum(noise)).max() + noise / 3):
        outcome = listened(
            tmp_path, (0.3 * sound * swell).astype(np.float32), most_offset=1.0, least_over_noise_db=-99.0
        )
        assert outcome.reason == "little-speech", outcome.note


def listened(tmp_path: Path, samples: Any, **parameters: Any) -> Outcome:
    """What `talk-sound` decides about a recording, or about a file's bytes."""
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    data = samples if isinstance(samples, bytes) else encode_wav(samples.reshape(-1, 1), RATE)
    (tmp_path / "t.wav").write_bytes(data)
    own = talk_sound.with_(**parameters)
    fields = {"file": "t.wav", "file_sha256": hashlib.sha256(data).hexdigest()}
    outcome: Outcome = own.run(Values(own, "r", fields), Context(own.parameters, MediaStore(tmp_path), 0, tmp_path))
    return own.checked(outcome, "r")


def test_a_clear_talk_is_measured_and_kept(tmp_path: Path) -> None:
    outcome = listened(tmp_path, spoken((4, 1), (5, 0.5), (3, 1)))
    assert outcome.decision == "kept"
    fields = outcome.fields
    assert fields["seconds"] == 14.5 and fields["level_db"] == pytest.approx(-20, abs=0.5)
    assert fields["speech_share"] == pytest.approx(12 / 14.5, abs=0.02) and fields["over_noise_db"] > 25
    assert len((tmp_path / fields["curve"]).read_bytes()) == 1450 and "video" not in fields
    assert decode_sound((tmp_path / fields["audio"]).read_bytes()).rate == RATE


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        (spoken((4, 1), (5, 1), level=0.003, rest=0.0001), "too-quiet"),
        (spoken((4, 1), (5, 1), level=3.0), "clipped"),
        (spoken((1, 9), (0.5, 9)), "little-speech"),
        (np.zeros(RATE * 12, dtype=np.float32), "little-speech"),
        (spoken((4, 1), (5, 1)) + np.float32(0.35), "recording-offset"),
        (spoken((5, 1)), "too-short"),
    ],
)
def test_poor_sound_is_dropped(tmp_path: Path, samples: Any, reason: str) -> None:
    assert listened(tmp_path, samples).reason == reason


def copies(tmp_path: Path, **films: str) -> list[Outcome]:
    """What is decided about three talks: `b` has the recording of `a`, at another level and later; `c` another one."""
    sounds = {name: spoken((4, 1), (5, 1), (3, 1), seed=seed) for name, seed in (("a", 1), ("b", 1), ("c", 2))}
    sounds["b"] = np.concatenate([np.zeros(8_000, np.float32), 0.3 * sounds["b"]])
    store = MediaStore(tmp_path)
    records = []
    encoded = {name: encode_wav(sound.reshape(-1, 1), RATE) for name, sound in sounds.items()}
    for name, data in encoded.items():
        (tmp_path / f"{name}.wav").write_bytes(data)
    for name, data in encoded.items():
        fields = {"audio": store.put(data, "wav"), "file": f"{name}.wav", "file_sha256": name, "speaker": name}
        if name in films:
            fields |= {"film": films[name], "film_sha256": films[name]}
        outcome = talk_print.run(Values(talk_print, name, fields), Context(talk_print.parameters, store, 0, tmp_path))
        records.append(Values(own_recording, name, fields | outcome.fields))
    made: list[Outcome] = own_recording.run(records, Context(own_recording.parameters, store, 0, tmp_path))
    return made


def test_one_recording_is_one_talk(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    assert [outcome.reason for outcome in copies(tmp_path)] == ["", "same-recording", ""]


def test_a_film_with_the_sound_of_another_talk_is_found(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    outcomes = copies(tmp_path, c="a.wav", a="c.wav")
    assert [outcome.reason for outcome in outcomes] == [
        "film-of-another-talk",
        "same-recording",
        "film-of-another-talk",
    ]


def test_talks_that_begin_with_the_same_music_are_two_recordings(tmp_path: Path) -> None:
    music = spoken((3, 0), seed=5)
    sounds = [np.concatenate([music, spoken((9, 1), (5, 1), seed=seed)]) for seed in (1, 2)]
    sounds.append(0.5 * sounds[0])
    prints = [sound_print(sound, RATE) for sound in sounds]
    assert twins(prints) == [(0, 1), (0, 2), (1, 2)]
    fields = [{"speaker": "x", "print": each, "file_sha256": str(n)} for n, each in enumerate(prints)]
    records = [Values(own_recording, str(n), each) for n, each in enumerate(fields)]
    outcomes = own_recording.run(records, Context(own_recording.parameters, MediaStore(tmp_path), 0, tmp_path))
    assert [outcome.reason for outcome in outcomes] == ["", "", "same-recording"]


def test_speech_that_hardly_rises_above_the_noise_is_dropped(tmp_path: Path) -> None:
    samples = voiced(spoken((4, 2), (4, 2), level=0.1, rest=0.025))
    assert listened(tmp_path, samples, least_over_noise_db=20.0).reason == "noisy"
    assert listened(tmp_path, samples).decision == "kept"


def divided(tmp_path: Path, curve: bytes, **parameters: Any) -> Outcome:
    value = MediaStore(tmp_path).put(curve, "bin")
    return decide(segments, {"curve": value}, tmp_path, **parameters)


def test_no_segment_is_above_the_maximum_and_no_speech_is_lost(tmp_path: Path) -> None:
    for seed in range(200):
        draw = random.Random(seed)
        curve = bytearray()
        while len(curve) < draw.randint(1, 6000):
            curve += bytes(draw.choices(range(256), k=20) if draw.random() < 0.3 else [draw.choice([0, 255])] * 80)
        longest = draw.choice([0.5, 3.0, 18.0])
        outcome = divided(tmp_path, bytes(curve), longest=longest, least=0.05)
        spans = outcome.fields.get("segments", [])
        assert all(0 < end - begin <= longest + 1e-6 for begin, end in spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        held = sum(sum(value > 127 for value in curve[round(a * 100) : round(b * 100)]) for a, b in spans)
        lost = sum(value > 127 for value in curve) - held
        assert lost <= 5 * (len(spans) + len(curve) / 10)
        assert outcome.decision == ("kept" if spans else "dropped")


def test_a_curve_without_speech_has_no_segments(tmp_path: Path) -> None:
    assert divided(tmp_path, bytes(500)).reason == divided(tmp_path, b"").reason == "no-speech"
    with pytest.raises(SpecError, match=r"number, 0\.01 or more"):
        divided(tmp_path, bytes(500), longest=0.0)


def clip(kind: str, begin: float | None = None, end: float | None = None, **parameters: Any) -> Outcome:
    spans = [[1.0, 10.0], [12.0, 20.0], [20.0, 30.0]]
    return decide(question_clip, {"segments": spans, "type": kind, "begin": begin, "end": end}, **parameters)


def test_a_questions_clip_is_all_segments_that_it_overlaps() -> None:
    assert clip("A", 2, 5).fields == {"clip_begin": 1.0, "clip_end": 10.0}
    assert clip("A", 9, 13).fields == {"clip_begin": 1.0, "clip_end": 20.0}
    assert clip("A", 12, 20).fields == {"clip_begin": 12.0, "clip_end": 20.0}  # it only touches the third
    assert clip("A", 0, 40).fields == {"clip_begin": 1.0, "clip_end": 30.0}
    pause = clip("V", 10.5, 11.5)
    assert (pause.decision, pause.reason) == ("revised", "in-a-pause")
    assert pause.fields == {"clip_begin": 1.0, "clip_end": 20.0}
    assert clip("V", 31, 33).reason == clip("V", 0.1, 0.5).reason == "outside-speech"
    assert clip("A", 0, 40, longest=28.0).reason == "clip-too-long"
    drawn = clip("NA").fields
    assert [drawn["clip_begin"], drawn["clip_end"]] in [[1.0, 10.0], [12.0, 20.0], [20.0, 30.0]]
    assert clip("NA").fields == drawn


def test_a_clip_is_cut_where_it_was_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    samples = np.repeat(np.linspace(-0.5, 0.5, 10), RATE).astype(np.float32)
    audio = MediaStore(tmp_path).put(encode_wav(samples.reshape(-1, 1), RATE), "wav")
    fields = {"audio": audio, "video": None, "clip_begin": 2.0, "clip_end": 4.5, "pictures": None, "file": "t.wav"}
    outcome = decide(talk_clip, fields, tmp_path)
    cut = decode_sound((tmp_path / outcome.fields["clip_audio"]).read_bytes())
    assert cut.seconds == 2.5 and cut.samples[100, 0] == pytest.approx(samples[2 * RATE + 100], abs=1e-3)
    assert outcome.makers == {"clip_audio": Maker("source", "t.wav", "seconds=2-4.5")} and len(outcome.fields) == 1


@pytest.mark.parametrize(
    ("voice", "undeclared", "reason"),
    [
        ("human", "keep", ""),
        ("Human", "drop", ""),
        (None, "keep", ""),
        (None, "drop", "voice-undeclared"),
        ("synthetic", "keep", "synthetic-voice"),
        ("robot", "keep", "voice-unknown"),
    ],
)
def test_voices(voice: str | None, undeclared: str, reason: str) -> None:
    assert decide(natural_voice, {"voice": voice}, undeclared=undeclared).reason == reason


@pytest.mark.parametrize(
    ("date", "since", "reason"),
    [
        (None, "", ""),
        (None, "2025", "no-date"),
        ("soon", "2025", "no-date"),
        ("2025", "2025-01-01", ""),
        ("2025-06", "2025-06-01", ""),
        ("2025-05-31", "2025-06", "too-old"),
        ("2025", "2025-01-02", "too-old"),
        ("2026-01-01", "2025-12-31", ""),
        ("2025-13", "2025", "no-date"),
    ],
)
def test_recent_talks(date: str | None, since: str, reason: str) -> None:
    assert decide(recent, {"date": date}, since=since).reason == reason
    with pytest.raises(SpecError, match="not a date"):
        decide(recent, {"date": date}, since="last year")


def film(path: Path, samples: Any, container: str = "mp4", *, empty: bool = False) -> None:
    """A film of a talk: its sound, and a picture each second, with a slide unless it is `empty`."""
    import av

    with av.open(str(path), "w", format=container) as box:
        pictures, sound = box.add_stream("libx264", rate=1), box.add_stream("aac", rate=RATE, layout="mono")
        pictures.width = pictures.height = 64
        pictures.pix_fmt = "yuv420p"
        for second in range(len(samples) // RATE):
            shade = np.full((64, 64, 3), second * 9 % 250, dtype=np.uint8)
            shade[8:40, 8:56] = shade[0, 0] if empty else 255
            box.mux(pictures.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="flt", layout="mono")
        frame.sample_rate = RATE
        for packet in [*pictures.encode(None), *sound.encode(frame), *sound.encode(None)]:
            box.mux(packet)


def filmed(tmp_path: Path, **files: str) -> Outcome:
    fields = {name: value for kind, file in files.items() for name, value in ((kind, file), (f"{kind}_sha256", "0"))}
    context = Context(talk_sound.parameters, MediaStore(tmp_path), 0, tmp_path)
    outcome: Outcome = talk_sound.run(Values(talk_sound, "r", fields), context)
    return outcome


def test_a_film_is_kept_as_it_is_beside_its_sound(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    talk = spoken((5, 1), (5, 1), (4, 0.5))
    film(tmp_path / "t.mp4", talk)
    fields = filmed(tmp_path, file="t.mp4").fields
    assert (tmp_path / fields["video"]).read_bytes() == (tmp_path / "t.mp4").read_bytes()
    assert fields["seconds"] == pytest.approx(16.5, abs=0.2)
    (tmp_path / "t.wav").write_bytes(encode_wav(talk.reshape(-1, 1), RATE))
    assert filmed(tmp_path, file="t.wav", film="t.mp4").fields["video"] == fields["video"]
    (tmp_path / "long.wav").write_bytes(encode_wav(np.tile(talk, 3).reshape(-1, 1), RATE))
    assert filmed(tmp_path, file="long.wav", film="t.mp4").reason == "film-of-another-length"
    assert filmed(tmp_path, file="t.wav", film="t.wav").reason == "film-without-pictures"
    film(tmp_path / "black.mp4", talk, empty=True)
    assert filmed(tmp_path, file="black.mp4").reason == "film-shows-nothing"
    film(tmp_path / "t.mov", talk, "mov")
    with pytest.raises(MediaError, match="this kind of film can't be sent to a model"):
        filmed(tmp_path, file="t.mov")


def test_each_speaker_has_one_talk_and_whole_talks_go_first() -> None:
    rows = [
        {"speaker": "Ana Díaz", "summary_only": True},
        {"speaker": "B. Chen; C. Rossi", "summary_only": False},
        {"speaker": "ana diaz", "summary_only": False},
        {"speaker": "c rossi", "summary_only": True},
        {"speaker": "？", "summary_only": False},
        {"speaker": "李雷", "summary_only": True},
    ]
    outcomes = decide_all(one_speaker, rows)
    told = [o.reason for o in outcomes]
    assert told == ["repeated-speaker", "", "", "repeated-speaker", "no-speaker", ""]
    assert outcomes[3].note == "c rossi also speaks in r1"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (["a", "b"], ""),
        (["a"], "line-count"),
        (["a", "b", "c"], "line-count"),
        (["a", " "], "empty-line"),
        ([], "not-translated"),
        (None, "not-translated"),
    ],
)
def test_translations_have_as_many_lines(target: list[str] | None, reason: str) -> None:
    assert decide(parallel_lines, {"source": ["x", "y"], "target": target}).reason == reason
