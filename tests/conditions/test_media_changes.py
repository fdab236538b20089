"""Conditions that change media only write on the Part what is to be done; and those that leave a modality out."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.conditions.applying import apply_all
from triptych.conditions.condition import find_condition, known_conditions, usage
from triptych.errors import SpecError
from triptych.records import Item, Part, media, text

ITEM = Item(
    "i",
    "t",
    (media("audio", "a.wav", "content"), media("video", "v.mp4", "content"), text("Which?", "question")),
    ((media("audio", "b.wav"),), (media("image", "c.png"),)),
    ("A", "B"),
    "letter",
    "A",
)


def steps(name: str, *more: str) -> dict[str, str]:
    (item,) = apply_all(ITEM, [find_condition(n, seed=7) for n in (name, *more)])
    return {part.path: part.transform for part in item.all_parts if part.is_media}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["noise"], {"a.wav": "noise:seed=7", "v.mp4": "", "b.wav": "noise:seed=7", "c.png": ""}),
        (["noise:seed=3,where=stem"], {"a.wav": "noise:seed=3", "v.mp4": "", "b.wav": "", "c.png": ""}),
        (["silence:options"], None),
        (
            ["snr:10", "mp3:kbps=16"],
            {
                "a.wav": "snr:db=10,seed=7|mp3:kbps=16",
                "v.mp4": "",
                "b.wav": "snr:db=10,seed=7|mp3:kbps=16",
                "c.png": "",
            },
        ),
        (["image_noise:where=options"], {"a.wav": "", "v.mp4": "", "b.wav": "", "c.png": "noise:seed=7"}),
        (["grey"], {"a.wav": "", "v.mp4": "grey", "b.wav": "", "c.png": "grey"}),
        (
            ["downscale:0.50"],
            {"a.wav": "", "v.mp4": "downscale:factor=0.5", "b.wav": "", "c.png": "downscale:factor=0.5"},
        ),
        (["jpeg:quality=10"], {"a.wav": "", "v.mp4": "", "b.wav": "", "c.png": "jpeg:quality=10"}),
        (["mute", "mute"], {"a.wav": "", "v.mp4": "mute", "b.wav": "", "c.png": ""}),
        (["without:audio"], {"v.mp4": "mute", "c.png": ""}),
        (["without:vision"], {"a.wav": "", "b.wav": ""}),
        (["without:what=video"], {"a.wav": "", "b.wav": "", "c.png": ""}),
    ],
)
def test_what_is_written_on_which_parts(names: list[str], expected: dict[str, str] | None) -> None:
    if expected is None:  # the first argument of `silence` is `where`
        assert steps(*names)["a.wav"] == "" and steps(*names)["b.wav"] == "silence"
    else:
        assert steps(*names) == expected


def test_an_option_without_its_medium_says_so_and_keeps_its_place() -> None:
    assert find_condition("without:audio").apply(ITEM).options == (
        (text("[audio removed]"),),
        (Part("image", path="c.png"),),
    )


def test_a_noise_file_is_named_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "babble.wav").write_bytes(b"noise")
    condition = find_condition(f"snr:db=5,noise={tmp_path / 'babble.wav'}")
    ((digest, path),) = condition.files.items()  # type: ignore[attr-defined]
    assert path == (tmp_path / "babble.wav").resolve()
    assert condition.name == f"snr:db=5,noise=babble.wav@{digest[:8]}"
    assert condition.apply(ITEM).parts[0].transform == f"snr:db=5,noise={digest},seed=0"


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("snr", "requires 'db'"),
        ("snr:db=loud", "not a number"),
        ("snr:db=nan", "out of range"),
        ("snr:db=5,noise=/nowhere.wav", "can't be read"),
        ("mp3:kbps=1.5", "not an integer"),
        ("mp3:kbps=1", "out of range"),
        ("noise:sed=1", "did you mean 'seed'"),
        ("noise:where=steam", "did you mean 'stem'"),
        ("without:smell", "audio | image | video | vision"),
        ("circular:seed=1", "takes no arguments"),
    ],
)
def test_a_wrong_argument_is_refused_in_words(wanted: str, said: str) -> None:
    with pytest.raises(SpecError) as error:
        find_condition(wanted)
    assert said in str(error.value)


def test_every_condition_tells_how_it_is_written() -> None:
    known = known_conditions()
    assert usage("snr", known["snr"].arguments or ()) == "snr:db=NUMBER[,noise=…,seed=N,where=all|stem|options]"
    assert usage("shuffle", known["shuffle"].arguments or ()) == "shuffle[:seed=N]"
    assert usage("circular", known["circular"].arguments or ()) == "circular"
    assert all(argument.help for one in known.values() for argument in one.arguments or ())
