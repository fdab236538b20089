"""Tests of `models/gemini/files.py`: large media are uploaded once, waited for, shared and deleted."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.models.gemini.test_adapter import FILM, adapter, ask, plain, request
from tests.support.wire import Answer, Seen, Wire, fixture
from triptych.errors import ProviderError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.gemini import files as gemini_files
from triptych.models.gemini.adapter import GeminiAdapter
from triptych.models.gemini.content import Media
from triptych.models.gemini.files import Uploads
from triptych.records import Request, media, text


class Files:
    """The Files API: start, upload, ask until it is ready, delete."""

    def __init__(self, processing: int = 1, states: tuple[str, ...] = ("ACTIVE",)) -> None:
        self.uploaded: list[bytes] = []
        self.deleted: list[str] = []
        self.processing, self.states, self.asked = processing, states, 0
        self.refuse_once = False

    def __call__(self, seen: Seen) -> Answer:
        if seen.headers.get("x-goog-upload-command") == "start":
            assert seen.headers["x-goog-upload-protocol"] == "resumable"
            where = f"http://{seen.headers['host']}/upload/v1beta/files?upload_id=7"
            return Answer(body=b"{}", headers={"X-Goog-Upload-URL": where})
        if "upload_id=7" in seen.path:
            assert seen.headers["x-goog-upload-command"] == "upload, finalize"
            self.uploaded.append(seen.body)
            return Answer(body=self.file("PROCESSING", whole=True), headers={"X-Goog-Upload-Status": "final"})
        if seen.method == "GET":
            self.asked += 1
            return Answer(body=self.file("PROCESSING" if self.asked <= self.processing else self.states[-1]))
        if seen.method == "DELETE":
            self.deleted.append(seen.path)
            return Answer()
        if self.refuse_once and len(self.uploaded) == 1:
            return fixture("gemini/error_file", 403)
        return fixture("gemini/answer")

    def file(self, state: str, whole: bool = False) -> bytes:
        told: dict[str, Any] = {
            "name": f"files/abc-{len(self.uploaded)}",
            "mimeType": "video/mp4",
            "state": state,
            "uri": f"https://generativelanguage.googleapis.com/v1beta/files/abc-{len(self.uploaded)}",
        }
        if state == "FAILED":
            told["error"] = {"code": 3, "message": "unsupported codec"}
        return json.dumps({"file": told} if whole else told).encode()


def film(**more: Any) -> Request:
    return request(media("video", "c.mp4"), media("image", "b.jpg"), text("?"), **more)


def test_a_large_file_is_uploaded_once_waited_for_named_and_deleted(root: Path) -> None:
    files = Files()
    with Wire(files) as wire:
        replies = ask(adapter(wire, inline_mb="0.001"), film(), film(), root=root)
    assert [reply.text for reply in replies] == ["B", "B"]
    assert files.uploaded == [FILM] and files.asked == 2 and len(files.deleted) == 1
    for seen in (s for s in wire.seen if ":generateContent" in s.path):
        where, picture, _ = plain(seen.json)["contents"][0]["parts"]
        assert where["fileData"]["fileUri"].endswith("files/abc-1") and where["fileData"]["mimeType"] == "video/mp4"
        assert "inlineData" in picture  # it fits in
    with Wire(again := Files()) as wire:
        ask(adapter(wire, inline_mb="0.001", keep_files="true"), film(), root=root)
    assert not again.deleted


def test_a_file_that_the_service_has_lost_is_uploaded_again(root: Path) -> None:
    files = Files(processing=0)
    files.refuse_once = True

    async def twice(asked: GeminiAdapter) -> Reply:
        await asked.open()
        prepared = await asked.prepare(film(), MediaReader(root))
        with pytest.raises(ProviderError) as caught:
            await asked.respond(film(), prepared)
        assert caught.value.retryable and not caught.value.fatal
        reply = await asked.respond(film(), prepared)
        await asked.close()
        return reply

    with Wire(files) as wire:
        assert asyncio.run(twice(adapter(wire, inline_mb="0.001"))).text == "B"
    assert len(files.uploaded) == 2


def test_a_film_that_cannot_be_processed_is_its_requests_fault_alone(root: Path) -> None:
    with Wire(Files(states=("FAILED",))) as wire, pytest.raises(ProviderError, match="unsupported codec") as caught:
        ask(adapter(wire, inline_mb="0.001"), film(), root=root)
    assert (caught.value.kind, caught.value.retryable, caught.value.fatal) == ("media", False, False)


class Shelf:
    """The part of the SDK that keeps files, with a pause in each call in which others can come in between."""

    def __init__(self, *, broken: int = 0, undeletable: str = "") -> None:
        self.uploads: list[tuple[Any, dict[str, str]]] = []
        self.deleted: list[str] = []
        self.broken, self.undeletable = broken, undeletable

    async def upload(self, *, file: Any, config: dict[str, str]) -> Any:
        await asyncio.sleep(0.001)
        self.uploads.append((file, config))
        if len(self.uploads) <= self.broken:
            raise ConnectionResetError("broken")
        name = f"files/{len(self.uploads)}"
        return SimpleNamespace(name=name, uri=f"https://host/{name}", state=SimpleNamespace(value="ACTIVE"), error=None)

    async def delete(self, *, name: str) -> None:
        await asyncio.sleep(0.001)
        if name == self.undeletable:
            raise PermissionError(name)
        self.deleted.append(name)


def a_media(name: str, data: bytes | None = b"film") -> Media:
    return Media(name * 64, "video/mp4", 4, data, Path(f"/data/{name}.mp4"))


def test_requests_at_once_share_one_upload() -> None:
    async def both(shelf: Shelf) -> list[dict[str, str]]:
        uploads = Uploads(shelf)
        return list(await asyncio.gather(*(uploads.ensure_uploaded([a_media("a"), a_media("b")]) for _ in range(5))))

    shelf = Shelf()
    addresses = asyncio.run(both(shelf))
    assert len(shelf.uploads) == 2 and all(one == addresses[0] for one in addresses)
    assert sorted(addresses[0].values()) == ["https://host/files/1", "https://host/files/2"]


def test_who_gives_up_does_not_end_the_upload_of_the_others() -> None:
    async def impatient(shelf: Shelf) -> dict[str, str]:
        uploads = Uploads(shelf)
        first = asyncio.create_task(uploads.ensure_uploaded([a_media("a")]))
        await asyncio.sleep(0)
        second = asyncio.create_task(uploads.ensure_uploaded([a_media("a")]))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    shelf = Shelf()
    assert list(asyncio.run(impatient(shelf)).values()) == ["https://host/files/1"] and len(shelf.uploads) == 1


def test_a_broken_upload_is_made_again_by_who_needs_it_next() -> None:
    async def twice(shelf: Shelf) -> dict[str, str]:
        uploads = Uploads(shelf)
        with pytest.raises(ConnectionResetError):
            await uploads.ensure_uploaded([a_media("a")])
        return await uploads.ensure_uploaded([a_media("a")])

    assert list(asyncio.run(twice(Shelf(broken=1))).values()) == ["https://host/files/2"]


def test_a_file_that_the_service_will_have_deleted_is_uploaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps files for 48 hours."""
    hours = iter([0, 39, 41, 47])
    monkeypatch.setattr(gemini_files, "time", SimpleNamespace(monotonic=lambda: next(hours) * 3600.0))

    async def session(shelf: Shelf) -> list[str]:
        uploads = Uploads(shelf)
        return [next(iter((await uploads.ensure_uploaded([a_media("a")])).values())) for _ in range(3)]

    addresses = asyncio.run(session(Shelf()))
    assert addresses == ["https://host/files/1", "https://host/files/1", "https://host/files/2"]


def test_all_files_are_deleted_also_after_one_that_can_not_be() -> None:
    async def session(shelf: Shelf) -> None:
        uploads = Uploads(shelf)
        await uploads.ensure_uploaded([a_media("a"), a_media("b"), a_media("c")])
        await uploads.delete_all()
        await uploads.delete_all()

    shelf = Shelf(undeletable="files/2")
    asyncio.run(session(shelf))
    assert sorted(shelf.deleted) == ["files/1", "files/3"]


def test_media_on_disk_go_by_path_and_converted_ones_by_their_bytes() -> None:
    shelf = Shelf()
    asyncio.run(Uploads(shelf).ensure_uploaded([a_media("a", None), a_media("b", b"converted")]))
    (path, about), (stream, _) = shelf.uploads
    assert path == str(Path("/data/a.mp4")) and stream.read() == b"converted"
    assert about == {"mime_type": "video/mp4", "display_name": "a" * 16}, "no name of a local file is sent"
