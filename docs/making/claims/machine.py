"""Figures about what is built in: weights, mini sets."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from importlib import import_module

import sources
from registry import figure


@figure
def weights(name: str) -> str:
    """The size in MB of a set of weights, or of what `demo` fetches."""
    sets = tomllib.loads((sources.PACKAGE / "models/weights/weights.toml").read_text(encoding="utf-8"))
    names = ["whisper-base", "qwen2.5-coder-0.5b"] if name == "demo" else [name]
    return f"{sum(file['size'] for own in names for file in sets[own]['files']) / 1e6:.0f}"


@figure
def demo_installed() -> str:
    """The MB that `make demo` installs, to the next 50: what `.ci/run` measured after it."""
    if not (measured := os.environ.get("TRIPTYCH_DEMO_MB")):
        raise sources.Absent("what `make demo` installs: set TRIPTYCH_DEMO_MB to the size of its .venv")
    return f"{50 * round(int(measured) / 50)}"


@figure
def mini(benchmark: str, what: str = "MB") -> str:
    """The size in MB of a mini set (`all`: together), or how many of its files end in `what`."""
    names = sources.benchmarks() if benchmark == "all" else [benchmark]
    folders = [sources.PACKAGE / "benchmarks" / own / "mini" for own in names]
    if what == "MB":
        return f"{sum(p.stat().st_size for folder in folders for p in folder.rglob('*') if p.is_file()) / 1e6:.1f}"
    listed = [json.loads((folder / "MANIFEST.json").read_bytes())["files"] for folder in folders]
    return f"{sum(name.endswith(what) for files in listed for name in files):,}"


@figure
def tasks(benchmark: str, *part: str) -> str:
    """How many Tasks a benchmark has, or how many values a part of their ids: a number from the left, or a pattern."""
    from triptych import load_benchmark

    ids = [task.id for task in load_benchmark(benchmark).spec.tasks]
    if part and part[0].isdigit():
        return f"{len({'/'.join(id.split('/')[: int(part[0])]) for id in ids}):,}"
    return f"{sum(not part or bool(re.search(part[0], id)) for id in ids):,}"


@figure
def facet(benchmark: str, name: str, value: str) -> str:
    """How many Tasks have a value of a facet."""
    from triptych import load_benchmark

    return f"{sum(task.facets.get(name) == value for task in load_benchmark(benchmark).spec.tasks):,}"


@figure
def facets(benchmark: str, name: str) -> str:
    """How many values a facet has over a benchmark's Tasks."""
    from triptych import load_benchmark

    return f"{len({task.facets[name] for task in load_benchmark(benchmark).spec.tasks if name in task.facets}):,}"


@figure
def paper_count(benchmark: str, task: str) -> str:
    """How many questions a Task has by the paper, as the benchmark's spec or its check has it."""
    from triptych import load_benchmark

    (found,) = [own.count for own in load_benchmark(benchmark).spec.tasks if own.id == task]
    return f"{found:,}"


@figure
def decoding(benchmark: str, *settings: str) -> str:
    """Settings that go into every Request of a benchmark."""
    from triptych import load_benchmark

    given = load_benchmark(benchmark).spec.decoding
    return " ".join(f"{given[name]}" for name in settings)


@figure
def mcif_prompts() -> str:
    """How many prompts MCIF's pools hold."""
    from triptych.benchmarks.mcif import pools

    return f"{sum(map(len, pools.pools().values()))}"


@figure
def heard(benchmark: str, what: str = "characters") -> str:
    """Return the recogniser's error rate on a mini set's speech, by `heard.json`, in percent."""
    clips = json.loads((sources.ROOT / "tools/mini/heard.json").read_bytes())[benchmark]["clips"].values()
    said, understood = ([re.sub(r"[\W_]+", "", clip[key]).lower() for clip in clips] for key in ("said", "heard"))
    if what == "syllables":
        from pypinyin import lazy_pinyin

        said, understood = ([lazy_pinyin(text) for text in texts] for texts in (said, understood))
    from rapidfuzz.distance import Levenshtein

    errors = sum(Levenshtein.distance(a, b) for a, b in zip(said, understood, strict=True))
    rate = 100 * errors / sum(map(len, said))
    return f"{rate:.1f}" if rate < 10 else f"{rate:.0f}"


@figure
def mini_instances(subtask: str) -> str:
    """How many Instances a subtask of the XModBench-like mini set has; all of them without a name."""
    parts = [id.split("/") for id in sources.item_ids("xmodbench", "mini")]
    found = {(p[0], p[1], p[-1]) for p in parts if subtask in ("", p[1])}
    return f"{len(found):,}"


@figure
def mini_subtasks() -> str:
    """How many subtasks the XModBench-like mini set has."""
    return str(len({id.split("/")[1] for id in sources.item_ids("xmodbench", "mini")}))


_UNITS = {"MiB": 2**20, "GiB": 2**30, "Mi": 2**20, "MB": 2**20, "million": 10**6, "hours": 3600, "minutes": 60, "": 1}


@figure
def constant(name: str, unit: str = "", place: str = "") -> str:
    """A constant of the code by its name, in a unit; `file.NAME` if several files have one; the place of a part."""
    file, _, own = name.rpartition(".")
    paths = [
        path
        for path in sorted(sources.PACKAGE.rglob(f"{file or '*'}.py"))
        if re.search(rf"^(?:\w+, )*{own}(?:, \w+)*(?::[^=\n]+)? = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    if len(paths) != 1:
        raise LookupError(f"{name}: expected one file that defines it, found {[str(p) for p in paths]}")
    module = ".".join(paths[0].relative_to(sources.PACKAGE.parent).with_suffix("").parts)
    value = getattr(import_module(module), own)
    return f"{(value[int(place)] if place else value) / _UNITS[unit]:,.10g}"


@figure
def fuzz_targets() -> str:
    """How many readers of files from outside are fuzzed."""
    sys.path.insert(0, str(sources.ROOT))
    targets = import_module("tests.fuzz.targets").TARGETS
    return f"{len(targets):,}"


@figure
def damaged_files() -> str:
    """How many damaged files `make test` feeds each target with."""
    text = (sources.ROOT / "tests/fuzz/test_readers.py").read_text(encoding="utf-8")
    (number,) = re.findall(r'TRIPTYCH_FUZZ_EXAMPLES", "(\d+)"', text)
    return str(number)


@figure
def smallest_detectable() -> str:
    """The smallest difference that a paired comparison finds with its usual power, in standard errors."""
    from triptych.analysis.comparing.significance import detectable

    return f"{detectable(1.0):.2f}"
