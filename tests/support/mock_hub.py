"""A small Hugging Face Hub on loopback: the routes that its client uses for a data set, with Range and ETags.

hub = Hub("owner/name", {"tasks/a.json": b"…"})
with Wire(hub) as wire:
    … HF_ENDPOINT = wire.url
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from urllib.parse import unquote, urlsplit

from tests.support.wire import Answer, Seen

LARGE = 1000  # bytes from which on a file counts as large (LFS), with a SHA-256


class Hub:
    """One repository with a branch `main` at a commit. `cut`: path -> how often its transfer breaks in the middle;
    `token`: what it wants to be shown; `extra`: paths that stand in the listing only; `spoiled`: paths whose content
    is not what the listing says; `gone`: paths that get a 503; `rows`: path -> what
    its row of the listing says instead."""

    def __init__(self, repo: str, files: dict[str, bytes]) -> None:
        self.repo, self.files = repo, dict(files)
        self.cut: Counter[str] = Counter()
        self.token = ""
        self.extra: tuple[str, ...] = ()
        self.spoiled: set[str] = set()
        self.gone: set[str] = set()
        self.rows: dict[str, dict[str, object]] = {}
        self.asked: list[tuple[str, str, str]] = []

    @property
    def commit(self) -> str:
        content = "".join(f"{path}{hashlib.sha1(data).hexdigest()}" for path, data in sorted(self.files.items()))
        return hashlib.sha1(content.encode()).hexdigest()

    def __call__(self, seen: Seen) -> Answer:
        path = unquote(urlsplit(seen.path).path)
        self.asked.append((seen.method, path, seen.headers.get("range", "")))
        if self.token and seen.headers.get("authorization") != f"Bearer {self.token}":
            return Answer(401, b'{"error": "Unauthorized"}', {"X-Error-Code": "GatedRepo"})
        if match := re.fullmatch(rf"/api/datasets/{self.repo}/revision/(.+)", path):
            return self.info() if match[1] in ("main", self.commit) else self.unknown("RevisionNotFound")
        if match := re.fullmatch(rf"/api/datasets/{self.repo}/tree/([0-9a-f]+).*", path):
            return Answer(body=json.dumps(self.tree()).encode())
        if match := re.fullmatch(rf"/datasets/{self.repo}/resolve/([0-9a-f]+)/(.+)", path):
            return self.file(match[2], seen) if match[2] in self.files else self.unknown("EntryNotFound")
        return self.unknown("RepoNotFound")

    def info(self) -> Answer:
        told = {"_id": "1", "id": self.repo, "sha": self.commit, "private": False, "siblings": [], "tags": []}
        return Answer(body=json.dumps(told).encode())

    def tree(self) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = [{"type": "directory", "oid": "0" * 40, "size": 0, "path": "tasks"}]
        for path, data in sorted({**self.files, **dict.fromkeys(self.extra, b"x")}.items()):
            row: dict[str, object] = {"type": "file", "oid": blob(data), "size": len(data), "path": path}
            if len(data) >= LARGE:
                row["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
            rows.append(row | self.rows.get(path, {}))
        return rows

    def file(self, path: str, seen: Seen) -> Answer:
        if path in self.gone:
            return Answer(503, b"busy", kind="text/plain")
        data = self.files[path]
        etag = hashlib.sha256(data).hexdigest() if len(data) >= LARGE else blob(data)
        headers = {
            "ETag": f'"{etag}"',
            "X-Repo-Commit": self.commit,
            "Accept-Ranges": "bytes",
            "X-Linked-Size": str(len(data)),
            "X-Linked-Etag": f'"{etag}"',
        }
        if path in self.spoiled:
            data = bytes(len(data))
        if seen.method == "HEAD":
            return Answer(body=data, headers=headers, kind="application/octet-stream")
        start = int(re.sub(r"\D", "", seen.headers.get("range", "").partition("-")[0]) or 0)
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        cut = self.cut[path] > 0
        self.cut[path] -= cut
        return Answer(206 if start else 200, data[start:], headers, cut, "application/octet-stream")

    @staticmethod
    def unknown(code: str) -> Answer:
        return Answer(404, json.dumps({"error": code}).encode(), {"X-Error-Code": code, "X-Error-Message": code})


def blob(data: bytes) -> str:
    """Git's own hash of a file."""
    return hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()
