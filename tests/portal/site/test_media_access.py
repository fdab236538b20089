"""Media of tasks: shown to those who may do the task, with their waveforms."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from tests.portal.conftest import Visitor
from triptych.construction.people.stage import Task
from triptych.media.sound.coding import encode_wav
from triptych.portal.exchange.push import _hashed, _named, _with_hashes
from triptych.portal.project import Portal
from triptych.portal.site.media_access import media_of
from triptych.portal.work.queues import NewTask, put_queue, put_tasks
from triptych.web.waveform import STRETCHES, waveform

RATE = 16_000


def sound(seconds: float = 2.0) -> bytes:
    time = np.arange(int(RATE * seconds)) / RATE
    return encode_wav((0.5 * time / seconds * np.sin(2 * np.pi * 440 * time)).reshape(-1, 1), RATE)


def stored(portal: Portal, data: bytes) -> str:
    name = sha256(data).hexdigest()
    with portal.blobs.incoming_file() as path:
        path.write_bytes(data)
        portal.blobs.put(path, name)
    return name


def add_task(portal: Portal, key: str, kind: str, **media: str) -> None:
    """A queue with one task that shows media: field -> the name of the stored content, with a suffix."""
    shows = {**media, "media": {field: name.partition(".")[0] for field, name in media.items()}}
    with portal.database.writing() as connection:
        put_tasks(connection, put_queue(connection, key, kind, {}, None), [NewTask(key, "d", {"shows": shows})])


def test_media_of_a_task_are_shown_with_their_waveform(small: Portal, enter: Callable[..., Visitor]) -> None:
    data = sound()
    name = stored(small, data)
    add_task(small, "review", "review", audio=f"{name}.wav")
    admin = enter("admin")
    whole = admin.client.get(f"/shown/1/{name}")
    assert (whole.content, whole.headers["content-type"]) == (data, "audio/wav")
    part = admin.client.get(f"/shown/1/{name}", headers={"range": "bytes=4-7"})
    assert (part.status_code, part.content) == (206, data[4:8])
    drawn = admin.client.get(f"/shown/1/{name}/wave").json()
    assert drawn["seconds"] == 2.0 and 400 < len(drawn["peaks"][0]) <= STRETCHES
    assert drawn["peaks"][0][-2] > 40 > drawn["peaks"][0][10]


def test_nobody_sees_media_of_tasks_that_are_not_theirs(small: Portal, enter: Callable[..., Visitor]) -> None:
    name, other = stored(small, sound()), stored(small, sound(1.0))
    add_task(small, "record", "recording", audio=f"{name}.wav")
    add_task(small, "review", "review", audio=f"{other}.wav")
    admin, participant = enter("admin"), enter("participant")
    for address in (f"/shown/1/{other}", f"/shown/2/{name}", f"/shown/9/{name}", f"/shown/1/{other}/wave"):
        assert admin.client.get(address).status_code == 404, address
    assert participant.client.get(f"/shown/1/{name}").status_code == 404


def test_a_file_of_another_kind_than_its_name_says_is_not_shown(small: Portal, enter: Callable[..., Visitor]) -> None:
    page, picture = stored(small, b"<html><script>alert(1)</script></html>"), stored(small, b"\x89PNG\r\n\x1a\n123")
    add_task(small, "review", "review", audio=f"{page}.wav", image=f"{picture}.png")
    admin = enter("admin")
    assert admin.client.get(f"/shown/1/{page}").status_code == 415
    assert admin.client.get(f"/shown/1/{page}/wave").status_code == 422
    assert admin.client.get(f"/shown/1/{picture}").headers["content-type"] == "image/png"
    assert admin.client.get(f"/shown/1/{picture}/wave").status_code == 404


def test_a_body_without_media_shows_none() -> None:
    assert media_of(1, {}) == media_of(1, {"shows": {"media": "x", "audio": "y"}}) == []


def test_the_sound_of_a_video_has_a_waveform(tmp_path: Path) -> None:
    av = pytest.importorskip("av", reason="PyAV is not installed (pip install av)")
    path = tmp_path / "talk.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=RATE, layout="mono")
        time = np.arange(RATE * 3) / RATE
        samples = np.where(time < 1.5, 0.05, 0.8) * np.sin(2 * np.pi * 300 * time)
        for begin in range(0, len(samples), 1024):
            frame = av.AudioFrame.from_ndarray(samples[None, begin : begin + 1024].astype(np.float32), "fltp", "mono")
            frame.rate = RATE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    drawn = waveform(path)
    assert drawn["seconds"] == pytest.approx(3.0, abs=0.2)
    (peaks,) = drawn["peaks"]
    assert max(peaks[: len(peaks) // 3]) < 20 and min(peaks[-len(peaks) // 3 : -3]) > 50


def test_media_in_lists_are_shown_with_the_letters_of_their_entries(
    small: Portal, enter: Callable[..., Visitor], tmp_path: Path
) -> None:
    pictures = [b"\x89PNG\r\n\x1a\n" + bytes([n]) for n in range(2)]
    files = [(sound(1.0), "wav"), *((data, "png") for data in pictures)]
    names = [f"media/{(sha := sha256(data).hexdigest())[:2]}/{sha}.{suffix}" for data, suffix in files]
    for name, (data, _) in zip(names, files, strict=True):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    forms = [{"text": f"the {n}th dog", "vision": names[n], "audio": names[0], "made": ["audio"]} for n in (1, 2)]
    shows = {"subtask": "animals", "vision": names[1], "candidates": forms}
    task = Task("one", "d", "review", {"verdict": ["approve", "reject"]}, shows)
    found = _named(task)
    assert {field: Path(name).suffix for field, name in found.items()} == {
        "vision": ".png",
        "candidates.0.vision": ".png",
        "candidates.0.audio": ".wav",
        "candidates.1.vision": ".png",
        "candidates.1.audio": ".wav",
    }
    shown = _with_hashes(task, {name: _hashed(tmp_path, name) for name in found.values()})
    hashes = [stored(small, data) for data, _ in files]
    for queue, kind, form in (("review", "review", task.form), ("annotate", "annotation", {"answer": "text"})):
        with small.database.writing() as connection:
            body = {"shows": shown.shows, "form": form, "guide": "Look."}
            put_tasks(connection, put_queue(connection, queue, kind, {}, None), [NewTask("one", "d", body)])
    reviewer, annotator = enter("reviewer"), enter("annotator")
    page = reviewer.client.get("/review/review").text
    for label in ("Candidates A: Vision", "Candidates B: Vision"):
        assert f'<figcaption class="name">{label}</figcaption>' in page and f'alt="{label}"' in page
    assert 'aria-label="Candidates A: Recording"' in page and 'aria-label="Candidates B: Recording"' in page
    assert '<ol type="A"><li>the 1th dog</li><li>the 2th dog</li></ol>' in page and "media/" not in page
    assert all(reviewer.client.get(f"/shown/1/{sha}").status_code == 200 for sha in hashes)
    page = annotator.client.get("/annotate/annotate").text
    assert 'alt="vision"' in page and 'alt="candidates A: vision"' in page and 'alt="candidates B: vision"' in page
    assert 'aria-label="candidates B: audio"' in page and "<li>the 2th dog</li>" in page and "media/" not in page
    assert all(annotator.client.get(f"/shown/2/{sha}").status_code == 200 for sha in hashes)
