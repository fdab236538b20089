"""`triptych build`: the command line of building, on a recipe that asks nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.cli.main import main

WORKS = "id,title,author,author_died,genre,dynasty,text\n" + "".join(
    f"w{n},题{n},作者{n},{year},诗,唐,{text}\n"
    for n, (year, text) in enumerate(
        [
            (740, "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"),
            (742, "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。"),
            (1990, "这是一首不能使用的近人作品，它太新了。"),
        ]
    )
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    (tmp_path / "works.csv").write_text(WORKS, encoding="utf-8")
    settings = 'works = "works.csv"\nyear = 2026\ntasks = ["asr", "sqa"]\nrecord = false\nreview = false\n'
    (tmp_path / "mcga.toml").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["build", *arguments])
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


def test_a_build_from_the_command_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "mcga", "--config", "mcga.toml", "--to", "b")
    assert code == 1 and "author-died-too-recently 1" in out and "4 records written" in err
    assert "check: 4 errors" in err and "it names no audio" in err  # nobody has recorded the clips
    assert (folder / "b/out/MCGA_sqa_train.jsonl").is_file() or list((folder / "b/out").glob("MCGA_sqa_*.jsonl"))
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra [report]")
    assert "samples: b/report.html" in err and (folder / "b/report.html").is_file()
    code, out, _ = run(capfd, "report", "b", "--to", "page.html", "--json")
    assert code == 0 and json.loads(out)["statistics"]["tasks"][0]["records"] == 2 and Path("page.html").is_file()
    code, out, _ = run(capfd, "status", "b")
    assert code == 0 and "rights" in out
    code, out, _ = run(capfd, "status", "b", "--json")
    assert json.loads(out)["stages"][0]["stage"] == "rights"
    code, out, _ = run(capfd, "why", "b", "w2")
    assert code == 0 and "dropped: author-died-too-recently (1990)" in out
    code, out, _ = run(capfd, "why", "b", "w0/000/sqa", "--json")
    assert json.loads(out)["sources"] == ["work:w0"]
    code, _, err = run(capfd, "why", "b", "nobody")
    assert code == 2 and "has no record with this id" in err and "Traceback" not in err
    code, out, err = run(capfd, "withdraw", "b", "work:w0", "--config", "mcga.toml", "--json")
    assert code == 0 and json.loads(out)["written"] == 2
    code, _, err = run(capfd, "withdraw", "b", "work:w9", "--config", "mcga.toml")
    assert code == 2 and "no record has this source" in err


def test_a_dry_run_projects_a_pilot_and_asks_nobody(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "mcga", "--config", "mcga.toml", "--to", "b", "--limit", "1")
    code, out, _ = run(capfd, "mcga", "--config", "mcga.toml", "--to", "b", "--dry-run", "--json")
    document = json.loads(out)
    assert code == 0 and document["records"] == 3
    assert document["stages"][0]["stage"] == "rights" and document["stages"][0]["came"] == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mgca", "--config", "mcga.toml", "--to", "b"], "did you mean 'mcga'"),
        (["mcga", "--config", "none.toml", "--to", "b"], "can't be read"),
        (["status", "nowhere"], "not a build folder"),
    ],
)
def test_wrong_use(folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    code, _, err = run(capfd, *arguments)
    assert code == 2 and words in err


def test_recipes_and_stages_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    for what, name in (("recipes", "mcga"), ("stages", "rights")):
        with pytest.raises(SystemExit):
            main(["list", what, "--json"])
        assert name in [row["name"] for row in json.loads(capfd.readouterr().out)]
