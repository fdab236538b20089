"""OpenAI's batch interface: a file of chat completions is uploaded, and its results are files, too."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError
from triptych.models.batch import BatchLimits, BatchResult, BatchState, expired, read_line
from triptych.models.http.faults import UNREAD_BY_SDK, with_path
from triptych.models.openai.reply import read_error, read_reply
from triptych.records import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

    import aiohttp

URL = "/v1/chat/completions"
_ENDED = frozenset({"completed", "expired", "cancelled"})
_PAGE = 100


class OpenAIBatches:
    """The batch interface at the endpoint of an adapter. `headers`: those with its key."""

    limits: BatchLimits = BatchLimits(50_000, 200_000_000)

    def __init__(self, session: aiohttp.ClientSession, endpoint: str, headers: dict[str, str]) -> None:
        self._session, self._endpoint, self._headers = session, endpoint, headers

    async def line(self, key: str, request: Request, prepared: Any) -> bytes:
        """Return `{"custom_id", "method", "url", "body"}` with the body of a single Request, byte for byte."""
        head = f'{{"custom_id":{json.dumps(key)},"method":"POST","url":"{URL}","body":'
        return head.encode() + bytes(prepared) + b"}\n"

    async def submit(self, lines: Path, name: str) -> str:
        """Upload the file and create a batch with the name in its metadata."""
        import aiohttp

        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        with lines.open("rb") as file, self._faults():
            form.add_field("file", file, filename=f"{name}.jsonl", content_type="application/jsonl")
            uploaded = await self._call("POST", "files", data=form)
            fields = {
                "input_file_id": uploaded["id"],
                "endpoint": URL,
                "completion_window": "24h",
                "metadata": {"triptych": name},
            }
            return str((await self._call("POST", "batches", json=fields))["id"])

    async def find(self, name: str, count: int, since: float, without: Sequence[str]) -> str:
        """Return the batch with this name in its metadata."""
        with self._faults():
            return await self._find(name, since, without)

    async def _find(self, name: str, since: float, without: Sequence[str]) -> str:
        after = ""
        while True:
            page = await self._call("GET", f"batches?limit={_PAGE}{f'&after={after}' if after else ''}")
            rows = page.get("data") or []
            for row in rows:
                if (row.get("metadata") or {}).get("triptych") == name and row["id"] not in without:
                    return str(row["id"])
            if not rows or not page.get("has_more") or rows[-1].get("created_at", 0) < since:
                return ""
            after = rows[-1]["id"]

    async def state(self, batch: str) -> BatchState:
        """Return the state. A batch that failed was refused as a whole, by its validation."""
        with self._faults():
            reply = await self._call("GET", f"batches/{batch}")
            if reply["status"] == "failed":
                errors = (reply.get("errors") or {}).get("data") or []
                why = "; ".join(str(error.get("message")) for error in errors[:3])
                return BatchState(True, why or "no reason given")
            return BatchState(reply["status"] in _ENDED)

    async def results(self, batch: str) -> AsyncIterator[BatchResult]:
        """Yield the lines of the output file and of the file of errors."""
        with self._faults():
            reply = await self._call("GET", f"batches/{batch}")
            for file in filter(None, (reply.get("output_file_id"), reply.get("error_file_id"))):
                async with self._get(f"files/{file}/content") as answer:
                    await _check(answer)
                    async for line in _lines(answer.content):
                        if (result := read_line(line, "custom_id", _result)) is not None:
                            yield result

    def _get(self, path: str) -> Any:
        return self._session.get(with_path(self._endpoint, path), headers=self._headers, allow_redirects=False)

    async def _call(self, method: str, path: str, **content: Any) -> Any:
        address, _, query = path.partition("?")
        url = with_path(self._endpoint, address) + (f"?{query}" if query else "")
        with self._faults():
            async with self._session.request(
                method, url, headers=self._headers, allow_redirects=False, **content
            ) as answer:
                await _check(answer)
                return await answer.json(content_type=None)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        import aiohttp

        try:
            yield
        except (aiohttp.ClientError, OSError) as error:
            text = f"the connection broke ({type(error).__name__})"
            raise ProviderError(text, kind="connection", retryable=True) from None
        except UNREAD_BY_SDK as error:
            text = f"an answer that can't be read ({type(error).__name__}: {error})"
            raise ProviderError(text, kind="malformed", retryable=True) from None


async def _check(answer: aiohttp.ClientResponse) -> None:
    if answer.status != 200:
        headers = answer.headers
        raise read_error(answer.status, await answer.read(), headers.get("Retry-After"), headers.get("Date"))


async def _lines(content: Any) -> AsyncIterator[bytes]:
    """Yield the lines of a body, of any length."""
    rest = b""
    async for chunk in content.iter_any():
        *lines, rest = (rest + chunk).split(b"\n") if b"\n" in chunk else (rest + chunk,)
        for line in lines:
            if line.strip():
                yield line
    if rest.strip():
        yield rest


def _result(key: str, document: dict[str, Any]) -> BatchResult:
    error = document.get("error")
    answer: Any = document.get("response")
    if error and not answer:
        code = str(error.get("code") or "")
        if code in ("batch_expired", "batch_cancelled"):
            return BatchResult(key, error=expired(code.removeprefix("batch_")))
        return BatchResult(key, error=ProviderError(f"{code}: {error.get('message')}", kind="server", retryable=True))
    body = json.dumps(answer.get("body")).encode()
    if answer["status_code"] != 200:
        raise read_error(answer["status_code"], body, None, None)
    return BatchResult(key, read_reply(body))
