"""One served name, several models behind it; one path, several files in it: nothing merges in silence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import triptych.api
from tests.support.mock_process import MockProcess
from tests.support.runs import manifest
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.errors import DataError, SpecError
from triptych.experiment.run_commands import run_command
from triptych.models.http.endpoints import endpoint_of
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder


def ask(url: str, out: Path | None = None, **more: object) -> triptych.api.RunResult:
    return triptych.run("cmdar/main", "openai/default", base_url=url, limit=2, conditions=["blind"], out=out, **more)


def test_a_second_endpoint_stops_with_the_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with MockProcess(answer="letter") as one, MockProcess(answer="letter") as two:
        first = ask(one.base_url)
        assert first.outcome.counts == {"answered": 2}
        with pytest.raises(SpecError) as refused:
            ask(two.base_url)
        assert all(word in str(refused.value) for word in (one.base_url, two.base_url, "--same-model", "name=LABEL"))
        assert two.stats()["received"] == 0
        named = ask(two.base_url, name="ckpt-2000")
        assert named.folder.path != first.folder.path and two.stats()["received"] == 2
        pinned = ask(two.base_url, settings={"revision": "2000"})
        assert pinned.folder.path not in (first.folder.path, named.folder.path)
        same = ask(two.base_url, options=RunOptions(same_model=True))
        assert same.outcome.already == 2
        assert [e.address for e in RunFolder.open(first.folder.path).manifest.endpoints] == [one.base_url, two.base_url]
        assert ask(one.base_url).outcome.already == 2, "both are known now"


def test_a_run_without_an_answer_takes_another_endpoint(tmp_path: Path) -> None:
    ask("http://127.0.0.1:9/v1", tmp_path / "run", options=RunOptions(retries=0))
    with MockProcess(answer="letter") as mock:
        assert ask(mock.base_url, tmp_path / "run").outcome.counts == {"answered": 2}
        (endpoint,) = RunFolder.open(tmp_path / "run").manifest.endpoints
        assert endpoint.address == mock.base_url


def test_a_run_of_before_takes_the_endpoint_it_is_resumed_at(tmp_path: Path) -> None:
    with MockProcess(answer="letter") as mock:
        ask(mock.base_url, tmp_path / "run")
        place = tmp_path / "run/manifest.json"
        told = json.loads(place.read_text("utf-8"))
        del told["endpoints"]
        place.write_text(json.dumps(told), encoding="utf-8")
        assert ask(mock.base_url, tmp_path / "run").outcome.already == 2
        assert len(RunFolder.open(tmp_path / "run").manifest.endpoints) == 1


def test_a_shared_cache_does_not_answer_for_another_endpoint(tmp_path: Path) -> None:
    options = RunOptions(cache=tmp_path / "cache")
    fixed = {"temperature": 0}
    with MockProcess(answer="letter") as one, MockProcess(answer="letter") as two:
        ask(one.base_url, tmp_path / "a", options=options, settings=fixed)
        assert ask(one.base_url, tmp_path / "b", options=options, settings=fixed).outcome.cached == 2
        assert ask(two.base_url, tmp_path / "c", options=options, settings=fixed).outcome.cached == 0


def test_do_it_again_names_the_endpoint_the_name_and_the_revision(tmp_path: Path) -> None:
    where = endpoint_of("http://me:secret@127.0.0.1:8000/v1?key=hush")
    assert where is not None
    told = manifest(benchmark="cmdar", model="openai/default", name="ckpt 2000", revision="r7", endpoints=(where,))
    said = run_command(told, load_benchmark("cmdar").spec, RunFolder(tmp_path, told))
    assert "--model openai/default --model-base-url http://127.0.0.1:8000/v1 --name 'ckpt 2000'" in said
    assert "-M revision=r7" in said and "secret" not in said and "hush" not in said
    official = endpoint_of("https://api.openai.com/v1")
    assert official is not None
    said = run_command(
        manifest(benchmark="cmdar", model="openai/m", endpoints=(official,)),
        load_benchmark("cmdar").spec,
        RunFolder(tmp_path, told),
    )
    assert "--model-base-url" not in said


@pytest.mark.parametrize("name", ["\n", " a", "x" * 81, "a\x1b[2J", "\u202eabc"])
def test_a_name_that_no_table_could_bear_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="name"):
        triptych.api.plan("cmdar", "baseline/first", name=name)


def test_a_name_that_looks_like_a_path_stays_below_runs(tmp_path: Path) -> None:
    place = triptych.api.plan("cmdar", "baseline/first", name="../../etc").default_folder()
    assert place.parts[:2] == ("runs", "cmdar") and len(place.parts) == 3 and not place.name.startswith(".")


def test_media_that_were_replaced_are_noticed(tmp_path: Path) -> None:
    data = shutil.copytree(known_benchmarks()["cmdar"].mini, tmp_path / "data")
    with MockProcess(answer="letter") as mock:

        def run() -> triptych.api.RunResult:
            return triptych.run(
                "cmdar/main", "openai/default", base_url=mock.base_url, limit=2, data=data, out=tmp_path / "run"
            )

        item = next(iter(run().folder.items()))
        assert run().outcome.already == 2
        part = next(part for part in item.all_parts if part.is_media)
        former = (data / part.path).read_bytes()
        (data / part.path).write_bytes(former)
        assert run().outcome.already == 2, "written anew, and the same"
        (data / part.path).write_bytes(former + b"\0")
        with pytest.raises(DataError, match="1 media file was replaced") as refused:
            run()
        assert part.path in str(refused.value) and "name=LABEL" in str(refused.value)


def test_a_judge_at_another_endpoint_is_another_judge_until_told(tmp_path: Path) -> None:
    from tests.support.mock_process import MockProcess as Mock

    triptych.run("cmdar/open", "baseline/longest", limit=1, out=tmp_path / "run")
    out = tmp_path / "run"
    if not any(r.status == "answered" for r in RunFolder.open(out).responses()):
        triptych.run("cmdar/open", "baseline/reference", limit=1, out=(out := tmp_path / "other"))

    def judged(url: str, **more: object) -> object:
        plan = triptych.api.plan_judges(["openai/judge"], base_urls=[url], options=RunOptions(**more))  # type: ignore[arg-type]
        return triptych.score(out, judges=plan)

    with Mock(answer="letter") as one, Mock(answer="letter") as two:
        judged(one.base_url)
        asked = one.stats()["received"]
        assert asked
        with pytest.raises(SpecError, match="was used at another endpoint before"):
            judged(two.base_url)
        judged(two.base_url, same_model=True)
        assert not two.stats()["received"], "what was judged is judged"
