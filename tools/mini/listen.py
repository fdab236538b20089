"""Listens to the spoken clips with a recogniser, so that what can't be understood is rewritten before it ships."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.mini import cmdar_set, mcga_set, mcif_set, xmodbench_set
from triptych.errors import TriptychError

# Whisper writes traditional or simplified characters as it pleases; simplified ones in the prompt settle it.
PROMPTS = {"zh": "以下是普通话的句子。", "en": None}
HERE = Path(__file__).parent
HEARD = HERE / "heard.json"


def listen(model: str | None, names: Sequence[str]) -> None:
    """Writes what was heard of every spoken clip of these sets, and the character error rates, to `heard.json`."""
    from faster_whisper import WhisperModel

    if model is None:
        raise TriptychError("a recogniser is needed", expected="--whisper FOLDER of a faster-whisper model")
    whisper = WhisperModel(model, device="cpu", compute_type="int8", cpu_threads=1)
    report = json.loads(HEARD.read_text(encoding="utf-8"))
    for name, said in spoken().items():
        if name not in names:
            continue
        clips = {}
        for path, (text, language) in said.items():
            parts, _ = whisper.transcribe(
                str(HERE / name / path),
                language=language,
                beam_size=5,
                temperature=0.0,
                initial_prompt=PROMPTS[language],
            )
            heard = _words(parts)
            clips[path] = {"said": text, "heard": heard, "cer": round(error_rate(text, heard), 3)}
        report[name] = {"recogniser": "Whisper base int8", "cer": overall(clips), "clips": clips}
        print(name, report[name]["cer"])
    if "mcga" in names:
        _write_readings(whisper, {path: clip["heard"] for path, clip in report["mcga"]["clips"].items()})
    HEARD.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _write_readings(whisper: Any, prompted: Mapping[str, str]) -> None:
    """Writes the replies of both recognisers of MCGA's stage `double-asr`, which the recipe replays: the words heard
    with the prompt above and five beams, and without a prompt and with one."""
    alone = {
        path: _words(whisper.transcribe(str(HERE / "mcga" / path), language="zh", beam_size=1, temperature=0.0)[0])
        for path in prompted
    }
    for name, heard in (("prompted", prompted), ("alone", alone)):
        lines = [
            json.dumps({"id": f"{Path(path).stem}/000", "text": words}, ensure_ascii=False) + "\n"
            for path, words in heard.items()
        ]
        (HERE / "mcga" / f"whisper_{name}.jsonl").write_text("".join(lines), encoding="utf-8")


def _words(parts: Iterable[Any]) -> str:
    return "".join(part.text for part in parts).strip()


def spoken() -> dict[str, dict[str, tuple[str, str]]]:
    """Set -> path of a clip, below its folder -> what is said in it, and in which language."""
    words = {path: (line.text, line.language) for path, line in xmodbench_set.spoken().items()}
    return {
        "xmodbench": words,
        "cmdar": {path: (text, "zh") for path, text in cmdar_set.spoken().items()},
        "mcif": {path: (text, "en") for path, text in mcif_set.spoken().items()},
        "mcga": {path: (text, "zh") for path, text in mcga_set.spoken().items()},
    }


def error_rate(said: str, heard: str) -> float:
    """Character errors / characters said, without case, punctuation and blanks: 0 is best; 0 when nothing is said."""
    from rapidfuzz.distance import Levenshtein

    left, right = (re.sub(r"[\W_]+", "", text).lower() for text in (said, heard))
    return Levenshtein.distance(left, right) / len(left) if left else 0.0


def overall(clips: Mapping[str, Mapping[str, Any]]) -> float:
    """The clips' error rates, weighted by what is said in each."""
    lengths = [len(re.sub(r"[\W_]+", "", clip["said"])) for clip in clips.values()]
    errors: float = sum(clip["cer"] * length for clip, length in zip(clips.values(), lengths, strict=True))
    return round(errors / sum(lengths), 4)
