"""Small repositories with the entry points of the authors' own: the same files, names and parameters, and no model.

Each records what it is given, in `CALLS` of the module that the tests read. Those of language models with tensors
need torch.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

TOKENIZER = '''
class Ids(list):
    """Token ids, one per word."""


class Tokenizer:
    eos_token, pad_token, sep_token = "<|endoftext|>", "<pad>", "<sep>"
    eos_token_id, bos_token_id, pad_token_id = 1, 0, 2

    def __len__(self):
        return 100

    def add_tokens(self, words, special_tokens=False):
        CALLS["added"] = list(words)

    def convert_tokens_to_ids(self, words):
        return 7 if isinstance(words, str) else [7 + place for place in range(len(words))]

    def convert_ids_to_tokens(self, ids):
        return [f"<{number}>" for number in ids]

    def batch_decode(self, rows, skip_special_tokens=False):
        CALLS["decoded"] = [[int(one) for one in row] for row in rows]
        return ["A</s>" for _ in rows]

    def decode(self, ids):
        CALLS["decoded"] = [int(one) for one in ids]
        return "question<sep>A<|endofchunk|><|endoftext|>"

    def __call__(self, text, return_tensors=None):
        import torch

        CALLS["text"] = text
        return {"input_ids": torch.tensor([[3, 4]])}
'''
TALK = """
class SeparatorStyle:
    ONE, TWO = 1, 2


class Conversation:
    roles, sep, sep2, sep_style = ("user", "bot"), "</s>", None, SeparatorStyle.ONE

    def __init__(self):
        self.messages = []

    def copy(self):
        return Conversation()

    def append_message(self, role, message):
        self.messages.append((role, message))

    def get_prompt(self, modality=None):
        CALLS["modality"], CALLS["turns"] = modality, self.messages
        return "prompt"


default_conversation = None
conv_templates = {name: Conversation() for name in ("qwen_1_5", "aya", "auto", "qwen2p5_instruct")}
"""
CALLS = "CALLS = {}\n"
HEAR = "from calls import CALLS\n"
STOP = "class KeywordsStoppingCriteria:\n    def __init__(self, keywords, tokenizer, input_ids):\n        pass\n"
IDS = """
def {name}(prompt, tokenizer, index=None, return_tensors=None):
    import torch

    CALLS["tokenized"] = "{name}"
    return torch.tensor([3, 4, 5])
"""
GENERATES = """
class Model:
    import torch
    from types import SimpleNamespace

    config = SimpleNamespace(
        mm_use_im_start_end=False, mm_vision_tower="clip", num_frames=2, image_aspect_ratio="pad",
        video_config=SimpleNamespace(image_start_token_id=11, image_end_token_id=12, video_start_token_id=13,
                                     video_end_token_id=14, max_frame_num=2),
        audio_config=SimpleNamespace(audio_start_token_id=15, audio_end_token_id=16, audiogen_start_token_id=17,
                                     audiogen_end_token_id=18),
    )
    device, dtype = torch.device("cpu"), torch.float32

    def to(self, *args, **kwargs):
        CALLS.setdefault("to", []).append(args or kwargs)
        return self

    def eval(self):
        return self

    bfloat16 = half = cuda = eval

    def resize_token_embeddings(self, size):
        CALLS["resized"] = size

    def process_images(self, images, config):
        import torch

        return torch.zeros(len(images), 3, 4, 4)

    def generate(self, *args, **kwargs):
        import torch

        CALLS["generate"] = kwargs | ({"ids": args[0]} if args else {})
        return torch.tensor([[3, 4, 5, 8, 9]]) if CALLS.get("whole") else torch.tensor([[8, 9]])
"""
PREPARED = """
def process_images(images, processor, config):
    import torch

    return torch.zeros(len(images), 3, 4, 4)
"""
ENCODERS = """
class Encoder:
    is_loaded = False
    image_processor = None

    def load_model(self):
        CALLS["loaded"] = True

    def to(self, dtype=None):
        pass

    class audio_processor:
        @staticmethod
        def process(path):
            import torch

            CALLS.setdefault("heard", []).append(path)
            return torch.ones(10 * len(CALLS["heard"]), 80), 3


class Omni(Model):
    def get_vision_tower(self):
        return Encoder()

    get_audio_encoder = get_vision_tower
"""
SPEC = "def load_pretrained_model(model_path, model_base, {more}**kwargs):\n    CALLS['load'] = [model_path, kwargs]\n"
REPOSITORIES = {
    "videollama2_av": {
        "videollama2/model/beats/BEATs.py": "",
        "videollama2/__init__.py": """
from functools import partial
from types import SimpleNamespace

from calls import CALLS


def process_video(path, processor, num_frames):
    return ["film", path]


def process_audio_file(path):
    return ["sound", path]


def model_init(model_path=None, **kwargs):
    inner = SimpleNamespace(audio_tower="tower")
    model = SimpleNamespace(config=SimpleNamespace(num_frames=2), model=inner)
    image = partial(process_video, processor=None, num_frames=2)
    return model, {"image": image, "video": image, "audio": process_audio_file}, "tokenizer"


def mm_infer(image_or_video, instruct, model, tokenizer, modal="video", **kwargs):
    CALLS["infer"] = [image_or_video, instruct, modal, kwargs, model.model.audio_tower]
    return f"A of {modal}"
""",
    },
    "vita": {
        "vita/constants.py": "",
        "vita/model/language_model/vita_qwen2.py": "",
        "vita/conversation.py": HEAR + TALK,
        "vita/model/builder.py": HEAR
        + TOKENIZER
        + GENERATES
        + ENCODERS
        + SPEC.format(more="model_name, model_type, ")
        + "    CALLS['kind'] = [model_name, model_type]\n    return Tokenizer(), Omni(), None, 2048\n",
        "vita/util/utils.py": "def disable_torch_init():\n    pass\n",
        "vita/util/mm_utils.py": HEAR
        + STOP
        + IDS.format(name="tokenizer_image_token")
        + IDS.format(name="tokenizer_image_audio_token"),
        "vita/util/data_utils_video_audio_neg_patch.py": "def dynamic_preprocess(image, min_num=1, max_num=12, "
        "image_size=448, use_thumbnail=False):\n    return [image, image], [2]\n",
    },
    "maya": {
        "llava/constants.py": "IMAGE_TOKEN_INDEX, DEFAULT_IMAGE_TOKEN = -200, '<image>'\n"
        "DEFAULT_IM_START_TOKEN, DEFAULT_IM_END_TOKEN = '<im_start>', '<im_end>'\n",
        "llava/conversation.py": HEAR + TALK,
        "llava/utils.py": "def disable_torch_init():\n    pass\n",
        "llava/mm_utils.py": HEAR + IDS.format(name="tokenizer_image_token") + PREPARED,
        "llava/eval/maya/eval_utils.py": HEAR
        + TOKENIZER
        + GENERATES
        + "def load_maya_model(model_base, model_path, projector_path=None, mode=None):\n"
        "    CALLS['load'] = [model_base, model_path, mode]\n    return Model(), Tokenizer(), None, 2048\n",
    },
    "chinese_llava": {
        "infer.py": HEAR + STOP,
        "infer_tokenize.py": HEAR + "def tokenize(item, tokenizer, llm_type):\n"
        "    CALLS['item'] = [item, llm_type]\n    return [3, 4, 5]\n",
        "llava.py": HEAR
        + TOKENIZER
        + GENERATES
        + """
class Tower:
    from types import SimpleNamespace

    device = SimpleNamespace(type="cpu")
    config = SimpleNamespace(image_size=4, patch_size=2)

    def to(self, device=None, dtype=None):
        return self


class LlavaLlamaForCausalLM(Model):
    @classmethod
    def from_pretrained(cls, name, **kwargs):
        CALLS["load"] = [name, kwargs]
        return cls()

    def get_model(self):
        from types import SimpleNamespace

        return SimpleNamespace(vision_tower=[Tower()])
""",
    },
    "salmonn": {
        "configs/decode_config.yaml": 'model:\n  lora: true\n  prompt_template: "USER: {}\\nASSISTANT:"\n'
        "  ckpt: 'model ckpt'\ngenerate:\n  num_beams: 4\n  do_sample: false\n",
        "utils.py": HEAR + "def prepare_one_sample(wav_path, wav_processor, cuda_enabled=True):\n"
        "    return {'raw_wav': wav_path}\n",
        "models/salmonn.py": HEAR
        + """
class SALMONN:
    @classmethod
    def from_config(cls, config):
        CALLS["config"] = config
        return cls()

    def to(self, device):
        return self

    def eval(self):
        return self

    def generate(self, samples, generate_cfg, prompts=None):
        CALLS["generate"] = [samples, generate_cfg, prompts]
        return ["<s> A</s>"]
""",
    },
    "audio_flamingo_3": {
        "llava/media.py": "class Sound:\n    def __init__(self, path):\n        self.path = path\n",
        "llava/conversation.py": HEAR + TALK,
        "llava/entry.py": "",
        "llava/__init__.py": HEAR
        + """
from types import SimpleNamespace


class Model:
    @property
    def default_generation_config(self):
        return SimpleNamespace(max_new_tokens=1, do_sample=True, top_k=20)

    def to(self, device):
        return self

    def eval(self):
        return self

    def generate_content(self, prompt, generation_config=None, response_format=None):
        CALLS["content"] = [prompt, generation_config]
        return "A"


def load(model_path, model_base=None, devices=None, **kwargs):
    CALLS["load"] = [model_path, kwargs]
    return Model()
""",
    },
    "audio_flamingo_2": {
        "configs/inference.yaml": "train_config: {precision: amp_bf16, freeze_lm_embeddings: false}\n"
        "clap_config: {checkpoint: clap_ckpt/epoch_16.pt, window_length: 10.0, window_overlap: 0.0}\n"
        "model_config: {cache_dir: .cache, lang_encoder_path: Qwen, tokenizer_path: Qwen}\n",
        "utils.py": "def get_cast_dtype(precision):\n    return None\n",
        "inference.py": "def load_audio(path, clap_config):\n    import torch\n\n"
        "    return torch.zeros(12, 16), torch.ones(12)\n",
        "src/factory.py": HEAR
        + TOKENIZER
        + GENERATES
        + """
class Flamingo(Model):
    def load_state_dict(self, weights, strict):
        CALLS["weights"] = sorted(weights)


def create_model_and_transforms(clap_config, lang_encoder_path, tokenizer_path, use_local_files=False,
                                freeze_lm_embeddings=False, cache_dir=None, **flamingo_kwargs):
    CALLS["load"] = [clap_config["checkpoint"], lang_encoder_path, cache_dir]
    return Flamingo(), Tokenizer()
""",
    },
    "pandagpt": {
        "model/openllama.py": HEAR
        + """
class OpenLLAMAPEFTModel:
    def __init__(self, **args):
        CALLS["args"] = args

    def load_state_dict(self, weights, strict):
        CALLS["weights"] = weights

    def eval(self):
        return self

    half = cuda = eval

    def generate(self, inputs):
        from pathlib import Path

        CALLS["inputs"], CALLS["sizes"] = inputs, [Path(one).stat().st_size for one in inputs["video_paths"]]
        return " A"
""",
    },
    "unified_io_2": {
        "uio2/config.py": "AUDIO_SEGMENT_LENGTH, AUDIO_SAMPLING_RATE = 4.08, 16000\n",
        "uio2/audio_utils.py": HEAR
        + """
def read_audio_file(src, sr=16000):
    return [0.0] * 16000 * 30


def extract_spectrograms_from_audio(waveform, audio_length):
    CALLS["length"] = audio_length
    return ["segment"] * 7
""",
        "uio2/model.py": HEAR
        + GENERATES
        + """
class UnifiedIOModel(Model):
    @classmethod
    def from_pretrained(cls, name):
        CALLS["model"] = name
        return cls()
""",
        "uio2/preprocessing.py": HEAR
        + """
class UnifiedIOPreprocessor:
    sequence_length = {"num_frames": 4}

    class tokenizer:
        encode = staticmethod(str.split)

    @classmethod
    def from_pretrained(cls, name, tokenizer):
        CALLS["preprocessor"] = [name, tokenizer]
        return cls()

    def __call__(self, text_inputs, target_modality=None, image_inputs=None, audio_inputs=None, video_inputs=None,
                 use_video_audio=True):
        CALLS["example"] = [text_inputs, target_modality, image_inputs, audio_inputs, video_inputs, use_video_audio]
        return "example"
""",
        "uio2/runner.py": HEAR
        + """
class TaskRunner:
    def __init__(self, model, uio2_preprocessor):
        self.model, self.uio2_preprocessor = model, uio2_preprocessor

    def predict_text(self, example, max_tokens, detokenize=True, **gen_args):
        CALLS["predict"] = [example, max_tokens, gen_args]
        return " A"
""",
    },
    "ola": {
        "large-v3.pt": "",
        "BEATs_iter3_plus_AS2M_finetuned_on_AS2M_cpt2.pt": "",
        "ola/constants.py": "DEFAULT_IMAGE_TOKEN, DEFAULT_SPEECH_TOKEN = '<image>', '<speech>'\n"
        "IMAGE_TOKEN_INDEX, SPEECH_TOKEN_INDEX = -200, -201\n",
        "ola/conversation.py": HEAR + TALK,
        "ola/mm_utils.py": STOP
        + """
def process_anyres_video(image, processor):
    import torch

    return torch.zeros(3, 4, 4)


def process_anyres_highres_image(image, processor):
    import torch

    return torch.zeros(3, 4, 4), torch.zeros(3, 8, 8)
""",
        "ola/datasets/preprocess.py": HEAR
        + IDS.format(name="tokenizer_speech_token")
        + IDS.format(name="tokenizer_image_token")
        + IDS.format(name="tokenizer_speech_image_token"),
        "ola/model/builder.py": HEAR
        + TOKENIZER
        + GENERATES
        + SPEC.format(more="")
        + "    import os\n    from types import SimpleNamespace\n\n    CALLS['size'] = os.environ['VIDEO_MAXRES']\n"
        "    CALLS['at'] = os.getcwd()\n    return Tokenizer(), Model(), SimpleNamespace(), 16384\n",
    },
    "baichuan_omni": {
        "model.py": HEAR
        + TOKENIZER
        + GENERATES
        + """
class Omni(Model):
    def bind_processor(self, tokenizer, **kwargs):
        CALLS["bound"] = kwargs

    def processor(self, texts):
        import torch
        from types import SimpleNamespace

        CALLS["text"] = texts[0]
        empty = dict.fromkeys(("labels", "audios", "encoder_length", "bridge_length", "patch_nums", "images_grid",
                               "videos_patch_nums", "videos_grid", "videos"))
        return SimpleNamespace(**empty, input_ids=torch.tensor([[3, 4, 5]]), attention_mask=None, images=[[[1.0]]])

    def generate(self, **kwargs):
        import torch
        from types import SimpleNamespace

        CALLS["generate"] = kwargs
        return SimpleNamespace(sequences=torch.tensor([[3, 4, 5, 8, 9]]))
"""
    },
}


def write_clone(name: str, folder: Path) -> Path:
    """Write the repository that a runner imports from; a package without `__init__.py` is a namespace."""
    for path, text in {"calls.py": CALLS, **REPOSITORIES[name]}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


GREEDY = {"max_tokens": 7, "temperature": 0}
SAMPLED = {"max_tokens": 7, "temperature": 0.5, "top_p": 0.9}
Clone = Callable[..., tuple[ModuleType, Any, dict[str, Any]]]


def _skips(reply: dict[str, Any], why: str) -> bool:
    return list(reply) == ["skipped"] and why in reply["skipped"]


def asked(*blocks: dict[str, Any], system: str = "") -> list[dict[str, Any]]:
    first = [{"role": "system", "content": [{"type": "text", "text": system}]}] if system else []
    return [*first, {"role": "user", "content": list(blocks)}]


def text(words: str = "What is it?") -> dict[str, Any]:
    return {"type": "text", "text": words}


def sound(seconds: float = 40.0) -> dict[str, Any]:
    return {"type": "audio", "path": "a.wav", "seconds": seconds}
