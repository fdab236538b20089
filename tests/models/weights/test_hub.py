"""Tests of `models/weights/hub.py`: one file from the Hub, whatever the connection does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.weights.test_resolver import DIGEST, HUB_PATH, WHOLE, Shelf
from triptych.models.weights.hub import download
from triptych.models.weights.sets import SourceFailed, Unreachable, Wanted, WeightsFile, WeightsSet


def wanted(tmp_path: Path, said: list[str] | None = None, *, hub: str = "someone/something", path: str = "") -> Wanted:
    file = WeightsFile("model.bin", len(WHOLE), DIGEST, hub_path=path)
    owner = WeightsSet("a tiny set", "CC0-1.0", (file,), hub=hub, revision="abc123")
    return Wanted(file, owner, tmp_path, ([] if said is None else said).append)


def test_the_file_and_what_is_said_of_it(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE
    said: list[str] = []
    download(wanted(tmp_path, said), tmp_path / "to")
    assert (tmp_path / "to").read_bytes() == WHOLE
    assert said[0] == f"fetching model.bin (0 MB) from {shelf.url}{HUB_PATH}" and said[-1] == "  model.bin 100%"


@pytest.mark.parametrize(
    ("path", "asked"), [("onnx/model.bin", "onnx/model.bin"), ("模型 1.bin", "%E6%A8%A1%E5%9E%8B%201.bin")]
)
def test_another_path_on_the_hub_is_quoted(path: str, asked: str, tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[f"/someone/something/resolve/abc123/{asked}"] = WHOLE
    download(wanted(tmp_path, path=path), tmp_path / "to")
    assert (tmp_path / "to").read_bytes() == WHOLE


def test_a_cut_connection_is_continued(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH], shelf.cut_after = WHOLE, 5000
    download(wanted(tmp_path), tmp_path / "to")
    assert (tmp_path / "to").read_bytes() == WHOLE
    assert [asked for _, asked in shelf.asked] == ["", "bytes=5000-"]


def test_a_complete_file_is_not_asked_for(tmp_path: Path, shelf: Shelf) -> None:
    (tmp_path / "to").write_bytes(WHOLE)
    download(wanted(tmp_path), tmp_path / "to")
    assert shelf.asked == []


@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_offline_asks_nobody(value: str, tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", value)
    with pytest.raises(SourceFailed, match="HF_HUB_OFFLINE is set"):
        download(wanted(tmp_path), tmp_path / "to")
    assert shelf.asked == []


def test_a_file_that_is_not_there_is_asked_for_once(tmp_path: Path, shelf: Shelf) -> None:
    with pytest.raises(SourceFailed, match=f"404(.|\n)*after 0 of {len(WHOLE)} bytes") as error:
        download(wanted(tmp_path), tmp_path / "to")
    assert not isinstance(error.value, Unreachable) and len(shelf.asked) == 1


def test_nobody_there_is_unreachable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9"):
        download(wanted(tmp_path), tmp_path / "to")


@pytest.mark.parametrize("address", ["file:///etc", "ftp://host", "huggingface.co"])
def test_an_endpoint_that_is_no_web_address_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", address)
    with pytest.raises(SourceFailed, match=f"HF_ENDPOINT is not a web address: {address}"):
        download(wanted(tmp_path), tmp_path / "to")


def test_a_set_without_repository_has_no_address(tmp_path: Path, shelf: Shelf) -> None:
    with pytest.raises(SourceFailed, match="no repository on the Hub"):
        download(wanted(tmp_path, hub=""), tmp_path / "to")
    assert shelf.asked == []
