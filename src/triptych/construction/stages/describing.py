"""Recordings and films in words: transcript, sounds and pictures, each by its own model and in its own field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage
from triptych.construction.wording import text_fault, transcript_fault

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))


def _in_words(name: str, role: str, shows: str, writes: str) -> Stage:
    """Return a stage in which a model writes a text about a recording or video, once per clip."""

    def decide(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
        """Keep the model's text; an empty one drops the record."""
        text = replies[role].strip()
        fault = text_fault(text) if writes != "transcript" else transcript_fault(text)
        return dropped(*fault) if fault else kept({writes: text}) if text else dropped("empty-reply", role)

    asking = Ask(PROMPTS[name], decide, None, (role,), (shows,), {"temperature": 0}, per="clip", repaired=True)
    about = f"The model `{role}` writes `{writes}`, once per clip."
    version = 4 if writes == "transcript" else 3
    return ask(name, asking, version=version, reads=[shows, "clip"], writes=[writes], about=about)


transcribe: Stage = _in_words("transcribe", "recogniser", "audio", "transcript")
describe_audio: Stage = _in_words("describe-audio", "audio_describer", "audio", "audio_description")
describe_video: Stage = _in_words("describe-video", "video_describer", "video", "video_description")
