"""The input of the recipe `mcs_bench`: the table of pictures, data sets in their released layouts, collected pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from triptych.construction.datasets import records
from triptych.construction.engine.context import Context
from triptych.construction.recipe import Start, without_file
from triptych.construction.record import Maker, Record
from triptych.construction.tables import RowFaults, content_of, read_table
from triptych.errors import DataError, MediaError, SpecError
from triptych.media.paths import resolve_inside

How = Literal["people", "model", "pages", "description", "converted"]
# Columns of the table that are not metadata for makers
COLUMNS = (
    "id",
    "image",
    "task",
    "question",
    "answer",
    "wrong",
    "text",
    "description",
    "pages",
    "licence",
    "author_died",
    "consent",
)
CHARACTERS = ("T28", "T29")  # tasks about a single oracle bone character
# What makers see of an entry of a data set, by its field
_SEEN = {
    "title": "书名",
    "author": "作者",
    "dynasty": "朝代",
    "collection": "出处",
    "label": "对应的现代汉字",
}
_PUNCTUATION = re.compile(r"[，。、；：？！“”‘’「」『』《》〈〉（）…—·,.;:?!\"'()\[\]]")


class TaskConfig(msgspec.Struct, forbid_unknown_fields=True):
    """How a task's questions are made: by `people` (in the table), by a `model` from the metadata and the accurate
    text, from collected `pages`, from a `description` (keywords, then expansion), or `converted` from existing data (as
    by people). `maker` is the role of the model in the table [models]; any name."""

    how: How = "people"
    examples: tuple[str, ...] = ()
    maker: str = "maker"


class SourceConfig(msgspec.Struct, forbid_unknown_fields=True):
    """A data set in its released layout: `name` (`triptych list datasets`), `folder`, and the `tasks` that it serves.

    `most`: greatest number of entries for each task, drawn by the seed, and spread over labels and books (0: all).
    `subsets` of M5HisDoc; `names` of the parts of HisDoc1B's annotation.
    """

    name: Literal["hisdoc1b", "m5hisdoc", "evobc", "hust_obc"]
    folder: str
    tasks: tuple[str, ...]
    most: int = 0
    subsets: tuple[str, ...] = ()
    names: dict[str, str] = {}


class Config(Protocol):
    """The part of the recipe's configuration that is read here."""

    @property
    def pictures(self) -> str:
        """The table of pictures."""

    @property
    def datasets(self) -> tuple[SourceConfig, ...]:
        """The data sets."""

    @property
    def tasks(self) -> dict[str, TaskConfig]:
        """How each task's questions are made."""


Row = Mapping[str, Any]


def start(config: Config, base: Path, context: Context, fixed: Mapping[str, Mapping[str, str]]) -> Iterator[Start]:
    """Yield the rows of the table and the entries of the data sets, each with the SHA-256 of its picture.

    `fixed`: fields of each task that are the same for all its questions.
    """
    if not config.pictures and not config.datasets:
        raise SpecError("no raw material is named", expected="pictures or [[datasets]]")
    faults = RowFaults()
    if config.pictures:
        path = base / config.pictures
        for number, row in enumerate(read_table(path, ["id", "image", "task"], faults=faults), 1):
            if not row:
                continue
            where = f"{path}, row {number}"
            maker = Maker("source", str(row.get("source") or config.pictures), f"row={number}")
            with faults.row():
                yield _started(config, row, where, maker, (f"picture:{row['image']}",), context, fixed)
    for dataset in config.datasets:
        if unknown := [task for task in dataset.tasks if task not in fixed]:
            raise SpecError("no such task", where="[[datasets]]", got=unknown[0], expected="T1 to T45")
        for task, record in _drawn(dataset, base, context):
            entry = _row(dataset, task, record)
            maker = Maker("source", dataset.name, record.id)
            sources = (f"picture:{entry['image']}", *record.sources)
            with faults.row():
                yield _started(config, entry, f"{dataset.name}, {record.id}", maker, sources, context, fixed)
    faults.check()


def _started(
    config: Config,
    row: Row,
    where: str,
    maker: Maker,
    sources: tuple[str, ...],
    context: Context,
    fixed: Mapping[str, Mapping[str, str]],
) -> Start:
    task = str(row["task"])
    if task not in fixed:
        raise DataError("unknown task", where=where, got=task, expected="T1 to T45")
    how = config.tasks.get(task, TaskConfig())
    by_hand = how.how in ("people", "converted")
    if by_hand and not _strip_spaces(row.get("answer")):
        fix = f'[tasks.{task}] how = "model", or name an answer'
        raise DataError(f"{task} is made by {how.how}, and the row has no answer", where=where, fix=fix)
    died, wrong = str(row.get("author_died") or ""), row.get("wrong")
    pages, unusable = [], None
    try:
        pages = _pages(context.base, row.get("pages"), where) if how.how == "pages" else []
    except MediaError as error:
        unusable = without_file(error)
    fields: dict[str, Any] = {
        "image_file": str(row["image"]),
        "task": task,
        **fixed[task],
        "metadata": {n: v for n, v in row.items() if n not in COLUMNS and v not in (None, "")} or {"资料": "无"},
        "examples": "\n".join(how.examples) or "无",
        "true_text": row.get("text") or None,
        "description": row.get("description") or None,
        "pages": [{"file": name, "text": text} for name, text in pages] or None,
        "licence": row.get("licence"),
        "consent": row.get("consent"),
        "author_died": int(died) if died.removeprefix("-").isdecimal() else None,
    }
    if by_hand:
        fields |= {
            "question": _strip_spaces(row.get("question") or ""),
            "answer": _strip_spaces(row["answer"]),
            "wrong": _strip_spaces(wrong.split("|") if isinstance(wrong, str) and wrong else wrong),
        }
    try:
        fields["image_sha256"] = context.sha256(row["image"])
    except MediaError as error:
        unusable = unusable or without_file(error)
    stated_fields = {name: value for name, value in fields.items() if value is not None}
    sources += tuple(f"page:{name}" for name, _ in pages)
    return Start(Record(str(row["id"]), stated_fields, sources), dict.fromkeys(stated_fields, maker), unusable)


def _strip_spaces(value: Any) -> Any:
    """Return a text, or the texts of a list, without spaces around them."""
    if isinstance(value, list | tuple):
        return [_strip_spaces(each) for each in value]
    return value.strip() if isinstance(value, str) else value


def _drawn(source_config: SourceConfig, base: Path, context: Context) -> Iterator[tuple[str, Record]]:
    """Yield (task, entry) for each task of a data set: all, or `most` of them, in rounds over labels or books."""
    options: dict[str, Any] = dict(source_config.names)
    if source_config.subsets:
        options["subsets"] = source_config.subsets
    rows = list(records(source_config.name, base / source_config.folder, **options))
    for task in source_config.tasks:
        usable = [record for record in rows if task not in CHARACTERS or record.fields.get("script") == "OBC"]
        if task not in CHARACTERS:
            usable = [record for record in usable if "script" not in record.fields]
        if not usable:
            what = "an oracle bone character" if task in CHARACTERS else "a page with text"
            raise DataError(
                f"{source_config.name} has no entry for {task}", where=base / source_config.folder, expected=what
            )
        yield from ((task, record) for record in _chosen(usable, source_config.most, context, source_config.name, task))


def _chosen(records: Sequence[Record], limit: int, context: Context, *what: str) -> list[Record]:
    if not limit or len(records) <= limit:
        return list(records)
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[str(record.fields.get("label") or record.fields.get("book") or record.sources[0])].append(record)
    for name, group in groups.items():
        context.random(*what, name).shuffle(group)
    order = sorted(groups)
    context.random(*what).shuffle(order)
    rounds = range(max(map(len, groups.values())))
    chosen = [groups[name][number] for number in rounds for name in order if number < len(groups[name])][:limit]
    return sorted(chosen, key=lambda record: record.id)


def _row(source_config: SourceConfig, task: str, record: Record) -> Row:
    """Return an entry of a data set as a row of the table."""
    values = record.fields
    seen = {name: values[field] for field, name in _SEEN.items() if values.get(field)}
    return {
        "id": f"{source_config.name}-{task}-{record.id}",
        "image": f"{source_config.folder.rstrip('/')}/{values['image_file']}",
        "task": task,
        "text": values["text"],
        "licence": values["licence"],
        **(seen if task != "T28" else {}),
        **converted(source_config.name, task, str(values["text"])),
    }


def converted(name: str, task: str, text: str) -> Mapping[str, str]:
    """Return the answer to a task that a data set's own text answers; nothing for the other tasks.

    HisDoc1B's text is punctuated, and its pages are not.

    >>> converted("hisdoc1b", "T1", "子曰：「學而時習之」"), converted("hisdoc1b", "T2", "子曰")
    ({'answer': '子曰學而時習之'}, {})
    """
    if task == "T3" and name == "hisdoc1b" and _PUNCTUATION.search(text):
        return {"answer": text.replace("\n", "")}
    if task == "T1":
        return {"answer": _PUNCTUATION.sub("", text) if name == "hisdoc1b" else text}
    return {"answer": text} if task == "T28" else {}


class _Text(HTMLParser):
    """Collects the text of a page's paragraphs, without scripts, styles, navigation and forms."""

    SKIPPED = ("script", "style", "nav", "header", "footer", "aside", "form", "noscript", "svg", "template", "button")
    BLOCKS = (
        "p",
        "div",
        "br",
        "li",
        "td",
        "th",
        "tr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "section",
        "article",
        "dd",
        "dt",
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.SKIPPED:
            self._skipped.append(tag)
        elif tag in self.BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipped:
            while self._skipped.pop() != tag:
                pass
        elif tag in self.BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.parts.append(re.sub(r"\s+", " ", data))


def page_text(content: str, *, html: bool) -> str:
    """Return the paragraphs of a page, one a line, each once.

    >>> page_text("<nav>首页</nav><p>此画作于<b>宋</b>代。</p><script>x()</script>", html=True)
    '此画作于宋代。'
    """
    if html:
        reader = _Text()
        reader.feed(content)
        reader.close()
        content = "".join(reader.parts)
    lines = (re.sub(r"[ \t\u3000]+", " ", line).strip() for line in content.splitlines())
    return "\n".join(dict.fromkeys(line for line in lines if line))


def _pages(base: Path, pages: Any, where: str) -> list[tuple[str, str]]:
    """Return name and text of each collected page of a row: HTML or text files, separated by `|` or as a list."""
    names = pages.split("|") if isinstance(pages, str) else list(pages or ())
    texts = []
    for name in (str(each).strip() for each in names if str(each).strip()):
        path = resolve_inside(base, name)
        texts.append((name, page_text(content_of(path, "page"), html=path.suffix.lower() in (".html", ".htm"))))
    if not texts:
        raise DataError("the row has no collected pages", where=where, expected="`pages`: files, separated by |")
    return texts
