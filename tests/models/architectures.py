"""Architectures of transformers and timm that nobody here chose: small ones from their configurations, transpiled and judged.

python tests/models/architectures.py --to numpy                   # all of transformers; some minutes
python tests/models/architectures.py --to jax --sample 40         # a seeded sample
python tests/models/architectures.py --to numpy --of timm         # one small model of each family of timm

A line says that a model is right, what is wrong with it, or why torch does not run it. Reasons of torch are sizes that do not
fit together, arguments beside tokens, images and sounds, and more than 12 million weights. Two kinds of models are reported
as wrong and are not: those that draw random numbers, as masked autoencoders, and those that choose among equal scores.
"""

from __future__ import annotations

import argparse
import inspect
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import judge
import torch
import zoo
from judge import judged
from torch import nn

#: The sizes of a small model, by the names that configurations use.
SIZES: dict[str, Any] = {
    **dict.fromkeys("hidden_size d_model n_embd dim embed_dim embedding_size".split(), 32),
    **dict.fromkeys("intermediate_size ffn_dim encoder_ffn_dim decoder_ffn_dim d_ff n_inner hidden_dim".split(), 64),
    **dict.fromkeys("num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers".split(), 2),
    **dict.fromkeys("num_encoder_layers num_decoder_layers num_key_value_heads num_experts_per_tok".split(), 2),
    **dict.fromkeys("num_attention_heads n_head n_heads num_heads encoder_attention_heads".split(), 4),
    **dict.fromkeys("decoder_attention_heads num_experts num_local_experts n_routed_experts state_size".split(), 4),
    **dict.fromkeys("max_position_embeddings n_positions max_seq_len".split(), 64),
    **dict.fromkeys("head_dim d_kv v_head_dim linear_key_head_dim linear_value_head_dim patch_size".split(), 8),
    **dict.fromkeys("qk_rope_head_dim qk_nope_head_dim rotary_dim conv_kernel time_step_rank".split(), 4),
    **dict.fromkeys("q_lora_rank kv_lora_rank moe_intermediate_size shared_expert_intermediate_size".split(), 16),
    "vocab_size": 99, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "image_size": 32, "num_mel_bins": 16,
    "max_source_positions": 32, "max_target_positions": 32, "first_k_dense_replace": 1, "attention_dropout": 0.0,
}  # fmt: skip
MOST_WEIGHTS = 12_000_000

Made = tuple[nn.Module, tuple[Any, ...], dict[str, Any]]


def small_config(kind: Any, depth: int = 0) -> Any:
    """Return a configuration with the sizes of `SIZES` where it has them, and so for its parts."""
    options: dict[str, Any] = {}
    for name, part in getattr(kind, "sub_configs", {}).items():
        if depth < 2 and part.__name__ != "AutoConfig":
            options[name] = small_config(part, depth + 1).to_dict()
    default = kind()
    plain = (int, float, bool, type(None))
    options |= {key: size for key, size in SIZES.items() if isinstance(getattr(default, key, ""), plain)}
    config = kind(**options)
    if len(getattr(config, "layer_types", None) or ()) > 2:
        config.layer_types = (list(dict.fromkeys(config.layer_types)) * 2)[:2]
    if hasattr(config, "use_cache"):
        config.use_cache = False
    config._attn_implementation = "eager"
    return config


def side(config: Any) -> int:
    size = getattr(getattr(config, "vision_config", config), "image_size", 32)
    return min(size if isinstance(size, int) else size[0], 64)


def inputs(model: nn.Module, config: Any) -> dict[str, torch.Tensor]:
    """Return tokens, images or sounds, by the parameters of the model. The second row of tokens ends with padding."""
    taken, given = inspect.signature(model.forward).parameters, {}
    if "input_ids" in taken:
        given["input_ids"] = torch.randint(3, 90, (2, 12))
        if "decoder_input_ids" in taken:
            given["decoder_input_ids"] = torch.randint(3, 90, (2, 7))
        if "attention_mask" in taken:
            given["attention_mask"] = (torch.arange(12) < torch.tensor([[12], [9]])).long()
    if "pixel_values" in taken:
        given["pixel_values"] = torch.randn(2, getattr(config, "num_channels", 3), side(config), side(config))
    if "input_values" in taken and not given:
        given["input_values"] = torch.randn(1, 400)
    if "input_features" in taken and not given:
        given["input_features"] = torch.randn(1, getattr(config, "num_mel_bins", 16), 64)
    if not given:
        raise ValueError(f"takes {', '.join(taken)}")
    return given


def of_transformers() -> Iterator[tuple[str, Callable[[], Made]]]:
    """Yield the names of architectures, and functions that make their models."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING
    from transformers.models.auto.modeling_auto import MODEL_MAPPING, MODEL_MAPPING_NAMES

    for name in MODEL_MAPPING_NAMES:

        def make(name: str = name) -> Made:
            config = small_config(CONFIG_MAPPING[name])
            kind = MODEL_MAPPING[type(config)]
            kind = kind[0] if isinstance(kind, (tuple, list)) else kind
            with torch.device("meta"):  # takes no memory
                weights = sum(x.numel() for x in kind(config).parameters())
            if weights > MOST_WEIGHTS:
                raise ValueError(f"has {weights:,} weights")
            torch.manual_seed(0)
            model = kind(config).eval()
            return model, (), inputs(model, config)

        yield name, make


def of_timm() -> Iterator[tuple[str, Callable[[], Made]]]:
    import timm

    families: dict[str, str] = {}
    for name in timm.list_models():
        if re.search(r"atto|femto|pico|nano|tiny|xxs|xx_small|mini|small|_050|_s12|_b0|_t0|s0|18|_00[25]", name):
            families.setdefault(re.match(r"[a-z]+v?\d?", name).group(), name)
    for name in families.values():

        def make(name: str = name) -> Made:
            torch.manual_seed(0)
            model = timm.create_model(name, pretrained=False, num_classes=5).eval()
            size = model.default_cfg["input_size"][-1] if model.default_cfg.get("fixed_input_size") else 64
            return model, (torch.randn(1, 3, size, size),), {}

        yield name, make


def main() -> None:
    """Judge architectures and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", default="numpy")
    parser.add_argument("--of", choices=["transformers", "timm"], default="transformers")
    parser.add_argument("--sample", type=int, help="so many, chosen by a fixed seed")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    known = dict(of_timm() if asked.of == "timm" else of_transformers())
    names = asked.names or list(known)
    judge.READING = set(names)  # transformers read elements of masks, which changes nothing that they compute
    if asked.sample:
        names = random.Random(0).sample(names, min(asked.sample, len(names)))
    right = run = 0
    for name in names:
        try:
            model, args, options = known[name]()
            with torch.no_grad():
                model(*args, **options)
        except Exception as error:
            print(f"{name:34s} torch: {type(error).__name__}: {' '.join(str(error).split())[:100]}", flush=True)
            continue
        zoo.MODELS[name] = known[name]
        verdict = judged(name, asked.to)
        run, right = run + 1, right + (not verdict.wrong)
        print(
            f"{name:34s} {verdict.seconds:6.1f} s  outputs {verdict.outputs:.0e}  {verdict.wrong[:300] or 'ok'}",
            flush=True,
        )
    print(f"{asked.to}: {right} of {run} right, {len(names) - run} not run by torch")
    sys.exit(right < run)


if __name__ == "__main__":
    main()
