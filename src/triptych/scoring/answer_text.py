"""The part of a Response that is scored: the answer, without thinking and without the reasons that were asked for.

The journal keeps the reply as it came. Every protocol, judge and queue gets Responses after this step, so that none
needs a rule of its own.
"""

from __future__ import annotations

from msgspec import structs

from triptych.conditions.reasons import NAME, read_answer
from triptych.metrics.replies.thinking import split_tags
from triptych.records import Response


def answer_only(response: Response) -> Response:
    """Return the Response with only the answer as its text, and thoughts and reasons as its `thinking`.

    Tags are the only marks of thoughts that are read here, for every protocol alike: `standard` reads more of them
    itself, and the authors' scorers none. A Response without thoughts, of a Run without `reasons`, is returned
    unchanged. If JSON with reasons was requested and none can be read, the whole reply is kept: the protocol reads what
    it can, or gives `unparsed`.
    """
    text = response.text
    if not response.condition and "<" not in text and "◁" not in text:
        return response  # no tag, no request for reasons: most replies
    full_text, thought = split_tags(text)
    reasoned = read_answer(full_text) if response.condition and NAME in response.condition.split("+") else None
    if reasoned is not None:
        full_text, reasons = reasoned
        thought = "\n".join(filter(None, (thought, reasons))) or None
    if full_text is response.text:
        return response
    return structs.replace(response, text=full_text, thinking=thought or response.thinking)
