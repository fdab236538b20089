"""Media by their SHA-256, in a folder and in S3 (moto): whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from triptych.errors import DataError, MediaError, SpecError
from triptych.portal.blobs.store import Blobs, open_place

CONTENT = b"RIFF" + bytes(range(200))
NAME = sha256(CONTENT).hexdigest()


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """An S3 service on this computer, with a bucket."""
    server = pytest.importorskip("moto.server", reason="moto is not installed (pip install 'moto[s3,server]')")
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "AWS_REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**keys, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
            patch.setenv(name, value)
        boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="portal")
        yield "s3://portal/project"
    running.stop()


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.slow)])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    where = request.getfixturevalue("s3") if request.param == "s3" else "media"
    made = Blobs(open_place(where, tmp_path), tmp_path / "incoming")
    made.erase(NAME)
    return made


def put(blobs: Blobs, content: bytes = CONTENT, name: str = NAME) -> None:
    with blobs.incoming_file() as path:
        path.write_bytes(content)
        blobs.put(path, name)


def test_what_was_put_is_there_once(blobs: Blobs, tmp_path: Path) -> None:
    for _ in range(2):
        put(blobs)
    with blobs.open_file(NAME) as file, blobs.local(NAME) as path:
        assert file.read() == path.read_bytes() == CONTENT
    with blobs.local(NAME) as again:
        assert again.read_bytes() == CONTENT
    blobs.erase(NAME)
    for _ in range(2):
        with pytest.raises(MediaError, match="missing"), blobs.open_file(NAME):
            pass
        with pytest.raises(MediaError, match="missing"), blobs.local(NAME):
            pass
        blobs.erase(NAME)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_another_content_than_the_announced_one_is_not_stored(blobs: Blobs, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="announced"):
        put(blobs, CONTENT[:-1])
    with pytest.raises(MediaError), blobs.open_file(NAME):
        pass
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_half_a_file_of_a_crash_is_replaced(tmp_path: Path) -> None:
    blobs = Blobs(open_place("media", tmp_path), tmp_path / "incoming")
    half = tmp_path / "media" / NAME[:2] / NAME
    half.parent.mkdir(parents=True)
    half.write_bytes(CONTENT[:10])
    put(blobs)
    assert half.read_bytes() == CONTENT


@pytest.mark.parametrize("name", ["", "../../etc/passwd", NAME.upper(), NAME + "/x", "x" * 64])
def test_a_name_that_is_not_a_hash_is_refused(tmp_path: Path, name: str) -> None:
    blobs = Blobs(open_place("media", tmp_path), tmp_path / "incoming")
    with pytest.raises(DataError, match="SHA-256"), blobs.open_file(name):
        pass
    with pytest.raises(DataError, match="SHA-256"):
        put(blobs, name=name)


def test_a_bucket_needs_a_name(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="bucket"):
        open_place("s3:///prefix", tmp_path)
