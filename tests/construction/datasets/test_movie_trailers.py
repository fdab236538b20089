"""Tests of `construction/datasets/movie_trailers.py`: films with a poster, an excerpt of the trailer and a plot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, only, read
from triptych.construction.datasets.movie_trailers import genres
from triptych.errors import DataError

HEADING = "id,title,original_title,overview,release_date,genres,popularity,poster_path\n"
ROWS = (
    '129,Spirited Away,千と千尋の神隠し,"A girl enters the spirits\' world, alone.",2001-07-20,'
    "\"['Animation', 'Family', 'Fantasy']\",71.4,/39wmItIWsg5sZMyRUHLkWBcuVCM.jpg\n"
    "680,Pulp Fiction,Pulp Fiction,  ,1994-09-10,\"['Thriller']\",60.1,/x.jpg\n"
    '19404,Dilwale Dulhania Le Jayenge,दिलवाले दुल्हनिया ले जायेंगे,Raj follows Simran.,1995,"Comedy, Drama",25,/y.jpg\n'
)


def test_films_with_a_plot_have_their_poster_and_excerpt(tmp_path: Path) -> None:
    first, second = read(
        "movie_trailers",
        laid(
            tmp_path,
            **{
                "movie_academic_dataset.csv": HEADING + ROWS,
                "posters/129.jpg": None,
                "dialogue_clips/movie_129_trailer_0.wav": None,
                "trailer_clips/movie_129_trailer_0.wav": None,
                "trailer_videos/movie_129_trailer_0.mp4": None,
                "trailer_videos/movie_19404_trailer_0.mp4": None,
                "trailer_videos/movie_19404_trailer_1.mp4": None,
            },
        ),
    )
    assert first.id == "129" and first.sources == ("tmdb:129",)
    assert first.fields["label"] == "Spirited Away" and first.fields["genre"] == "Animation"
    assert first.fields["text"] == "A girl enters the spirits' world, alone."
    assert first.fields["image_file"] == "posters/129.jpg"
    # Speech is preferred to any 5 s, and a sound makes the whole trailer superfluous.
    assert first.fields["audio_file"] == "dialogue_clips/movie_129_trailer_0.wav"
    assert first.fields["video_file"] is None
    assert second.id == "19404" and second.fields["genre"] == "Comedy" and second.fields["image_file"] is None
    assert second.fields["audio_file"] is None
    assert second.fields["video_file"] == "trailer_videos/movie_19404_trailer_0.mp4"


def test_five_seconds_of_a_trailer_are_used_without_an_excerpt_of_speech(tmp_path: Path) -> None:
    files = {
        "movie_academic_dataset.csv": HEADING + ROWS.splitlines()[0] + "\n",
        "trailer_clips/movie_129_trailer_0.wav": None,
    }
    fields = only("movie_trailers", laid(tmp_path, **files))
    assert fields["audio_file"] == "trailer_clips/movie_129_trailer_0.wav"


@pytest.mark.parametrize(
    ("rows", "message", "row"),
    [
        (ROWS + ROWS.splitlines()[0] + "\n", "listed twice", "row 4"),
        (ROWS + ",Untitled,Untitled,A plot.,,,,\n", "no 'id'", "row 4"),
        ("129, ,x,A plot.,,,,\n", "no 'title'", "row 1"),
    ],
)
def test_a_film_without_a_title_or_listed_twice_is_refused(tmp_path: Path, rows: str, message: str, row: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        read("movie_trailers", laid(tmp_path, **{"movie_academic_dataset.csv": HEADING + rows}))
    assert row in str(error.value)


def test_a_list_without_the_column_of_titles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="title"):
        read("movie_trailers", laid(tmp_path, **{"movie_academic_dataset.csv": "id,overview\n1,A plot.\n"}))


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ('["Drama", "War"]', ["Drama", "War"]),
        ("['Science Fiction']", ["Science Fiction"]),
        ("[28, 12]", ["28", "12"]),
        ("剧情, 喜剧", ["剧情", "喜剧"]),
        ("['Drama'", ["['Drama'"]),
        ("[]", []),
        ("", []),
        (None, []),
        ("[" * 20_000, ["[" * 20_000]),
    ],
)
def test_genres_are_a_list_or_names_with_commas(cell: object, names: list[str]) -> None:
    assert genres(cell) == names
