"""Anthropic's Claude models, through Anthropic's SDK: text and images.

Items with audio are `skipped`, since these models don't support it, and so are those with films, unless the packing
sends them as pictures. The SDK doesn't retry; the run loop
does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import DECODING, Reply, take_settings
from triptych.models.anthropic.batch import AnthropicBatches
from triptych.models.anthropic.body import EFFORTS, THINKING, AnthropicBody, body
from triptych.models.anthropic.reply import bounded, read_fault, read_reply
from triptych.models.http.faults import UNREAD_BY_SDK, checked_url, explain_error
from triptych.models.http.keys import key_in, say_where_it_goes
from triptych.models.packing.files import declare_packing, file_packing, kinds_sent
from triptych.records import Kind, Request
from triptych.records.packages import need
from triptych.secrets import scrub

if TYPE_CHECKING:
    import anthropic

ADAPTER = "Anthropic's Claude models: anthropic/NAME (text, image)"

OFFICIAL = "https://api.anthropic.com"
SETTINGS: dict[str, Any] = {
    "base_url": "",  # or ANTHROPIC_BASE_URL
    "key_env": "ANTHROPIC_API_KEY",  # environment variable with the API key
    "revision": "",  # identifies the weights behind the name, if known
    "max_tokens": 4096,  # if the Request has no limit; this service requires one
    "thinking": "",  # adaptive, or off; the model's default if not given
    "thinking_budget": 0,  # tokens (1,024 or more), in addition to max_tokens
    "thinking_room": 0,  # tokens for thinking in addition to max_tokens, if no budget is given
    "effort": "",  # low, medium, high, xhigh, max
    "drop": "",  # decoding settings that this model doesn't support: temperature,top_p,top_k
    "image_formats": "jpeg,png,webp,gif",  # sent unchanged; others are converted to PNG
    "packing": "",  # how media are sent (docs/models/packing.md); with video=frames, films too, as pictures
}
_HEADERS = {"Connection": "close", "Accept-Encoding": "identity"}
# Settings that can't change an answer are not part of the Run's identity
TRANSPORT = frozenset({"base_url", "key_env", "revision"})
# Fixes for error messages about a Request
HINTS = {
    "budget_tokens": "another -M thinking_budget, or -M thinking=adaptive",
    "thinking.type": "-M thinking=adaptive instead of thinking_budget",
    "temperature` and `top_p`": "-M drop=top_p",
    "temperature": "-M drop=temperature,top_p,top_k",
    "top_p": "-M drop=top_p,top_k",
    "top_k": "-M drop=top_k",
    "effort": "remove -M effort, which this model doesn't support",
}


def make(name: str, settings: Mapping[str, Any]) -> AnthropicAdapter:
    """Return the adapter for `anthropic/NAME`. Raises SpecError for a wrong setting, a missing API key or a missing
    package.
    """
    return AnthropicAdapter(name, settings)


class AnthropicAdapter:
    """Adapter with one client, opened with the Run."""

    decoding: frozenset[str] = frozenset(DECODING) - {"seed"}
    deterministic = False  # this service has no seed, and temperature 0 is not deterministic

    def __init__(self, model: str, settings: Mapping[str, Any]) -> None:
        need("anthropic", f"anthropic/{model}", "hosted")
        self._taken = _checked(take_settings("anthropic", settings, SETTINGS))
        self.name: str = f"anthropic/{model}"
        self.revision: str = str(self._taken["revision"])
        self._model = model
        self._packing = file_packing("anthropic", self._taken["packing"], frames=("none",))
        self.packing: str = self._packing.text
        options = {key: self._taken[key] for key in settings if key not in TRANSPORT}
        self.settings: Mapping[str, Any] = declare_packing(options, self._packing)
        self.accepts: frozenset[Kind] = kinds_sent(frozenset({"text", "image"}), self._packing)
        self.endpoint: str = checked_url(self._taken["base_url"] or os.environ.get("ANTHROPIC_BASE_URL") or OFFICIAL)
        self._key = key_in(self._taken["key_env"])
        if not self._key and self.endpoint == OFFICIAL:
            raise SpecError(f"{self.name} needs an API key", fix=f"set {self._taken['key_env']} in the environment")
        self._client: anthropic.AsyncAnthropic | None = None

    async def open(self) -> None:
        """Create the client; nothing is sent yet."""
        say_where_it_goes(self.name, self._taken["key_env"], self._key, self.endpoint)
        import anthropic

        key = self._key.reveal() or "none"
        # with an explicit time limit, the SDK doesn't refuse long answers; the run loop's limit is shorter
        # a redirect would be sent the key; each connection is used once, so that it can't get out of step
        http = anthropic.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [bounded]})
        self._client = anthropic.AsyncAnthropic(
            api_key=key,
            base_url=self.endpoint,
            max_retries=0,
            timeout=3600.0,
            http_client=http,
            default_headers=_HEADERS,
        )

    async def close(self) -> None:
        """Close the client."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def prepare(self, request: Request, media: MediaReader) -> AnthropicBody:
        """Build the body, which all attempts share; images are read and encoded in a thread."""
        if not request.media_parts:
            return body(request, media, self._model, self._taken)
        return await asyncio.to_thread(body, request, media, self._model, self._taken, self._packing)

    async def respond(self, request: Request, prepared: AnthropicBody) -> Reply:
        """Make one attempt."""
        if self._client is None:
            raise RuntimeError("respond before open")
        with self._faults():
            return read_reply(await self._client.messages.create(**prepared))

    def batches(self) -> AnthropicBatches:
        """Return the service's batch interface."""
        if self._client is None:
            raise RuntimeError("batches before open")
        return AnthropicBatches(self._client, self._faults)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Raise the SDK's exceptions as ProviderErrors."""
        import anthropic

        try:
            yield
        except anthropic.APIStatusError as error:
            raise self._explained_error(read_fault(error)) from None
        except anthropic.APIConnectionError as error:
            cause = error.__cause__ or error
            if isinstance(cause, ProviderError):
                raise self._explained_error(cause) from None
            message = scrub(f"no connection to {self.endpoint} ({type(cause).__name__}: {cause})", self._key)
            kind = "timeout" if isinstance(error, anthropic.APITimeoutError) else "connection"
            raise ProviderError(message, kind=kind, retryable=True) from None
        except (anthropic.AnthropicError, OSError) as error:
            raise self._unreadable_reply_error(error, "connection") from None
        except UNREAD_BY_SDK as error:
            raise self._unreadable_reply_error(error, "malformed") from None

    def _unreadable_reply_error(self, error: Exception, kind: str) -> ProviderError:
        text = f"a reply that can't be read ({type(error).__name__}: {str(error)[:200]})"
        return ProviderError(scrub(text, self._key), kind=kind, retryable=True)

    def _explained_error(self, error: ProviderError) -> ProviderError:
        return explain_error(error, self._key, key_env=self._taken["key_env"], endpoint=self.endpoint, hints=HINTS)


def _checked(taken: dict[str, Any]) -> dict[str, Any]:
    """Return the settings. Raises SpecError for invalid or contradictory values."""
    for key, values in (("thinking", THINKING), ("effort", EFFORTS)):
        if taken[key] and taken[key] not in values:
            raise SpecError(f"anthropic: no {key} {taken[key]!r}", expected=", ".join(values))
    if taken["thinking_budget"] and taken["thinking"]:
        raise SpecError("anthropic: thinking and thinking_budget can't be combined")
    return taken
