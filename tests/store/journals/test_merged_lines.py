"""Lines of journals are copied as they are; of Items that several Runs have, one line stays."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.support.runs import MANIFEST, item
from triptych.errors import DataError
from triptych.records import Item, Part, Response
from triptych.store.folder import RunFolder
from triptych.store.journals import lines, merged_lines
from triptych.store.journals.merged_lines import item_lines, response_lines


def run(place: Path, items: list[Item], more: bytes = b"") -> RunFolder:
    folder = RunFolder.create(place, MANIFEST)
    with folder.writer() as writer:
        for one in items:
            writer.add_item(one)
            writer.add_response(Response(one.id, "", 0, "answered", "A"))
    with (place / "responses.jsonl").open("ab") as file:
        file.write(more)
    return folder


def with_media(number: int, sha256: str = "") -> Item:
    return msgspec.structs.replace(item(number), parts=(Part("audio", path="a.wav", sha256=sha256),))


def decoded(source: list[bytes]) -> list[Item]:
    return msgspec.json.Decoder(Item).decode_lines(b"".join(source))


@pytest.mark.parametrize("block", [60, 1 << 22])
def test_items_are_written_by_run_and_id_as_the_writer_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    monkeypatch.setattr(merged_lines, "ITEMS_IN_MEMORY", 2)
    first = run(tmp_path / "1", [with_media(3), item(1), with_media(5, "ab"), with_media(9)])
    second = run(tmp_path / "2", [with_media(3, "cd"), item(2), with_media(5), with_media(9), item(1)])
    found = decoded(list(item_lines([first, second])))
    wanted = RunFolder.create(tmp_path / "both", MANIFEST)
    with wanted.writer() as writer:
        for folder in (first, second):
            for one in folder.items():
                writer.add_item(one)
    assert found == msgspec.json.Decoder(Item).decode_lines((tmp_path / "both" / "items.jsonl").read_bytes())
    assert [one.id for one in found] == [one.id for one in (*first.items(), item(2), with_media(3))]


def test_responses_are_copied_to_the_byte_without_a_torn_last_line(tmp_path: Path) -> None:
    spaced = b'{"item": "00001", "condition":"","repeat":0, "status":"answered", "text":"\\u0041"}\n'
    first, second = run(tmp_path / "1", [item(1)], spaced + b'{"item":"000'), run(tmp_path / "2", [item(2)])
    own = (tmp_path / "1" / "responses.jsonl").read_bytes().rpartition(b"\n")[0] + b"\n"
    assert spaced in own
    assert b"".join(response_lines([first, second], {})) == own + (tmp_path / "2" / "responses.jsonl").read_bytes()


def test_a_corrupt_line_is_named(tmp_path: Path) -> None:
    folder = run(tmp_path / "1", [item(1)], b'{"item":7}\n')
    with pytest.raises(DataError, match=r"responses\.jsonl:2"):
        list(response_lines([folder], {}))
