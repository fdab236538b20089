"""Reports that pages open: made in a process of its own, with its progress, kept in the cache folder.

A report over large Runs takes a minute and a gigabyte: neither may stop the server, and one is made at a time.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from triptych.errors import TriptychError
from triptych.store.folder import RunFolder
from triptych.store.user_cache import cache_root
from triptych.version import __version__

NAME = "report.html"
MAX_STORED_REPORTS = 20  # reports in the cache folder
LINES = 5  # of a report's progress on the page
WAITED_S = 60.0  # after which nobody waits for a report any more: its page asks every two seconds
END_S = 5.0  # for a process that is ended


@dataclass(frozen=True, slots=True)
class State:
    """How far a report is: `path` if it is made, `lines` of its progress, `failed` if there will be none."""

    path: Path | None = None
    lines: tuple[str, ...] = ()
    failed: bool = False


@dataclass(slots=True)
class Reports:
    """The reports below `home`. `root`: the folder that the viewer shows; `data`: benchmark -> its data folder, as the
    viewer was given."""

    root: Path
    data: Mapping[str, Path] = field(default_factory=dict)
    home: Path | None = None
    _lock: Lock = field(default_factory=Lock)
    _running: tuple[str, subprocess.Popen[bytes]] | None = None
    _failed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _begun: dict[tuple[str, ...], str] = field(default_factory=dict)  # viewer and Runs -> the key it was begun with

    def state(self, folders: Sequence[RunFolder], viewer: str, again: bool = False) -> State:
        """Return how far the report over these Runs is, and begin it if nothing is being made. `viewer`: the address
        that its numbers link to; `again`: begin it once more after a failure.

        A report that was begun is shown when it is made, also if its Runs went on meanwhile.
        """
        state_key = (viewer, *(str(folder.path.absolute()) for folder in folders))
        with self._lock:
            self._reap()
            if again and self._begun.get(state_key) in self._failed:
                self._failed.pop(self._begun.pop(state_key, ""), None)
            key = self._begun_key(state_key) or _key(folders, viewer, str(self.root), repr(sorted(self.data.items())))
            path = self._home / key
            if (path / NAME).is_file():
                with suppress(OSError):
                    os.utime(path)
                self._begun.pop(state_key, None)
                return State(path / NAME)
            if key in self._failed:
                return State(lines=self._failed[key], failed=True)
            if self._running and self._running[0] != key:
                return State(lines=("waiting for another report to be finished",))
            if not self._running:
                self._begin(key, folders, viewer)
                self._begun[state_key] = key
            return State(lines=_last_lines(self._log(key)) or ("beginning",))

    def close(self) -> None:
        """End the process that makes a report, if there is one."""
        with self._lock:
            if not self._running:
                return
            key, process = self._running
            process.terminate()
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self._running = None
            shutil.rmtree(self._part(key), ignore_errors=True)

    @property
    def _home(self) -> Path:
        return self.home or cache_root() / "view-reports"

    def _begun_key(self, key: tuple[str, ...]) -> str:
        """Return the key of a report that was begun and not shown yet; empty if there is none, or nobody waits."""
        made = self._home / self._begun.get(key, "") / NAME
        with suppress(OSError):
            if time.time() - made.stat().st_mtime > WAITED_S:
                self._begun.pop(key, None)
        return self._begun.get(key, "")

    def _part(self, key: str) -> Path:
        return self._home / f"{key}.{os.getpid()}.part"

    def _log(self, key: str) -> Path:
        return self._part(key) / "progress.txt"

    def _begin(self, key: str, folders: Sequence[RunFolder], viewer: str) -> None:
        part = self._part(key)
        part.mkdir(parents=True, exist_ok=True)
        wanted = {
            "runs": [str(folder.path.absolute()) for folder in folders],
            "to": str(part),
            "viewer": viewer,
            "root": str(self.root),
            "data": {name: str(data_path.absolute()) for name, data_path in self.data.items()},
        }
        code = f"from {__name__} import main; main()"
        with self._log(key).open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", code, json.dumps(wanted)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._running = key, process

    def _reap(self) -> None:
        """Keep the report of a process that has ended, or the end of what it said."""
        if not self._running or self._running[1].poll() is None:
            return
        key, process = self._running
        part, folder = self._part(key), self._home / key
        self._running = None
        if process.returncode == 0 and (part / NAME).is_file():
            with suppress(OSError):
                part.rename(folder)
        else:
            self._failed[key] = _last_lines(self._log(key)) or (f"ended with exit code {process.returncode}",)
        shutil.rmtree(part, ignore_errors=True)
        self._forget_old()

    def _forget_old(self) -> None:
        with suppress(OSError):
            places = [entry for entry in self._home.iterdir() if (entry / NAME).is_file()]
            for old in sorted(places, key=lambda folder: folder.stat().st_mtime, reverse=True)[MAX_STORED_REPORTS:]:
                shutil.rmtree(old, ignore_errors=True)


def main() -> None:
    """Make one report, as the process that `Reports` begins."""
    from triptych.reports.report import write_report
    from triptych.store.decoded import keep_files

    wanted = json.loads(sys.argv[1])
    try:
        with keep_files():
            write_report(
                [RunFolder.open(Path(path)) for path in wanted["runs"]],
                to=Path(wanted["to"]),
                formats=["html"],
                data={name: Path(data_path) for name, data_path in wanted["data"].items()},
                viewer=wanted["viewer"],
                root=Path(wanted["root"]),
                progress=_print_line,
            )
    except TriptychError as error:
        sys.exit(str(error))


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _key(folders: Sequence[RunFolder], *settings: str) -> str:
    """Return a name that changes with everything that the report shows."""
    parts = [__version__, *settings]
    for folder in folders:
        for name in ("manifest.json", "responses.jsonl", "summary.json", "annotations.jsonl"):
            with suppress(OSError):
                status = (folder.path / name).stat()
                parts.append(f"{folder.path.absolute()}/{name} {status.st_mtime_ns} {status.st_size}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _last_lines(log: Path) -> tuple[str, ...]:
    with suppress(OSError):
        text = log.read_bytes()[-8192:].decode("utf-8", "replace")
        return tuple(line for line in text.splitlines() if line.strip())[-LINES:]
    return ()
