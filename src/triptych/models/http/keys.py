"""API keys: which environment variables may be named for one, and where each is sent."""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
from urllib.parse import urlsplit

from triptych.errors import SpecError
from triptych.secrets import Secret, scrub

# The host of each provider whose variable may be named; empty if there are several, or the address is the user's own.
PROVIDERS = {
    "OPENAI_API_KEY": "api.openai.com",
    "ANTHROPIC_API_KEY": "api.anthropic.com",
    "GEMINI_API_KEY": "generativelanguage.googleapis.com",
    "GOOGLE_API_KEY": "generativelanguage.googleapis.com",
    "DEEPSEEK_API_KEY": "api.deepseek.com",
    "MISTRAL_API_KEY": "api.mistral.ai",
    "XAI_API_KEY": "api.x.ai",
    "GROQ_API_KEY": "api.groq.com",
    "TOGETHER_API_KEY": "api.together.xyz",
    "OPENROUTER_API_KEY": "openrouter.ai",
    "FIREWORKS_API_KEY": "api.fireworks.ai",
    "NVIDIA_API_KEY": "integrate.api.nvidia.com",
    "MOONSHOT_API_KEY": "api.moonshot.cn",
    "SILICONFLOW_API_KEY": "api.siliconflow.cn",
    "ZHIPUAI_API_KEY": "open.bigmodel.cn",
    "ARK_API_KEY": "ark.cn-beijing.volces.com",
    "HF_TOKEN": "router.huggingface.co",
    "COHERE_API_KEY": "api.cohere.com",
    "CEREBRAS_API_KEY": "api.cerebras.ai",
    "PERPLEXITY_API_KEY": "api.perplexity.ai",
    "DEEPINFRA_API_KEY": "api.deepinfra.com",
    "STEP_API_KEY": "api.stepfun.com",
    "ELEVENLABS_API_KEY": "api.elevenlabs.io",
    "DASHSCOPE_API_KEY": "",
    "MINIMAX_API_KEY": "",
    "AZURE_OPENAI_API_KEY": "",
    "VLLM_API_KEY": "",
}
# A configuration, preset or recipe from somebody else can name a variable and an address. `STRIPE_API_KEY` ends like
# the key of a model: a key of one's own is only found under a name that says what it is for.
_KEY_VARIABLE = re.compile(r"TRIPTYCH_([A-Z0-9_]+_)?API_KEY")
_ANNOUNCED: set[tuple[str, str]] = set()


def key_in(variable: str) -> Secret:
    """Return the key in an environment variable; empty if it isn't set.

    Raises SpecError for other variables than those of models' keys: a provider's (`PROVIDERS`), or
    `TRIPTYCH_NAME_API_KEY` for an endpoint of one's own.
    """
    if variable not in PROVIDERS and not _KEY_VARIABLE.fullmatch(variable):
        raise SpecError(
            "the setting 'key_env' names an environment variable that isn't known to hold a model's key",
            got=variable,
            expected="a provider's variable, such as OPENAI_API_KEY or HF_TOKEN, or TRIPTYCH_NAME_API_KEY",
            fix="export the key under such a name, for example TRIPTYCH_LAB_API_KEY, and name that one",
        )
    return Secret(os.environ.get(variable, ""))


def say_where_it_goes(model: str, variable: str, key: Secret, endpoint: str) -> None:
    """Print on standard error which key is sent to which address, unless the address is the provider's own. Each pair
    is named once in a process, before anything is sent.
    """
    host = urlsplit(endpoint).hostname or ""
    provider = PROVIDERS.get(variable, "")
    address = scrub(endpoint, key)
    if not key or host == provider or (variable, address) in _ANNOUNCED or multiprocessing.parent_process() is not None:
        return
    _ANNOUNCED.add((variable, address))
    other = f", which is not {provider}" if provider else ""
    print(f"{model}: the key in {variable} is sent to {address}{other}", file=sys.stderr, flush=True)  # noqa: T201
