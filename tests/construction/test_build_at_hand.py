"""What a build says: its verdict, prices, previews and reasons; a build that leaves nothing is no success."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.wire import Answer, Seen, Wire
from triptych.benchmarks import load_benchmark
from triptych.cli.main import main
from triptych.construction.build import build, estimate
from triptych.construction.engine.media import MediaStore
from triptych.errors import SpecError

POEM = "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"


def works(folder: Path, *rows: str, more: str = "") -> Path:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    head = "id,title,author,author_died,genre,dynasty,text\n"
    (folder / "works.csv").write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    settings = 'works = "works.csv"\nyear = 2026\nrecord = false\nreview = false\n' + more
    (folder / "mcga.toml").write_text(settings, encoding="utf-8")
    return folder / "mcga.toml"


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["build", *arguments])
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


def test_a_build_that_leaves_nothing_fails_and_says_why(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = works(tmp_path, f"w,题,作者,1990,诗,唐,{POEM}", more='tasks = ["asr"]\n')
    code, _, err = run(capfd, "mcga", "--config", str(config), "--to", str(tmp_path / "b"))
    assert code == 1 and "nothing is left of the raw material" in err
    assert "rights: author-died-too-recently 1" in err
    code, out, _ = run(capfd, "status", str(tmp_path / "b"), "--reason", "author-died-too-recently")
    assert code == 0 and out == "rights  w  dropped: author-died-too-recently  (1990)\n"
    code, _, err = run(capfd, "status", str(tmp_path / "b"), "--reason", "author-died-recently")
    assert code == 2 and "did you mean 'author-died-too-recently'" in err


def test_a_set_of_ones_own_is_not_compared_with_the_papers_counts(tmp_path: Path) -> None:
    built = build("mcga", works(tmp_path, f"w,题,作者,740,诗,唐,{POEM}", more='tasks = ["asr"]\n'), tmp_path / "b")
    bench, out = load_benchmark("mcga"), built.folder / "out"
    kinds = [problem.kind for problem in bench.check(out)]
    assert "count" not in kinds and "partial-release" not in kinds and kinds.count("not-in-this-set") == 1
    (out / "provenance.jsonl").unlink()  # as the authors' release, which has none
    assert {"count", "file-missing"} & {problem.kind for problem in bench.check(out)}


def test_a_price_is_estimated_before_any_pilot(tmp_path: Path) -> None:
    told = '[models.maker]\nmodel = "{}"\nbase_url = "https://api.openai.com/v1"\n'
    rows = [f"w{n},题{n},作者{n},740,诗,唐,{n}{POEM}" for n in range(3)]
    prices = {}
    for name in ("openai/gpt-4o", "openai/no-such-model"):
        records, stages = estimate("mcga", works(tmp_path, *rows, more=told.format(name)), tmp_path / "none")
        su = next(each for each in stages if each.stage == "su")
        assert records == 3 and su.basis == "prompts" and su.requests == 3 and su.output_tokens == 600
        prices[name] = su.usd
    assert prices["openai/no-such-model"] is None


AT_AN_ADDRESS = '[models.maker]\nmodel = "openai/our-model"\nbase_url = "http://127.0.0.1:9/v1"\n'
PRICE_FILE = 'as_of = "2026-11-01"\nsource = "https://example.org"\n[[price]]\nmodel = "openai/our-*"\n'


def cost_of(config: Path, to: Path, **options: Any) -> float | None:
    """Return the cost of the stage `su`, estimated before any pilot."""
    _, stages = estimate("mcga", config, to, **options)
    return next(each for each in stages if each.stage == "su").usd


def test_a_model_at_an_address_has_the_price_of_the_configuration(tmp_path: Path) -> None:
    rows = [f"w{n},题{n},作者{n},740,诗,唐,{n}{POEM}" for n in range(3)]
    assert cost_of(works(tmp_path, *rows, more=AT_AN_ADDRESS), tmp_path / "none") is None
    priced = AT_AN_ADDRESS + "price = { input = 0, output = 1_000.0 }\n"
    assert cost_of(works(tmp_path, *rows, more=priced), tmp_path / "none") == pytest.approx(600 * 1_000 / 1e6)
    for wrong in ("{ input = -1, output = 1 }", "{ input = 1 }", "{ input = nan, output = 1 }", "5.0"):
        config = works(tmp_path, *rows, more=f"{AT_AN_ADDRESS}price = {wrong}\n")
        with pytest.raises(SpecError, match="configuration is not valid"):
            cost_of(config, tmp_path / "none")


def test_a_model_at_an_address_has_the_price_of_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = [f"w{n},题{n},作者{n},740,诗,唐,{n}{POEM}" for n in range(3)]
    plain = works(tmp_path, *rows, more=AT_AN_ADDRESS)
    file = tmp_path / "prices.toml"
    for address, usd in (("http://127.0.0.1:9", 0.6), ("https://elsewhere", None), ("", 0.6)):
        file.write_text(f'{PRICE_FILE}input = 0.0\noutput = 1000.0\nendpoint = "{address}"\n')
        assert cost_of(plain, tmp_path / "none", prices=file) == (usd and pytest.approx(usd))
    plain.write_text(f'prices = "prices.toml"\n{plain.read_text()}')
    assert cost_of(plain, tmp_path / "none") == pytest.approx(0.6)
    code, out, _ = run(capfd, "mcga", "--config", str(plain), "--to", str(tmp_path / "none"), "--dry-run", "--json")
    assert code == 0 and next(s for s in json.loads(out)["stages"] if s["stage"] == "su")["usd"] == pytest.approx(0.6)
    stated = plain.read_text() + "price = { input = 0.0, output = 2000.0 }\n"
    plain.write_text(stated)  # what the configuration states comes before every file
    assert cost_of(plain, tmp_path / "none", prices=file) == pytest.approx(1.2)
    plain.write_text(stated.replace("prices.toml", "no-such.toml"))
    with pytest.raises(SpecError, match="price file can't be read"):
        cost_of(plain, tmp_path / "none")


def test_two_roles_of_one_model_have_one_price(tmp_path: Path) -> None:
    other = AT_AN_ADDRESS.replace("maker", "validator_a") + "price = { input = 1, output = 1 }\n"
    config = works(tmp_path, "w0,题,作者,740,诗,唐," + POEM, more=f"{AT_AN_ADDRESS}{other}")
    with pytest.raises(SpecError, match="different prices in two roles"):
        cost_of(config, tmp_path / "none")


def test_the_output_shares_the_disk_with_the_store_where_it_can(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    value = store.put(b"sound", "wav")
    target = tmp_path / "out.wav"
    store.release(value, target)
    assert target.read_bytes() == b"sound"
    if os.name == "posix":
        assert target.stat().st_ino == store.path(value).stat().st_ino and target.stat().st_mode & 0o222 == 0
    assert store.forget([]) == [value] and target.read_bytes() == b"sound"


class Receiver:
    """As much of the Hub as a push needs: it keeps the last commit's files."""

    url = ""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {"old.json": b"[]"}
        self.asked: list[str] = []

    def __call__(self, seen: Seen) -> Answer:
        import base64

        path = seen.path.partition("?")[0]
        self.asked.append(f"{seen.method} {path}")
        if seen.headers.get("authorization") != "Bearer may-write":
            return Answer(403, b'{"error": "Forbidden"}')
        told: Any = {}
        if path.endswith("/preupload/main"):
            told = {
                "files": [
                    {"path": f["path"], "uploadMode": "regular", "shouldIgnore": False} for f in seen.json["files"]
                ]
            }
        elif path.endswith("/commit/main"):
            for line in map(json.loads, seen.body.splitlines()):
                value = line["value"]
                if line["key"] == "file":
                    self.files[value["path"]] = base64.b64decode(value["content"])
                elif line["key"] == "deletedFile":
                    del self.files[value["path"]]
            told = {
                "commitUrl": f"{self.url}/datasets/lab/poems/commit/{'1' * 40}",
                "commitOid": "1" * 40,
                "success": True,
            }
        elif path.endswith("/repos/create"):
            told = {"url": f"{self.url}/datasets/lab/poems", "name": "lab/poems"}
        elif "/tree/" in path:
            told = [{"type": "file", "oid": "0" * 40, "size": 2, "path": name} for name in self.files]
        elif "/revision/" in path or path == "/api/datasets/lab/poems":
            siblings = [{"rfilename": name} for name in self.files]
            told = {"_id": "1", "id": "lab/poems", "sha": "0" * 40, "private": False, "siblings": siblings, "tags": []}
        return Answer(body=json.dumps(told).encode())


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    pytest.importorskip("huggingface_hub", reason="huggingface_hub comes with the extra [fetch]")
    receiver = Receiver()
    with Wire(receiver) as wire:
        receiver.url = wire.url
        monkeypatch.setenv("HF_ENDPOINT", wire.url)
        monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")
        yield receiver


def test_a_push_sends_the_folder_as_it_is(
    hub: Receiver, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = works(tmp_path, f"w,题,作者,740,诗,唐,{POEM}", more='tasks = ["asr"]\n')
    out = build("mcga", config, tmp_path / "b").folder / "out"
    monkeypatch.delenv("HF_TOKEN", raising=False)
    code, said, _ = run(capfd, "push", str(tmp_path / "b"), "hf/lab/poems", "--dry-run")
    assert code == 0 and "would send" in said and "datasets/lab/poems" in said and hub.asked == []
    code, _, err = run(capfd, "push", str(tmp_path / "b"), "hf/lab/poems")
    assert code == 2 and "HF_TOKEN" in err and hub.asked == []
    monkeypatch.setenv("HF_TOKEN", "may-write")
    code, said, err = run(capfd, "push", str(tmp_path / "b"), "hf/lab/poems")
    assert code == 0 and "/commit/1111" in said, err
    assert hub.files == {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    monkeypatch.setenv("HF_TOKEN", "reads-only")
    code, _, err = run(capfd, "push", str(tmp_path / "b"), "hf/lab/poems")
    assert code == 2 and "may write" in err and "reads-only" not in err
