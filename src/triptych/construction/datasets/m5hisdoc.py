"""M5HisDoc: pages of Chinese historical documents with their text lines, in reading order.

    M5HisDoc_regular/images/NAME.jpg           pages, clean; M5HisDoc_hard/ has the same rotated, bent and blurred
    M5HisDoc_regular/label_textline/NAME.txt   a line of text per line, in reading order: coordinates and the text
    M5HisDoc_regular/label_char/NAME.txt       not read: x1,y1,x2,y2,character
    split_train.txt, split_val.txt, split_test.txt     names of pages, if they are there

The folder may also contain a folder M5HisDoc. A text line has 4 or 8 coordinates, before the text or after it, with
commas, spaces or tabs between them; the repository doesn't say which. `licence` is cc-by-nc-nd-4.0, as its README
states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import PICTURES, media_files
from triptych.construction.record import Record
from triptych.construction.tables import content_of
from triptych.errors import DataError

SUBSETS = ("regular", "hard")
SPLITS = ("train", "val", "test")
_NUMBERS = r"-?\d+(?:\.\d+)?"
_GAP = r"\s*[,\t ]\s*"
_BEFORE = re.compile(rf"((?:{_NUMBERS}{_GAP}){{8}}|(?:{_NUMBERS}{_GAP}){{4}})(\S.*)")
_AFTER = re.compile(rf"(\S.*?)((?:{_GAP}{_NUMBERS}){{8}}|(?:{_GAP}{_NUMBERS}){{4}})")


def records(folder: Path, subsets: tuple[str, ...] = SUBSETS) -> Iterator[Record]:
    """Yield a Record for each page that has text, by subset and name; `text` has the lines in reading order.

    Raises DataError for a page whose text or picture is missing, and for a line without coordinates and text.
    """
    root = folder / "M5HisDoc" if (folder / "M5HisDoc").is_dir() else folder
    splits = {name: split for split in SPLITS for name in _names(root / f"split_{split}.txt")}
    there = [subset for subset in subsets if (root / f"M5HisDoc_{subset}").is_dir()]
    if not there:
        raise DataError("no pages of M5HisDoc", where=folder, expected=" or ".join(f"M5HisDoc_{s}" for s in subsets))
    for subset in there:
        location = root / f"M5HisDoc_{subset}"
        labels = {path.stem: path for path in sorted((location / "label_textline").glob("*.txt"))}
        pictures = media_files(location / "images", PICTURES)
        if lacking := sorted(labels.keys() ^ pictures.keys()):
            what = "label_textline" if lacking[0] in pictures else "images"
            raise DataError(
                "a page has only one of picture and text", where=location, got=f"no {lacking[0]} in {what}/"
            )
        for name, path in labels.items():
            lines = list(text_lines(path))
            yield Record(
                f"{subset}/{name}",
                {
                    "dataset": "m5hisdoc",
                    "text": "\n".join(lines),
                    "lines": len(lines),
                    "subset": subset,
                    "split": splits.get(name),
                    "licence": "cc-by-nc-nd-4.0",
                    "image_file": (location / "images" / pictures[name]).relative_to(folder).as_posix(),
                },
                (f"m5hisdoc:{name}",),  # both subsets show the same page
            )


def text_lines(path: Path) -> Iterator[str]:
    """Yield the text of each line of a label file. Raises DataError for a line without coordinates and text."""
    for number, line in enumerate(content_of(path, "label").splitlines(), 1):
        if not line.strip():
            continue
        before = _BEFORE.fullmatch(line.strip())
        after = None if before else _AFTER.fullmatch(line.strip())
        if not before and not after:
            raise DataError(
                "a text line isn't coordinates and text",
                where=f"{path}, line {number}",
                got=line[:80],
                expected="x1,y1,x2,y2,TEXT with 4 or 8 coordinates",
            )
        yield (before[2] if before else after[1] if after else "").strip()


def _names(path: Path) -> list[str]:
    if not path.is_file():
        return []
    return [Path(line.strip()).stem for line in content_of(path, "list").splitlines() if line.strip()]
