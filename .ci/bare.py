#!/usr/bin/env python3
"""Run a command as on a machine with Python, pip, make and apt-get and nothing else: `.ci/bare.py make test`.

What this machine has beyond these is hidden by mounts, which only the command and its children see: browsers, programs
for sound and films, PostgreSQL, compilers, Node, uv, git, fonts, model weights, every cache, the real data beside the
checkout. All of it is found by name, in whatever folder it is. After the mounts the same search must find nothing, and
no font may be left that fontconfig knew before: otherwise the command isn't started.

Python stays, wherever it is, and pip's configuration, which says where packages come from. Commands with one
BARE_CACHE=FOLDER share their caches, as two commands that a person types do; otherwise caches are empty and deleted at
the end. BARE_LIST=1 prints all that is hidden. Without root or `unshare` nothing is hidden; a line says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

PROGRAMS = {
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
    "chrome-sandbox",
    "firefox",
    "firefox-esr",
    "WebKitWebDriver",
    "Xvfb",
    "pulseaudio",
    "nginx",
    "caddy",
    "espeak",
    "espeak-ng",
    "sox",
    "soxi",
    "ffmpeg",
    "ffprobe",
    "fc-list",
    "fc-cache",
    "fc-match",
    "node",
    "nodejs",
    "npm",
    "npx",
    "uv",
    "uvx",
    "git",
    "psql",
    "postgres",
    "initdb",
    "pg_ctl",
    "tesseract",
    "pdftotext",
    "pdftoppm",
    "xelatex",
    "lualatex",
    "pdflatex",
    "convert",
    "magick",
    "cc",
    "c++",
    "gcc",
    "g++",
    "clang",
    "rustc",
    "cargo",
    "go",
    "docker",
}
FONTS = (".ttf", ".ttc", ".otf", ".otc", ".pfb")
WEIGHTS = (".safetensors", ".gguf", ".onnx")
PLACES = ("/usr", "/opt", "/snap", "/var/lib/flatpak", "~")
PACKAGES = ("site-packages", "dist-packages")  # what an interpreter brings along: `make demo` has one of its own
CACHES = ("~/.cache", "/var/cache/fontconfig")
CACHE_VARIABLES = (
    "XDG_CACHE_HOME",
    "TRIPTYCH_CACHE",
    "PIP_CACHE_DIR",
    "UV_CACHE_DIR",
    "HF_HOME",
    "HF_HUB_CACHE",
    "MPLCONFIGDIR",
)
# Variables that name what a machine has, for the tests that need it.
NAMES = ("TRIPTYCH_ENCODERS", "TRIPTYCH_INSPECT", "TRIPTYCH_COMET_PYTHON", "TRIPTYCH_CHROMIUM", "TRIPTYCH_FONT")
CHECKOUT = Path(__file__).resolve().parents[1]
DATA = CHECKOUT.parent / "shared"


def found(places: Iterable[Path], left_out: Iterable[Path]) -> Iterator[Path]:
    """Programs, fonts and weights below these folders, by name; links are followed to what they name.

    Packages of Python and the folders `left_out` are not searched.
    """
    aside = set(left_out)
    for place in places:
        for folder, folders, files in os.walk(place):
            here = Path(folder)
            folders[:] = [name for name in folders if name not in PACKAGES and here / name not in aside]
            for name in files:
                path = here / name
                if name.lower().endswith((*FONTS, *WEIGHTS)) or (name in PROGRAMS and os.access(path, os.X_OK)):
                    yield path.resolve()


def places() -> list[Path]:
    """The folders to search: where machines keep programs and fonts, the home folder, all of PATH; none in another."""
    wanted = [*map(Path, os.get_exec_path()), *(Path(name).expanduser() for name in PLACES)]
    real = {path.resolve() for path in wanted if path.is_dir()}
    return sorted(path for path in real if not any(other in path.parents for other in real))


def hidden_as(path: Path, shared: Iterable[Path]) -> Path:
    """What to hide for a file: its folder, if that is no folder of programs or Python, otherwise the file alone."""
    folder = path.parent
    return path if folder in shared or any(folder.glob("python3*")) else folder


def caches() -> list[Path]:
    """The folders of caches: the usual ones, those that variables name, and pip's."""
    asked = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=False)
    named = [*CACHES, *(os.environ.get(name, "") for name in CACHE_VARIABLES), asked.stdout.strip()]
    return [Path(name).expanduser().resolve() for name in named if name]


def known_fonts() -> list[Path]:
    """The font files that fontconfig knows of: asked before the mounts, as a second witness after them."""
    if not shutil.which("fc-list"):
        return []
    listed = subprocess.run(["fc-list", "--format", "%{file}\n"], capture_output=True, text=True, check=False)
    return [Path(line) for line in listed.stdout.splitlines()]


def mount(*arguments: str | Path) -> None:
    subprocess.run(["mount", *map(str, arguments)], check=True)


def mount_points() -> set[Path]:
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return {Path(line.split()[4]) for line in lines}


def hide(room: Path) -> list[Path]:
    """Mount something empty over everything that was found; returns what was hidden. `room` keeps the caches."""
    nothing = room / "nothing"
    nothing.touch(mode=0o400)
    whole = [*places(), *(Path(name).resolve() for name in os.get_exec_path())]
    wanted = {hidden_as(path, whole) for path in found(places(), [CHECKOUT, *caches()])} | {
        path for path in (DATA,) if path.is_dir()
    }
    outer = sorted(path for path in wanted if not any(other in path.parents for other in wanted))
    for path in outer:
        mount("-t", "tmpfs", "none", path) if path.is_dir() else mount("--bind", nothing, path)
    return outer + list(empty_caches(room))


def empty_caches(room: Path) -> Iterator[Path]:
    """Mount a folder over each cache: on the disk, because weights are large, and the same for the same BARE_CACHE."""
    kept = Path(os.environ.get("BARE_CACHE") or room / "caches")
    done: list[Path] = []
    for path in caches():
        if any(other == path or other in path.parents for other in done):
            continue
        path.mkdir(parents=True, exist_ok=True)
        own = kept / path.relative_to(path.anchor)
        own.mkdir(parents=True, exist_ok=True)
        mount("--bind", own, path)
        done.append(path)
        yield path


def still_there(fonts: Iterable[Path]) -> list[str]:
    """What can be seen in spite of the mounts: empty, unless something moved or has another name."""
    seen = [str(path) for path in found(places(), [CHECKOUT, *caches()])]
    seen += [str(path) for path in fonts if path.exists() and CHECKOUT not in path.parents]
    seen += [f"{name} (on PATH)" for name in sorted(PROGRAMS) if shutil.which(name)]
    mounted = mount_points()  # os.path.ismount doesn't see a folder of the same disk
    seen += [str(path) for path in caches() if not mounted & {path, *path.parents[:-1]}]
    return seen + [f"{path}" for path in (DATA,) if path.is_dir() and any(path.iterdir())]


def why_not() -> str:
    """Why nothing can be hidden here; empty if it can."""
    if sys.platform != "linux":
        return "mounts of one command's own need Linux"
    if os.geteuid() != 0:
        return "mounts need root"
    tried = shutil.which("unshare") and subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    return "" if tried and tried.returncode == 0 else "`unshare -m` doesn't work here"


def inside(room: Path, command: list[str]) -> int:
    """Hide, check, and run the command."""
    fonts = known_fonts()
    hidden = hide(room)
    if seen := still_there(fonts):
        print("bare: not hidden, so the command isn't started:", *seen, sep="\n  ", file=sys.stderr)
        return 2
    print(f"bare: {len(hidden)} programs and folders hidden, {len(fonts)} fonts gone", file=sys.stderr)
    for path in hidden if os.environ.get("BARE_LIST") else ():
        print(f"  {path}", file=sys.stderr)
    return subprocess.run(command, check=False).returncode


def main(command: list[str]) -> int:
    if command[:1] == ["--inside"]:
        return inside(Path(command[1]), command[2:])
    clean = {name: value for name, value in os.environ.items() if name not in NAMES}
    if reason := why_not():
        print(f"bare: NOTHING IS HIDDEN ({reason}): the command meets this machine as it is", file=sys.stderr)
        return subprocess.run(command, env=clean, check=False).returncode
    with tempfile.TemporaryDirectory(prefix="bare-") as room:
        again = ["unshare", "-m", sys.executable, __file__, "--inside", room, *command]
        return subprocess.run(again, env=clean, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
