"""The layers that an adapter changes: linear layers of the language model, none of a tower for sound or pictures."""

from __future__ import annotations

import re
from typing import Any

from triptych.errors import SpecError

# Parts of models that read or write sound and pictures, also those inside the language model
TOWERS = re.compile(
    r"(^|\.)(audio|vision|visual|image|speech|encoder|qformer|projector|multi_modal|mm_|embed_|talker|token2wav)", re.I
)


def language_layers(model: Any) -> list[str]:
    """Return the names of the linear layers of the language model, without its output layer.

    Raises SpecError if there are none.
    """
    import torch

    decoder = model.get_decoder()
    inside = {id(module) for module in decoder.modules()}
    output = model.get_output_embeddings()
    decoder_name = next(name for name, module in model.named_modules() if module is decoder)
    names = [
        name
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear)
        and id(module) in inside
        and module is not output
        and not TOWERS.search(name.removeprefix(decoder_name))
    ]
    if not names:
        raise SpecError("no linear layer of a language model was found", got=type(model).__name__)
    return names
