"""Films as the processors of transformers take them: which frames they choose, when those were taken, their sound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from triptych.errors import ProviderError
from triptych.media.films.frames import Resize
from triptych.media.films.timeline import Timeline
from triptych.media.payload import MediaReader
from triptych.models.hf.content import Conversation, frames_a_second, metadata
from triptych.models.packing.decoded import DecodedPacker
from triptych.models.packing.frames import most_pixels
from triptych.models.packing.packing import Packing

_QWEN = "Qwen2VLVideoProcessor"  # its limit is of the pixels of a frame; that of other classes has another meaning
_COLLECT = "_multimodal_inputs_from_conversations"  # of a processor: recordings, and the films that they belong to


def own_frames(processor: Any, line: Timeline, fps: float = 0.0, max_frames: int = 0) -> list[int] | None:
    """Return the numbers of the frames that a processor takes of a whole film, as in plain `generate()`; None for all.

    It decides by the number of frames and their mean rate. `fps` and `max_frames` are passed on to it, if they are
    given.
    """
    videos = getattr(processor, "video_processor", None)
    options: dict[str, Any] = {
        **({"fps": fps} if fps else {}),
        **({"num_frames": max_frames} if max_frames and not fps else {}),
    }
    if videos is None or not (options or getattr(videos, "do_sample_frames", False)):
        return None
    from transformers.video_utils import VideoMetadata

    total = len(line.times)
    metadata_ = VideoMetadata(
        total_num_frames=total, fps=line.rate, duration=total / line.rate, width=line.size[0], height=line.size[1]
    )
    for name in getattr(videos.valid_kwargs, "__annotations__", {}):
        if name not in ("fps", "num_frames"):
            options.setdefault(name, getattr(videos, name, None))
    numbers = [int(number) for number in videos.sample_frames(metadata=metadata_, **options)]
    return [min(number, total - 1) for number in numbers]


def packer_of(processor: Any, rate: int, chosen: Packing, media: MediaReader) -> DecodedPacker:
    """Return what packs one Request for a model of transformers. `rate`: of recordings, in Hz."""

    def choose(line: Timeline) -> list[int] | None:
        return own_frames(processor, line, chosen.fps, chosen.frames)

    return DecodedPacker(
        media, chosen, rate=rate, choose=choose, fewest=fewest_frames(processor), fitted=fitted(processor, chosen)
    )


def fitted(processor: Any, chosen: Packing) -> Resize | None:
    """Return what resizes a frame as the video processors of Qwen2-VL's family do; None for other processors, and where
    the packing limits no pixels.

    They round both sides to whole patches. A frame that is resized to the packing's limits first would be resized
    twice, and get other sides than with the limits of the card.
    """
    videos: Any = getattr(processor, "video_processor", None)
    if chosen.size or not (chosen.pixels or chosen.total) or type(videos).__name__ != _QWEN:
        return None
    import numpy as np
    import torch
    from torchvision.transforms import InterpolationMode
    from torchvision.transforms.v2 import functional
    from transformers.models.qwen2_vl.video_processing_qwen2_vl import smart_resize

    factor, (min_pixels, max_pixels) = videos.patch_size * videos.merge_size, _limits(processor)

    def resize(pixels: Any, count: int) -> Any:
        limit = min(max_pixels, most_pixels(chosen, count) or max_pixels)
        height, width = pixels.shape[:2]
        size = smart_resize(
            height, width, factor=factor, min_pixels=min_pixels, max_pixels=max(limit, int(1.05 * min_pixels))
        )
        if size == (height, width):
            return pixels
        frame = torch.from_numpy(np.ascontiguousarray(pixels)).permute(2, 0, 1)
        made = functional.resize(frame, list(size), interpolation=InterpolationMode.BICUBIC, antialias=True)
        return made.permute(1, 2, 0).contiguous().numpy()

    return resize


def _limits(processor: Any) -> tuple[int, int]:
    """Return the fewest and the most pixels of a frame: the processor's own defaults replace those of its part for
    videos."""
    limits = getattr(processor, "videos_kwargs", None) or {}
    size = limits.get("size") or processor.video_processor.size
    return int(size["shortest_edge"]), int(size["longest_edge"])


def fewest_frames(processor: Any) -> int:
    """Return how many frames a video must have: a temporal patch."""
    return int(getattr(getattr(processor, "video_processor", None), "temporal_patch_size", None) or 1)


def takes_sound_in_videos(processor: Any) -> bool:
    """Return whether a processor can put the sound of a film into its video."""
    return hasattr(processor, "replace_video_with_audio_token") and hasattr(processor, _COLLECT)


def video_settings(processor: Any, conversations: Sequence[Conversation]) -> dict[str, Any]:
    """Return the settings by which a processor learns that frames were chosen already, and when they were taken."""
    films = [film for one in conversations for film, _ in one.films]
    if not films:
        return (
            {"videos_kwargs": {"do_sample_frames": False}} if any("video" in one.kinds for one in conversations) else {}
        )
    options: dict[str, Any] = {"do_sample_frames": False, "video_metadata": [metadata(film) for film in films]}
    if _counts_seconds(processor):
        options["fps"] = frames_a_second(films[0])
    return {"videos_kwargs": options}


def with_seconds(processor: Any, inputs: Any, conversations: Sequence[Conversation]) -> Any:
    """Return the inputs with the seconds between the temporal patches of each video.

    The processors of Qwen-Omni take one rate for all videos of a batch.
    """
    films = [film for one in conversations for film, _ in one.films]
    if films and _counts_seconds(processor) and "video_second_per_grid" in inputs:
        import torch

        patch = fewest_frames(processor)
        inputs["video_second_per_grid"] = torch.tensor([patch / frames_a_second(film) for film in films])
    return inputs


def _counts_seconds(processor: Any) -> bool:
    return hasattr(processor, "position_id_per_seconds")


@contextmanager
def sound_in_videos(processor: Any, conversations: Sequence[Conversation]) -> Iterator[None]:
    """Let a processor put the decoded sound of films into their videos. It would read it from a file by itself, with
    another package, and knows no decoded sound of a film: its recordings are therefore collected here.
    """
    if not any(one.in_video for one in conversations):
        yield
        return
    if not takes_sound_in_videos(processor):
        raise ProviderError(f"{type(processor).__name__} can't put the sound of a film into its video", kind="internal")
    collect = getattr(processor, _COLLECT)

    def collected(talks: Any, loading: Any, load_audio_from_video: bool = False) -> Any:
        images, videos, audios, _ = collect(talks, loading, False)
        alone = iter(audios)
        sounds: list[Any] = []
        of: list[int | None] = []
        films = iter(sound for one in conversations for _, sound in one.films)
        number = 0
        for block in _blocks(talks):
            if block["type"] == "video":
                sounds.append(next(films))
                of.append(number)
                number += 1
            elif block["type"] == "audio":
                sounds.append(next(alone))
                of.append(None)
        return images, videos, sounds, {"audio_from_video_indices": of, "load_audio_from_video": True}

    setattr(processor, _COLLECT, collected)
    try:
        yield
    finally:
        delattr(processor, _COLLECT)


def _blocks(talks: Sequence[Sequence[Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    for talk in talks:
        for turn in talk:
            if not isinstance(turn["content"], str):
                yield from turn["content"]
