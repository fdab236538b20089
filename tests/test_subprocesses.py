"""Other programs are started so that nothing of the current folder is executed or configures them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import triptych

ROOT = Path(triptych.__file__).parent
STARTS = {"run", "Popen", "call", "check_call", "check_output", "create_subprocess_exec", "create_subprocess_shell"}
MODULES = ("subprocess", "asyncio", "asyncio.subprocess")
# Files whose programs are no Python and read nothing of the current folder, or whose command has -I or -P elsewhere.
CHECKED = {
    "models/local/tesseract.py": "tesseract, with whole paths",
    "models/speech.py": "espeak-ng, with whole paths",
    "models/serving/keeper.py": "the server that the user asked for, in the user's folder",
    "models/serving/server.py": "the keeper, with -I",
    "cli/doctor.py": "nvidia-smi, with its whole path",
    "media/spatial/sofa.py": "this Python, with -P",
    "models/encoders/comet.py": "CometEngine's command: a script, with -I",
}


def starts(path: Path) -> list[ast.Call]:
    text = path.read_text(encoding="utf-8")
    if not any(f"{module}." in text for module in MODULES) or not any(f".{name}" in text for name in STARTS):
        return []  # parsing a thousand modules takes seconds, in each process of the tests
    return [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in STARTS
        and ast.unparse(node.func.value) in MODULES
        and ast.unparse(node.func) != "asyncio.run"
    ]


FILES = [path for path in sorted(ROOT.rglob("*.py")) if starts(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_program_takes_its_code_or_settings_from_the_current_folder(path: Path) -> None:
    for call in starts(path):
        safe = any(k.arg == "cwd" for k in call.keywords) or {"'-I'", "'-P'"} & set(map(ast.unparse, ast.walk(call)))
        assert safe or path.relative_to(ROOT).as_posix() in CHECKED, f"{path}:{call.lineno} has neither cwd, -I nor -P"
        assert not any(k.arg == "shell" for k in call.keywords)


def test_programs_are_started_somewhere() -> None:
    assert len(FILES) > 5 and CHECKED.keys() <= {path.relative_to(ROOT).as_posix() for path in FILES}


@pytest.mark.parametrize("program", ["pip", "venv"])
def test_a_module_in_the_current_folder_is_not_executed(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triptych.models import environments
    from triptych.models.weights import wheels as weights_wheels

    for name in ("pip", "venv", "subprocess", "importlib"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\nraise SystemExit(0)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: None)
    if program == "pip":
        (tmp_path / "room").mkdir()
        weights_wheels._pip(["--version"], tmp_path / "room")
    else:
        environments.make_environment(Path("made"), [], "it", lambda line: None)
        assert (tmp_path / "made/.ready").exists()
    assert not (tmp_path / "executed").exists()
