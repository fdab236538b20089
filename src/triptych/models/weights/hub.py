"""Weights from the Hugging Face Hub: HTTPS with a short time-out; interrupted downloads are resumed."""

from __future__ import annotations

import http.client
import os
import urllib.error
import urllib.parse
from pathlib import Path

from triptych.models.weights.sets import SourceFailed, Unreachable, Wanted
from triptych.store.files.partial import fetch_rest, size_of

TIMEOUT_S = 10.0
TRIES = 3


def download(wanted: Wanted, to: Path) -> None:
    """Download the file into `to`; a partial file is continued. Raises SourceFailed."""
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}:
        raise SourceFailed("HF_HUB_OFFLINE is set")
    url = _url(wanted)
    wanted.report(f"fetching {wanted.file.name} ({wanted.file.size / 1e6:.0f} MB) from {url}")
    reason = "interrupted"
    for _ in range(TRIES):
        before = size_of(to)
        if before >= wanted.file.size:
            return
        try:
            fetch_rest(
                url, to, wanted.file.size, timeout_s=TIMEOUT_S, report=lambda percent: _report_percent(wanted, percent)
            )
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            if isinstance(error, urllib.error.HTTPError) and error.code < 500:
                break
            if size_of(to) == before:
                raise Unreachable(f"{url}: {reason}") from None
    if size_of(to) < wanted.file.size:
        raise SourceFailed(f"{url}: {reason} after {size_of(to)} of {wanted.file.size} bytes")


def _url(wanted: Wanted) -> str:
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    if not wanted.owner.hub:
        raise SourceFailed("the set has no repository on the Hub")
    if urllib.parse.urlsplit(endpoint).scheme not in {"http", "https"}:
        raise SourceFailed(f"HF_ENDPOINT is not a web address: {endpoint}")
    path = wanted.file.hub_path or wanted.file.name
    return f"{endpoint.rstrip('/')}/{wanted.owner.hub}/resolve/{wanted.owner.revision}/{urllib.parse.quote(path)}"


def _report_percent(wanted: Wanted, percent: int) -> None:
    wanted.report(f"  {wanted.file.name} {percent}%")
