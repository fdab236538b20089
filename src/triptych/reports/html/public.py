"""Files to hand on: without paths of this machine and without addresses of endpoints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from triptych.reports.files.latex import escape as latex_escape
from triptych.reports.files.markdown import escaped
from triptych.store.files.atomic import write_atomically
from triptych.store.folder import RunFolder

TEXTS = (".csv", ".md", ".tex", ".svg", ".json", ".jsonl", ".txt", ".xml")
# Left as they are: styles, the page's script, embedded media, the policy with its digests
_APART = re.compile(r'(<style>.*?</style>|<script>.*?</script>|"data:[^"]*"|content="default-src[^"]*")', re.DOTALL)
_REST = r"(?:\\[_&#%$*|`]|[^\s\"'<>&\\;,)\]}])*"  # with the escapes of LaTeX and Markdown
_ASKED_AT = re.compile(rf"(--(?:model|reader|judge)-base-url) {_REST}")
_LOCAL_URL = re.compile(
    r"(?:https?|wss?)://(?:localhost|127\.[\d.]+|0\.0\.0\.0|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[[0-9a-f:]+\])"
    rf"(?::\d+)?{_REST}"
)
_PATH = re.compile(
    rf"(?<![\w/.<:+-])/(?:home|root|Users|tmp|mnt|media|data|work|var|opt|srv|scratch|workspace|private|etc)/{_REST}"
)


def public(page: str, folders: Iterable[RunFolder]) -> str:
    """Return the page without addresses of endpoints, and with paths as the names of their folders.

    Paths of the Runs, of their data and of their endpoints are known from the manifests; other absolute paths and
    addresses of this machine or its network (in messages, notes and settings) are found by their form.
    """
    replacements = {escape(private): instead for private, instead in _private_texts(folders)}
    pieces = _APART.split(page)
    return "".join(piece if n % 2 else _hidden(piece, replacements) for n, piece in enumerate(pieces))


def public_text(text: str, folders: Iterable[RunFolder]) -> str:
    """Return a CSV, Markdown or LaTeX file, or a vector figure, in the same way."""
    spellings = (str, escape, latex_escape, escaped, lambda name: json.dumps(name, ensure_ascii=False)[1:-1])
    replacements = {spelt(private): instead for private, instead in _private_texts(folders) for spelt in spellings}
    return _hidden(text, replacements)


def hide_addresses(paths: Iterable[Path], folders: Iterable[RunFolder]) -> None:
    """Rewrite the text files among those that a report consists of so that they can be handed on. Pictures (PNG, PDF)
    have no metadata, and their texts are drawn without addresses and paths (`plots.text_style.hiding`)."""
    folders = list(folders)
    for path in paths:
        if path.suffix in TEXTS:
            text = path.read_text(encoding="utf-8")
            if (made := public_text(text, folders)) != text:
                write_atomically(path, made.encode())


def _hidden(text: str, replacements: dict[str, str]) -> str:
    for private in sorted(replacements, key=len, reverse=True):
        text = text.replace(private, replacements[private])
    return _PATH.sub("PATH", _LOCAL_URL.sub("URL", _ASKED_AT.sub(r"\1 URL", text)))


def _private_texts(folders: Iterable[RunFolder]) -> Iterator[tuple[str, str]]:
    """Yield each private text and its substitute."""
    for folder in folders:
        manifest = folder.manifest
        for path in dict.fromkeys((folder.path, folder.path.absolute(), folder.path.resolve())):
            yield from _spelt(path, folder.path.name)
        if "/" in manifest.data:
            yield from _spelt(Path(manifest.data), "DATA")
        for endpoint in manifest.endpoints:
            parts_of_address = urlsplit(endpoint.address)
            for private in (endpoint.address, endpoint.address.partition("://")[2], parts_of_address.netloc):
                if private:
                    yield private, "ENDPOINT"
        for value in manifest.model_settings.values():
            if isinstance(value, str) and (value.startswith("/") or "://" in value):
                yield value, "HIDDEN"
            elif isinstance(value, str) and manifest.model.startswith("replay/") and len(Path(value).parts) > 1:
                yield value, Path(value).name


def _spelt(path: Path, name: str) -> Iterator[tuple[str, str]]:
    if len(path.parts) > 1:
        yield str(path), name
        if path.is_absolute():
            yield str(path.parent), "RUNS" if name != "DATA" else "DATA"
