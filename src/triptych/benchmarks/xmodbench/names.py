"""The benchmark's own names: families and subtasks in the paper's order, directions, names of released files."""

from __future__ import annotations

from triptych.errors import DataError

DIRECTIONS = ("audio_text", "audio_vision", "text_audio", "text_vision", "vision_audio", "vision_text")
# Dual context: an audio and a vision stem, options in text (the paper's A+V -> T).
DUAL = "audiovision_text"
LETTERS = ("A", "B", "C", "D")

# Family -> subtasks, as the paper counts them: emotion is linguistic there, though it is released among `external`.
FAMILIES: dict[str, tuple[str, ...]] = {
    "perception": ("general", "finegrained", "natures", "instruments", "instruments_comp"),
    "spatial": ("arrangements", "3D_movements", "panaroma"),
    "temporal": ("order", "count", "calculation"),
    "linguistic": ("recognition", "translation", "emotion_classification"),
    "knowledge": ("music_genre_classification", "movie_matching", "singer_identification"),
}
SUBTASKS: tuple[tuple[str, str], ...] = tuple((f, s) for f, names in FAMILIES.items() for s in names)
FAMILY_OF: dict[str, str] = {s: f for f, s in SUBTASKS}

# The family that starts the name of a released results file.
RELEASED_FAMILY: dict[str, str] = {
    **dict.fromkeys(FAMILIES["perception"], "perception"),
    **dict.fromkeys(FAMILIES["spatial"], "spatial"),
    **dict.fromkeys(FAMILIES["temporal"], "temporal"),
    "recognition": "speech",
    "translation": "speech",
    "emotion_classification": "external",
    **dict.fromkeys(FAMILIES["knowledge"], "external"),
}
RESULT_FILES: dict[str, tuple[str, str, str]] = {
    f"{RELEASED_FAMILY[subtask]}_{subtask}_{direction}.json": (family, subtask, direction)
    for family, subtask in SUBTASKS
    for direction in (*DIRECTIONS, DUAL)
}

# `panaroma` asks three directions about one set of recorded events and three about another.
PANAROMA_SETS: dict[str, str] = {
    **dict.fromkeys(("audio_text", "audio_vision", "text_vision"), "video_choice"),
    **dict.fromkeys(("text_audio", "vision_audio", "vision_text"), "audio_choice"),
}
# `instruments` audio_text was released without the row that is number 308 in the other five files.
INSTRUMENTS_GAP = 308
INSTRUMENTS_SHORT = 999


def split_task(task: str) -> tuple[str, str, str]:
    """(family, subtask, direction) of a Task's id, with or without the benchmark's name before it.

    Raises DataError for what is none (an Item can come from anybody's Run).
    """
    match task.split("/")[-3:]:
        case [family, subtask, direction]:
            return family, subtask, direction
    raise DataError("this is no Task of XModBench", got=repr(task[:200]), expected="FAMILY/SUBTASK/DIRECTION")


def instance_of(subtask: str, direction: str, index: int, rows: int) -> str:
    """The Instance of a released row, from its position in a file of `rows` rows (as many as are known of).

    Positions pair the six directions, with the two exceptions above (verified on the content by `check`).
    """
    family = FAMILY_OF[subtask]
    if subtask == "panaroma":
        return f"{family}/panaroma/{PANAROMA_SETS[direction]}/{index}"
    if subtask == "instruments" and direction == "audio_text" and rows <= INSTRUMENTS_SHORT:
        index += index >= INSTRUMENTS_GAP
    return f"{family}/{subtask}/{index}"
