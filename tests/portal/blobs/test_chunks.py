"""Large files in chunks: resumed after a cut, joined whole or not at all, and nothing hostile gets through."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.portal.serving import served
from triptych.errors import DataError
from triptych.portal.blobs import chunks
from triptych.portal.blobs.chunks import Chunks, forget_abandoned
from triptych.portal.exchange import remote
from triptych.portal.exchange.remote import TOKEN, Remote
from triptych.portal.project import Portal
from triptych.portal.work.tokens import add_token

WHOLE = random.Random(1).randbytes(3500)
NAME = sha256(WHOLE).hexdigest()
PARTS = [WHOLE[begin : begin + 1000] for begin in range(0, 3500, 1000)]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a thousand bytes."""
    monkeypatch.setattr(chunks, "CHUNK", 1000)
    monkeypatch.setattr(remote, "CHUNK", 1000)


@pytest.fixture
def end(small: Portal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Remote]:
    with small.database.writing() as connection:
        monkeypatch.setenv(TOKEN, add_token(connection, "recipe"))
    with served(small) as address:
        yield Remote(address)


def add(portal: Portal, number: int, data: bytes, name: str = NAME, announced: str = "") -> None:
    with portal.blobs.incoming_file() as path:
        path.write_bytes(data)
        Chunks(portal.blobs, name).add(path, number, announced or sha256(data).hexdigest())


def content(portal: Portal) -> bytes:
    with portal.blobs.open_file(NAME) as file:
        return bytes(file.read())


def test_a_large_file_is_sent_in_chunks_once(end: Remote, small: Portal, tmp_path: Path) -> None:
    source = tmp_path / "film"
    source.write_bytes(WHOLE)
    end.put_medium(source, NAME, len(WHOLE))
    assert content(small) == WHOLE and not list((small.path / "incoming").iterdir())
    source.unlink()
    end.put_medium(source, NAME, len(WHOLE))  # it is stored: nothing is read or sent


def test_after_a_cut_only_the_missing_chunks_are_sent(
    end: Remote, small: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sent = tmp_path / "film", []
    source.write_bytes(WHOLE)
    real, cuts = end._open, iter([2, 1])

    def cut(method: str, path: str, *given: object) -> object:
        if method == "PUT":
            sent.append(path.rpartition("/")[2])
            if next(cuts, 0):
                raise DataError("the portal doesn't answer")
        return real(method, path, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(end, "_open", cut)
    monkeypatch.setattr(remote, "TRIES", 1)
    add(small, 1, PARTS[1])
    for _ in range(2):
        with pytest.raises(DataError, match="doesn't answer"):
            end.put_medium(source, NAME, len(WHOLE))
    end.put_medium(source, NAME, len(WHOLE))
    assert sent == ["0", "0", "0", "2", "3"] and content(small) == WHOLE


def test_chunks_may_come_in_any_order_and_twice(small: Portal) -> None:
    for number in (3, 1, 0, 1, 2):
        add(small, number, PARTS[number])
    assert Chunks(small.blobs, NAME).join(4) == len(WHOLE)
    assert content(small) == WHOLE
    with pytest.raises(DataError, match="not complete"):
        Chunks(small.blobs, NAME).join(4)  # joined already


@pytest.mark.parametrize("number", [0, -1, 3, 5, 10**9])
def test_a_file_with_a_missing_chunk_is_not_joined(small: Portal, number: int) -> None:
    for n in (0, 1, 3):
        add(small, n, PARTS[n])
    with pytest.raises(DataError, match="not complete"):
        Chunks(small.blobs, NAME).join(number)
    assert sorted(Chunks(small.blobs, NAME).received_chunks()) == [0, 1, 3]


def test_a_whole_of_another_hash_is_not_stored(small: Portal) -> None:
    for n, part in enumerate((PARTS[1], PARTS[0])):
        add(small, n, part)
    with pytest.raises(DataError, match="announced"):
        Chunks(small.blobs, NAME).join(2)
    assert not list((small.path / "incoming").iterdir()) and not (small.path / "media").exists()


@pytest.mark.parametrize(
    ("number", "data", "announced"),
    [
        (-1, b"x", ""),
        (chunks.MAX_CHUNKS, b"x", ""),
        (0, b"", ""),
        (0, bytes(1001), ""),
        (0, b"x", "0" * 64),
        (0, b"x", "../../x"),
        (0, b"x", ""),
    ],
)
def test_hostile_chunks_are_refused(small: Portal, number: int, data: bytes, announced: str) -> None:
    add(small, 0, PARTS[0])
    with pytest.raises(DataError):
        add(small, number, data, announced=announced)
    assert list(Chunks(small.blobs, NAME).received_chunks()) == [0]


@pytest.mark.parametrize("name", ["", "..", "../" * 20 + "x", NAME.upper(), NAME + "/"])
def test_a_file_is_named_by_its_hash_alone(small: Portal, name: str) -> None:
    with pytest.raises(DataError, match="SHA-256"):
        Chunks(small.blobs, name)


def test_what_nobody_goes_on_with_is_deleted(small: Portal) -> None:
    add(small, 0, PARTS[0])
    assert forget_abandoned(small.blobs) == 0
    os.utime(Chunks(small.blobs, NAME).folder, (1, 1))
    assert forget_abandoned(small.blobs) == 1 and Chunks(small.blobs, NAME).received_chunks() == {}
