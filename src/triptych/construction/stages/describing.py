"""Recordings and films in words: transcript, sounds and pictures, each by its own model and in its own field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.stage import Repaired, ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.duplicates import similar_pairs, unchanged
from triptych.construction.text_checks.transcripts import copied_fault, description_fault, transcript_fault
from triptych.construction.text_checks.wording import characters

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))


class InWords(Repaired, frozen=True):
    """Parameters of stages that put a recording or film into words."""

    language: Annotated[str, Meta(description="language that the text must be in (empty: not checked)")] = ""
    may_copy: Annotated[
        bool,
        Meta(description="whether a description may be the transcript, as of a recogniser that is used as describer"),
    ] = False


def _describing_stage(name: str, role: str, shows: str, writes: str) -> Stage:
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
            if not context.parameters.may_copy:
                fault = fault or copied_fault(text, values["transcript"] or "")
        return dropped(*fault) if fault else kept({writes: text})

    asking = Ask(PROMPTS[name], decide, None, (role,), (shows,), {"temperature": 0}, per="clip", repaired=True)
    about = f"The model `{role}` writes `{writes}`, once per clip."
    version = 8 if writes == "transcript" else 6
    reads = [shows, "clip", *(("begin?", "end?") if writes == "transcript" else ("transcript?",))]
    return ask(name, asking, version=version, reads=reads, writes=[writes], about=about, parameters=InWords)


transcribe: Stage = _describing_stage("transcribe", "recogniser", "audio", "transcript")
describe_audio: Stage = _describing_stage("describe-audio", "audio_describer", "audio", "audio_description")
describe_video: Stage = _describing_stage("describe-video", "video_describer", "video", "video_description")


class OneTranscriptEach(Parameters, frozen=True):
    """Parameters of `one-transcript-each`."""

    least_characters: Annotated[int, Meta(ge=1, description="shorter transcripts aren't compared")] = 16
    least_unchanged: Annotated[
        float, Meta(gt=0, le=1, description="share of equal characters from which two transcripts are the same")
    ] = 0.95


@stage(
    "one-transcript-each",
    version=1,
    kind="whole",
    reads=["transcript"],
    writes=[],
    parameters=OneTranscriptEach,
)
def one_transcript_each(records: Sequence[Values], context: Context[OneTranscriptEach]) -> list[Outcome]:
    """Drop a recording whose transcript is that of an earlier one.

    Replies were exchanged, or a scene is there twice. Texts that differ in a few characters count too. Which of the two
    recordings has the transcript, only somebody who listens can say.
    """
    wanted = context.parameters
    plain = [characters(values["transcript"]) for values in records]
    long = [number for number, text in enumerate(plain) if len(text) >= wanted.least_characters]
    first = dict[int, int]()
    for a, b in sorted(similar_pairs([plain[number] for number in long], 3, 0.75, 128)):
        one, other = sorted((long[a], long[b]))
        if one not in first and unchanged(plain[one], plain[other]) >= wanted.least_unchanged:
            first.setdefault(other, one)
    notes = {other: f"{records[one].id} has it too: listen to both" for other, one in first.items()}
    return [dropped("same-transcript", notes[n]) if n in notes else kept() for n in range(len(records))]
