"""The MCIF-like mini set: short talks with slides, spoken in English and asked about in four languages."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.benchmarks.mcif.names import LANGUAGES, PROMPT_SETS, TRACKS, kinds_of, media_folder
from triptych.benchmarks.mcif.pools import pools
from triptych.benchmarks.mcif.samples import Block, Reference, Source, write_references, write_sources
from triptych.construction.mini import encode, sounds
from triptych.construction.mini.pictures import slide
from triptych.construction.mini.speech import Line, synthesise
from triptych.prompts.pool import draw, fill_question
from triptych.records import Kind

if TYPE_CHECKING:
    from triptych.construction.mini.sounds import Wave

CONTENT = Path(__file__).with_name("mcif.toml")
VERSION = "1.0"
SEED = 42
PAUSE = 0.3
SLIDES_FPS = 2
Talk = Mapping[str, Any]
Spoken = Mapping[Line, "Wave"]


@dataclass(frozen=True)
class Asked:
    """What gets one sample on the long track, and one or more on the short one: a talk, its summary, or a question."""

    talk: Talk
    iid: str
    question: Mapping[str, Any] = field(default_factory=dict)

    def kind(self, language: str) -> str:
        """ASR, TRANS, QA or SUM: a talk is written down in English and translated elsewhere."""
        name = self.iid.partition("_")[0]
        return name if name != "TALK" else kinds_of("short", language)[0]

    def named(self, language: str) -> str:
        """`TRANS_1`, `QA_1_2`."""
        return f"{self.kind(language)}_{self.iid.partition('_')[2]}"


def build(root: Path, work: Path) -> None:
    """Writes `root/MCIF1.0.IF.….xml` and the media under `root/SHORT_AUDIOS` and so on."""
    content = load()
    spoken = synthesise([line for talk in content["talk"] for line in _lines(talk)], work)
    elements = shuffled(content)
    alias = _aliases(content["talk"])
    for talk in content["talk"]:
        _write_media(root, talk, spoken, alias)
    for language in LANGUAGES:
        for track in TRACKS:
            _write_sources(root, track, language, elements, alias)
            _write_references(root, track, language, elements, alias, content["no_answer"])


def load() -> dict[str, Any]:
    """The talks as they were written."""
    return tomllib.loads(CONTENT.read_text(encoding="utf-8"))


def shuffled(content: Mapping[str, Any]) -> list[Asked]:
    """All elements in one random order, the same on both tracks and in all languages."""
    elements = []
    for talk in content["talk"]:
        elements += [Asked(talk, f"TALK_{talk['id']}"), Asked(talk, f"SUM_{talk['id']}")]
        elements += [Asked(talk, f"QA_{talk['id']}_{n}", question) for n, question in enumerate(talk["question"], 1)]
    random.Random(SEED).shuffle(elements)
    return elements


def clips(element: Asked, track: str) -> list[tuple[int, ...]]:
    """The segments in each clip that an element is asked about: one clip holding all, or on the short track one a
    segment for talks and the segments that a question spans for questions; none for a short summary."""
    everything = tuple(dict.fromkeys(line["segment"] for line in element.talk["line"]))
    if track == "long":
        return [everything]
    if element.question:
        return [tuple(element.question["segments"])]
    return [] if element.iid.startswith("SUM") else [(segment,) for segment in everything]


def spoken() -> dict[str, str]:
    """Every long recording: its path under the root -> what is said in it."""
    talks = load()["talk"]
    alias = _aliases(talks)
    return {
        f"LONG_AUDIOS/{alias[talk['id'], clips(Asked(talk, 'TALK_'), 'long')[0]]}.ogg": " ".join(
            line.text for line in _lines(talk)
        )
        for talk in talks
    }


def _lines(talk: Talk) -> list[Line]:
    return [Line(line["en"], "en", talk["voice"]) for line in talk["line"]]


def _aliases(talks: Sequence[Talk]) -> dict[tuple[int, tuple[int, ...]], str]:
    """(talk, segments) -> the clip's name: ten random letters. Clips of the same segments are one file."""
    rng = random.Random(f"{SEED} aliases")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    wanted: dict[tuple[int, tuple[int, ...]], str] = {}
    for talk in talks:
        for element in shuffled({"talk": [talk]}):
            for track in TRACKS:
                for segments in clips(element, track):
                    wanted.setdefault((talk["id"], segments), "".join(rng.choices(letters, k=10)))
    return wanted


def _write_media(root: Path, talk: Talk, spoken: Spoken, alias: Mapping[tuple[int, tuple[int, ...]], str]) -> None:
    whole = clips(Asked(talk, "TALK_"), "long")[0]
    for (id_, segments), name in alias.items():
        if id_ != talk["id"]:
            continue
        track = "long" if segments == whole else "short"
        lines = [line for line in talk["line"] if line["segment"] in segments]
        pieces = [_piece(spoken[Line(line["en"], "en", talk["voice"])]) for line in lines]
        encode.write_opus(root / media_folder(track, "audio") / f"{name}.ogg", sounds.joined(*pieces), 20_000)
        frames = [
            slide(talk["slides"][line["slide"] - 1], line["slide"])
            for line, piece in zip(lines, pieces, strict=True)
            for _ in range(max(1, round(len(piece) / sounds.RATE * SLIDES_FPS)))
        ]
        encode.write_mp4(root / media_folder(track, "video") / f"{name}.mp4", frames, SLIDES_FPS)
    text = root / media_folder("long", "text") / f"{alias[talk['id'], whole]}.en"
    text.parent.mkdir(parents=True, exist_ok=True)
    text.write_text(" ".join(line["en"] for line in talk["line"]) + "\n", encoding="utf-8")


def _piece(wave: Wave) -> Wave:
    return sounds.joined(wave, sounds.silence(PAUSE))


def _samples(elements: Sequence[Asked], track: str) -> Iterator[tuple[Asked, list[tuple[int, tuple[int, ...]]]]]:
    """Each element with its samples' ids and segments; ids count through."""
    number = 0
    for element in elements:
        own = clips(element, track)
        if own:
            yield element, list(enumerate(own, number))
        number += len(own)


def _write_sources(
    root: Path, track: str, language: str, elements: Sequence[Asked], alias: Mapping[tuple[int, tuple[int, ...]], str]
) -> None:
    for prompts in PROMPT_SETS:
        sources = [
            Source(str(id_), _instruction(element, language, prompts), _files(track, element.kind(language), [name]))
            for element, samples in _samples(elements, track)
            for id_, segments in samples
            for name in [alias[element.talk["id"], segments]]
        ]
        path = root / f"MCIF{VERSION}.IF.{track}.{language}.src.{prompts}prompts.xml"
        write_sources(path, [Block(track, language, tuple(sources))], f"MCIF{VERSION}")


def _files(track: str, kind: str, names: Sequence[str]) -> dict[Kind, str]:
    files: dict[Kind, str] = {
        "audio": ",".join(f"{name}.ogg" for name in names),
        "video": ",".join(f"{name}.mp4" for name in names),
    }
    return files | ({"text": f"{names[0]}.en"} if track == "long" and kind != "ASR" else {})


def _instruction(element: Asked, language: str, prompts: str) -> str:
    """The fixed wording, or one drawn for the element and language (all its segments share it)."""
    pool = pools()[f"{element.kind(language)}/{language}"]
    wording = pool[0] if prompts == "fixed" else draw(pool, element.iid, language, seed=SEED)
    return fill_question(wording, element.question[language][0] if element.question else "")


def _write_references(
    root: Path,
    track: str,
    language: str,
    elements: Sequence[Asked],
    alias: Mapping[tuple[int, tuple[int, ...]], str],
    no_answer: Mapping[str, str],
) -> None:
    references = []
    for element, samples in _samples(elements, track):
        kind, question = element.kind(language), element.question
        names = [alias[element.talk["id"], segments] for _, segments in samples]
        reference = Reference(
            ids=tuple(str(id_) for id_, _ in samples),
            iid=element.named(language),
            kind=kind,
            text=_reference(element, language, no_answer),
            transcript="\n".join(line["en"] for line in element.talk["line"]) if kind == "TRANS" else "",
            qa_type=question["type"] if question else "",
            qa_origin=question["origin"] if question else "",
            files=_files(track, kind, names),
        )
        references.append(reference)
    path = root / f"MCIF{VERSION}.IF.{track}.{language}.ref.xml"
    write_references(path, [Block(track, language, tuple(references))], f"MCIF{VERSION}")


def _reference(element: Asked, language: str, no_answer: Mapping[str, str]) -> str:
    match element.kind(language):
        case "ASR":
            return " ".join(line["en"] for line in element.talk["line"])
        case "TRANS":
            return "\n".join(line[language] for line in element.talk["line"])
        case "SUM":
            return str(element.talk["summary"][language])
        case _:
            return str((element.question[language] + [no_answer[language]])[1])
