"""Gemini's batch mode, through Google's SDK: a file of Requests is uploaded, and its results are a file, too."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.models.batch import BatchLimits, BatchResult, BatchState, expired, read_line
from triptych.models.gemini.content import Prepared, as_content, config_of
from triptych.models.gemini.reply import read_reply
from triptych.models.http.faults import fault
from triptych.records import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from google import genai

    from triptych.models.gemini.files import Uploads

_ENDED = frozenset({"JOB_STATE_SUCCEEDED", "JOB_STATE_PARTIALLY_SUCCEEDED", "JOB_STATE_CANCELLED", "JOB_STATE_EXPIRED"})
_FAILED = "JOB_STATE_FAILED"
# Fields of a request next to generationConfig
_REQUEST_FIELDS = ("systemInstruction", "safetySettings", "tools", "toolConfig", "cachedContent")


class GeminiBatches:
    """The batch interface of an open client. Large media are uploaded first, and kept until they expire."""

    limits: BatchLimits = BatchLimits(1_000_000, 2_000_000_000)

    def __init__(
        self,
        client: genai.Client,
        model: str,
        uploads: Uploads,
        taken: Mapping[str, Any],
        fps: float,
        faults: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._client, self._model, self._uploads, self._taken = client, model, uploads, taken
        self._fps, self._faults = fps, faults

    async def line(self, key: str, request: Request, prepared: Prepared) -> bytes:
        """Return `{"key", "request"}` with the Request as the REST interface takes it."""
        with self._faults():
            uris = await self._uploads.ensure_uploaded(prepared.large)
        contents = [_as_json(content) for content in as_content(prepared, uris, self._fps)]
        config = _as_json(config_of(request, prepared.system, self._taken))
        if isinstance(system := config.get("systemInstruction"), str):
            config["systemInstruction"] = {"parts": [{"text": system}], "role": "user"}
        body = {"contents": contents, **{name: config.pop(name) for name in _REQUEST_FIELDS if name in config}}
        body |= {"generationConfig": config} if config else {}
        return json.dumps({"key": key, "request": body}, ensure_ascii=False).encode() + b"\n"

    async def submit(self, lines: Path, name: str) -> str:
        """Upload the file and create a job with this name."""
        with self._faults():
            file = await self._client.aio.files.upload(
                file=str(lines), config={"mime_type": "application/jsonl", "display_name": _display_name(name)}
            )
            job = await self._client.aio.batches.create(
                model=self._model, src=str(file.name), config={"display_name": _display_name(name)}
            )
            return str(job.name)

    async def find(self, name: str, count: int, since: float, without: Sequence[str]) -> str:
        """Return the job with this name."""
        with self._faults():
            async for job in await self._client.aio.batches.list(config={"page_size": 100}):
                if job.display_name == _display_name(name) and job.name not in without:
                    return str(job.name)
        return ""

    async def state(self, batch: str) -> BatchState:
        """Return the state of a job."""
        with self._faults():
            job = await self._client.aio.batches.get(name=batch)
        state = "" if job.state is None else str(job.state.value)
        if state == _FAILED:
            return BatchState(True, str(job.error.message if job.error else "no reason given"))
        return BatchState(state in _ENDED)

    async def results(self, batch: str) -> AsyncIterator[BatchResult]:
        """Yield the lines of the file of responses; none of a job that ended without one."""
        with self._faults():
            job = await self._client.aio.batches.get(name=batch)
            if job.dest is None or not job.dest.file_name:
                return
            content = await self._client.aio.files.download(file=job.dest.file_name)
        for line in (content or b"").splitlines():
            if line.strip() and (result := read_line(line, "key", _result)) is not None:
                yield result


def _result(key: str, document: dict[str, Any]) -> BatchResult:
    from google.genai import types

    if error := document.get("error"):
        code, message = error.get("code"), str(error.get("message", ""))
        if code in (1, 4):  # CANCELLED and DEADLINE_EXCEEDED of google.rpc.Code
            return BatchResult(key, error=expired("ended"))
        status = _HTTP.get(code, code if isinstance(code, int) and code >= 400 else 500)
        return BatchResult(key, error=fault(status, message, str(error.get("status", ""))))
    return BatchResult(key, read_reply(types.GenerateContentResponse.model_validate(document["response"])))


# google.rpc.Code -> HTTP status
_HTTP = {3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 11: 400, 13: 500, 14: 503, 16: 401}


def _as_json(model: Any) -> dict[str, Any]:
    """Return an object of the SDK as the JSON of the REST interface."""
    plain_json: dict[str, Any] = json.loads(model.model_dump_json(by_alias=True, exclude_none=True))
    return plain_json


def _display_name(name: str) -> str:
    return f"triptych-{name}"
