"""Documents from outside that can't be decoded: why, in words that don't speak of the decoder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import triptych
from triptych.cli.main import main
from triptych.records.unreadable import reason_at_key

SOURCE = Path(triptych.__file__).parent
DEEP = "[" * 100_000 + "]" * 100_000
CAUGHT = {"UNREADABLE", "NO_TOML", "RecursionError"}
# Handlers whose errors never come from nested documents of a user.
OTHERWISE = {"portal/store/archive.py", "models/http/faults.py"}


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out = capsys.readouterr()
    return ended.value.code, out.out + out.err


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": 1, "question": "q", "A": "a", "B": "b", "answer": "A"}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["deep.jsonl", "deep.json"])
def test_deep_nesting_in_questions_and_predictions(
    name: str, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    row = f'{{"id": 1, "question": "q", "A": "a", "B": "b", "answer": "A", "reply": {DEEP}}}'
    path.write_text(row if name.endswith("l") else f"[{row}]", encoding="utf-8")
    for arguments in (("score", str(questions), "--predictions", str(path)), ("check", str(path))):
        code, text = said(capsys, *arguments)
        assert code in (1, 2)
        assert "nested too deep" in text and "recursion" not in text
        assert name in text


@pytest.mark.parametrize("name", ["items.jsonl", "responses.jsonl"])
def test_deep_nesting_in_a_run(name: str, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    triptych.run(str(questions), "baseline/first", out=run)
    (run / name).write_text(DEEP + "\n", encoding="utf-8")
    for arguments in (("score", str(run)), ("audit", "run", str(run)), ("report", str(run))):
        code, text = said(capsys, *arguments)
        assert code in (0, 1, 2)
        assert "recursion" not in text and "Traceback" not in text


@pytest.mark.parametrize("arguments", [("--config", "deep.toml", "list"), ("run", "Q", "--prompt", "deep.toml")])
def test_deep_nesting_in_toml(
    arguments: tuple[str, ...], questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep.toml").write_text(f"x = {DEEP}\n", encoding="utf-8")
    words = [
        str(tmp_path / word) if word == "deep.toml" else str(questions) if word == "Q" else word for word in arguments
    ]
    code, text = said(capsys, *words, *(["--model", "baseline/first"] if "run" in words else []))
    assert code == 2
    assert "nested too deep" in text and "recursion" not in text


def handlers() -> Iterator[tuple[str, ast.ExceptHandler]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        text = path.read_text(encoding="utf-8")
        if name in OTHERWISE or not any(caught in text for caught in CAUGHT):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.ExceptHandler) or node.type is None or not node.name:
                continue
            if {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} & CAUGHT:
                yield name, node


def printed_as_it_is(handler: ast.ExceptHandler) -> bool:
    """Whether the text of the exception goes into a message without `reason`."""
    for node in ast.walk(handler):
        text = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr")
        shown: list[ast.expr] = node.args if isinstance(node, ast.Call) and text else []
        shown = [node.value] if isinstance(node, (ast.FormattedValue, ast.keyword)) else shown
        if any(isinstance(value, ast.Name) and value.id == handler.name for value in shown):
            return True
    return False


def test_every_reader_that_reports_such_an_error_says_it_in_words() -> None:
    checked = list(handlers())
    assert len(checked) > 50
    wrong = [f"{name}:{handler.lineno}" for name, handler in checked if printed_as_it_is(handler)]
    assert wrong == []


class _Inner(msgspec.Struct):
    sizes: dict[str, int] = {}


class _Outer(msgspec.Struct):
    name: str
    parts: dict[str, list[_Inner]] = {}


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"name": "n", "parts": {"a": [{}], "b": [{}, {"sizes": {"x": 1, "y": "2"}}]}}, "`$.parts.b[1].sizes.y`"),
        ({"name": "n", "parts": {"a b": 3}}, '`$.parts."a b"`'),
        ({"name": "n", "parts": {"a": 3, "b": 4}}, "`$.parts.a`"),
        ({"name": 3}, "`$.name`"),
        ({}, "missing required field `name`"),
    ],
)
def test_the_key_of_a_table_is_named(document: dict[str, object], path: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(document, _Outer, strict=True)
    assert path in reason_at_key(raised.value, document, _Outer)
