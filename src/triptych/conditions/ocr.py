"""`ocr`: adds the text in an image: the true one, that of an OCR engine, or the model's own."""

from __future__ import annotations

from triptych.conditions.given_text import About, offer

HIDDEN = "true_text"
ABOUT = About(
    "ocr",
    "image",
    "picture",
    HIDDEN,
    "The text in the picture:",
    "图中的文字如下：",
    "reads",
)
CONDITIONS = {"ocr": offer(ABOUT, "add the text of each image")}
