"""`transcript` and `description`: words in place of a recording, or beside it.

`transcript` is what is said in it: the true words, or what a model hears. `description` is what a model says is to be
heard in it, which is what a cascade of a captioner and a language model works from.
"""

from __future__ import annotations

from triptych.conditions.given_text import About, offer

HIDDEN = "transcript"
TRANSCRIPT = About(
    "transcript", "audio", "recording", HIDDEN, "What is said in the recording:", "录音中所说的内容如下：", "hears",
)  # fmt: skip
DESCRIPTION = About(
    "description", "audio", "recording", "", "What is heard in the recording:", "录音的内容描述如下：", "hears",
    "description",
)  # fmt: skip
CONDITIONS = {
    "transcript": offer(TRANSCRIPT, "the words of each recording in its place, or beside it", "instead"),
    "description": offer(DESCRIPTION, "a model's description of each recording in its place, or beside it", "instead"),
}
