"""Media: by number, under the data root, of the Part's own kind, in ranges; everything else is refused."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile
from starlette.testclient import TestClient

from tests.viewer.runs import HOSTILE_ID, RANDOM
from triptych.benchmarks import load_benchmark
from triptych.errors import MediaError
from triptych.media.payload import DataFolder
from triptych.records import Item, Part, media
from triptych.reports.html.links import item_key, run_path
from triptych.store.folder import RunFolder
from triptych.web.media import media_file, prepare_file


def address(run: str, item: str, number: int) -> str:
    return f"{run_path(run)}items/{item_key(item)}/media/{number}"


@pytest.fixture(scope="module")
def heard(root: Path) -> tuple[str, bytes]:
    """The address of a recording, and its bytes as they lie on disk."""
    items = RunFolder.open(root / "xmodbench" / "random").items()
    item = next(item for item in items if item.all_parts[1].kind == "audio")
    return address(RANDOM, item.id, 1), (load_benchmark("xmodbench").mini / item.all_parts[1].path).read_bytes()


def test_a_recording_whole(client: TestClient, heard: tuple[str, bytes]) -> None:
    answer = client.get(heard[0])
    assert answer.status_code == 200
    assert answer.content == heard[1]
    assert answer.headers["content-type"] == "audio/ogg"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("asked", "begin", "end"), [("bytes=0-99", 0, 100), ("bytes=100-", 100, None), ("bytes=-50", -50, None)]
)
def test_a_range_of_it(client: TestClient, heard: tuple[str, bytes], asked: str, begin: int, end: int | None) -> None:
    answer = client.get(heard[0], headers={"Range": asked})
    assert answer.status_code == 206
    assert answer.content == heard[1][begin:end]
    assert answer.headers["content-range"].endswith(f"/{len(heard[1])}")


def test_a_range_beyond_the_end(client: TestClient, heard: tuple[str, bytes]) -> None:
    assert client.get(heard[0], headers={"Range": f"bytes={len(heard[1])}-"}).status_code == 416


HOSTILE = {
    1: 200,
    2: 404,
    3: 404,
    4: 404,
    5: 404,
    6: 404,
    7: 200,
    0: 404,
    8: 404,
    9: 404,
    99: 404,
}


@pytest.mark.parametrize(("number", "status"), HOSTILE.items())
def test_only_what_is_a_picture_inside_the_data_is_shown(client: TestClient, number: int, status: int) -> None:
    """1 a picture; 2 an SVG; 3 a page called .png; 4 a link out; 5 and 6 paths out; 7 a picture with a hostile name."""
    answer = client.get(address("hostile", HOSTILE_ID, number))
    assert answer.status_code == status
    assert b"the secret" not in answer.content
    assert b"root:" not in answer.content
    assert answer.headers["content-type"] == ("image/jpeg" if status == 200 else "text/html; charset=utf-8")


@pytest.mark.parametrize(
    "name", ["../0", "%2e%2e/0", "1/../../../../etc/passwd", "good.jpg", "-1", "0x1", "%2fetc%2fpasswd"]
)
def test_no_address_names_a_file(client: TestClient, name: str) -> None:
    base = f"{run_path('hostile')}items/{item_key(HOSTILE_ID)}/media/"
    assert client.get(base + name).status_code in (404, 405)


@pytest.mark.parametrize("name", ["../app.py", "%2e%2e%2fapp.py", "viewer.css/../../app.py", "nothing.css"])
def test_static_files_are_a_table_of_names(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_no_data_folder(root: Path) -> None:
    item = Item("a", "t", (media("image", "x.png"),))
    with pytest.raises(MediaError, match="data folder was not found"):
        media_file(item, 0, None)


def test_a_folder_that_the_run_alone_names_gives_only_what_it_tells_the_hash_of(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(data := b"\x89PNG\r\n\x1a\n and more")
    theirs, digest = DataFolder(tmp_path, named=False), hashlib.sha256(data).hexdigest()
    for part, said in (
        (media("image", "a.png"), "no hash"),
        (Part("image", path="a.png", sha256="0" * 64), "have the hash"),
    ):
        with pytest.raises(MediaError, match=said):
            media_file(Item("a", "t", (part,)), 0, theirs)
        with pytest.raises(MediaError, match=said):
            theirs.reader().load(part)
    part = Part("image", path="a.png", sha256=digest)
    assert media_file(Item("a", "t", (part,)), 0, theirs)[1] == tmp_path / "a.png"
    assert theirs.reader().load(part).data == data
    assert media_file(Item("a", "t", (media("image", "a.png"),)), 0, DataFolder(tmp_path))


def test_the_outline_of_a_recording(client: TestClient, heard: tuple[str, bytes]) -> None:
    told = client.get(heard[0] + "/wave").json()
    with soundfile.SoundFile(io.BytesIO(heard[1])) as sound:
        assert told["seconds"] == pytest.approx(sound.frames / sound.samplerate)
    assert client.get(address("hostile", HOSTILE_ID, 1) + "/wave").status_code == 404
    assert client.get(address("hostile", HOSTILE_ID, 4) + "/wave").json() == {
        "problem": "a symbolic link leads out of the data folder"
    }


def test_what_a_condition_made_is_what_is_played(tmp_path: Path, cache: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.full(1600, 0.25), 16000)
    part = Part("audio", path="a.wav", transform="silence")
    item = Item("a", "t", (part,))
    _, path, mime = prepare_file(*media_file(item, 0, DataFolder(tmp_path)), DataFolder(tmp_path))
    samples, rate = soundfile.read(io.BytesIO(path.read_bytes()))
    assert path != tmp_path / "a.wav"
    assert mime == "audio/wav"
    assert not samples.any()
    assert len(samples) / rate == pytest.approx(0.1)
    assert (
        prepare_file(msgspec.structs.replace(part, transform=""), tmp_path / "a.wav", "audio/wav", None)[1].parent
        == tmp_path
    )
