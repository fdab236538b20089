"""ACL Anthology: papers whose talk was recorded, from the metadata of the repository acl-org/acl-anthology.

    data/xml/2023.acl.xml      a collection: volumes with their papers, `<video href="2023.acl-long.1.mp4"/>`
    2023.acl.xml               the files may also be in the folder itself

A video's `href` is a file name below https://aclanthology.org/, or an address. Videos whose `permission` is `false` are
left out. The Anthology's material is cc-by-4.0 from 2016 on, and cc-by-nc-sa-3.0 before. Nothing says who of the
authors speaks: `speaker` is the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element

from triptych.benchmarks.mcif.xml_files import parse
from triptych.construction.record import Record
from triptych.errors import DataError

SITE = "https://aclanthology.org/"
_OPEN_SINCE = 2016
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def records(folder: Path, volumes: tuple[str, ...] = ()) -> Iterator[Record]:
    """Yield a Record for each paper with a video, by file and position.

    `volumes`: ids such as `2023.acl-long`; all by default. Raises DataError for a folder without collections, a file
    that isn't XML, and a volume that isn't there.
    """
    root = folder / "data/xml" if (folder / "data/xml").is_dir() else folder
    paths = sorted(root.glob("*.xml")) if root.is_dir() else []
    if not paths:
        raise DataError("no collections of the ACL Anthology", where=folder, expected="data/xml/2023.acl.xml")
    wanted = {volume.rpartition("-")[0] for volume in volumes}
    seen = set[str]()
    for path in paths:
        if volumes and path.stem not in wanted:
            continue
        collection = parse(path)
        for volume in collection.iter("volume"):
            name = f"{collection.get('id', path.stem)}-{volume.get('id', '')}"
            seen.add(name)
            if not volumes or name in volumes:
                yield from _papers(volume, name)
    if lacking := sorted(set(volumes) - seen):
        raise DataError(
            "no such volume", where=root, got=lacking[0], expected=", ".join(sorted(seen)[:10]) or "2023.acl-long"
        )


def _papers(volume: Element, name: str) -> Iterator[Record]:
    meta = volume.find("meta")
    for paper in volume.iter("paper"):
        video = next((_video(each) for each in paper.iter("video") if each.get("permission") != "false"), "")
        people = [_person(author) for author in paper.findall("author")]
        if not video or not people:
            continue
        year = _text(paper, "year") or (_text(meta, "year") if meta is not None else "")
        month = _text(paper, "month") or (_text(meta, "month") if meta is not None else "")
        licence = "cc-by-4.0" if year.isdecimal() and int(year) >= _OPEN_SINCE else "cc-by-nc-sa-3.0"
        url = video if "://" in video else SITE + video
        fields = {
            "dataset": "acl_anthology",
            "title": _text(paper, "title"),
            "text": _text(paper, "abstract"),
            "speaker": people[0],
            "authors": people,
            "date": _date(year, month),
            "licence": licence,
            "video_url": url,
            "video_name": PurePosixPath(video.partition("?")[0]).name,
        }
        id = f"{name}.{paper.get('id', '')}"
        yield Record(id, {key: value for key, value in fields.items() if value}, (f"acl_anthology:{id}",))


def _video(video: Element) -> str:
    return (video.get("href") or "").strip()


def _person(author: Element) -> str:
    return " ".join(filter(None, (_text(author, "first"), _text(author, "last"))))


def _text(element: Element | None, name: str) -> str:
    """Return the text of a child, with that of its markup (`<fixed-case>`, `<i>`, `<tex-math>`), on one line."""
    child = None if element is None else element.find(name)
    return re.sub(r"\s+", " ", "".join(child.itertext())).strip() if child is not None else ""


def _date(year: str, month: str) -> str:
    """Return `2023-07`, or the year if the month isn't a name.

    >>> _date("2023", "July"), _date("2023", "")
    ('2023-07', '2023')
    """
    number = _MONTHS.index(month[:3].lower()) + 1 if month[:3].lower() in _MONTHS else 0
    return f"{year}-{number:02}" if number and year else year
