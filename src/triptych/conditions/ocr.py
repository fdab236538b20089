"""`ocr`: the text that stands in a picture is given beside it: the true one, an OCR engine's, or the model's own."""

from __future__ import annotations

from triptych.conditions.given_text import About, offer

HIDDEN = "true_text"
ABOUT = About(
    "ocr", "image", "picture", HIDDEN, "The text in the picture:", "图中的文字如下：", "reads",
)  # fmt: skip
CONDITIONS = {"ocr": offer(ABOUT, "the text of each picture beside it")}
