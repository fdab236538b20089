"""Which column is what: recognised by names and content, or stated by the user (`--map`, `benchmark.toml`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from triptych.benchmarks._questions import media_cells
from triptych.benchmarks._questions.cells import EMBEDDED, flat, is_empty, parse_cell, words
from triptych.benchmarks._questions.media_cells import Folder, files_in_cell
from triptych.benchmarks._questions.rows import Row, columns_of
from triptych.errors import SpecError, nearest

AnswerForm = Literal["", "letter", "text", "index0", "index1", "letters", "texts"]
Open = Literal["", "number", "text", "rating", "span", "judged"]
SEPARATOR = "\x1f"  # between the columns of a list in a file, since their names can have commas
ROW = ""  # in place of a column of ids: the number of the row


class Columns(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The mapping of a question file.

    `options`: one column with all options, or one for each. `answer_is`: how the answers of questions with options are
    read (`answers.WAYS`); `open_is`: what the answers of others are (number, text, rating, span of time, or what a
    judge compares with). `facets`: columns by which results can be grouped; `category`: the one by which tables split
    them. `instance`: a column whose rows of equal value ask the same in several forms. `messages`: a column of OpenAI
    messages, in place of question and media. `rubric`: a column with the criteria by which a judge decides.

    `start`, `end`: columns with the seconds at which the part of the row's recordings and films begins and ends;
    `span`: one column with both. Without them whole files are sent.

    Not columns: `ask`, the question of every row if no column has one; `scale` of ratings (`1-5`); `sheet` of an XLSX
    file; `file`, `config` and `split` of a folder.
    """

    id: str = ROW
    question: str = ""
    messages: str = ""
    context: str = ""
    options: tuple[str, ...] = ()
    answer: str = ""
    answer_is: AnswerForm = ""
    open_is: Open = ""
    media: tuple[str, ...] = ()
    start: str = ""
    end: str = ""
    span: str = ""
    category: str = ""
    facets: tuple[str, ...] = ()
    instance: str = ""
    rubric: str = ""
    ask: str = ""
    scale: str = ""
    sheet: str = ""
    file: str = ""
    config: str = ""
    split: str = ""

    def used_columns(self) -> set[str]:
        """Return the columns that have a meaning."""
        single = (
            self.id,
            self.question,
            self.messages,
            self.context,
            self.answer,
            self.category,
            self.instance,
            self.rubric,
            self.start,
            self.end,
            self.span,
        )
        return {*single, *self.options, *self.media, *self.facets} - {""}


ROLES = Columns.__struct_fields__
_LISTS = ("options", "media", "facets")
SOURCE_ROLES = ("sheet", "file", "config", "split")  # which part of a file or folder is read
NO_COLUMNS = ("answer_is", "open_is", "ask", "scale", *SOURCE_ROLES)  # roles that are not columns
_QUESTIONS = ("question", "question_text", "query", "prompt", "instruction", "problem")
_ANSWERS = (
    "answer",
    "correct_option",
    "correct_option_letter",
    "correct_answer",
    "correct_choice",
    "answer_gt",
    "gt",
    "gold",
    "gold_answer",
    "ground_truth",
    "groundtruth",
    "answer_key",
    "answer_idx",
    "answer_index",
    "correct_idx",
    "answer_letter",
    "correct",
    "correct_index",
    "label",
    "target",
    "reference",
    "references",
    "expected_answer",
    "answers",
)
_LAST_ANSWERS = ("transcription", "transcript", "sentence", "rating", "mos")  # where no other column has an answer
_REPLIES = ("response", "output", "completion", "reply")  # of reference answers in some formats, of replies in others
_OPTIONS = ("options", "choices", "candidates", "choice", "option", "answer_choices", "candidate_answers")
_IDS = ("id", "qid", "question_id", "uniq_id", "uid", "item_id", "sample_id", "index", "idx", "question_idx")
_CONTEXTS = ("context", "passage")
_RUBRICS = ("rubric", "rubrics", "criteria", "grading_criteria", "scoring_rubric")
_CATEGORY = ("category", "task", "task_type", "task_name", "question_type", "type", "domain", "subject", "difficulty")
_GROUPS = {
    "category",
    "task",
    "type",
    "domain",
    "subject",
    "difficulty",
    "level",
    "class",
    "language",
    "split",
    "genre",
}
_OPTION_LETTERS = "abcdefghij"
_ONE_OPTION = re.compile(r"(?:(?:choice|option|opt)_?)?([a-j])|(?:choice|option|opt)_?([1-9]|10)")
_A_MEDIUM = re.compile(r"(?:original_)?(audio|image|img|video|wav|sound|clip|picture)_?(id|name|file|path|filename)?")
_A_SPAN = {"start_time", "end_time", "split_point", "query_interval", "segment_timestamp", "start", "end", "timestamp"}


def recognise(rows: Sequence[Row], folder: Folder, stated: Mapping[str, str]) -> Columns:
    """Return the mapping of the rows' columns. Raises SpecError, with the readings and the way out, if it is ambiguous.

    `stated`: what the user says, by role; it is never questioned.
    """
    columns = columns_of(rows)
    roles = _stated_roles(stated, columns)
    taken = {one for role, value in roles.items() if role not in NO_COLUMNS for one in _names(value)}
    left = [name for name in columns if name not in taken]
    columns_by_role: dict[str, Any] = {"messages": _first(left, ("messages", "conversations"))} | roles
    if not columns_by_role["messages"] and not columns_by_role.get("ask") and "question" not in columns_by_role:
        columns_by_role["question"] = _only_column("question", left, _QUESTIONS, rows)
    columns_by_role.setdefault("id", _first(left, _IDS))
    columns_by_role.setdefault("context", _first(left, _CONTEXTS))
    columns_by_role.setdefault("rubric", _first(left, _RUBRICS))
    if "options" not in columns_by_role:
        columns_by_role["options"] = _option_columns(left, rows)
    if "answer" not in columns_by_role:
        taken = {one for role, value in columns_by_role.items() if role not in NO_COLUMNS for one in _names(value)}
        none = bool(columns_by_role["messages"] or columns_by_role["rubric"])
        columns_by_role["answer"] = _answer([name for name in left if name not in taken], rows, none)
    taken = {one for role, value in columns_by_role.items() if role not in NO_COLUMNS for one in _names(value)} - {
        columns_by_role["id"]
    }
    left = [name for name in columns if name not in taken]
    if "media" not in columns_by_role:
        columns_by_role["media"] = _media(left, rows, folder)
    left = [name for name in left if name not in columns_by_role["media"] and name != columns_by_role["id"]]
    columns_by_role.setdefault("category", _first([name for name in left if _groups(name, rows)], _CATEGORY))
    columns_by_role.setdefault(
        "facets", tuple(name for name in left if name != columns_by_role["category"] and _groups(name, rows))
    )
    return msgspec.convert(columns_by_role, Columns)


def spans(columns: Iterable[str]) -> list[str]:
    """Return the columns that seem to say which part of a recording is meant; whole files are sent."""
    return [name for name in columns if flat(name) in _A_SPAN]


def span_fix(columns: Sequence[str]) -> str:
    """Return the options that cut the files at what these columns say."""
    roles = {"start_time": "start", "start": "start", "end_time": "end", "end": "end", "split_point": "end"}
    return " ".join(f"--map {roles.get(flat(name), 'span')}={name}" for name in columns)


def _stated_roles(stated: Mapping[str, str], columns: Sequence[str]) -> dict[str, Any]:
    """Return what the user says, by role. Raises SpecError for an unknown role, column or word."""
    columns_by_role: dict[str, Any] = {}
    for role, value in stated.items():
        if role not in ROLES:
            raise SpecError(f"a mapping has no {role!r}", where="--map", fix=nearest(role, ROLES))
        names = [value] if value in columns else _split(value)
        if role in NO_COLUMNS:
            try:
                msgspec.convert({role: value}, Columns)
            except msgspec.ValidationError as error:
                raise SpecError(f"{role} has no {value!r}", where="--map", got=str(error)) from None
        elif unknown := [name for name in names if name not in columns]:
            raise SpecError(
                f"there is no column {unknown[0]!r} for {role}", where="--map", fix=nearest(unknown[0], columns)
            )
        elif role not in _LISTS and len(names) > 1:
            raise SpecError(f"{role} is one column", where="--map", got=value)
        columns_by_role[role] = tuple(names) if role in _LISTS else value
    return columns_by_role


def _split(value: str) -> list[str]:
    """Return the columns that a role lists."""
    between = SEPARATOR if SEPARATOR in value else ","
    return [one.strip() for one in value.split(between) if one.strip()]


def _names(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,)


def _first(columns: Sequence[str], names: Sequence[str]) -> str:
    return next((column for name in names for column in columns if flat(column) == name), "")


def _only_column(role: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the only column of these names; several count as one if they say the same in every row."""
    hits = [
        column for column in columns if flat(column) in names and any(not is_empty(r.cells.get(column)) for r in rows)
    ]
    if not hits:
        raise SpecError(
            f"no column is recognised as the {role}",
            got=f"columns {', '.join(columns)[:300]}",
            expected=" or ".join(names[:4]),
            fix=f"--map {role}=COLUMN{_ask_hint(role)}, or `map.{role}` in benchmark.toml",
        )
    for other in hits[1:]:
        row = next((r for r in rows if r.cells.get(other) != r.cells.get(hits[0])), None)
        if row is not None:
            raise ambiguous(role, row, {name: row.cells.get(name) for name in (hits[0], other)})
    return hits[0]


def _ask_hint(role: str) -> str:
    return " or, if it is the same for every row, --map 'ask=What is heard?'" if role == "question" else ""


def ambiguous(role: str, row: Row, roles: Mapping[str, object]) -> SpecError:
    """Return the error for two columns that could both have a role: both readings, and the way out."""
    got = "; ".join(f"{name} = {str(value)[:80]!r}" for name, value in roles.items())
    ways = " or ".join(f"--map {role}={name}" for name in roles)
    return SpecError(
        f"{len(roles)} columns could be the {role}",
        where=row.where,
        got=got,
        fix=f"{ways} (or `map.{role}` in benchmark.toml)",
    )


def _option_columns(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the column of all options, or the columns of single ones in their order; empty if there are none."""
    single: dict[str, str] = {}
    for column in columns:
        if mark := _ONE_OPTION.fullmatch(flat(column)):
            single.setdefault(mark[1] or _OPTION_LETTERS[int(mark[2]) - 1], column)
    together = [column for column in columns if flat(column) in _OPTIONS and _any_filled(column, rows)]
    run = [letter for n, letter in enumerate(_OPTION_LETTERS) if set(_OPTION_LETTERS[: n + 1]) <= single.keys()]
    if len(run) >= 2 and not together:
        return tuple(single[letter] for letter in run)
    if len(together) > 1 or (together and len(run) >= 2):
        other = together[1] if len(together) > 1 else single["a"]
        raise ambiguous("options", rows[0], {name: rows[0].cells.get(name) for name in (together[0], other)})
    return tuple(together)


def _any_filled(column: str, rows: Iterable[Row]) -> bool:
    return any(not is_empty(row.cells.get(column)) for row in rows)


def answer_columns(columns: Iterable[str], rows: Iterable[Row]) -> list[str]:
    """Return the columns whose names say that they hold the answer, the most usual name first."""
    named = {flat(column): column for column in columns if _any_filled(column, rows)}
    return [named[name] for name in _ANSWERS if name in named]


def _answer(columns: Sequence[str], rows: Sequence[Row], in_other_rows: bool) -> str:
    """Return the column of the answer; none if messages hold it, or a judge needs none because of a rubric."""
    if answers := answer_columns(columns, rows):
        return answers[0]
    if last := _first([name for name in columns if _any_filled(name, rows)], _LAST_ANSWERS):
        return last
    if in_other_rows:
        return ""
    likely = _first([name for name in columns if _any_filled(name, rows)], _REPLIES)
    text = f"{likely} could be the reference answers, or a model's replies: " if likely else ""
    fix = f"{text}--map answer={likely or 'COLUMN'}, or `map.answer` in benchmark.toml"
    raise SpecError(
        "no column is recognised as the answer",
        got=f"columns {', '.join(columns)[:300]}",
        expected=" or ".join(_ANSWERS[:4]),
        fix=fix,
    )


def _media(columns: Sequence[str], rows: Sequence[Row], folder: Folder) -> tuple[str, ...]:
    """Return the columns of media: by what their cells name, and bare names by the files that exist."""
    matching_columns = [column for column in columns if _is_media(column, rows, folder)]
    by_kind: dict[object, list[str]] = {}
    for column in matching_columns:
        if not re.search(r"_?\d+$", column):  # image_1, image_2: several of one kind
            by_kind.setdefault(_kind(column, rows), []).append(column)
    for same in by_kind.values():
        for other in same[1:]:
            row = next((r for r in rows if _files(other, r, folder) not in ([], _files(same[0], r, folder))), None)
            if row is not None:
                raise ambiguous("media", row, {name: row.cells.get(name) for name in (same[0], other)})
            matching_columns.remove(other)
    _no_addresses_alone(columns, matching_columns, rows, folder)
    return tuple(sorted(matching_columns, key=columns.index))


def _no_addresses_alone(
    columns: Sequence[str], column_names: Sequence[str], rows: Sequence[Row], folder: Folder
) -> None:
    """Raise SpecError if the media of a kind are named by addresses or by names of missing files alone."""
    media_kinds = {media_cells.kind_by_column(column) or _kind(column, rows) for column in column_names}
    for column in columns:
        kind = media_cells.kind_by_column(column)
        named = _A_MEDIUM.fullmatch(flat(column)) or flat(column) in (f"{kind}_url", f"{kind}_link")
        cell = next((r.cells[column] for r in rows if not is_empty(r.cells.get(column))), None)
        if kind and named and cell is not None and column not in column_names and kind not in media_kinds:
            if isinstance(cell, str) and folder.has_file(cell):
                endings = ", ".join(media_cells.endings_of(kind))
                raise SpecError(
                    f"the column {column!r} names a file that is not known as {kind} by its ending",
                    got=cell[:120],
                    expected=endings,
                    fix=f"convert such files (`{media_cells.conversion(cell, kind)}`) and name the new ones;"
                    " or rename them if they are of one of these formats",
                )
            problem = f"the column {column!r} names {kind} that is not in {folder_of(cell)}"
            fix = f"--data FOLDER with the files; or without them on purpose: --map media={','.join(column_names)}"
            raise SpecError(problem, got=str(cell)[:120], fix=fix)


def folder_of(cell: Any) -> str:
    """Return what is said of a medium that can't be found."""
    if isinstance(cell, dict | list) and EMBEDDED in str(cell):
        return "a file, but embedded in the table"
    return "a file, but at an address" if media_cells.is_address(str(cell)) else "the folder of the media"


def _files(column: str, row: Row, folder: Folder) -> list[str]:
    """Return what a cell names, as found in the folder where it is."""
    try:
        return sorted(_found_name(folder, one) for one in files_in_cell(row.cells.get(column), column))
    except ValueError:
        return []


def _found_name(folder: Folder, named: media_cells.Named) -> str:
    try:
        return folder.find(named)
    except ValueError:
        return named.name


def _kind(column: str, rows: Sequence[Row]) -> str | None:
    for row in rows:
        if not is_empty(row.cells.get(column)):
            try:
                return next((one.kind for one in files_in_cell(row.cells[column], column)), None)
            except ValueError:
                return None
    return None


def _is_media(column: str, rows: Sequence[Row], folder: Folder) -> bool:
    """Return whether all filled cells name media files; for bare names, whether one is found in the folder."""
    kind = media_cells.kind_by_column(column)
    bare = bool(_A_MEDIUM.fullmatch(flat(column))) and kind is not None
    by_ending = described = True  # whether each file has an ending of media; whether each cell says what its files are
    sound = named = unreadable = 0
    for cell in (row.cells[column] for row in rows if not is_empty(row.cells.get(column))):
        if isinstance(cell, dict) and EMBEDDED in cell:
            unreadable += 1
            continue
        try:
            files = files_in_cell(cell, column)
        except ValueError:
            return False
        sound += 1
        named += len(files)
        by_ending = by_ending and all(media_cells.kind_of(one.name) for one in files)
        described = described and _is_described(cell) and all(one.kind for one in files)
        if any(media_cells.is_address(one.name) for one in files) or not (by_ending or described or bare):
            return False
    if not named:  # bytes of which none are a medium: one only if the column is named so
        return unreadable > 0 and not sound and kind is not None
    return by_ending or described or any(_exists(folder, one) for one in _named(column, rows))


def _named(column: str, rows: Iterable[Row]) -> Iterator[media_cells.Named]:
    """Yield the files that a column names."""
    for cell in (row.cells[column] for row in rows if not is_empty(row.cells.get(column))):
        if not (isinstance(cell, dict) and EMBEDDED in cell):
            yield from files_in_cell(cell, column)


def _is_described(cell: Any) -> bool:
    """Return whether a cell says what its files are, and doesn't only list words: dictionaries, or lists of them."""
    cell = parse_cell(cell)
    return isinstance(cell, dict) or (isinstance(cell, list) and all(isinstance(one, dict) for one in cell))


def _exists(folder: Folder, named: media_cells.Named) -> bool:
    try:
        return bool(folder.find(named))
    except ValueError:
        return False


def _groups(column: str, rows: Sequence[Row]) -> bool:
    """Return whether a column groups the rows: by its name, and by having few short values."""
    if not _GROUPS & set(flat(column).split("_")):
        return False
    values: set[str] = set()
    for value in (row.cells.get(column) for row in rows):
        values.add(words(value))
        if len(values) > 200 or not (value is None or (isinstance(value, str | int) and len(str(value)) <= 60)):
            return False
    return True
