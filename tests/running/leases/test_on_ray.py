"""Real clusters of Ray: killed workers, machines and drivers; the same tables and texts as from the local engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support import every_class
from tests.support.comet import stand_in
from tests.support.ray_cluster import cluster, differing, environment, install_model, kill_on_ray, reply_texts
from tests.support.runs import MANIFEST
from tests.support.tiny_models import models, save
from triptych import api
from triptych.media.payload import MediaReader
from triptych.models.registry import load_adapter
from triptych.running.leases.driver import execute_leased
from triptych.running.leases.on_ray import RayTeam
from triptych.running.leases.options import RayOptions
from triptych.running.leases.worker import Setup
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.store.folder import RunFolder

pytest.importorskip("ray", reason="Ray is not installed: make models")
pytestmark = pytest.mark.slow


def test_killed_workers_machines_and_drivers_change_nothing(tmp_path: Path) -> None:
    result = kill_on_ray(tmp_path, items=160, worker_kills=3, node_kills=1, driver_kills=1)
    assert (result.worker_kills, result.node_kills, result.driver_kills) == (3, 1, 1)
    assert result.differences == []
    assert (result.written_twice, result.lost, result.journaled_asked_again) == (0, 0, 0)
    assert result.asked_again <= result.in_flight_at_kills
    assert not (tmp_path / "killed" / "leases").exists()


@pytest.fixture(scope="module")
def two_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster, to which this process is connected."""
    ray = pytest.importorskip("ray")
    plug_ins = install_model(tmp_path_factory.mktemp("plug-ins"))
    sys.path.append(str(plug_ins))
    with cluster(plug_ins, nodes=2) as made:
        try:
            yield made.address
        finally:
            ray.shutdown()
            sys.path.remove(str(plug_ins))


def on_ray(address: str, *, workers: int = 2, **more: Any) -> RunOptions:
    return RunOptions(ray=RayOptions(workers=workers, address=address), **more)


def test_a_run_on_ray_is_the_run_of_the_local_engine(tmp_path: Path, two_machines: str) -> None:
    """Media are read and changed by the workers, and their hashes reach the Run."""
    what = {"conditions": ["noise"], "limit": 1, "settings": {"latency": 0.0, "read": True}}
    api.run("xmodbench", "slow/it", out=tmp_path / "local", **what)
    api.run("xmodbench", "slow/it", out=tmp_path / "ray", options=on_ray(two_machines), **what)
    local, ray = RunFolder.open(tmp_path / "local"), RunFolder.open(tmp_path / "ray")
    assert [(r.entry, r.key, r.text) for r in ray.responses()] == [(r.entry, r.key, r.text) for r in local.responses()]
    assert list(ray.items()) == list(local.items())
    assert any(part.sha256 for item in ray.items() for part in item.all_parts if part.is_media)
    assert differing(tmp_path / "local", tmp_path / "ray") == []


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_a_run_on_ray_is_scored_with_comet_as_the_run_of_the_local_engine(
    tmp_path: Path, two_machines: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encoders run in the driver's process, after the last reply."""
    monkeypatch.setenv("TRIPTYCH_ENCODERS", str(stand_in(tmp_path, monkeypatch)))
    for way, options in (("local", None), ("ray", on_ray(two_machines))):
        result = api.run("mcif/long/de/TRANS", "baseline/reference", out=tmp_path / way, options=options)
        assert "unbabel-comet-9" in result.folder.summary_path.read_text("utf-8")
        scored = [figure for figure in result.scores["official"] if figure.metric == "comet"]
        assert scored and all(figure.counts.keys() == {"scored"} for figure in scored)
    assert differing(tmp_path / "local", tmp_path / "ray") == []


# Two native classes, or all: `make vision CLASSES=all`
CLASSES = list(models()) if os.environ.get("TRIPTYCH_RAY_CLASSES") == "all" else ["text", "qwen2_audio"]
# first kind of media that a model takes -> what it is asked
ASKED = {"": ("cmdar/main", ["blind"]), "audio": ("cmdar/main", []), "image": ("mcs_bench/T28", [])}


@pytest.mark.parametrize("model", CLASSES)
def test_a_model_of_transformers_gives_the_same_tokens_alone_in_a_batch_and_on_ray(
    tmp_path: Path, two_machines: str, model: str
) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: make models")
    _, kinds, packages = models()[model]
    if lacking := [package for package in packages if find_spec(package) is None]:
        pytest.skip(f"{model} needs {', '.join(lacking)}, which is not installed: make vision")
    tasks, conditions = ASKED[kinds[0] if kinds else ""]
    name = f"hf/{save(model, tmp_path / 'model')}"
    texts = {}
    ray = on_ray(two_machines, workers=1)  # each would import transformers for a quarter of a minute
    for way, batch, options in (("alone", 1, None), ("batch", 4, None), ("ray", 2, ray)):
        settings = {"batch": batch, "max_tokens": 6, "dtype": "float32", "temperature": 0}
        api.run(tasks, name, out=tmp_path / way, settings=settings, conditions=conditions, options=options)
        found = RunFolder.open(tmp_path / way).responses()
        texts[way] = {(one.item, one.status, one.text, one.usage.output_tokens) for one in found}
    assert texts["alone"] == texts["batch"] == texts["ray"]
    if model in ("text", "qwen2_audio"):  # some of the other models end at once, by their random weights
        assert len({text for _, _, text, _ in texts["ray"]}) > 1, "the texts are not all the same by chance"


def test_every_class_gives_the_same_tokens_alone_and_in_a_batch_on_ray(tmp_path: Path, two_machines: str) -> None:
    """All classes with all kinds of media that they take, in one worker: alone in this process, three at once there."""
    torch = pytest.importorskip("torch", reason="torch is not installed: make models")
    needed = {package for _, _, packages in models().values() for package in packages}
    if lacking := sorted(package for package in needed if find_spec(package) is None):
        pytest.skip(f"not installed: {', '.join(lacking)}: make vision")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several would wait for each other for most of the time
    try:
        asked = [one for name, (_, kinds, _) in models().items() for one in every_class.requests(name, kinds)]
        for name in models():
            save(name, tmp_path / "models" / name)
        data = every_class.write_media(tmp_path / "media")
        alone, settings = RunFolder.create(tmp_path / "alone", MANIFEST), {"folder": str(tmp_path / "models")}
        adapter = load_adapter("every/one", settings)
        run_sync(execute(asked, adapter, alone, MediaReader(data), RunOptions(concurrency=1, timeout_s=None)))
    finally:
        torch.set_num_threads(threads)
    settings |= {"batch": len(every_class.ASKED)}
    adapter, together = load_adapter("every/one", settings), RunFolder.create(tmp_path / "ray", MANIFEST)
    team = RayTeam(RayOptions(1, address=two_machines), Setup("every/one", settings, str(data), timeout_s=None))
    run_sync(execute_leased(asked, adapter, together, team, RunOptions(planned=len(asked))))
    for one, two in zip(alone.responses(), together.responses(), strict=True):
        assert (one.item, one.error, two.error) == (two.item, None, None)
        assert (one.status, one.text, one.usage, one.encoded) == (two.status, two.text, two.usage, two.encoded), (
            one.item
        )
        assert (one.served_model, two.served_model) == ("in a batch of 1", "in a batch of 3")
    assert len(list(together.responses())) == len(asked)


def test_a_worker_process_is_asked_on_ray_as_it_is_locally(
    tmp_path: Path, two_machines: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker of Ray starts a process of its own with the model's Python, as the driver allows it."""
    monkeypatch.setattr("triptych.models.worker.trust._allowed", True)
    runner = Path(__file__).parents[2] / "models" / "worker" / "runner.py"
    settings = {"runner": str(runner), "python": sys.executable, "source": str(tmp_path)}
    for way, options in (("local", None), ("ray", on_ray(two_machines))):
        api.run("cmdar/main", "worker/mine", out=tmp_path / way, settings=settings, limit=3, options=options)
    texts = reply_texts(tmp_path / "ray")
    assert texts == reply_texts(tmp_path / "local") and texts
    assert all("|1|" in text for text in texts.values()), "each question has its recording"


def test_a_model_without_weights_ends_the_run_with_the_reason(tmp_path: Path, two_machines: str) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: make models")
    with environment(HF_HUB_OFFLINE="1"):
        options = on_ray(two_machines, workers=1)
        result = api.run("cmdar/main", "hf/nobody/nothing", out=tmp_path / "a", options=options)
    assert result.outcome.fatal and "nobody/nothing" in (result.outcome.stopped or "")
    assert os.listdir(tmp_path / "a") and not list(result.folder.responses())
