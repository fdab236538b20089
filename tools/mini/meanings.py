"""The raw material of the XModBench-like mini set: the rows of its table of triplets, and the media that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.mini import composites, encode, instruments, music, nature, pictures, singers, sounds
from tools.mini.speech import Line, synthesise

if TYPE_CHECKING:
    from PIL.Image import Image

Row = dict[str, str]


class Workshop:
    """Writes media into `root` and speaks through the work folder."""

    def __init__(self, content: Mapping[str, Any], root: Path, work: Path) -> None:
        self.content, self.root = content, root
        self.named = {name: line for line, name in named_lines(content)}
        self.spoken = synthesise(list(self.named.values()), work)

    def rows(self) -> Iterator[Row]:
        """Write all media, and yield the rows of the table."""
        for make in MAKERS:
            yield from make(self)

    def sound(self, name: str, wave: sounds.Wave) -> str:
        """Writes a recording; its path under the root."""
        encode.write_opus(self.root / (path := f"media/{name}.ogg"), wave)
        return path

    def speech(self, name: str) -> str:
        """Writes the spoken line of that name; its path under the root."""
        return self.sound(name, self.spoken[self.named[name]])

    def picture(self, name: str, image: Image) -> str:
        """Writes a picture; its path under the root."""
        encode.write_jpeg(self.root / (path := f"media/{name}.jpg"), image)
        return path

    def video(self, name: str, frames: Sequence[Image]) -> str:
        """Writes a video; its path under the root."""
        encode.write_mp4(self.root / (path := f"media/{name}.mp4"), frames)
        return path


def named_lines(content: Mapping[str, Any]) -> Iterator[tuple[Line, str]]:
    """Every spoken line, and the name of its recording."""
    words = content["recognition"]
    for i, text in enumerate(words["english"]):
        yield Line(text, "en", words["voices"][i % len(words["voices"])]), f"words/en_{i:02}"
    for i, text in enumerate(words["mandarin"]):
        yield Line(text, "zh", words["voices_mandarin"][i]), f"words/zh_{i:02}"
    pairs = content["translation"]
    for i, (english, mandarin, voice) in enumerate(pairs["pairs"]):
        yield Line(english, "en", pairs["voices_english"][i % 2]), f"translation/en_{i:02}"
        yield Line(mandarin, "zh", voice), f"translation/zh_{i:02}"
    for i, thing in enumerate(content["general"]["shapes"]):
        yield Line(_shape_text(thing), "en", "heart"), f"general/shape_{i}"
    for i, told in enumerate(content["emotion"]["feelings"]):
        yield Line(f"{told['said']} {told['said']}", "en", told["voice"]), f"emotion/{i}"
    for i, told in enumerate(content["stories"]["films"]):
        yield Line(told["said"], "en", told["voice"]), f"stories/{i}"


def _row(id: str, subtask: str, text: str, audio: str, vision: str, **more: str) -> Row:
    kind = "video" if vision.endswith(".mp4") else "image"
    return {"id": id, "subtask": subtask, "text": text, "audio": audio, kind: vision, **more}


def _recognition(shop: Workshop) -> Iterator[Row]:
    words = shop.content["recognition"]
    for language, key, draw in (("en", "english", pictures.words), ("zh", "mandarin", pictures.chinese_columns)):
        for i, text in enumerate(words[key]):
            name = f"words/{language}_{i:02}"
            drawn = shop.picture(name, draw(text))
            yield _row(
                f"words-{language}-{i:02}",
                "recognition",
                text,
                shop.speech(name),
                drawn,
                group=f"words-{language}",
                language=language,
            )


def _translation(shop: Workshop) -> Iterator[Row]:
    for i, (source, target, _) in enumerate(shop.content["translation"]["pairs"]):
        en, zh = f"translation/en_{i:02}", f"translation/zh_{i:02}"
        # Every other Chinese picture is written in columns from right to left.
        drawn = pictures.chinese_columns(target) if i % 2 else pictures.chinese_lines(target)
        own = shop.picture(en, pictures.words(source))
        yield _row(
            f"translation-{i:02}",
            "translation",
            source,
            shop.speech(en),
            own,
            group="translations",
            language="en",
            target_text=target,
            target_audio=shop.speech(zh),
            target_image=shop.picture(zh, drawn),
        )


def _general(shop: Workshop) -> Iterator[Row]:
    for i, thing in enumerate(shop.content["general"]["sounds"]):
        name = f"general/{thing['name']}"
        heard = shop.sound(name, sounds.EFFECTS[thing["effect"]]())
        yield _row(
            f"general-0-{i}",
            "general",
            thing["text"],
            heard,
            shop.picture(name, pictures.icon(thing["name"])),
            category=thing["text"],
            group="sounds",
        )
    for i, thing in enumerate(shop.content["general"]["shapes"]):
        name, text = f"general/shape_{i}", _shape_text(thing)
        drawn = shop.picture(name, pictures.shape(thing["colour"], thing["kind"]))
        yield _row(f"general-1-{i}", "general", text, shop.speech(name), drawn, category=text, group="shapes")


def _shape_text(thing: Mapping[str, str]) -> str:
    return f"a {thing['colour']} {thing['kind']}"


def _natures(shop: Workshop) -> Iterator[Row]:
    seeds = shop.content["natures"]["seeds"]
    for i, ((text, (heard, seen)), seed) in enumerate(zip(nature.SCENES.items(), seeds, strict=True)):
        name = f"natures/{i}"
        wave = heard(seed)[: 2 * sounds.RATE]
        yield _row(
            f"natures-{i}", "natures", text, shop.sound(name, wave), shop.picture(name, seen(seed)), category=text
        )


def _soloists(shop: Workshop) -> Iterator[Row]:
    for i, name in enumerate(shop.content["instruments"]["names"]):
        heard = shop.sound(f"instruments/{i}", instruments.played(name, instruments.MELODIES[i]))
        drawn = shop.picture(f"instruments/{i}", instruments.drawn([name], i))
        yield _row(f"instruments-{i}", "instruments", name, heard, drawn, category=name)


def _ensembles(shop: Workshop) -> Iterator[Row]:
    for i, names in enumerate(shop.content["ensembles"]["groups"]):
        text, name = " and ".join(names), f"ensembles/{i}"
        heard = shop.sound(name, instruments.together(names, i))
        yield _row(
            f"ensembles-{i}",
            "instruments_comp",
            text,
            heard,
            shop.picture(name, instruments.drawn(names, i)),
            category=text,
        )


def _tones(shop: Workshop) -> Iterator[Row]:
    for i, glide in enumerate(shop.content["tones"]["glides"]):
        start, end = (1.0 if glide[end] > 700 else 0.15 for end in ("from_hz", "to_hz"))
        heard = shop.sound(f"tones/{i}", sounds.tone(glide["from_hz"], glide["to_hz"], 1.5))
        yield _row(
            f"tones-{i}",
            "finegrained",
            glide["text"],
            heard,
            shop.picture(f"tones/{i}", pictures.pitch_curve(start, end)),
            category=glide["text"],
            group="Musical instruments",
        )


def _arrangements(shop: Workshop) -> Iterator[Row]:
    for i, order in enumerate(shop.content["arrangements"]["orders"]):
        name = f"arrangements/{i}"
        yield _row(
            f"arrangements-{i}",
            "arrangements",
            "From left to right: " + ", ".join(order),
            shop.sound(name, composites.arranged(order)),
            shop.picture(name, pictures.row_of_icons(order)),
            group="icons",
        )


def _movements(shop: Workshop) -> Iterator[Row]:
    for i, way in enumerate(shop.content["movements"]["paths"]):
        heard, seen = composites.passing(way["x"], way["near"])
        name = f"movements/{i}"
        yield _row(
            f"movements-{i}",
            "3D_movements",
            way["text"],
            shop.sound(name, heard),
            shop.video(name, seen),
            category=way["text"],
            group="car",
        )


def _panoramas(shop: Workshop) -> Iterator[Row]:
    told = shop.content["panaroma"]
    for i, azimuth in enumerate(told["azimuths"]):
        heard, seen, where = composites.scene(told["event"], azimuth)
        name = f"panaroma/{i}"
        yield _row(
            f"panaroma-{i}",
            "panaroma",
            f"{told['text']}, {where}",
            shop.sound(name, heard),
            shop.video(name, seen),
            group="turns",
        )


def _order(shop: Workshop) -> Iterator[Row]:
    for i, order in enumerate(shop.content["order"]["orders"]):
        heard, seen = composites.ordered(order)
        name = f"order/{i}"
        yield _row(
            f"order-{i}", "order", " → ".join(order), shop.sound(name, heard), shop.video(name, seen), group="events"
        )


def _counted(shop: Workshop, times: int) -> tuple[str, str, str]:
    heard, seen = composites.counted(times)
    name = f"count/{times:02}"
    return f"{times} times", shop.sound(name, heard), shop.video(name, seen)


def _count(shop: Workshop) -> Iterator[Row]:
    for i, times in enumerate(shop.content["count"]["times"]):
        yield _row(f"count-{i}", "count", *_counted(shop, times), group="beeps")


def _calculation(shop: Workshop) -> Iterator[Row]:
    for i, times in enumerate(shop.content["calculation"]["times"]):
        text, heard, seen = _counted(shop, 2 * times)
        yield _row(
            f"calculation-{i}",
            "calculation",
            *_counted(shop, times),
            group="beeps",
            target_text=text,
            target_audio=heard,
            target_video=seen,
            relation="has twice as many repetitions as this {context}",
        )


def _emotion(shop: Workshop) -> Iterator[Row]:
    for i, feeling in enumerate(shop.content["emotion"]["feelings"]):
        look = feeling["mouth"], feeling["brows"], feeling["shown"]
        frames = [pictures.face(*look, shift=shift) for shift in (0, 0, 2, 2) * 4]
        name = f"emotion/{i}"
        yield _row(
            f"emotion-{i}",
            "emotion_classification",
            feeling["text"],
            shop.speech(name),
            shop.video(name, frames),
            category=feeling["text"],
        )


def _stories(shop: Workshop) -> Iterator[Row]:
    for i, film in enumerate(shop.content["stories"]["films"]):
        name = f"stories/{i}"
        poster = shop.picture(name, pictures.cover(film["title"], film["colour"]))
        yield _row(f"stories-{i}", "movie_matching", film["text"], shop.speech(name), poster, category=film["title"])


def _genres(shop: Workshop) -> Iterator[Row]:
    for i, record in enumerate(shop.content["genres"]["records"]):
        name = f"genres/{record['text']}"
        sleeve = shop.picture(name, pictures.cover(record["title"], record["colour"]))
        yield _row(
            f"genres-{i}",
            "music_genre_classification",
            record["text"],
            shop.sound(name, music.GENRES[record["text"]]()),
            sleeve,
            category=record["text"],
        )


def _singers(shop: Workshop) -> Iterator[Row]:
    for i, number in enumerate(shop.content["singers"]["singers"]):
        who, name = singers.SINGERS[number], f"singers/{i}"
        yield _row(
            f"singers-{i}",
            "singer_identification",
            singers.biography(who, i),
            shop.sound(name, singers.song(who, i)),
            shop.picture(name, singers.portrait(who, i)),
            category=who.name,
            consent=singers.CONSENT,
        )


MAKERS: tuple[Callable[[Workshop], Iterator[Row]], ...] = (
    _general,
    _natures,
    _soloists,
    _ensembles,
    _tones,
    _arrangements,
    _movements,
    _panoramas,
    _recognition,
    _translation,
    _emotion,
    _order,
    _count,
    _calculation,
    _stories,
    _genres,
    _singers,
)
