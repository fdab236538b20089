"""Recordings and films in words: transcript, sounds and pictures, each by its own model and in its own field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.stage import Repaired, ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage
from triptych.construction.transcripts import description_fault, transcript_fault

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))


class InWords(Repaired, frozen=True):
    """Parameters of stages that put a recording or film into words."""

    language: Annotated[str, Meta(description="language that the text must be in (empty: not checked)")] = ""


def _in_words(name: str, role: str, shows: str, writes: str) -> Stage:
    """Return a stage in which a model writes a text about a recording or video, once per clip."""

    def decide(replies: Mapping[str, Any], values: Values, context: Context[InWords]) -> Outcome:
        """Keep the model's text; an empty or faulty one drops the record."""
        text, language = replies[role].strip(), context.parameters.language
        if not text:
            return dropped("empty-reply", role)
        if writes == "transcript":
            seconds = (values["end"] or 0.0) - (values["begin"] or 0.0)
            fault = transcript_fault(text, language, seconds)
        else:
            fault = description_fault(text, language)
        return dropped(*fault) if fault else kept({writes: text})

    asking = Ask(PROMPTS[name], decide, None, (role,), (shows,), {"temperature": 0}, per="clip", repaired=True)
    about = f"The model `{role}` writes `{writes}`, once per clip."
    version = 6 if writes == "transcript" else 4
    reads = [shows, "clip", *(("begin?", "end?") if writes == "transcript" else ())]
    return ask(name, asking, version=version, reads=reads, writes=[writes], about=about, parameters=InWords)


transcribe: Stage = _in_words("transcribe", "recogniser", "audio", "transcript")
describe_audio: Stage = _in_words("describe-audio", "audio_describer", "audio", "audio_description")
describe_video: Stage = _in_words("describe-video", "video_describer", "video", "video_description")
