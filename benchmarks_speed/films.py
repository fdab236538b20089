"""Clips of a long film: peak memory and time of the stage, in a process of its own.

python benchmarks_speed/films.py FILM FOLDER HOW     (what `measure` runs)
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path
from typing import Any

MINUTES, SIDE, RATE = 40, (1280, 720), 25
LIMIT_MB = 600
WAYS = ("random", "fixed", "shots")


def measure(folder: Path) -> list[dict[str, Any]]:
    """Cut clips with sound and video out of a film of 40 minutes, in each of three ways."""
    from benchmarks_speed import measure as cost
    from benchmarks_speed import table

    film = folder / f"film-{MINUTES}-{SIDE[1]}.mp4"
    if not film.exists():
        make(film)
    found = []
    for how in WAYS:
        with tempfile.TemporaryDirectory(prefix="triptych-films-") as scratch:
            done = cost.run([sys.executable, __file__, str(film), scratch, how], Path(scratch), limit=1800)
            clips = (done.output.strip().splitlines() or ["0"])[-1]
            if done.code:
                print(done.output[-500:], file=sys.stderr)
            found.append({"how": how, "clips": clips, "code": done.code, "wall": done.wall, "rss": done.rss})
    rows = [[one["how"], str(one["clips"]), f"{one['wall']:.0f}", f"{one['rss']:.0f}"] for one in found]
    shown = f"{MINUTES} minutes, {SIDE[0]} x {SIDE[1]}, {RATE} pictures a second, {film.stat().st_size / 1e6:.0f} MB"
    table.show(
        f"clips of a film of {shown} (limit: {LIMIT_MB} MB of memory)", ["how", "clips", "wall s", "peak MB"], rows
    )
    return found


def make(path: Path) -> None:
    """A film: one minute in four scenes with a tone is encoded, and its packets are repeated."""
    import av
    import numpy as np

    minute = path.with_name(f".{path.name}")
    with av.open(str(minute), "w", format="mp4") as made:
        video, audio = made.add_stream("libx264", rate=RATE), made.add_stream("aac", rate=48_000)
        video.width, video.height = SIDE
        video.pix_fmt, video.options = "yuv420p", {"preset": "ultrafast", "g": str(RATE), "bf": "0"}
        draw = np.random.default_rng(0)
        scenes = draw.integers(0, 40, (4, SIDE[1] // 16, SIDE[0] // 16, 3), dtype=np.uint8).repeat(16, 1).repeat(16, 2)
        scenes += np.array([0, 200, 70, 140], dtype=np.uint8)[:, None, None, None]  # so that cuts are seen
        for n in range(60 * RATE):
            picture = np.roll(scenes[n // (15 * RATE)], n, axis=1)
            made.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        made.mux(video.encode(None))
        tone = 0.2 * np.sin(np.arange(60 * 48_000) / 30).astype(np.float32)
        frame = av.AudioFrame.from_ndarray(np.stack([tone, tone]), format="fltp", layout="stereo")
        frame.rate = 48_000
        made.mux(audio.encode(frame))
        made.mux(audio.encode(None))
    _repeated(av, minute, path)
    minute.unlink()


def _repeated(av: Any, minute: Path, path: Path) -> None:
    with av.open(str(path), "w", format="mp4") as made:
        streams: dict[int, Any] = {}
        for turn in range(MINUTES):
            with av.open(str(minute)) as source:
                for stream in source.streams:
                    if stream.index not in streams:
                        streams[stream.index] = made.add_stream_from_template(stream)
                for packet in source.demux():
                    if packet.dts is None or packet.dts < 0 or packet.pts * packet.time_base >= 60:
                        continue  # what a codec puts before the first minute and behind the last frame
                    shift = round(60 * turn / packet.time_base)
                    packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                    packet.stream = streams[packet.stream.index]
                    made.mux(packet)


def cut(film: Path, folder: Path, how: str) -> int:
    """Run the stage as a build does; returns the number of clips."""
    from triptych.construction.engine.context import Context, Values
    from triptych.construction.engine.media import MediaStore
    from triptych.construction.stages.clips import clips

    own = clips.with_(how=how, video=True)
    with film.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    values = Values(own, "film", {"film": film.name, "film_sha256": digest})
    outcome = own.run(values, Context(own.parameters, MediaStore(folder), 0, film.parent))
    return len(outcome.children)


if __name__ == "__main__":
    print(cut(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
