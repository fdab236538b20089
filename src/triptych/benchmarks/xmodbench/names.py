"""Names: families and subtasks in the paper's order, directions, released files."""

from __future__ import annotations

from triptych.errors import DataError

DIRECTIONS = ("audio_text", "audio_vision", "text_audio", "text_vision", "vision_audio", "vision_text")
# Dual context: an audio and a vision stem, options in text (the paper's A+V -> T)
DUAL = "audiovision_text"
LETTERS = ("A", "B", "C", "D")

# Family -> subtasks, as in the paper: emotion is linguistic there, although it is released under `external`
FAMILIES: dict[str, tuple[str, ...]] = {
    "perception": ("general", "finegrained", "natures", "instruments", "instruments_comp"),
    "spatial": ("arrangements", "3D_movements", "panaroma"),
    "temporal": ("order", "count", "calculation"),
    "linguistic": ("recognition", "translation", "emotion_classification"),
    "knowledge": ("music_genre_classification", "movie_matching", "singer_identification"),
}
SUBTASKS: tuple[tuple[str, str], ...] = tuple((f, s) for f, names in FAMILIES.items() for s in names)
FAMILY_OF: dict[str, str] = {s: f for f, s in SUBTASKS}

# The family at the beginning of a released results file's name
RELEASED_FAMILY: dict[str, str] = {
    **dict.fromkeys(FAMILIES["perception"], "perception"),
    **dict.fromkeys(FAMILIES["spatial"], "spatial"),
    **dict.fromkeys(FAMILIES["temporal"], "temporal"),
    "recognition": "speech",
    "translation": "speech",
    "emotion_classification": "external",
    **dict.fromkeys(FAMILIES["knowledge"], "external"),
}
# Spellings of the seventh direction in the names of released results files
RELEASED_DUAL = "audio_vision_text"
RESULT_STEMS: dict[str, tuple[str, str, str]] = {
    f"{RELEASED_FAMILY[subtask]}_{subtask}_{spelt}": (family, subtask, direction)
    for family, subtask in SUBTASKS
    for spelt, direction in (*((d, d) for d in DIRECTIONS), (RELEASED_DUAL, DUAL), (DUAL, DUAL))
}
_MODALITIES = ("audio", "text", "video", "vision")

# `panaroma` asks three directions about one set of recorded events and three about another
PANAROMA_SETS: dict[str, str] = {
    **dict.fromkeys(("audio_text", "audio_vision", "text_vision"), "video_choice"),
    **dict.fromkeys(("text_audio", "vision_audio", "vision_text"), "audio_choice"),
}
# `instruments` audio_text was released without row 308 of the other five files
INSTRUMENTS_GAP = 308
INSTRUMENTS_SHORT = 999

# The release of 2026-06 and lmms-eval: folders of subtasks, directions by the modalities of stem and options
RELEASED_FOLDER: dict[str, str] = {
    **dict.fromkeys(FAMILIES["perception"], "01_perception"),
    **dict.fromkeys(FAMILIES["spatial"], "02_spatial"),
    **dict.fromkeys(("recognition", "translation"), "03_speech"),
    **dict.fromkeys(FAMILIES["temporal"], "04_temporal"),
    **dict.fromkeys(("emotion_classification", *FAMILIES["knowledge"]), "05_Exteral"),
}
RELEASED_SUBTASK = {"general": "general_activities"}  # the others have their names
CONFIGS: dict[str, str] = {
    "a2t": "audio_text",
    "a2v": "audio_vision",
    "t2a": "text_audio",
    "t2v": "text_vision",
    "v2a": "vision_audio",
    "v2t": "vision_text",
}
CONFIG_OF: dict[str, str] = {direction: config for config, direction in CONFIGS.items()}
COMBINATIONS = (
    "audio_image",
    "audio_text",
    "audio_video",
    "image_audio",
    "image_text",
    "text_audio",
    "text_image",
    "text_video",
    "video_audio",
    "video_text",
)
# VGGSound's categories, which rows of finegrained carry in place of a subtask
VGGSOUND = frozenset(
    (
        "animal sounds",
        "human activities",
        "human speech",
        "musical instruments",
        "natural sounds",
        "tools & machinery",
        "transportation",
        "urban sounds",
    )
)
# The file that `order` calls audio_text goes from text to audio, and the other way round
ORDER_LABEL = {"audio_text": "text_audio", "text_audio": "audio_text"}
VIDEO = frozenset(("3D_movements", "panaroma", "order", "count", "calculation", "emotion_classification"))


def released_subtask(subtask: str) -> str:
    """Return a subtask as released: `01_perception/general_activities`."""
    return f"{RELEASED_FOLDER[subtask]}/{RELEASED_SUBTASK.get(subtask, subtask)}"


SUBTASK_OF: dict[str, str] = {released_subtask(subtask).lower(): subtask for subtask in FAMILY_OF}


def subtask_of(name: str) -> str | None:
    """Return the subtask of a released name: `05_Exteral/movie_matching`, `general_activities`, `Animal Sounds`; None
    for another name. Case, and the spelling of `Exteral`, don't matter."""
    plain = name.strip().lower().replace("05_external/", "05_exteral/")
    if plain in VGGSOUND:
        return "finegrained"
    return "general" if plain == "general_activities" else SUBTASK_OF.get(plain)


def direction_label(subtask: str, direction: str) -> str:
    """Return the direction that the files of 2025-09 call a content direction."""
    return ORDER_LABEL.get(direction, direction) if subtask == "order" else direction


def split_task(task: str) -> tuple[str, str, str]:
    """Return (family, subtask, direction) of a Task's id, with or without the benchmark's name.

    Raises DataError for another id (an Item may come from any Run).
    """
    match task.split("/")[-3:]:
        case [family, subtask, direction]:
            return family, subtask, direction
    raise DataError("not a Task of XModBench", got=repr(task[:200]), expected="FAMILY/SUBTASK/DIRECTION")


def task_of_result(stem: str) -> tuple[str, str, str] | None:
    """Return (family, subtask, direction) from a results file's name without `.json`; None if it names no Task.

    Text after a released name and `_` is a suffix (`…_audio_text_pandagpt`), unless it starts with a modality:
    `perception_general_audio_text_vision` is not a released name.
    """
    for end in (len(stem), *(i for i in range(len(stem) - 1, 0, -1) if stem[i] == "_")):
        if stem[:end] in RESULT_STEMS:
            return None if stem[end + 1 :].startswith(_MODALITIES) else RESULT_STEMS[stem[:end]]
    return None


def instance_of(subtask: str, direction: str, index: int, rows: int) -> str:
    """Return the Instance of a released row, from its position in a file with `rows` rows (as far as known).

    Positions pair the six directions, with the two exceptions above (verified on the content by `check`).
    """
    family = FAMILY_OF[subtask]
    if (
        subtask == "panaroma"
    ):  # the authors' A+V>T joins an audio of one set with a video of the other, which is a set of its own
        return f"{family}/panaroma/{PANAROMA_SETS.get(direction, direction)}/{index}"
    if subtask == "instruments" and direction == "audio_text" and rows <= INSTRUMENTS_SHORT:
        index += index >= INSTRUMENTS_GAP
    return f"{family}/{subtask}/{index}"
