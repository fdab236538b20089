"""The command line of the mini sets: `compare` (what runs without a word), `build`, `check`, `listen`."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from triptych.construction.mini import cmdar_set, manifest, mcga_set, mcif_set, mcs_bench_set, xmodbench_set

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SETS: dict[str, Callable[[Path, Path], None]] = {
    "xmodbench": xmodbench_set.build,
    "cmdar": cmdar_set.build,
    "mcif": mcif_set.build,
    "mcs_bench": mcs_bench_set.build,
    "mcga": mcga_set.build,
}
QUESTIONS = (".json", ".jsonl", ".xml")
ABOUT = {
    "made_by": "python -m triptych.construction.mini build",
    "licence": "CC0-1.0",
    "note": "Made by Triptych in the released format; nothing in it is taken from the benchmark's own data.",
}


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: all is well; 1: files differ from their manifest, or question files from what the code makes."""
    parser = argparse.ArgumentParser(prog="python -m triptych.construction.mini", description="The mini sets.")
    parser.add_argument("command", nargs="?", default="compare", choices=["compare", "build", "check", "listen"])
    parser.add_argument("--to", type=Path, default=BENCHMARKS, help="folder of the benchmarks (default: the package)")
    parser.add_argument("--work", type=Path, default=Path("build/mini"), help="speech environment and spoken lines")
    parser.add_argument("--whisper", help="listen: folder of a faster-whisper model")
    options = parser.parse_args(arguments)
    match options.command:
        case "build":
            build(options.to, options.work)
        case "compare":
            build(options.work / "made", options.work)
            return compare(options.to, options.work / "made") or check(options.to)
        case "listen":
            from triptych.construction.mini.listen import listen

            listen(options.to, options.whisper)
            return 0
    return check(options.to)


def build(to: Path, work: Path) -> None:
    """Makes all sets from nothing under `to`; spoken lines already in `work` are used again."""
    for name, make in SETS.items():
        root = to / name / "mini"
        for old in root.iterdir() if root.is_dir() else ():
            if old.is_dir():
                shutil.rmtree(old)
        root.mkdir(parents=True, exist_ok=True)
        make(root, work)
        manifest.write(root, ABOUT)


def check(to: Path) -> int:
    """1 if a file is missing, new or changed against the manifests, else 0."""
    wrong = [f"{name}: {line}" for name in SETS for line in manifest.differences(to / name / "mini")]
    return _told(wrong, "the mini sets are as their manifests say")


def compare(to: Path, made: Path) -> int:
    """1 if the question files under `to` are not those just made.

    Media that differ are counted but don't fail: another processor or library version may round or encode otherwise.
    """
    wrong, media = [], 0
    for name in SETS:
        here, there = (manifest.listing(folder / name / "mini") for folder in (to, made))
        changed = [path for path in sorted(here.keys() | there.keys()) if here.get(path) != there.get(path)]
        wrong += [f"{name}: not what the code makes: {path}" for path in changed if path.endswith(QUESTIONS)]
        media += sum(not path.endswith(QUESTIONS) for path in changed)
    print(f"{media} media files differ in their bytes from those just made", file=sys.stderr)
    return _told(wrong, "the question files are what the code makes")


def _told(wrong: list[str], well: str) -> int:
    print("\n".join(wrong) or well, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
