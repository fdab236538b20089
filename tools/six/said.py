"""The raw material of language and knowledge: sentences, feelings, music, stories and singers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from tools.mini import music, pictures, singers
from tools.six.workshop import Material, Row, moved


def recognition(shop: Material) -> Iterator[Row]:
    """Sentences in groups of four that differ in the verb alone."""
    words, draw = shop.content["sentences"], random.Random("recognition")
    frames = list(itertools.product(words["who"], words["what"], words["when"]))
    for number, (who, what, when) in enumerate(draw.sample(frames, 20)):
        for n, did in enumerate(draw.sample(words["did"], 4)):
            yield {
                "id": f"words-{number:02}-{n}",
                "subtask": "recognition",
                "group": f"words-{number}",
                "language": "en",
                "text": f"{who} {did} {what} {when}.",
            }


def translation(shop: Material) -> Iterator[Row]:
    """English sentences and their Chinese translations, in groups that differ in a verb or a number."""
    words, draw = shop.content["translations"], random.Random("translation")
    frames = list(itertools.product(words["who"], words["what"], words["when"]))
    for number, (who, what, when) in enumerate(draw.sample(frames, 10)):
        (one, two), (few, many) = draw.sample(words["did"], 2), draw.sample(words["number"], 2)
        for n, (did, count) in enumerate(((one, few), (one, many), (two, few), (two, many))):
            yield {
                "id": f"translation-{number:02}-{n}",
                "subtask": "translation",
                "group": f"t-{number}",
                "language": "en",
                "text": f"{who[0]} {did[0]} {count[0]} {what[0]} {when[0]}.",
                "target_text": f"{who[1]}{when[1]}{did[1]}{count[1]}{what[1]}。",
            }


def emotions(shop: Material) -> Iterator[Row]:
    """A voice, and a face with other words, of the same feeling."""
    for name, own in shop.content["emotions"].items():
        for n in range(4):
            lines = [own["said"][n], own["said"][(n + 1) % 4]]
            frames = [pictures.face(*own["face"], own["shown"][n], shift=shift) for shift in (0, 0, 2, 2) * 11]
            yield {
                "id": f"emotion-{name}-{n}",
                "subtask": "emotion_classification",
                "text": name,
                "category": name,
                "audio": shop.speech(f"emotion-{name}-{n}", lines, ("en-us", "en-gb")[n % 2]),
                "video": shop.video(f"emotion-{name}-{n}", frames),
            }


def genres(shop: Material) -> Iterator[Row]:
    """Four kinds of music at several pitches, and record sleeves."""
    for name, titles in shop.content["genres"].items():
        for n, title in enumerate(titles):
            cover = pictures.cover(title, shop.content["genres_colour"][name])
            yield {
                "id": f"genre-{name}-{n}",
                "subtask": "music_genre_classification",
                "text": name,
                "category": name,
                "audio": shop.sound(f"genre-{name}-{n}", moved(music.GENRES[name](), 0.82 + 0.07 * n)),
                "image": shop.picture(f"genre-{name}-{n}", cover),
            }


def stories(shop: Material) -> Iterator[Row]:
    """A trailer's voice, a poster, a plot."""
    colours = ("#0f766e", "#1d4ed8", "#3f3f46", "#9d174d")
    for number, own in enumerate(shop.content["stories"]):
        for n, (said, plot) in enumerate(zip(own["said"], own["plot"], strict=True)):
            name = f"story-{number}-{n}"
            yield {
                "id": name,
                "subtask": "movie_matching",
                "text": plot,
                "category": own["title"],
                "group": own["kind"],
                "audio": shop.speech(name, [said], ("en-us", "en-gb")[n]),
                "image": shop.picture(name, pictures.cover(own["title"], colours[(number + n) % 4])),
            }


def singing(shop: Material) -> Iterator[Row]:
    """Four songs, portraits and biographies of each invented singer."""
    for (number, who), n in itertools.product(enumerate(singers.SINGERS), range(4)):
        id = f"singer-{number}-{n}"
        yield {
            "id": id,
            "subtask": "singer_identification",
            "text": singers.biography(who, n),
            "category": who.name,
            "consent": singers.CONSENT,
            "audio": shop.sound(id, singers.song(who, n)),
            "image": shop.picture(id, singers.portrait(who, n)),
        }
