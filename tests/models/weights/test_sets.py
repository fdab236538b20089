"""Tests of `models/weights/sets.py`: sets of weights as a list of mirrors describes them."""

from __future__ import annotations

import hashlib
import tomllib

import msgspec
import pytest

from triptych.models.weights.sets import SourceFailed, Unreachable, WeightsFile, WeightsSet

LISTED = """
about = "whisper-tiny, 39 M parameters"
licence = "MIT"
hub = "openai/whisper-tiny"
revision = "169d4a4341b33bc18d8881c4b69c2e104e1cc0af"
[[files]]
name = "model.safetensors"
size = 151061672
sha256 = "7ebd0e69e78190ffe1438491fa05cc1f5c1aa3a4c4db3bc1723adbb551ea2395"
wheels = ["half-one==1.0:half_one/data.bin", "half-two==2.1:half_two/data.bin"]
[[files]]
name = "tokenizer.json"
size = 2480466
sha256 = "dfc530298b6fbed1a97c6472c575b026453706e2a204c7f7038f2c9d208b0759"
hub_path = "onnx/tokenizer.json"
"""


def listed(text: str = LISTED) -> WeightsSet:
    return msgspec.convert(tomllib.loads(text), WeightsSet)


def test_the_size_is_that_of_all_files() -> None:
    assert listed().size == 153_542_138
    assert WeightsSet("a", "MIT", ()).size == 0


def test_the_fingerprint_is_of_the_bytes_in_their_order() -> None:
    owner = listed()
    joined = "".join(file.sha256 for file in owner.files)
    assert owner.fingerprint == hashlib.sha256(joined.encode()).hexdigest()[:12]
    renamed = listed(LISTED.replace("whisper-tiny", "copy").replace("tokenizer.json", "t.json"))
    assert renamed.fingerprint == owner.fingerprint, "where it was published doesn't change the bytes"
    other = listed(LISTED.replace("dfc53", "dfc54"))
    assert other.fingerprint != owner.fingerprint
    turned = msgspec.structs.replace(owner, files=owner.files[::-1])
    assert turned.fingerprint != owner.fingerprint


def test_what_a_list_leaves_out() -> None:
    file = msgspec.convert({"name": "a.bin", "size": 1, "sha256": "00"}, WeightsFile)
    assert (file.wheels, file.hub_path) == ((), "")
    owner = msgspec.convert({"about": "x", "licence": "y", "files": []}, WeightsSet)
    assert (owner.hub, owner.revision) == ("", "main")


@pytest.mark.parametrize(
    "document",
    [
        {"about": "x", "files": []},
        {"about": "x", "licence": "MIT", "files": [{"name": "a", "sha256": "00"}]},
        {"about": "x", "licence": "MIT", "files": [{"name": "a", "size": "1", "sha256": "00"}]},
        {"about": "x", "licence": "MIT", "files": [], "license": "MIT"},
    ],
)
def test_a_missing_or_misspelt_key_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(document, WeightsSet)


def test_a_source_that_is_not_there_is_a_source_that_failed() -> None:
    with pytest.raises(SourceFailed, match="no route"):
        raise Unreachable("no route")
