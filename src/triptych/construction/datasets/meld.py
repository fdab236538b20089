"""MELD: utterances of dialogues from a television series, with an emotion each.

    train_sent_emo.csv, dev_sent_emo.csv, test_sent_emo.csv
        Sr No., Utterance, Speaker, Emotion, Sentiment, Dialogue_ID, Utterance_ID, Season, Episode, StartTime, EndTime
    train_splits/dia0_utt0.mp4                             videos of the utterances of train
    dev_splits_complete/, output_repeated_splits_test/     those of dev and test

`label` is the emotion (anger, disgust, fear, joy, neutral, sadness, surprise), `transcript` the words, `seconds` the
length that the list states. Other files of the folders (`final_videos_test…`) are left alone. The series is protected:
`licence` is LicenseRef-MELD, which nothing here decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import listing, number, rows
from triptych.construction.record import Record
from triptych.errors import DataError

EMOTIONS = ("anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise")
FOLDERS = {"train": "train_splits", "dev": "dev_splits_complete", "test": "output_repeated_splits_test"}
_WIDTH = 11


def records(folder: Path) -> Iterator[Record]:
    """Yield the utterances by split, in the order of the lists; a split without a list is left out."""
    listing(folder, *(f"{split}_sent_emo.csv" for split in FOLDERS))
    for split, split_folder in FOLDERS.items():
        path = folder / f"{split}_sent_emo.csv"
        if not path.is_file():
            continue
        for where, cells in rows(path, _WIDTH):
            _, words, speaker, emotion, sentiment, dialogue, utterance, season, episode, begin, end = cells
            if emotion not in EMOTIONS:
                raise DataError("no such emotion", where=where, got=emotion, expected=", ".join(EMOTIONS))
            name = f"dia{int(number(dialogue, where, minimum=0))}_utt{int(number(utterance, where, minimum=0))}"
            video = f"{split_folder}/{name}.mp4"
            fields = {
                "dataset": "meld",
                "label": emotion,
                "split": split,
                "transcript": words,
                "speaker": speaker,
                "sentiment": sentiment,
                "dialogue": f"{split}/{dialogue}",
                "season": season,
                "episode": episode,
                "seconds": round(seconds_of(end, where) - seconds_of(begin, where), 3),
                "video_file": video if (folder / video).is_file() else None,
                "licence": "LicenseRef-MELD",
            }
            yield Record(f"{split}/{name}", fields, (f"meld:{split}/{name}",))


def seconds_of(time: str, where: str) -> float:
    """Return the seconds of `00:20:57,256`, in which hours may have one digit. Raises DataError.

    Example:
        >>> seconds_of("0:12:43,012", "")
        763.012
    """
    parts = time.replace(",", ".").split(":")
    if len(parts) != 3:
        raise DataError("not a valid time", where=where, got=time, expected="HH:MM:SS,mmm")
    hours, minutes, seconds = (number(part, where, minimum=0) for part in parts)
    return 3600 * hours + 60 * minutes + seconds
