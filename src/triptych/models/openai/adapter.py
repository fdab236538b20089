"""Endpoints with OpenAI's chat completions API: OpenAI, vLLM, SGLang, llama.cpp, Ollama, gateways.

aiohttp is used directly. A body is assembled from bytes: media are inserted as base64 without passing a JSON encoder,
with their original bytes if the endpoint accepts the container.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply, in_one_form, take_settings
from triptych.models.http.balanced import Balanced, addresses_of
from triptych.models.http.bounded import Bounded, read_whole
from triptych.models.http.faults import checked_url, explain_error, with_path
from triptych.models.http.keys import key_in, say_where_it_goes
from triptych.models.openai.batch import OpenAIBatches
from triptych.models.openai.body import Dialect, body_bytes
from triptych.models.openai.reply import read_error, read_reply
from triptych.models.openai.stream import read_stream
from triptych.models.packing.files import declare_packing
from triptych.records import Kind, Request
from triptych.secrets import scrub

if TYPE_CHECKING:
    import aiohttp

    from triptych.models.http.in_step import InStep

ADAPTER = "any OpenAI-compatible endpoint: openai/NAME, --model-base-url URL"

OFFICIAL = "https://api.openai.com/v1"
SETTINGS: dict[str, Any] = {
    "base_url": "",  # or OPENAI_BASE_URL; several, separated by spaces, serve the same model
    "key_env": "OPENAI_API_KEY",  # environment variable with the API key
    "revision": "",  # identifies the weights behind the endpoint, if known
    "stream": False,
    "logprobs": False,
    "top_logprobs": 0,
    "modalities": "",  # modality of the reply: text; for models that can speak
    "drop": "",  # decoding settings that this endpoint doesn't support: top_k,seed
    "max_tokens_name": "max_tokens",  # or max_completion_tokens
    "system_role": "system",  # or developer, or user
    "audio": "input_audio",  # or input_audio_url (with a data URL), audio_url, or none: not supported
    "image": "image_url",  # or none
    "video": "video_url",  # or none
    "media_urls": "data",  # or file: paths for a server on this machine
    "audio_formats": "",  # containers that are sent unchanged; others are converted to WAV
    "image_formats": "jpeg,png,webp,gif",
    "server": "",  # vllm: how many frames of a whole film are read, and its sound, are sent as fields of vLLM
    "loras": "",  # KIND:NAME,…: LoRA adapters of the server that are asked instead of the model, by kinds of media
    "packing": "",  # how media are sent (docs/models/packing.md); files as they are if not given
    "chat_template_kwargs": None,  # a JSON object for the chat template of vLLM, SGLang …: {"enable_thinking": false}
    "extra": None,  # a JSON object that is merged into every body
}
LARGE = 8 * 1024 * 1024  # bytes of media below which a thread costs more than it saves
# Fixes for error messages about a Request
HINTS = {
    "max_completion_tokens": "-M max_tokens_name=max_completion_tokens",
    "stream": "-M stream=true",
    "input_audio": "-M audio=audio_url, or -M audio=none",
    "audio_url": "-M audio=input_audio, or -M audio=none",
    "top_k": "-M drop=top_k",
    "may be provided in one prompt": "serve it with the limits that the questions need: triptych serve MODEL "
    "--benchmark BENCH --data DIR",
    "redirect": "use the target of the redirect as --model-base-url",
}
_SKIPPED = ("User-Agent", "Accept-Encoding")  # headers that aiohttp would add
# A path segment with the version of the API: /v1, /api/v3, /v1beta
_VERSION = re.compile(r"(?:^|/)v\d+\w*(?:/|$)")
# Settings that can't change an answer are not part of the Run's identity
TRANSPORT = frozenset({"base_url", "key_env", "stream", "revision"})


def make(name: str, settings: Mapping[str, Any]) -> OpenAIAdapter | Balanced:
    """Return the adapter for `openai/NAME`. Raises SpecError for a wrong setting or a missing API key.

    Several base URLs, separated by spaces, make an adapter that balances between them.
    """
    base_url = settings.get("base_url") or os.environ.get("OPENAI_BASE_URL")
    urls = addresses_of(base_url)
    if len(urls) < 2:
        return OpenAIAdapter(name, settings)
    return Balanced([OpenAIAdapter(name, {**settings, "base_url": url}) for url in urls])


class OpenAIAdapter:
    """Adapter with one session, which has as many connections as the run loop has Requests in progress."""

    deterministic = True
    path = "chat/completions"
    content_type = "application/json"

    def __init__(self, model: str, settings: Mapping[str, Any]) -> None:
        taken = in_one_form("openai", take_settings("openai", settings, SETTINGS), "chat_template_kwargs")
        self.name: str = f"openai/{model}"
        self.revision: str = str(taken["revision"])
        base = str(taken["base_url"] or os.environ.get("OPENAI_BASE_URL") or OFFICIAL).rstrip("/")
        self.endpoint: str = checked_url(base)
        self._key_env = str(taken["key_env"])
        self._key = key_in(self._key_env)
        if not self._key and base == OFFICIAL:
            other = "choose another endpoint with --model-base-url (for a judge: --judge-base-url)"
            raise SpecError(
                f"{self.name} needs an API key", fix=f"set the environment variable {self._key_env}, or {other}"
            )
        if self._key and urlsplit(base).username is not None:
            raise SpecError(
                "the endpoint's address contains a user, and an API key is set: only one of them can be sent",
                got=scrub(base),
                fix=f"remove the user from the address, or unset {self._key_env}",
            )
        self._stream = bool(taken["stream"])
        self._dialect = Dialect.from_settings(model, taken)
        self.packing: str = self._dialect.packing.text
        options = {key: taken[key] for key in settings if key not in TRANSPORT}
        self.settings: Mapping[str, Any] = declare_packing(options, self._dialect.packing)
        self.accepts: frozenset[Kind] = self._dialect.accepts
        self._session: aiohttp.ClientSession | None = None
        self._files: aiohttp.ClientSession | None = None
        self.in_step: InStep

    async def open(self) -> None:
        """Open the session; nothing is sent yet."""
        say_where_it_goes(self.name, self._key_env, self._key, self.endpoint)
        import aiohttp
        from yarl import URL

        from triptych.models.http.in_step import InStep
        from triptych.models.http.in_step_session import Connector, session_parts
        from triptych.models.http.posting import Posting
        from triptych.models.http.probe import listing_request

        headers = {"Content-Type": self.content_type}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        self._url = URL(with_path(self.endpoint, self.path))
        self._transport_errors = (aiohttp.ClientError, OSError)
        proxy = _proxy(self.endpoint)
        models = URL(with_path(self.endpoint, "models"))
        self.in_step = InStep(listing_request(models, headers, proxied=proxy is not None))
        self._session = aiohttp.ClientSession(
            **session_parts(self.in_step, limit=0, ttl_dns_cache=300, keepalive_timeout=60),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=30),
            skip_auto_headers=_SKIPPED,
            proxy=proxy,
        )
        watched = isinstance(self._session.connector, Connector)
        self._posting = Posting(self._session, self._url, _SKIPPED) if watched and not proxy else None

    async def close(self) -> None:
        """Close the session."""
        if self._files is not None:
            await self._files.close()
            self._files = None
        if self._session is not None:
            self.in_step.close()
            await self._session.close()
            self._session = None

    async def prepare(self, request: Request, media: MediaReader) -> bytes:
        """Build the body, which all attempts share. Large or changed media are read and encoded in a thread."""
        parts = request.media_parts
        if (
            any(part.kind == "video" for part in parts)
            or any(part.transform for part in parts)
            or sum(media.resolve(p).stat().st_size for p in parts) > LARGE
        ):
            return await asyncio.to_thread(body_bytes, request, media, self._dialect)
        return body_bytes(request, media, self._dialect)

    async def respond(self, request: Request, prepared: bytes) -> Reply:
        """Make one attempt."""
        if self._session is None:
            raise RuntimeError("respond before open")
        small = self._posting if self._posting is not None and self._posting.takes(prepared) else None
        posted = small.post(prepared) if small else self._session.post(self._url, data=prepared, allow_redirects=False)
        try:
            async with posted as reply:
                if reply.status != 200:
                    headers = reply.headers
                    body = await reply.read() if small else await read_whole(reply.content)
                    raise read_error(reply.status, body, headers.get("Retry-After"), headers.get("Date"))
                if self._stream and reply.content_type != "application/json":  # errors of a gateway are not streamed
                    streamed = await read_stream(Bounded(reply.content))
                    await self.in_step.read_rest(reply.content)
                    return streamed
                return self.read(await reply.read() if small else await read_whole(reply.content))
        except self._transport_errors as error:
            # aiohttp keeps the error, which would form a reference cycle with this frame and its body
            error.with_traceback(None)
            if isinstance(error, TimeoutError):
                raise ProviderError("no connection in time", kind="timeout", retryable=True) from None
            raise ProviderError(self._transport_error_text(error), kind="connection", retryable=True) from None
        except ProviderError as error:
            if error.kind == "refused":  # a filter in front of the model is an outcome, not an error
                return Reply("", "refused", "content_filter", note=scrub(error.problem, self._key))
            raise self._explained_error(error) from None

    def batches(self) -> OpenAIBatches:
        """Return the endpoint's batch interface. Raises SpecError for settings that it can't carry out."""
        if self._stream or type(self) is not OpenAIAdapter:
            fix = "remove -M stream" if self._stream else "ask without --batch"
            raise SpecError(
                f"{self.name} can't be asked in batches", got="a streamed reply or another form of Request", fix=fix
            )
        if self._session is None:
            raise RuntimeError("batches before open")
        headers = {"Authorization": f"Bearer {self._key.reveal()}"} if self._key else {}
        return OpenAIBatches(self._batch_session(), self.endpoint, headers)

    def _batch_session(self) -> aiohttp.ClientSession:
        """Return a session for files: its connections set the type of content themselves."""
        import aiohttp

        if self._files is None:
            self._files = aiohttp.ClientSession(
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=30),
                proxy=_proxy(self.endpoint),
            )
        return self._files

    def read(self, body: bytes) -> Reply:
        """Return a whole body as a Reply. Raises ProviderError."""
        return read_reply(body)

    def _transport_error_text(self, error: Exception) -> str:
        """Return a transport error as text."""
        import aiohttp

        if isinstance(error, aiohttp.ClientConnectorError):
            return f"no connection to {scrub(self.endpoint)} ({error.strerror or error})"
        return f"the connection broke ({type(error).__name__}: {scrub(str(error), self._key)})"

    def _explained_error(self, error: ProviderError) -> ProviderError:
        if error.kind == "unknown_model" and self._dialect.loras:
            names = ", ".join(name for _, name in self._dialect.loras)
            error.fix = (
                f"its LoRA adapters are asked by name ({names}): `triptych serve` registers them with "
                "--lora-modules; -M loras=none asks the weights without them"
            )
        explained_error = explain_error(error, self._key, key_env=self._key_env, endpoint=self.endpoint, hints=HINTS)
        if error.status in (404, 405) and not _VERSION.search(urlsplit(self.endpoint).path):
            where = scrub(self.endpoint)
            explained_error.args = (
                f"{explained_error}\n  the endpoint's address has no version; most require /v1 at the end: {where}/v1",
            )
        return explained_error


def _proxy(url: str) -> str | None:
    """Return the environment's proxy for this endpoint; looked up once, since that takes longer than a Request."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)
