"""The names in MCIF: tracks, languages, tasks, input modalities, and the ids of Items, Units and Instances."""

from __future__ import annotations

from triptych.records import Kind

TRACKS = ("short", "long")
LANGUAGES = ("en", "de", "it", "zh")
KINDS = ("ASR", "TRANS", "QA", "SUM")
MODALITIES = ("text", "audio", "video", "audio_video")
PROMPT_SETS = ("fixed", "mixed")
QA_TYPES = ("A", "V", "AV", "NA")
QA_ORIGINS = ("General", "Abstract", "Transcript")

# The paper's 13 tasks (Table 1) by input modality. Recognition is never asked without speech.
ACRONYMS: dict[tuple[str, str], str] = {
    ("text", "TRANS"): "MT",
    ("text", "QA"): "TQA",
    ("text", "SUM"): "TSUM",
    ("audio", "ASR"): "ASR",
    ("audio", "TRANS"): "ST",
    ("audio", "QA"): "SQA",
    ("audio", "SUM"): "SSUM",
    ("video", "QA"): "VQA",
    ("video", "SUM"): "VSUM",
    ("audio_video", "ASR"): "AVR",
    ("audio_video", "TRANS"): "AVT",
    ("audio_video", "QA"): "AVQA",
    ("audio_video", "SUM"): "AVSUM",
}
# The contents of a modality, in the order in which they are sent
TRACK_MODALITIES: dict[str, tuple[Kind, ...]] = {
    "text": ("text",),
    "audio": ("audio",),
    "video": ("video",),
    "audio_video": ("video", "audio"),
}
# Names in files -> ours. "random" and "mllm" are those of the released outputs.
PROMPT_SET_OF = {"fixed": "fixed", "mixed": "mixed", "random": "mixed"}
MODALITY_OF = {"text": "text", "audio": "audio", "video": "video", "mllm": "audio_video", "audio_video": "audio_video"}


def kinds_of(track: str, language: str) -> tuple[str, ...]:
    """Return the tasks of a track in a language: transcripts for English, translations otherwise; summaries if long."""
    first = "ASR" if language == "en" else "TRANS"
    return (first, "QA", "SUM") if track == "long" else (first, "QA")


def task_id(track: str, language: str, kind: str) -> str:
    """`mcif/short/de/TRANS`."""
    return f"mcif/{track}/{language}/{kind}"


def scoped_id(track: str, language: str, modality: str, prompts: str, last: str) -> str:
    """Return the id of an Item (`last`: the sample's id) or a Unit (the iid): `mcif/short/de/audio/fixed/7`.

    Modality and prompt set are left out if they are unknown.
    """
    return "/".join(filter(None, ("mcif", track, language, modality, prompts, last)))


def instance_id(iid: str) -> str:
    """Return the id shared by a talk or question in every language, track, modality and wording: `mcif/QA_3_27`."""
    return f"mcif/{iid}"


def media_folder(track: str, kind: Kind) -> str:
    """Return `SHORT_AUDIOS`, `LONG_TEXTS` …"""
    return f"{track.upper()}_{kind.upper()}S"
