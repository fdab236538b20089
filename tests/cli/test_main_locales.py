"""Where the locale's encoding lacks characters, commands print escapes; what can't be named is one message."""

import json
import os
import subprocess
import sys
from types import FunctionType

import pytest

from triptych.cli import main as entry
from triptych.records import plug_ins

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


@pytest.mark.parametrize(("encoding", "said"), [("UTF-8", "UnicodeEncodeError"), ("ANSI_X3.4-1968", "LC_ALL=C.UTF-8")])
def test_a_plug_in_that_writes_ascii_is_named_unless_the_locale_is_the_cause(monkeypatch, capfd, encoding, said):
    def write(*_, **__):
        "问".encode("ascii")

    theirs = FunctionType(write.__code__, {"__name__": "theirs"})
    monkeypatch.setattr(plug_ins, "owner_of", lambda module: "theirpack" if module == "theirs" else "")
    monkeypatch.setattr(entry.locale, "getpreferredencoding", lambda _: encoding)
    monkeypatch.setattr(entry, "_take_config", theirs)
    with pytest.raises(SystemExit) as ended:
        entry.main(["list"])
    told = capfd.readouterr().err
    assert ended.value.code == 2 and said in told
    assert ("theirpack" in told and "test_main_locales.py, line" in told and "LC_ALL" not in told) == (
        encoding == "UTF-8"
    )


def test_a_name_that_the_locale_cannot_decode_is_one_message_about_the_locale(tmp_path):
    done = _said("run", "cmdar/main", "--model", "baseline/first", "--name", "名字".encode(), "--dry-run", cwd=tmp_path)
    assert done.returncode == 2
    assert b"the name can't be read in the encoding of this locale" in done.stderr
    assert b"export LC_ALL=C.UTF-8" in done.stderr
