"""What of a Response is scored: what the model said, without what it thought and without the reasons it was asked for.

The journal keeps the reply as it came. Every protocol, judge and queue is given Responses that went through here, so
that none needs a rule of its own.
"""

from __future__ import annotations

from msgspec import structs

from triptych.conditions.reasons import NAME, read_answer
from triptych.metrics.thinking import split_thinking
from triptych.records import Response


def as_said(response: Response) -> Response:
    """The Response with the answer alone as its text, and thoughts and reasons as its `thinking`.

    One without thoughts, of a Run without `reasons`, comes back as it is. Where JSON with reasons was asked for and
    none can be read, the whole reply stays: the protocol reads what it can, or says `unparsed`.
    """
    said, thought = split_thinking(response.text)
    reasoned = read_answer(said) if NAME in response.condition.split("+") else None
    if reasoned is not None:
        said, reasons = reasoned
        thought = "\n".join(filter(None, (thought, reasons))) or None
    if said is response.text:
        return response
    return structs.replace(response, text=said, thinking=thought or response.thinking)
