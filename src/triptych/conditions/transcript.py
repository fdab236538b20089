"""`transcript` and `description`: texts instead of a recording, or in addition to it.

`transcript` is the words of the recording: the true ones, or those that a model recognises. `description` is a model's
description of everything that can be heard, the input of a cascade of a captioner and a language model.
"""

from __future__ import annotations

from triptych.conditions.given_text import About, offer

HIDDEN = "transcript"
TRANSCRIPT = About(
    "transcript",
    "audio",
    "recording",
    HIDDEN,
    "What is said in the recording:",
    "录音中所说的内容如下：",
    "hears",
)
DESCRIPTION = About(
    "description",
    "audio",
    "recording",
    "",
    "What is heard in the recording:",
    "录音的内容描述如下：",
    "hears",
    "description",
)
CONDITIONS = {
    "transcript": offer(TRANSCRIPT, "replace each recording by its transcript, or add the transcript", "instead"),
    "description": offer(
        DESCRIPTION, "replace each recording by a model's description, or add the description", "instead"
    ),
}
