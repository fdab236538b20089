"""The cluster files of docs/many-machines.md: YAML and shell that parse; both scripts for Slurm, with stand-ins."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from triptych.store.folder import RunFolder

PAGE = (Path(__file__).parents[2] / "docs/many-machines.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.S | re.M)


def test_the_job_of_kuberay_is_yaml_with_the_fields_of_a_rayjob() -> None:
    yaml = pytest.importorskip("yaml")
    (job,) = map(yaml.safe_load, blocks("yaml"))
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    (workers,) = job["spec"]["rayClusterSpec"]["workerGroupSpecs"]
    (container,) = workers["template"]["spec"]["containers"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert container["volumeMounts"] == [{"name": "runs", "mountPath": "/shared"}]
    assert "--engine ray" in job["spec"]["entrypoint"]


@pytest.mark.parametrize("script", blocks("bash"))
def test_scripts_are_valid_shell(script: str) -> None:
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_the_cluster_on_slurm_has_a_head_on_the_first_machine(tmp_path: Path) -> None:
    """The script, with stand-ins for Slurm that write down how they are called."""
    (script,) = (script for script in blocks("bash") if "scontrol" in script)
    log = tmp_path / "log"
    says = {"srun": f'echo "srun $*" >> {log}', "triptych": f'echo "triptych $*" >> {log}', "sleep": ":"}
    says["scontrol"] = '[ "$*" = "show hostnames gpu[1-4]" ] && printf "gpu%s\\n" 1 2 3 4'
    for name, line in says.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    own = {"SLURM_JOB_NODELIST": "gpu[1-4]", "SLURM_NNODES": "4", "DATA": "/data", "RUNS": "/runs"}
    own["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(["bash", "-euc", f"{script}\nwait"], env={**os.environ, **own}, check=True)
    head, rest, run = sorted(log.read_text("utf-8").splitlines(), key=lambda line: (line[0], "--exclude" in line))
    assert head.startswith("srun --nodes=1 --ntasks=1 -w gpu1 ray start --head --port=6379 ")
    assert rest.startswith("srun --nodes=3 --ntasks=3 --exclude gpu1 ray start --address=gpu1:6379 ")
    assert run.startswith("triptych run xmodbench --data /data ") and "--ray-address gpu1:6379 --out /runs/" in run


@pytest.mark.slow
def test_the_array_of_jobs_makes_one_run(tmp_path: Path) -> None:
    """Each job of the array runs as Slurm would start it; then the command of the last job merges them."""
    array, last = (script for script in blocks("bash") if "SLURM_ARRAY" in script or "--wrap" in script)
    script = array.replace("hf/Qwen/Qwen2.5-Omni-7B", "baseline/first --limit 2").replace("shards=8", "shards=3")
    (tmp_path / "triptych").write_text(f'#!/bin/sh\nexec {sys.executable} -m triptych "$@"\n')
    (tmp_path / "triptych").chmod(0o755)
    own = {"DATA": "mini", "RUNS": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for number in (1, 2, 3):
        job = {"SLURM_ARRAY_TASK_ID": f"{number}"}
        subprocess.run(["bash", "-ec", script], env={**os.environ, **own, **job}, check=True, capture_output=True)
    merge = re.search(r"--wrap '(.*)'", last)
    assert merge
    subprocess.run(["bash", "-ec", merge[1]], env={**os.environ, **own}, check=True, capture_output=True)
    whole = RunFolder.open(tmp_path / "whole")
    assert len(list(whole.responses())) == whole.manifest.planned and whole.summary_path.exists()
