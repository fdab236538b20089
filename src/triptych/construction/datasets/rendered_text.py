"""RenderedText: handwriting on paper, rendered, with every line of text (wendlerc/RenderedText on the Hub).

    000044/KEY.json, 000044/KEY.png       a folder for each shard 000044.tar, unpacked; also below remaining
    KEY.json, KEY.png                     or the files of all shards together; pictures may be JPEG as well

The shards are tar files of pairs with the same name: unpack each into a folder of its own. A JSON file has
`ocr_annotation` with `text`, the lines, and `bounding_boxes`, the corners of each line in pixels. `text` of a record
is the lines with a space between them, `lines` and `boxes` are those of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from triptych.construction.datasets._files import json_of, media_paths
from triptych.construction.record import Record
from triptych.errors import DataError

PICTURES = (".png", ".jpg", ".jpeg")


class Annotation(msgspec.Struct):
    """The lines of a picture, and four corners for each."""

    text: list[str]
    bounding_boxes: list[list[list[float]]] = []


class Rendered(msgspec.Struct):
    """A JSON file of a shard."""

    ocr_annotation: Annotation


def records(folder: Path) -> Iterator[Record]:
    """Yield the pictures that have a JSON file, by path. Raises DataError if a file is malformed or has no text."""
    names = media_paths(folder, (".json",)) if folder.is_dir() else []
    if not names:
        packed = folder.is_dir() and (any(folder.glob("*.tar")) or any(folder.glob("remaining/*.tar")))
        fix = "for f in *.tar; do mkdir ${f%.tar} && tar -xf $f -C ${f%.tar}; done" if packed else None
        raise DataError(
            "no unpacked shards of RenderedText" if packed else "no shards of RenderedText",
            where=folder,
            expected="000000/KEY.json and 000000/KEY.png",
            fix=fix,
        )
    pictures = {name.rpartition(".")[0]: name for name in media_paths(folder, PICTURES)}
    for name in names:
        key = name.removesuffix(".json")
        annotations = json_of(folder / name, Rendered).ocr_annotation
        lines = [line.strip() for line in annotations.text if line.strip()]
        if not lines:
            raise DataError("a picture has no text", where=folder / name, expected="`text` of `ocr_annotation`")
        fields = {
            "dataset": "rendered_text",
            "text": " ".join(lines),
            "lines": annotations.text,
            "boxes": annotations.bounding_boxes,
            "licence": "LicenseRef-RenderedText",
            "image_file": pictures.get(key),
        }
        yield Record(key, fields, (f"rendered_text:{key}",))
