"""What video models are told: pixels, times and prompts as plain preprocessing of transformers makes them of one file.

The oracle loads the film with transformers' own `load_video`, samples it with the processor's own `sample_frames`, and
calls the processor. Plain `generate()` does the same, but for the package that decodes.
"""

from __future__ import annotations

import re
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")
pytest.importorskip("av", reason="av is not installed")

from tests.support import tiny_models
from tests.support.known_films import known_film, number_in
from triptych.errors import MediaError
from triptych.media.payload import MediaReader
from triptych.models.hf.content import Conversation, converse
from triptych.models.hf.engine import Engine
from triptych.models.hf.films import packer_of
from triptych.models.packing.packing import packing
from triptych.records import Message, Request, media, text

if find_spec("torchvision") is None:
    pytest.skip("torchvision is not installed: make vision", allow_module_level=True)

pytestmark = pytest.mark.slow
VIDEO = (
    "qwen_vl",
    "qwen2_vl",
    "qwen3_vl",
    "qwen_omni",
    "qwen3_omni",
    "glm4v",
    "internvl",
    "llava_next_video",
    "video_llama_3",
)
SAMPLING = ("qwen3_vl", "glm4v")  # choose frames by themselves


@cache
def engine(name: str) -> Engine:
    make, _, needed = tiny_models.models()[name]
    if lacking := [module for module in needed if find_spec(module) is None]:
        pytest.skip(f"{name} needs {', '.join(lacking)}: make vision")
    model, processor = make()
    return Engine(model.eval(), processor)


def asked(name: str, folder: Path, told: str, *files: str) -> Conversation:
    """The conversation about films (and recordings) under a packing."""
    model, chosen = engine(name), packing(told)
    parts = [media("audio" if file.endswith(".wav") else "video", file, "content") for file in files]
    request = Request("i", (Message("user", (*parts, text("What?", "question"))),))
    packer = packer_of(model.processor, model.rate, chosen, MediaReader(folder))
    return converse(request, MediaReader(folder), packer, "audio" in model.accepts)


def plain(name: str, path: Path, **sampling: Any) -> Any:
    """The inputs that transformers make of a film by themselves."""
    from transformers.video_utils import load_video

    processor = engine(name).processor
    videos = processor.video_processor
    own = {key: getattr(videos, key, None) for key in ("temporal_patch_size", "min_frames", "max_frames")}
    choose = partial(videos.sample_frames, **{**own, **sampling})
    video, told = load_video(
        str(path), backend="pyav", sample_indices_fn=lambda metadata, **_: choose(metadata=metadata)
    )
    talk = [{"role": "user", "content": [{"type": "video", "video": "-"}, {"type": "text", "text": "What?"}]}]
    words = processor.apply_chat_template(talk, tokenize=False, add_generation_prompt=True)
    more = (
        {"fps": len(video) / told.total_num_frames * told.fps} if hasattr(processor, "position_id_per_seconds") else {}
    )
    return processor(
        text=[words],
        videos=[video],
        return_tensors="pt",
        videos_kwargs={"do_sample_frames": False, "video_metadata": [dict(told)], **more},
    )


def same(one: Any, other: Any) -> None:
    assert set(one) == set(other)
    for key in one:
        np.testing.assert_array_equal(np.asarray(one[key]), np.asarray(other[key]), err_msg=key)


@pytest.mark.parametrize("name", SAMPLING)
@pytest.mark.parametrize(("frames", "rate"), [(65, 10), (100, 25), (7, 3)])
def test_a_whole_film_gives_the_inputs_of_plain_generate(name: str, frames: int, rate: int, tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(known_film(frames, rate))
    own = engine(name).encode([asked(name, tmp_path, "whole,sound=none", "a.mp4")])
    same(own, plain(name, tmp_path / "a.mp4"))


@pytest.mark.parametrize("name", VIDEO)
def test_chosen_frames_give_the_inputs_of_plain_generate(name: str, tmp_path: Path) -> None:
    """Every class, with the frames that its own sampler takes of eight."""
    (tmp_path / "a.mp4").write_bytes(known_film(64, 8))
    told = "whole,sound=none,frames=8,video=whole"
    if name in SAMPLING[1:]:
        told = "whole,sound=none,fps=1,video=whole"
    sampling = {"fps": 1} if name in SAMPLING[1:] else {"num_frames": 8}
    same(engine(name).encode([asked(name, tmp_path, told, "a.mp4")]), plain(name, tmp_path / "a.mp4", **sampling))


@pytest.mark.parametrize("name", ["qwen_vl", "qwen2_vl", "qwen_omni", "qwen3_omni"])
def test_many_frames_are_as_small_as_the_reference_makes_them(name: str, tmp_path: Path) -> None:
    """qwen-vl-utils shares 90% of the context among the frames; transformers do so with `cap_pixels_per_frame`.

    Without it, a talk of six minutes (720 frames of 1280 x 720 pixels) has 259,200 tokens, more than any context.
    """
    (tmp_path / "a.mp4").write_bytes(known_film(80, 10))
    videos = engine(name).processor.video_processor
    patch = (videos.patch_size * videos.merge_size) ** 2
    tokens = 600 if name != "qwen3_omni" else 12  # of the context, for 16 frames; the tiny Qwen3-Omni takes few
    own = engine(name).encode([asked(name, tmp_path, f"qwen-vl,total={int(tokens * patch * 0.9) * 2}", "a.mp4")])
    before = videos.cap_pixels_per_frame, videos.max_video_tokens
    videos.cap_pixels_per_frame, videos.max_video_tokens = True, tokens
    try:
        same(own, engine(name).encode([asked(name, tmp_path, "qwen-vl,pixels=0,total=0", "a.mp4")]))
    finally:
        videos.cap_pixels_per_frame, videos.max_video_tokens = before
    usual = engine(name).encode([asked(name, tmp_path, "qwen-vl,pixels=0,total=0", "a.mp4")])
    assert int(own["video_grid_thw"].prod()) <= int(usual["video_grid_thw"].prod())


def told_times(name: str, conversation: Conversation) -> list[float]:
    """The seconds that stand in the prompt."""
    model = engine(name)
    words = model.tokenizer.decode(model.encode([conversation])["input_ids"][0])
    return [
        float(second)
        for second in re.findall(r"<(\d+\.\d) seconds>|Time (\d+\.\d)s:", words)
        for second in second
        if second
    ]


SLOW = [*(n / 10 for n in range(30)), *(3 + n / 2 for n in range(30))]  # 10 frames a second, then 2


def test_the_prompt_states_when_frames_were_taken(tmp_path: Path) -> None:
    """Qwen3-VL: the mean of each two frames. 0.5 to 6.5 s were told as 0.0 to 0.3 s before."""
    (tmp_path / "a.mp4").write_bytes(known_film(140, 20))
    conversation = asked("qwen3_vl", tmp_path, "fps=1,frames=32", "a.mp4")
    assert conversation.sent[0].times == (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5)
    assert told_times("qwen3_vl", conversation) == [1.0, 3.0, 5.0, 6.5]


def test_variable_frame_rates_are_told_as_they_are(tmp_path: Path) -> None:
    """Transformers would take the mean rate, and tell 9.2 s where the film is at 3 s."""
    (tmp_path / "a.mp4").write_bytes(known_film(60, 10, times=SLOW))
    conversation = asked("video_llama_3", tmp_path, "frames=6,spread=ends", "a.mp4")
    numbers = [number_in(picture) for picture in conversation.messages[0]["content"][0]["video"]]
    true = [SLOW[number] for number in numbers]
    assert told_times("video_llama_3", conversation) == pytest.approx(true, abs=0.05)
    assert conversation.sent[0].times == pytest.approx(true, abs=0.001)
    assert max(true) == SLOW[-1]


@pytest.mark.parametrize("name", ["qwen_vl", "qwen_omni", "qwen3_omni"])
def test_temporal_patches_are_as_long_as_they_are(name: str, tmp_path: Path) -> None:
    """Two frames at one frame a second are 2 s: Qwen2.5-VL was told 0.083 s, Qwen-Omni half of it."""
    (tmp_path / "a.mp4").write_bytes(known_film(80, 10))
    inputs = engine(name).encode([asked(name, tmp_path, "fps=1", "a.mp4")])
    key = "second_per_grid_ts" if name == "qwen_vl" else "video_second_per_grid"
    assert [float(second) for second in inputs[key]] == pytest.approx([2.0])


def test_films_of_a_batch_keep_their_own_rates(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(known_film(80, 10))
    (tmp_path / "b.mp4").write_bytes(known_film(40, 10))
    talks = [asked("qwen_omni", tmp_path, "frames=4", file) for file in ("a.mp4", "b.mp4")]
    seconds = engine("qwen_omni").encode(talks)["video_second_per_grid"]
    assert [float(second) for second in seconds] == pytest.approx([4.0, 2.0])


def test_a_recording_and_a_film_with_sound_keep_their_places(tmp_path: Path) -> None:
    from triptych.media.sound.coding import encode_wav

    (tmp_path / "a.mp4").write_bytes(known_film(40, 10, sound=4.0))
    (tmp_path / "b.wav").write_bytes(encode_wav(np.full((16_000, 1), 0.01), 16_000))
    conversation = asked("qwen_omni", tmp_path, "qwen-omni", "b.wav", "a.mp4")
    features = engine("qwen_omni").encode([conversation])["feature_attention_mask"].sum(-1).tolist()
    assert features[0] == 100 and features[1] == pytest.approx(400, abs=7)  # 1 s and 4 s, in the order of the question


def test_two_films_of_which_one_is_silent_are_refused_with_sound_in_them(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(known_film(40, 10, sound=4.0))
    (tmp_path / "b.mp4").write_bytes(known_film(40, 10))
    with pytest.raises(MediaError, match="another has none"):
        asked("qwen_omni", tmp_path, "qwen-omni", "a.mp4", "b.mp4")


def test_a_processor_that_cannot_put_sound_into_a_video_is_refused(tmp_path: Path) -> None:
    import asyncio

    from triptych.errors import SpecError
    from triptych.models.hf import make

    weights = tiny_models.save("internvl", tmp_path / "internvl")
    assert make(str(weights), {}).packing.startswith("video=frames,frames=8,"), "as the family's card says"
    with pytest.raises(SpecError, match="can't take the sound of a film in its video"):
        asyncio.run(make(str(weights), {"packing": "qwen-omni"}).open())
    with pytest.raises(SpecError, match="can't change rate"):
        make(str(weights), {"packing": "rate=8000"})
    assert make(str(weights), {"fps": "2", "max_frames": "16"}).packing.startswith("video=frames,fps=2,frames=16,")


def test_a_response_of_a_model_in_this_process_states_what_was_sent(tmp_path: Path) -> None:
    from triptych.models.hf import make
    from triptych.running.loop import RunOptions, execute, run_sync
    from triptych.store.journals.replies import ReplyJournal

    (tmp_path / "a.mp4").write_bytes(known_film(60, 10))
    adapter = make(str(tiny_models.save("internvl", tmp_path / "internvl")), {"packing": "frames=3"})
    request = Request(
        "i", (Message("user", (media("video", "a.mp4"), text("?"))),), {"temperature": 0, "max_tokens": 2}
    )
    journal = ReplyJournal(tmp_path, "replies")
    run_sync(execute([request], adapter, journal, MediaReader(tmp_path), RunOptions(progress=False, retries=0)))
    (response,) = journal.latest_replies().values()
    (film,) = response.sent
    assert (film.form, film.times, film.frames, film.width) == ("frames", (1.0, 3.0, 5.0), 60, 64)
