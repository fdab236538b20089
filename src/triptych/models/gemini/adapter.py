"""Google's Gemini models, through Google's SDK (google-genai): text, audio, images and video.

Small media are part of the Request, large ones are uploaded once (Files API). The SDK doesn't retry; the run loop does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import ALL_KINDS, Reply, take_settings
from triptych.models.gemini.batch import GeminiBatches
from triptych.models.gemini.content import Media, Prepared, as_content, config_of, prepare
from triptych.models.gemini.files import Uploads
from triptych.models.gemini.reply import file_is_gone, read_fault, read_reply
from triptych.models.http.faults import UNREAD_BY_SDK, checked_url, explain_error, with_path
from triptych.models.http.keys import key_in, say_where_it_goes
from triptych.models.packing.files import declare_packing, file_packing
from triptych.records import Kind, Request
from triptych.records.packages import need
from triptych.secrets import scrub

if TYPE_CHECKING:
    import aiohttp
    from google import genai

    from triptych.models.http.in_step import InStep

ADAPTER = "Google's Gemini models: gemini/NAME (text, audio, image, video)"

OFFICIAL = "https://generativelanguage.googleapis.com"
SETTINGS: dict[str, Any] = {
    "base_url": "",  # or GOOGLE_GEMINI_BASE_URL
    "api_version": "",  # v1beta, v1; the SDK's default if not given
    "key_env": "GEMINI_API_KEY",  # environment variable with the API key
    "revision": "",  # identifies the weights behind the name, if known
    "thinking_budget": None,  # tokens in addition to max_tokens; 0: off, -1: the model decides
    "thinking_level": "",  # minimal, low, medium, high: newer models have levels instead of a budget
    "thinking_room": 0,  # tokens for thinking in addition to max_tokens, if no budget is given
    "thoughts": False,  # store a summary of the thinking in the Response
    "logprobs": False,
    "top_logprobs": 0,
    "media_resolution": "",  # low, medium, high
    "video_fps": 0.0,  # frames per second of whole films; 0: the service's default
    "packing": "",  # how media are sent (docs/models/packing.md); files as they are if not given
    "safety": "",  # off, or a threshold: block_none, block_only_high …; the service's default if not given
    "drop": "",  # decoding settings that this model doesn't support: top_k,seed
    "inline_mb": 14.0,  # total size of media sent within a Request; larger media are uploaded
    "keep_files": False,  # let uploaded files expire (48 hours) instead of deleting them at the end
}
# Settings that can't change an answer are not part of the Run's identity
TRANSPORT = frozenset({"base_url", "api_version", "key_env", "revision", "inline_mb", "keep_files", "thoughts"})


def make(name: str, settings: Mapping[str, Any]) -> GeminiAdapter:
    """Return the adapter for `gemini/NAME`. Raises SpecError for a wrong setting, a missing API key or a missing
    package.
    """
    return GeminiAdapter(name, settings)


class GeminiAdapter:
    """Adapter with one client, opened with the Run."""

    deterministic = True
    accepts: frozenset[Kind] = ALL_KINDS

    def __init__(self, model: str, settings: Mapping[str, Any]) -> None:
        need("google.genai", f"gemini/{model}", "hosted")
        self._taken = _checked(take_settings("gemini", settings, SETTINGS))
        self.name: str = f"gemini/{model}"
        self.revision: str = str(self._taken["revision"])
        self._model = model
        self._packing = file_packing("gemini", self._taken["packing"], whole_keys=("fps",))
        self.packing: str = self._packing.text
        options = {key: self._taken[key] for key in settings if key not in TRANSPORT}
        self.settings: Mapping[str, Any] = declare_packing(options, self._packing)
        address = self._taken["base_url"] or os.environ.get("GOOGLE_GEMINI_BASE_URL") or OFFICIAL
        self.endpoint: str = checked_url(address)
        self._key = key_in(self._taken["key_env"])
        if not self._key and self.endpoint == OFFICIAL:
            raise SpecError(f"{self.name} needs an API key", fix=f"set {self._taken['key_env']} in the environment")
        self._client: genai.Client | None = None
        self._session: aiohttp.ClientSession
        self.in_step: InStep

    async def open(self) -> None:
        """Create the client; nothing is sent yet."""
        say_where_it_goes(self.name, self._taken["key_env"], self._key, self.endpoint)
        import aiohttp
        from google import genai
        from google.genai import types
        from yarl import URL

        from triptych.models.http.in_step import InStep
        from triptych.models.http.in_step_session import session_parts
        from triptych.models.http.probe import listing_request

        once = types.HttpRetryOptions(attempts=1)
        version = self._taken["api_version"] or None
        here = {"allow_redirects": False}  # the target of a redirect would be sent the key
        options = types.HttpOptions(
            base_url=f"{self.endpoint}/", api_version=version, retry_options=once, async_client_args=here
        )
        models = URL(with_path(self.endpoint, f"{version or 'v1beta'}/models"))
        self.in_step = InStep(listing_request(models, {"x-goog-api-key": self._key.reveal()} if self._key else {}))
        self._session = aiohttp.ClientSession(
            **session_parts(self.in_step, limit=0),
            trust_env=True,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        if "aiohttp_client" in types.HttpOptions.model_fields:  # older SDKs use their own
            options.aiohttp_client = self._session
        self._client = genai.Client(vertexai=False, api_key=self._key.reveal() or "none", http_options=options)
        self._uploads = Uploads(self._client.aio.files)
        self._transport = _transport_errors()

    async def close(self) -> None:
        """Delete uploaded files, as far as that is quick, and close the client."""
        if self._client is None:
            return
        if not self._taken["keep_files"]:
            await self._uploads.delete_all()
        if hasattr(self._client.aio, "aclose"):  # older SDKs have nothing to close
            await self._client.aio.aclose()
        self.in_step.close()
        await self._session.close()
        if hasattr(self._client, "close"):
            self._client.close()
        self._client = None

    async def prepare(self, request: Request, media: MediaReader) -> Prepared:
        """Read the media in a thread: those sent within the Request, and those to upload."""
        inline = int(self._taken["inline_mb"] * 1e6)
        if not request.media_parts:
            return prepare(request, media, inline)
        return await asyncio.to_thread(prepare, request, media, inline, self._packing)

    async def respond(self, request: Request, prepared: Prepared) -> Reply:
        """Make one attempt: upload missing files, then ask."""
        if self._client is None:
            raise RuntimeError("respond before open")
        with self._faults(prepared.large):
            uris = await self._uploads.ensure_uploaded(prepared.large)
            reply = await self._client.aio.models.generate_content(
                model=self._model,
                contents=as_content(prepared, uris, self._packing.fps or self._taken["video_fps"]),
                config=config_of(request, prepared.system, self._taken),
            )
        return read_reply(reply)

    def batches(self) -> GeminiBatches:
        """Return the service's batch mode. Uploaded media are kept until they expire: a batch needs them later."""
        if self._client is None:
            raise RuntimeError("batches before open")
        self._taken["keep_files"] = True
        fps = self._packing.fps or self._taken["video_fps"]
        return GeminiBatches(self._client, self._model, self._uploads, self._taken, fps, self._faults)

    @contextmanager
    def _faults(self, large: Sequence[Media] = ()) -> Iterator[None]:
        """Raise the SDK's exceptions as ProviderErrors. `large`: uploaded files that the service may have lost."""
        from google.genai import errors

        try:
            yield
        except errors.APIError as error:
            if large and file_is_gone(error):
                self._uploads.forget(large)
                message = scrub(f"an uploaded file is gone: {error.message}", self._key)
                raise ProviderError(message, kind="media", retryable=True) from None
            raise self._explained_error(read_fault(error)) from None
        except ProviderError as error:
            raise self._explained_error(error) from None
        except self._transport as error:
            raise self._connection_error(error) from None
        except UNREAD_BY_SDK as error:
            message = scrub(f"a reply that can't be read ({type(error).__name__}: {str(error)[:200]})", self._key)
            raise ProviderError(message, kind="malformed", retryable=True) from None

    def _connection_error(self, error: Exception) -> ProviderError:
        import aiohttp

        text = f"{type(error).__name__}: {error}"
        if isinstance(error, aiohttp.ClientConnectorError):
            text = f"no connection to {self.endpoint} ({error.strerror or error})"
        return ProviderError(f"the connection broke ({scrub(text, self._key)})", kind="connection", retryable=True)

    def _explained_error(self, error: ProviderError) -> ProviderError:
        return explain_error(error, self._key, key_env=self._taken["key_env"], endpoint=self.endpoint, hints=HINTS)


# Fixes for error messages about a Request
HINTS = {
    "payload size": "a smaller -M inline_mb, so that more is uploaded",
    "thinking level": "-M thinking_budget=… instead of thinking_level",
    "thinking budget": "-M thinking_level=… instead of thinking_budget, or another budget",
    "thinking_budget": "-M thinking_level=… instead of thinking_budget, or another budget",
    "logprobs": "remove -M logprobs, which this model doesn't support",
    "top_k": "-M drop=top_k",
    "seed": "-M drop=seed",
}
_RESOLUTIONS = ("", "low", "medium", "high")


def _transport_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of a broken connection: aiohttp's, and those of httpx or httpx2 if the SDK has loaded them
    (it was built on one and then on the other, so neither is a dependency of Triptych).
    """
    import aiohttp

    loaded = (sys.modules.get(name) for name in ("httpx", "httpx2"))
    return (aiohttp.ClientError, OSError, *(client.HTTPError for client in loaded if client is not None))


def _checked(taken: dict[str, Any]) -> dict[str, Any]:
    """Return the settings, converted to their types. Raises SpecError."""
    if taken["thinking_budget"] is not None:
        try:
            taken["thinking_budget"] = int(taken["thinking_budget"])
        except ValueError:
            got, expected = taken["thinking_budget"], "a number of tokens: 0, -1, 1024"
            raise SpecError("gemini: thinking_budget is not a number", got=got, expected=expected) from None
        if taken["thinking_level"]:
            raise SpecError("gemini: thinking_budget and thinking_level can't be combined")
    if taken["media_resolution"] not in _RESOLUTIONS:
        expected = ", ".join(filter(None, _RESOLUTIONS))
        raise SpecError("gemini: unknown media_resolution", got=taken["media_resolution"], expected=expected)
    return taken
