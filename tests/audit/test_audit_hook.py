"""The hook and the CI step for repositories with tables, as `docs/check-your-tables.md` describes them, on a Git
repository made here."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/check-your-tables.md").read_text(encoding="utf-8")
TRUE = """| Model | Speech | Music | Sound | Avg |
|---|---|---|---|---|
| Alpha | 71.5 | 62.0 | 68.3 | 67.3 |
| Beta | 66.0 | 58.7 | 61.0 | 61.9 |
| Gamma | 59.5 | 48.0 | 55.3 | 54.3 |
| Delta | 64.5 | 66.7 | 60.0 | 63.7 |
| Epsilon | 58.0 | 51.3 | 49.7 | 53.0 |
| Zeta | 52.5 | 47.3 | 50.0 | 49.9 |
"""
FALSE = TRUE.replace("49.9 |", "56.0 |")

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which no extra of Triptych brings")
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def environment() -> dict[str, str]:
    """Return an environment in which `triptych` is the command of this interpreter, and Git reads no settings."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    nobody = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**os.environ, **nobody, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def done(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    assert done(["git", "init", "-q"], folder).returncode == 0
    (folder / "README.md").write_text(f"# Results\n\n{TRUE}", encoding="utf-8")
    (folder / "notes.txt").write_text("no table\n", encoding="utf-8")
    return folder


def block(kind: str, word: str) -> str:
    """Return the fenced block of the page that contains a word."""
    return next(text for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.S) if word in text)


def test_the_hooks_entry_passes_a_true_table_and_refuses_a_false_one(repository: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert done(["git", "add", "."], repository).returncode == 0
    staged = done(["git", "diff", "--cached", "--name-only"], repository).stdout.split()
    files = [name for name in staged if re.search(hook["files"], name)]
    assert files == ["README.md"] and set(staged) == {"README.md", "notes.txt"}
    assert done([*shlex.split(hook["entry"]), *files], repository).returncode == 0
    (repository / "README.md").write_text(FALSE, encoding="utf-8")
    refused = done([*shlex.split(hook["entry"]), *files], repository)
    assert refused.returncode == 1 and "printed 56.0, but the mean of Speech, Music and Sound" in refused.stdout


def test_the_pages_hook_is_the_one_that_the_repository_offers() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    ((shown,),) = [repo["hooks"] for repo in yaml.safe_load(block("yaml", "repos:"))["repos"]]
    assert shown["id"] == hook["id"]
    assert re.search(shown["files"], "README.md") and re.search(shown["files"], "paper/main.tex")


def test_git_refuses_a_commit_with_a_false_table(repository: Path) -> None:
    script = repository / ".git/hooks/pre-commit"
    script.write_text(block("bash", "git diff --cached"), encoding="utf-8")
    script.chmod(0o755)
    done(["git", "add", "."], repository)
    first = done(["git", "commit", "-qm", "true"], repository)
    assert first.returncode == 0, first.stderr
    (repository / "README.md").write_text(FALSE, encoding="utf-8")
    refused = done(["git", "commit", "-qam", "false"], repository)
    assert refused.returncode == 1 and "56.0" in refused.stdout + refused.stderr
    assert done(["git", "log", "--format=%s"], repository).stdout == "true\n"
    (repository / "README.md").unlink()
    (repository / "notes.txt").write_text("a change without tables\n", encoding="utf-8")
    assert done(["git", "commit", "-qam", "no table"], repository).returncode == 0


def test_the_ci_step_has_the_exit_codes_that_the_page_lists(repository: Path) -> None:
    steps = yaml.safe_load(block("yaml", "runs-on"))["jobs"]["tables"]["steps"]
    command = next(step["run"] for step in steps if step.get("name") == "audit tables")
    run = ["sh", "-ec", command]
    assert done(run, repository).returncode == 0 and (repository / "tables.html").is_file()
    (repository / "README.md").write_text(FALSE, encoding="utf-8")
    assert done(run, repository).returncode == 1
    lenient = ["sh", "-ec", f"{command} || [ $? -eq 1 ]"]
    assert done(lenient, repository).returncode == 0
    (repository / "README.md").unlink()
    assert done(run, repository).returncode == 2 and done(lenient, repository).returncode != 0


def test_the_pages_command_for_steps_of_ones_own_writes_the_verdict(repository: Path) -> None:
    assert done(["sh", "-ec", block("bash", "--json")], repository).returncode == 0
    written = json.loads((repository / "tables.json").read_text(encoding="utf-8"))
    assert written["verdict"] == "1 table with 24 figures: nothing severe was found."
    assert [table["figures"] for table in written["tables"]] == [24]
