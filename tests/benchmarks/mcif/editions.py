"""Small editions of MCIF for tests: written by hand, one talk of two segments, two questions."""

from __future__ import annotations

import gzip
from pathlib import Path
from xml.sax.saxutils import escape

from triptych.records import Item, Response

FIXED = {
    "en": ("Transcribe the English content.", "Answer the following question concisely given the English content: "),
    "de": (
        "Übersetze den englischem Inhalt nach Deutsch.",
        "Beantworte die folgende Frage kurz und bündig basierend auf dem englischen Inhalt: ",
    ),
}


def source(language: str = "en", questions: str = "0,3", talk_ids: tuple[int, int] = (1, 2)) -> str:
    """The short track: samples 1 and 2 (or `talk_ids`) are a talk's segments, the others questions."""
    asked = "".join(
        f"<sample id='{id_}'><audio_path>q{id_}.wav</audio_path><video_path>q{id_}.mp4</video_path>"
        f"<instruction>{FIXED[language][1]}Who speaks in {id_}?</instruction></sample>"
        for id_ in questions.split(",")
    )
    talk = "".join(
        f"<sample id='{id_}'><audio_path>s{n}.wav</audio_path><video_path>s{n}.mp4</video_path>"
        f"<instruction>{FIXED[language][0]}</instruction></sample>"
        for n, id_ in enumerate(talk_ids, 1)
    )
    return f"<testset name='MCIF1.0'><task track='short' text_lang='{language}'>{asked}{talk}</task></testset>"


def reference(language: str = "en", ids: str = "1,2") -> str:
    """The references of `source`; ASR in English, two lines of TRANS in German."""
    kind = "ASR" if language == "en" else "TRANS"
    text = "I saw two birds. They sang." if language == "en" else "Ich sah zwei Vögel.\nSie sangen."
    metadata = "" if language == "en" else "<transcript>I saw two birds.\nThey sang.</transcript>"
    return (
        f"<testset name='MCIF1.0'><task track='short' text_lang='{language}'>"
        f"<sample id='{ids}' iid='{kind}_1' task='{kind}'><audio_path>s1.wav,s2.wav</audio_path>"
        f"<reference>\n{text}\n</reference><metadata>{metadata}</metadata></sample>"
        "<sample id='0' iid='QA_1_1' task='QA' qa_type='AV' qa_origin='General'><reference>Ann.</reference></sample>"
        "<sample id='3' iid='QA_1_2' task='QA' qa_type='NA' qa_origin='Abstract'>"
        "<reference>Nobody.</reference></sample>"
        "</task></testset>"
    )


def outputs(texts: dict[str, str], language: str = "en", track: str = "short") -> str:
    samples = "".join(f"<sample id='{id_}'>{escape(text)}</sample>" for id_, text in texts.items())
    return f"<testset name='mine' type='output'><task track='{track}' text_lang='{language}'>{samples}</task></testset>"


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(content.encode()) if path.suffix == ".gz" else content.encode())
    return path


def edition(folder: Path, *languages: str) -> Path:
    """Sources with fixed prompts and references, with media of one byte."""
    for language in languages or ("en",):
        write(folder, f"MCIF1.0.IF.short.{language}.src.fixedprompts.xml", source(language))
        write(folder, f"MCIF1.0.short.{language}.ref.xml.gz", reference(language))
    for kind, suffix in (("AUDIOS", "wav"), ("VIDEOS", "mp4")):
        (folder / f"SHORT_{kind}").mkdir()
        for name in ("s1", "s2", "q0", "q3"):
            (folder / f"SHORT_{kind}" / f"{name}.{suffix}").write_bytes(b"x")
    return folder


def answer(item: Item, text: str) -> Response:
    return Response(item.id, "", 0, "answered", text)
