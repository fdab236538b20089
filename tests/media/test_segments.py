"""Cutting long recordings: properties of the cuts, and the cutting against known sounds and pictures."""

from __future__ import annotations

import io
import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.errors import MediaError
from triptych.media import segments
from triptych.media.segments import (
    at_shots,
    clips_of,
    cut_sound,
    cut_video,
    divide_at_pauses,
    shot_changes,
    sound_of_span,
)
from triptych.media.sound.coding import encode_wav

RATE = 16_000


@settings(max_examples=300, deadline=None)
@given(st.lists(st.floats(0, 1), max_size=600), st.floats(0.5, 20), st.floats(0.05, 0.4))
def test_no_segment_is_too_long_none_overlaps_and_all_are_inside(
    curve: list[float], longest: float, least: float
) -> None:
    frame = 0.05
    segments = divide_at_pauses(curve, frame, longest=longest, min_s=least)
    end = 0.0
    for a, b in segments:
        assert end - 1e-6 <= a < b <= len(curve) * frame + 1e-6
        assert b - a <= longest + 1e-6
        end = b


@settings(max_examples=1000, deadline=None)
@given(st.integers(0, 10**9))
def test_of_a_thousand_random_curves_none_gives_a_segment_over_the_maximum(seed: int) -> None:
    draw = random.Random(seed)
    curve = [draw.random() for _ in range(draw.randrange(2000))]
    assert all(b - a <= 18 + 1e-6 for a, b in divide_at_pauses(curve, 0.02))


def test_speech_is_cut_in_its_pause() -> None:
    curve = [0.0] * 20 + [0.9] * 100 + [0.1] * 5 + [0.9] * 100 + [0.0] * 20  # frames of 0.1 s
    assert divide_at_pauses(curve, 0.1, longest=15) == [(2.0, 12.0), (12.5, 22.5)]
    assert divide_at_pauses(curve, 0.1, longest=30) == [(2.0, 22.5)]
    assert divide_at_pauses([0.2] * 50, 0.1) == [] == divide_at_pauses([], 0.1)


@given(st.floats(1, 4000), st.integers(0, 99))
def test_clips_are_of_the_length_asked_for_and_inside(seconds: float, seed: int) -> None:
    clips = clips_of(seconds, shortest=20, longest=40, every=60, draw=random.Random(seed))
    for a, b in clips:
        assert 0 <= a < b <= seconds + 1e-3 and 20 - 2e-3 <= b - a <= 40 + 2e-3
    assert all(x[1] <= y[0] + 1e-3 for x, y in pairwise(clips))
    assert len(clips) == int((seconds - 20 + 1e-9) // 60) + 1 if seconds >= 20 else not clips


def test_clips_at_shots() -> None:
    assert at_shots([10, 25, 70, 80], 100, shortest=20, longest=40) == [(0.0, 25.0), (25.0, 65.0), (65.0, 100.0)]
    assert at_shots([], 30, shortest=20, longest=40) == [(0.0, 30.0)]
    assert at_shots([], 50, shortest=20, longest=40) == [(0.0, 40.0)]
    assert at_shots([], 720, shortest=20, longest=40)[-1] == (680, 720)  # one shot of twelve minutes


def test_sound_is_cut_where_it_was_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    seconds = 30
    ramp = np.repeat(np.linspace(-0.9, 0.9, seconds), RATE).astype(np.float32)  # second n has its own level
    path = tmp_path / "ramp.wav"
    path.write_bytes(encode_wav(ramp.reshape(-1, 1), RATE))
    spans = [(0.0, 2.0), (1.0, 3.0), (10.5, 12.5), (29.0, 31.0)]
    pieces = list(cut_sound(path, spans))
    assert [len(p) / RATE for p in pieces] == pytest.approx([2, 2, 2, 1], abs=0.01)
    for (begin, _), piece in zip(spans, pieces, strict=True):
        assert piece[RATE // 4, 0] == pytest.approx(ramp[int((begin + 0.25) * RATE)], abs=1e-3)
    with pytest.raises(MediaError, match="ends before"):
        list(cut_sound(path, [(40.0, 41.0)]))


def video(path: Path, colours: list[int], stamps: list[float]) -> None:
    """A small video whose pictures have these brightnesses at these seconds."""
    import av

    buffer = io.BytesIO()
    with av.open(buffer, "w", format="matroska") as target:
        stream = target.add_stream("libx264", rate=25)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        for colour, at in zip(colours, stamps, strict=True):
            frame = av.VideoFrame.from_ndarray(np.full((64, 64, 3), colour, dtype=np.uint8), format="rgb24")
            frame.pts, frame.time_base = round(at * 1000), Fraction(1, 1000)
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    path.write_bytes(buffer.getvalue())


def test_spans_of_one_recording_are_cut_in_any_order_from_one_decoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    path = tmp_path / "talk.wav"
    noise = np.random.default_rng(1).normal(0, 0.1, 10 * 22_050).astype(np.float32)
    path.write_bytes(encode_wav(noise.reshape(-1, 1), 22_050))
    decoded: list[Path] = []
    whole = segments._resampled
    monkeypatch.setattr(segments, "_resampled", lambda path, rate: decoded.append(path) or whole(path, rate))
    spans = [(8.0, 9.5), (0.25, 3.0), (2.0, 2.1), (9.0, 12.0)]
    expected = [next(cut_sound(path, [span])) for span in spans]
    decoded.clear()
    for span, samples in zip(spans, expected, strict=True):
        assert np.array_equal(sound_of_span(path, span), samples)
    assert decoded == [path]
    with pytest.raises(MediaError, match="ends before a clip begins"):
        sound_of_span(path, (11.0, 12.0))
    path.write_bytes(encode_wav(noise[:22_050].reshape(-1, 1), 22_050))
    assert len(sound_of_span(path, (0.5, 2.0))) == 8_000  # another file at the same path


def test_changes_of_the_picture_are_found_at_their_stamps_whatever_the_frame_rate(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    even = [n / 25 for n in range(75)]
    uneven = [n / 25 for n in range(25)] + [1 + n / 5 for n in range(5)] + [2 + n / 50 for n in range(50)]
    for stamps in (even, uneven):
        colours = [20 if at < 1 else 220 if at < 2 else 60 for at in stamps]
        video(tmp_path / "v.mkv", colours, stamps)
        assert shot_changes(tmp_path / "v.mkv") == pytest.approx([1.0, 2.0], abs=0.05)


def muxed(path: Path, begins: float, *, gap: float = 0.0) -> None:
    """A film of 10 s in Matroska with a click 3 s after its first picture; its sound begins at `begins`, and has a gap
    of some seconds after its first one."""
    from fractions import Fraction

    import av

    with av.open(str(path), "w") as box:
        shown, heard = box.add_stream("libx264", rate=10), box.add_stream("pcm_s16le", rate=RATE, layout="mono")
        shown.width, shown.height, shown.pix_fmt = 64, 36, "yuv420p"
        sound = np.zeros(10 * RATE, np.int16)
        sound[3 * RATE : 3 * RATE + 400] = 20_000
        for n in range(100):
            picture = av.VideoFrame.from_ndarray(np.full((36, 64, 3), n, np.uint8), format="rgb24")
            picture.pts, picture.time_base = n + 20, Fraction(1, 10)  # the pictures begin at 2 s of the clock
            box.mux(shown.encode(picture))
        step = RATE // 20
        for n in range(round(begins * 20), 200):
            if gap and 1 <= n / 20 - begins < 1 + gap:
                continue
            at = n * step
            part = sound[at : at + step] if n >= 0 else np.zeros(step, np.int16)
            piece = av.AudioFrame.from_ndarray(part.reshape(1, -1), format="s16", layout="mono")
            piece.rate, piece.pts, piece.time_base = RATE, at + 2 * RATE, Fraction(1, RATE)
            box.mux(heard.encode(piece))
        for stream in (shown, heard):
            box.mux(stream.encode(None))


@pytest.mark.parametrize(("begins", "gap"), [(0.0, 0.0), (1.5, 0.0), (-1.0, 0.0), (0.0, 1.5), (1.5, 0.25)])
def test_sound_is_at_its_times_whatever_begins_first(tmp_path: Path, begins: float, gap: float) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    from triptych.media.scenes.films import Clip, sound

    muxed(tmp_path / "v.mkv", begins, gap=gap)
    (clip,) = cut_sound(tmp_path / "v.mkv", [(2.5, 5.0)])
    assert np.argmax(np.abs(clip) > 0.2) / RATE == pytest.approx(0.5, abs=0.02)
    span = np.concatenate(list(sound(Clip(tmp_path / "v.mkv", 2.5, 5.0), RATE)))
    assert np.argmax(np.abs(span) > 0.2) / RATE == pytest.approx(0.5, abs=0.02)


def test_a_cut_between_colours_of_one_brightness_is_found(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    import av

    draw = np.random.default_rng(1)
    with av.open(str(tmp_path / "v.mkv"), "w") as box:
        stream = box.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 36, "yuv420p"
        for n in range(60):  # a red, a blue and a green scene, equally light, with the noise of a sensor
            colour = [(158, 60, 60), (60, 60, 255), (20, 108, 60)][n // 20]
            pixels = np.clip(np.array(colour) + draw.normal(0, 6, (36, 64, 3)), 0, 255).astype(np.uint8)
            box.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        box.mux(stream.encode(None))
    assert shot_changes(tmp_path / "v.mkv") == pytest.approx([2.0, 4.0], abs=0.11)


def pictures(data: bytes) -> list[tuple[float, int]]:
    """(second, brightness) of each picture."""
    import av

    with av.open(io.BytesIO(data)) as box:
        return [(round(float(f.time), 2), round(f.to_ndarray(format="gray").mean())) for f in box.decode(video=0)]


def test_a_slide_that_stands_is_seen_in_every_clip_of_its_time(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    video(tmp_path / "v.mkv", [40, 120, 200, 200], [0.0, 10.0, 20.0, 30.0])
    seen = pictures(cut_video(tmp_path / "v.mkv", (13.0, 18.0)))
    assert [at for at, _ in seen] == [0.0, 4.88] and all(abs(b - 120) < 6 for _, b in seen)
    seen = pictures(cut_video(tmp_path / "v.mkv", (8.0, 12.0)))
    assert [at for at, _ in seen] == [0.0, 2.0, 3.88]
    assert [round(b, -1) for _, b in seen] == [40, 120, 120]
    with pytest.raises(MediaError, match="no frames"):
        cut_video(tmp_path / "v.mkv", (40.0, 41.0))


def test_pictures_of_a_clip_keep_their_moments(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    stamps = [n / 25 for n in range(100)]
    video(tmp_path / "v.mkv", [min(250, round(at * 60)) for at in stamps], stamps)
    seen = pictures(cut_video(tmp_path / "v.mkv", (1.0, 3.0)))
    assert 12 <= len(seen) <= 17 and seen[0][0] == 0.0 and 1.8 <= seen[-1][0] <= 2.0
    assert all(abs(brightness - 60 * (at + 1)) <= 12 for at, brightness in seen)
