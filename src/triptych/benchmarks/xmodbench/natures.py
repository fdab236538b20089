"""The questions of `natures`: of the two released generations, the one that is in use."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from triptych.benchmarks.xmodbench.names import LETTERS
from triptych.benchmarks.xmodbench.rows import Content, Row

# For each position, four hexadecimal digits of a SHA-256: of the clip asked about, the letter of the correct option,
# and the class of each option. Made of tasks/01_perception/natures/landscapes_audio_bench_questions_* of 2025-09, in
# which all six directions agree in these; those of the other generation, landscapes_X_to_Y, are all different.
_MARKS = (
    "a5eb2826b843caf3a0b562ed1810e2d8858eb99e272f17deb0cc3de6156954572484f89eb2a4c8a93cbe0ada938a6b397d61"
    "d4a6b154d0c925bea94eaeb151436f588ad2183127a35f0606d1bda4d23ddbb7346f540ffcd09a39ba8149a0259fc2bf9ad1"
    "05bdd1ed59a8a5e2258f4c8a8dff77177d1be276d1bb728a849471b037eb83ae95e99f340d6cd3d8e29aa9bd94fc5381099d"
    "f7f5c4820e55d65283f58f2ea91611a51146a36aec7f1c73e867c3a526b9b6e51c2bd6640ed5ec06d1b4469d35cc8165198d"
    "de7fc4f58687780a5d3cfc3c24e538c4ad3fbbde623ebf8c43171cb7714d1f2e13e9def53e5b1f8a0371c41d1ebf0a9e5cb6"
    "e6edfae6d96b65ac94862180982a29b9f645a298bbcacf9efa00fc0956ed8d2d8ec6a4eb6b1d4ca1aaa622691d3dcdff444f"
    "2007c9bc989d00c4ea7364bfc7a9ce489053c8cc731348ff5030b7b168356194527ae632f060a354330dad60916431733a7c"
    "ff83ff24f099c3e8eb1e949f7e5d381596432a69b6a3ffad4200b072e567744127f3787d2bd621b0d03a4fbef17014f6493b"
    "ecd466ef19fd4e41a84ca2b78e8f58753a41e065b746de3e5955ef6e47f8b0ddc4797506be6a664fe9769bccfd51646aaf37"
    "5bc4ce585a0bcf9eace8c8eb05db30e0b3a0ce340e58739455b59b381b01e629363947fa57ef5409a48f4fd8c448527b2489"
    "3bfc25ebd7676bd6d7fe38dd8871896c8b4cdeaa78e24470af78f161a9b0a3dcab564b4c2ca2ea53f33ca2ee461448ffb180"
    "2d5de97172c901950269c9c3983ba2114bda88defd51bab76da286bde76c09a169a0454e54dcddff75131fb4e3a835c99819"
    "3e5bdf7bd960218bb6ee0da1cbeb6ff25aad89b3069721f97a2f421b638b9031d9d5c341ac7286f0bd7dfd0d0be4ec047688"
    "d76770a1859ac0062b94a9898272902270ca99b515baf939de33b197a4953f87286d71e5a39ab680fc76eb70119458541c2b"
    "58902cfb9258261e6de92a61889dd01e824f0cecd41a95b6b151284af190831bb12ec464b7765fe9e0ae38f608a4c8af771a"
    "0b2b7361ac4820c056f79f3d57f55a89cd3c03f23cab6e340250a4a7c8b8fda33c21189f02ed42bda8ac710bb844d3df2415"
    "515b509ac729ec33c25642937e018ef36cad07ab334c387c7728a70bcd03080a92cf272f67259bf054c8da5f34152abbf975"
    "45f6a294233dee72a5ff1e1e9f94784eda877de0f4afaeb1064ee694125a449b0ed42218cf6dcbba750803c1e165fc02910f"
    "cfcfb12a73f12baa8d97518b96b5bab5bee96a7eb0b453939e4540ed6c3eafb547e4de7c34ae77b9a150e66d83eb8fabfa59"
    "31e88493370abd85fcb1b394b1517cce2be8054a4818a24ce2b6c2dbf932c81a1bd45aadecc3b3d58882dbc5f2abe9094b9d"
)


def in_use(index: int, row: Row) -> bool:
    """Return whether a row is of the generation in use. `index`: its position in the files."""
    return _mark(row) == _MARKS[4 * index : 4 * index + 4]


def _mark(row: Row) -> str:
    media = (c for c in (row.conditions, row.options[row.correct_answer]) if c.modality != "Text")
    clip = next((PurePosixPath(content.input).stem for content in media), "")
    words = [clip, row.correct_answer, *(_class(row.options[letter]) for letter in LETTERS)]
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:4]


def _class(content: Content) -> str:
    """Return what a clip shows: its text, or the folder of the clip."""
    if content.modality == "Text":
        return content.input.lower().replace(" ", "_")
    return PurePosixPath(content.input).parent.name.lower()
