"""Where the locale's encoding lacks characters, commands print escapes; what can't be named is one message."""

import json
import os
import subprocess
import sys

import pytest

from triptych.cli import main as entry

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def _said(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "triptych", *arguments], env={**os.environ, **ASCII}, cwd=cwd, capture_output=True
    )


def test_characters_that_the_encoding_lacks_are_escaped(tmp_path):
    rows = [{"id": "问/一", "question": "什么？", "A": "天", "B": "地", "answer": "A"}]
    (tmp_path / "q.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    done = _said("run", "q.jsonl", "--model", "baseline/longest", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0 and b"\\u4ec0" in done.stdout and b"Traceback" not in done.stderr


def test_a_file_that_the_encoding_cannot_name_is_one_message(monkeypatch, capfd):
    def refused(*_, **__):
        "问".encode("ascii")

    monkeypatch.setattr(entry, "_take_config", refused)
    with pytest.raises(SystemExit) as ended:
        entry.main(["list"])
    said = capfd.readouterr().err
    assert ended.value.code == 2 and "expected: UTF-8" in said and "export LC_ALL=C.UTF-8" in said


def test_a_name_that_the_locale_cannot_decode_is_one_message_about_the_locale(tmp_path):
    done = _said("run", "cmdar/main", "--model", "baseline/first", "--name", "名字".encode(), "--dry-run", cwd=tmp_path)
    assert done.returncode == 2
    assert b"the name can't be read in the encoding of this locale" in done.stderr
    assert b"export LC_ALL=C.UTF-8" in done.stderr
