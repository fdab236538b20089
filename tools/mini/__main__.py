"""The command line of the mini sets: `compare` (what runs without a word), `build`, `check`, `material`, `listen`,
`freeze`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import triptych.benchmarks
from tools.mini import cmdar_set, frozen, manifest, mcga_set, mcif_set, mcs_bench_set, recipes, xmodbench_set

BENCHMARKS = Path(triptych.benchmarks.__file__).parent
MATERIAL = {
    module.FOLDER.name: module.make_material for module in (cmdar_set, mcga_set, mcif_set, mcs_bench_set, xmodbench_set)
}
SETS = recipes.RECIPES
QUESTIONS = (".json", ".jsonl", ".xml")
DERIVED = ("croissant.json", "provenance.jsonl", "guessing.json")  # they hold hashes or measures of the media
ABOUT = {
    "made_by": "python -m tools.mini build",
    "licence": "CC0-1.0",
    "note": "Made by Triptych in the released format; nothing in it is taken from the benchmark's own data.",
}


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: all is well; 1: files differ from their manifest, or question files from what is made."""
    parser = argparse.ArgumentParser(prog="python -m tools.mini", description="The mini sets.")
    commands = ["compare", "build", "check", "material", "listen", "freeze"]
    parser.add_argument("command", nargs="?", default="compare", choices=commands)
    parser.add_argument("--to", type=Path, default=BENCHMARKS, help="folder of the benchmarks (default: the package)")
    parser.add_argument("--work", type=Path, default=Path("build/mini"), help="builds, speech, spoken lines")
    parser.add_argument("--set", action="append", choices=SETS, help="these alone; otherwise all")
    parser.add_argument("--whisper", help="listen: folder of a faster-whisper model")
    options = parser.parse_args(arguments)
    names = options.set or SETS
    match options.command:
        case "build":
            build(options.to, options.work, names)
        case "compare":
            build(options.work / "made", options.work, names)
            return compare(options.to, options.work / "made", names) or check(options.to, names)
        case "material":
            for name in names:
                MATERIAL[name](recipes.HERE / name, options.work)
            return 0
        case "freeze":
            frozen.freeze()
            return 0
        case "listen":
            from tools.mini.listen import listen

            listen(options.whisper, names)
            return 0
    return check(options.to, names)


def build(to: Path, work: Path, names: tuple[str, ...] = SETS) -> None:
    """Makes sets from nothing under `to`."""
    for name in names:
        root = to / name / "mini"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(recipes.build_set(name, work / "builds"), root)
        manifest.write(root, ABOUT)


def check(to: Path, names: tuple[str, ...] = SETS) -> int:
    """1 if a file is missing, new or changed against the manifests, else 0."""
    wrong = [f"{name}: {line}" for name in names for line in manifest.differences(to / name / "mini")]
    return _told(wrong, "the mini sets are as their manifests say")


def compare(to: Path, made: Path, names: tuple[str, ...] = SETS) -> int:
    """1 if the question files under `to` are not those just made.

    Media that differ are counted but don't fail, nor what holds their hashes: another version of a library may round
    or encode otherwise.
    """
    wrong, others = [], 0
    for name in names:
        here, there = (manifest.listing(folder / name / "mini") for folder in (to, made))
        changed = [path for path in sorted(here.keys() | there.keys()) if here.get(path) != there.get(path)]
        strict = [path for path in changed if path.endswith(QUESTIONS) and path not in DERIVED]
        wrong += [f"{name}: not what is made now: {path}" for path in strict]
        others += len(changed) - len(strict)
    print(f"{others} media files, or files with their hashes, differ from those just made", file=sys.stderr)
    return _told(wrong, "the question files are what is made now")


def _told(wrong: list[str], well: str) -> int:
    print("\n".join(wrong) or well, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
