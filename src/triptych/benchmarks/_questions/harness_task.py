"""Tasks of other harnesses as questions: YAML of lm-eval and lmms-eval, and `eval.yaml` of the Hugging Face Hub.

Their data set, its configuration and split, columns and templates are used. Python code (`!function`)
is never run: where a task needs it, columns are recognised as in any other data set, and a note says so. Prompts,
few-shot examples and metrics of the harness are not used; the questions are asked and scored as one's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache, wraps
from pathlib import Path
from typing import Any, NamedTuple

from triptych.benchmarks._questions.cells import is_empty
from triptych.benchmarks._questions.mapping import SEPARATOR
from triptych.benchmarks._questions.options import LETTERS
from triptych.benchmarks._questions.rows import Row
from triptych.errors import DataError, SpecError, nearest
from triptych.records.unreadable import reason

ENDINGS = (".yaml", ".yml")
MAX_BYTES = 1 << 20  # bytes of a file
DEEPEST = 8  # files that include each other
QUESTION, OPTIONS, ANSWER = "doc_to_text", "doc_to_choice", "doc_to_target"
_BUILDERS = ("json", "csv", "parquet", "arrow", "imagefolder", "audiofolder")
_CUE = re.compile(r"\s*\b(?:answer|a)\s*:\s*$", re.IGNORECASE)
_LINE = re.compile(r"^\s*\(?([A-Z])[.):]\s+(\S.*)$")


class Code(NamedTuple):
    """Python code that a task names: `utils.doc_to_text`."""

    name: str


class HarnessTask:
    """A task. `source`: the folder, file or `hf/ORG/NAME` of its data; `stated`: its mapping; `notes`: what is left."""

    def __init__(self, path: Path, source: str, stated: Mapping[str, str], fields: Mapping[str, Any]) -> None:
        self.path, self.source, self.stated = path, source, dict(stated)
        self.fields = dict(fields)
        self.notes: list[str] = []

    @cached_property
    def text(self) -> bytes:
        """The fields of the task as bytes, for the identity of the benchmark."""
        return repr(sorted((name, repr(value)) for name, value in self.fields.items())).encode()

    def filled_row(self, row: Row) -> Row:
        """Return a row with the columns `doc_to_text`, `doc_to_choice` and `doc_to_target`, as far as the task has
        them. Raises DataError, with the row, if a template can't be filled."""
        cells = dict(row.cells)
        try:
            options = self._options(cells)
            if QUESTION in self.fields:
                cells[QUESTION] = _CUE.sub("", str(_filled(self.fields[QUESTION], row.cells)))
            if options and QUESTION in cells and list(options) == list(LETTERS[: len(options)]):
                cells[QUESTION], options = _lettered(str(cells[QUESTION]), len(options))
            if options is not None:
                cells[OPTIONS] = list(options)
            if ANSWER in self.fields:
                cells[ANSWER] = _answer(_filled(self.fields[ANSWER], row.cells), options, self.fields[ANSWER])
        except SpecError:  # a package is missing
            raise
        except DataError as error:
            where = f"{self.path}, {row.where}"
            raise DataError(error.problem, expected=error.expected, got=error.got, where=where, fix=error.fix) from None
        except Exception as error:  # noqa: BLE001 (a template can raise anything)
            problem = f"{type(error).__name__}: {error}"[:200]
            raise DataError(
                "a template of the task can't be filled", where=f"{self.path}, {row.where}", got=problem
            ) from None
        return Row(row.where, cells)

    def _options(self, cells: Mapping[str, Any]) -> Sequence[Any] | None:
        template = self.fields.get(OPTIONS)
        if isinstance(template, list):
            return [_filled(one, cells) if isinstance(one, ColumnName) else one for one in template]
        texts = None if template is None else _filled(template, cells)
        if isinstance(texts, Mapping):
            texts = list(texts.values())
        if texts is not None and not isinstance(texts, list | tuple):
            raise DataError("the options are not a list", got=str(texts)[:80])
        return texts


def is_task(name: str) -> bool:
    """Return whether a name is that of a task's file, perhaps with the id of one of its tasks after `#`."""
    return name.partition("#")[0].lower().endswith(ENDINGS)


def open_task(name: str) -> HarnessTask:
    """Return the task of a file. Raises SpecError, with what it has, for files that are something else."""
    words, _, wanted = name.partition("#")
    path = Path(words)
    spec = _read(path)
    if isinstance(spec.get("tasks"), list):
        return _of_hub(path, spec, wanted, str(path.parent))
    if "dataset_path" in spec or "dataset_kwargs" in spec:
        return _of_harness(path, spec)
    got = ", ".join(map(str, spec))[:200]
    raise SpecError(
        "not a task that can be read",
        where=path,
        got=f"fields {got}",
        expected="dataset_path (lm-eval, lmms-eval) or tasks with field_spec (eval.yaml)",
    )


def task_in_folder(folder: Path) -> HarnessTask | None:
    """Return the only task of a data set's `eval.yaml`; None if there is none with columns, or several."""
    path = folder / "eval.yaml"
    if not path.is_file():
        return None
    tasks = _read(path).get("tasks")
    usable = isinstance(tasks, list) and len(tasks) == 1 and isinstance(tasks[0], dict) and "field_spec" in tasks[0]
    return open_task(str(path)) if usable else None


def _of_hub(path: Path, dataset: Mapping[str, Any], wanted: str, source: str) -> HarnessTask:
    tasks = [one for one in dataset["tasks"] if isinstance(one, dict)]
    names = [str(one.get("id", "")) for one in tasks]
    if wanted and wanted not in names:
        raise SpecError(f"the file has no task {wanted!r}", where=path, fix=nearest(wanted, names))
    if not wanted and len(tasks) != 1:
        fix = " or ".join(f"{path}#{one}" for one in names[:3])
        raise SpecError("the file has several tasks", where=path, got=", ".join(names)[:200], fix=fix)
    task = tasks[names.index(wanted)] if wanted else tasks[0]
    spec = task.get("field_spec")
    if not isinstance(spec, dict) or not isinstance(spec.get("input"), str) or not isinstance(spec.get("target"), str):
        raise SpecError(
            "the task names no columns",
            where=path,
            expected="field_spec with input and target",
            fix=f"without it: triptych run {source}",
        )
    fields: dict[str, Any] = {QUESTION: spec["input"], ANSWER: spec["target"]}
    if spec["target"].startswith("literal:"):
        fields[ANSWER] = Literal(spec["target"].partition(":")[2])
    if spec.get("choices"):
        choices = spec["choices"]
        fields[OPTIONS] = [ColumnName(one) for one in choices] if isinstance(choices, list) else choices
    stated = {"question": QUESTION, "answer": ANSWER, "options": OPTIONS if OPTIONS in fields else ""}
    config = str(task.get("config", "default"))
    stated |= {"split": str(task.get("split", "test"))} | ({} if config == "default" else {"config": config})
    made = HarnessTask(path, source, stated, fields)
    made.notes.append("solvers and scorers of eval.yaml are not used")
    return made


class Literal(str):
    """A text that is not the name of a column."""


class ColumnName(str):
    """The name of a column in a list, whose other members are options themselves."""


def _of_harness(path: Path, spec: Mapping[str, Any]) -> HarnessTask:
    stated, fields, notes = dict[str, str](), dict[str, Any](), list[str]()
    for name, role in ((QUESTION, "question"), (OPTIONS, "options"), (ANSWER, "answer")):
        value = spec.get(name)
        if isinstance(value, Code):
            notes.append(f"{name} is Python code ({value.name}), which is not run: the {role} is recognised by columns")
        elif value not in (None, ""):
            fields[name], stated[role] = value, name
    if QUESTION in fields and OPTIONS not in fields and not isinstance(spec.get(OPTIONS), Code):
        stated["options"] = ""  # the question contains everything that the task asks
    media: list[str] = []
    for name in ("doc_to_visual", "doc_to_image", "doc_to_audio", "doc_to_video"):
        value = spec.get(name)
        if isinstance(value, Code):
            notes.append(f"{name} is Python code ({value.name}), which is not run: media are recognised by columns")
        elif value:
            media += [_column(one) for one in (value if isinstance(value, list) else [value])]
    if media:
        stated["media"] = SEPARATOR.join(media)
    if config := spec.get("dataset_name"):
        stated["config"] = str(config)
    splits = (spec.get(f"{name}_split") for name in ("test", "validation", "training"))
    if split := next((one for one in splits if isinstance(one, str)), ""):
        stated["split"] = split
    unused = [
        name
        for name in (
            "description",
            "num_fewshot",
            "generation_kwargs",
            "filter_list",
            "metric_list",
            "process_docs",
            "process_results",
            "lmms_eval_specific_kwargs",
        )
        if spec.get(name)
    ]
    if unused:
        notes.append(f"not used of the task: {', '.join(unused)}")
    if isinstance(spec.get("process_docs"), Code):
        notes.append("process_docs changes the rows in the harness: compare the questions below with it")
    source = _source(path, spec)
    if Path(source).is_absolute() and not _is_beside(path, source):
        notes.append(f"data: {source}, outside the folder of the task")
    made = HarnessTask(path, source, stated, fields)
    made.notes += notes
    return made


def _column(value: Any) -> str:
    text = str(value).strip()
    return text[2:-2].strip() if text.startswith("{{") and text.endswith("}}") else text


def _source(path: Path, spec: Mapping[str, Any]) -> str:
    """Return the folder or file of the data, or its name on the Hub."""
    where = str(spec.get("dataset_path") or "")
    kwargs = spec.get("dataset_kwargs")
    kwargs = kwargs if isinstance(kwargs, dict) else {}
    if where in _BUILDERS:
        files = kwargs.get("data_files") or kwargs.get("data_dir")
        if isinstance(files, dict):
            files = next((files[one] for one in ("test", "validation", "train") if one in files), None)
        files = files[0] if isinstance(files, list) and len(files) == 1 else files
        if not isinstance(files, str):
            raise SpecError(
                "the task names no single data file",
                where=path,
                got=str(files)[:200],
                expected="dataset_kwargs: {data_files: FILE}",
            )
        if "://" in files:
            raise SpecError("the data are at an address, which is never opened", where=path, got=files[:200])
        return _data_path(path, files)
    if (path.parent / where).exists():
        return _data_path(path, where)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", where):
        raise SpecError(
            "the task's data set has no organisation",
            where=path,
            got=where[:100],
            expected="dataset_path: ORG/NAME, or a folder next to the file",
        )
    return f"hf/{where}"


def _data_path(path: Path, name: str) -> str:
    """Return the path of data that a task names. Raises SpecError if a relative one leads out of its folder."""
    if not Path(name).is_absolute() and not _is_beside(path, path.parent / name):
        raise SpecError(
            "the task's data are outside its folder",
            where=path,
            got=name[:200],
            fix="move them below the folder above the task's file, or write their whole path",
        )
    return str(path.parent / name)


def _is_beside(path: Path, source_path: str | Path) -> bool:
    """Return whether a place is below the folder above that of the task's file, as for `include`."""
    # The paths aren't resolved: symbolic links that users set are fine.
    data, task = (Path(os.path.normpath(Path.cwd() / one)) for one in (source_path, path))
    return data.is_relative_to(task.parent.parent)


def _read(path: Path, depth: int = 0, root: Path | None = None) -> dict[str, Any]:
    """Return the content of a file, with that of the files that it includes; its own comes first."""
    try:
        import yaml  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise SpecError("tasks of other harnesses need the package PyYAML", fix="pip install pyyaml") from None
    root = root or path.resolve().parent
    if depth > DEEPEST:
        raise SpecError("the files of the task include each other", where=path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SpecError("the task's file is too large", where=path, expected=f"at most {MAX_BYTES:,} bytes")
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader(yaml))
    except FileNotFoundError:
        raise DataError("no such file", where=path) from None
    except (OSError, UnicodeDecodeError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SpecError("the task's YAML can't be read", where=path, got=reason(error)[:200]) from None
    if not isinstance(document, dict):
        raise SpecError("the task's file has no fields", where=path, got=type(document).__name__)
    included: dict[str, Any] = {}
    names = document.pop("include", None) or ()
    for name in [names] if isinstance(names, str) else list(names):
        other = (path.parent / str(name)).resolve()
        if not other.is_relative_to(root.parent):
            raise SpecError("the task includes a file outside its folder", where=path, got=str(name)[:200])
        included |= _read(other, depth + 1, root)
    return {**included, **document}


def _loader(yaml: Any) -> Any:
    """Return a safe loader that knows `!function`, and refuses aliases, which can multiply a small file."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc, name-defined, unused-ignore]
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not read")
            return super().compose_node(parent, index)

    Loader.add_constructor("!function", lambda loader, node: Code(str(loader.construct_scalar(node))))
    return Loader


def _filled(template: Any, cells: Mapping[str, Any]) -> Any:
    """Return what a field of the task says of a row: a column's value, or a template filled with the row's cells.

    A template that is one expression keeps its type, as a list of options is one.
    """
    if isinstance(template, Literal):
        return str(template)
    if not isinstance(template, str):
        return template
    if template in cells:
        return cells[template]
    if "{" not in template:
        if re.fullmatch(r"\w+", template):
            raise DataError(f"the data have no column {template!r}", got=f"columns {', '.join(map(str, cells))[:200]}")
        return template
    filled = _compiled(template)(dict(cells))
    if type(filled).__name__ == "StrictUndefined":  # what a single expression returns for a column that is missing
        str(filled)  # raises jinja2's error, with the column's name
    return filled


@lru_cache(maxsize=64)
def _compiled(template: str) -> Callable[[dict[str, Any]], Any]:
    environment = _environment()
    single = re.fullmatch(r"\s*\{\{((?:(?!\}\}).)*)\}\}\s*", template, re.DOTALL)
    if single:
        return environment.compile_expression(single[1].strip(), undefined_to_none=False)  # type: ignore[no-any-return]
    return environment.from_string(template).render  # type: ignore[no-any-return]


@cache
def _environment() -> Any:
    """Return a sandbox for templates, which come from anywhere: no attributes of Python's own, no loops, and nothing
    that makes long texts out of short ones."""
    try:
        from jinja2 import StrictUndefined, pass_eval_context
        from jinja2.filters import do_join
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise SpecError("templates of tasks need the package jinja2", fix="pip install jinja2") from None

    @pass_eval_context
    def join(context: Any, values: Any, d: Any = "", attribute: Any = None) -> Any:
        return do_join(context, _joinable(values, str(d)), d, attribute)

    class Environment(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"*", "**", "%"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            numbers = all(isinstance(one, int | float) and abs(one) < 1e6 for one in (left, right))
            if not numbers or operator == "**":
                raise ValueError(f"{operator} is not allowed in templates")
            return super().call_binop(context, operator, left, right)

        def call(self, context: Any, function: Any, *values: Any, **named: Any) -> Any:
            owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
            if isinstance(owner, str) and name == "replace":
                return _replaced(owner, *values, **named)
            if isinstance(owner, str) and name == "join":
                (members,) = values
                return owner.join(_joinable(members, owner))
            if isinstance(owner, bytes) and name in ("replace", "join"):
                raise ValueError(f"{name} of bytes is not allowed in templates")
            return _bounded(super().call(context, function, *values, **named))

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            return attr not in _GROWING and bool(super().is_safe_attribute(obj, attr, value))

        def wrap_str_format(self, value: Any) -> None:
            return None  # so that `format` is refused as the other methods of _GROWING are

        def _parse(self, source: str, name: Any, filename: Any) -> Any:
            if re.search(r"\{%[-+]?+\s*+(?!(?:if|elif|else|endif)\b)", source):
                raise ValueError("only if is allowed in templates")
            return super()._parse(source, name, filename)

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.globals.clear()
    filters = {**environment.filters, "replace": _replaced, "join": join}
    environment.filters = {name: _bounded_filter(one) for name, one in filters.items() if name in _FILTERS}
    return environment


def _bounded_filter(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def bounded(*values: Any, **named: Any) -> Any:
        return _bounded(function(*values, **named))

    return bounded


def _bounded(made: Any) -> Any:
    """Return what a filter or method has made. Raises ValueError for what is too long: steps that each make a text a
    few times as long would fill the memory."""
    if isinstance(made, str | bytes | list | tuple | dict):
        _check_length(len(made))
    return made


def _check_length(length: int) -> None:
    if length > MAX_BYTES:
        raise ValueError(
            f"texts and lists of more than {MAX_BYTES:,} characters or members are not allowed in templates"
        )


def _replaced(text: Any, old: Any, new: Any, count: int | None = None) -> str:
    """Return a text with others in place of its parts, as `str.replace`; its length is computed first."""
    pattern, old, new = str(text), str(old), str(new)
    hits = pattern.count(old) if count is None or count < 0 else min(count, pattern.count(old))
    _check_length(len(pattern) + hits * (len(new) - len(old)))
    return pattern.replace(old, new, hits)


def _joinable(values: Any, between: str) -> list[Any]:
    """Return the members that are joined; the length of the whole is computed first."""
    members = list(values)
    _check_length(sum(len(str(one)) for one in members) + len(between) * max(0, len(members) - 1))
    return members


_GROWING = {"translate", "format", "format_map", "center", "ljust", "rjust", "zfill", "expandtabs"}
_FILTERS = {
    "trim",
    "lower",
    "upper",
    "replace",
    "join",
    "length",
    "count",
    "first",
    "last",
    "list",
    "string",
    "int",
    "float",
    "capitalize",
    "title",
    "default",
    "d",
    "abs",
    "round",
    "tojson",
}


def _lettered(question: str, count: int) -> tuple[str, list[str]]:
    """Return the question and the options that it lists after letters, each in its own line. Raises DataError."""
    lines = question.splitlines()
    marks = {n: mark for n, line in enumerate(lines) if (mark := _LINE.match(line))}
    for n in marks:
        run = [marks.get(n + index) for index in range(count)]
        if all(mark and mark[1] == LETTERS[index] for index, mark in enumerate(run)):
            rest = [*lines[:n], *lines[n + count :]]
            return "\n".join(rest).strip(), [mark[2].strip() for mark in run if mark]
    raise DataError(
        "the options are letters, but the question lists no texts for them",
        got=question[-120:],
        fix="ask the data set itself: triptych run hf/ORG/NAME",
    )


def _answer(value: Any, options: Sequence[Any] | None, template: Any) -> Any:
    """Return the answer: of a question with options the letter of the one that a place (from 0), a letter or a text
    names; otherwise the value."""
    if options is None or is_empty(value):
        return value
    text = str(value).strip()
    if isinstance(value, bool):
        value, text = int(value), str(int(value))
    if isinstance(template, str) and "{" in template and re.fullmatch(r"[0-9]{1,3}", text):
        value = int(text)  # as lm-eval reads a filled template: a place from 0, also among options that are numbers
    texts = [str(one).strip() for one in options]
    if text in texts and texts.count(text) == 1 and not isinstance(value, int):
        return LETTERS[texts.index(text)]
    if re.fullmatch(r"\d{1,3}", text) and int(text) < len(options):
        return LETTERS[int(text)]
    return text
