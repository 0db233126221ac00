"""Small models with random weights that pip brings without downloads: of transformers, timm, torchvision and torch itself.

`MODELS` maps a name to a function that returns a module and its example arguments, positional and by keyword.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

__all__ = ["MODELS", "READING", "TRAINED"]

Made = tuple[nn.Module, tuple[Any, ...], dict[str, Any]]


def ids(size: int = 16) -> torch.Tensor:
    return torch.randint(1, 99, (2, size))


def images(count: int, size: int) -> torch.Tensor:
    return torch.randn(count, 3, size, size)


def of_transformers(name: str, config: str, options: dict[str, Any], **inputs: Callable[[], torch.Tensor]) -> Any:
    def make() -> Made:
        import transformers

        settings = getattr(transformers, config)(**options)
        settings.return_dict = True
        if hasattr(settings, "use_cache"):
            settings.use_cache = False
        model = getattr(transformers, name)(settings).eval()
        return model, (), {key: draw() for key, draw in inputs.items()}

    return make


def of_timm(name: str, size: int, **options: Any) -> Any:
    def make() -> Made:
        import timm

        return timm.create_model(name, pretrained=False, num_classes=10, **options).eval(), (images(1, size),), {}

    return make


def of_torchvision(path: str, *shape: int, **options: Any) -> Any:
    def make() -> Made:
        import torchvision

        place: Any = torchvision.models
        for part in path.split("."):
            place = getattr(place, part)
        return place(weights=None, **options).eval(), (torch.randn(*shape),), {}

    return make


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True)
        self.second = nn.GRU(32, 8, batch_first=True)
        self.head = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y, _ = self.first(x)
        z, _ = self.second(y)
        return torch.log_softmax(self.head(z[:, -1]), -1)


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down, self.across = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.up, self.head = nn.ConvTranspose2d(16, 8, 2, stride=2), nn.Conv2d(16, 1, 1)
        self.groups, self.instances = nn.GroupNorm(2, 16), nn.InstanceNorm2d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = torch.relu(self.instances(self.down(x)))
        b = F.silu(self.groups(self.across(a)))
        return torch.sigmoid(self.head(torch.cat([a, self.up(b)], 1)))


class Tuples(nn.Module):
    """Results in a tuple within a dictionary, buffers that grow, and a loop over layers that share their weights."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.norm = nn.Linear(8, 8), nn.LayerNorm(8)
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> dict[str, Any]:
        self.count += 1
        kept = []
        for _ in range(3):
            x = self.norm(x + torch.tanh(self.layer(x)))
            kept.append(x.mean(1))
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        return {"last": x, "all": tuple(kept), "best": x.argmax(-1)}


SMALL = {
    "vocab_size": 99,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
SEEN = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
GROUPED = {**SMALL, "num_key_value_heads": 2}
T5 = {"vocab_size": 99, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
BART = {
    "vocab_size": 99,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "pad_token_id": 0,
}
DEBERTA = {**SMALL, "relative_attention": True, "position_buckets": 16, "pos_att_type": ["p2c", "c2p"]}
SWIN = {"image_size": 32, "patch_size": 2, "embed_dim": 16, "depths": [1, 2], "num_heads": [2, 2], "window_size": 4}
WHISPER = {**BART, "num_mel_bins": 16, "max_source_positions": 20, "max_target_positions": 30}
CONVNEXT = {"hidden_sizes": [8, 16, 16, 32], "depths": [1, 1, 1, 1], "image_size": 32}
SEGFORMER = {
    "num_encoder_blocks": 2,
    "depths": [1, 1],
    "sr_ratios": [2, 1],
    "hidden_sizes": [8, 16],
    "patch_sizes": [7, 3],
    "strides": [4, 2],
    "num_attention_heads": [1, 2],
    "mlp_ratios": [2, 2],
    "decoder_hidden_size": 16,
}
WAV2VEC = {
    **SMALL,
    "conv_dim": (16, 16),
    "conv_stride": (5, 2),
    "conv_kernel": (10, 3),
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 8,
    "num_conv_pos_embedding_groups": 2,
    "apply_spec_augment": False,
}
CLIP = {
    "text_config": {**SMALL, "eos_token_id": 98, "bos_token_id": 97, "max_position_embeddings": 20},
    "vision_config": {**SEEN, "image_size": 32, "patch_size": 8},
    "projection_dim": 16,
}


def sound() -> torch.Tensor:
    return torch.randn(2, 400)


def masked_autoencoder() -> Made:
    import transformers

    decoder = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 32}
    options = {f"decoder_{name}": value for name, value in decoder.items()}
    settings = transformers.ViTMAEConfig(**SEEN, **options, image_size=32, patch_size=8, return_dict=True)
    model = transformers.ViTMAEForPreTraining(settings).eval()
    return model, (), {"pixel_values": images(2, 32), "noise": torch.rand(2, 16)}


def segment_anything() -> Made:
    import transformers

    small = {"num_hidden_layers": 2, "num_attention_heads": 2, "mlp_dim": 32, "hidden_size": 16}
    settings = transformers.SamConfig(
        vision_config=transformers.SamVisionConfig(
            **small,
            image_size=64,
            patch_size=8,
            output_channels=16,
            window_size=4,
            global_attn_indexes=[1],
            num_pos_feats=8,
        ),
        prompt_encoder_config=transformers.SamPromptEncoderConfig(
            hidden_size=16, image_size=64, patch_size=8, mask_input_channels=4
        ),
        mask_decoder_config=transformers.SamMaskDecoderConfig(**small, iou_head_hidden_dim=16),
    )
    points = torch.tensor([[[[10.0, 20.0]]]])
    return transformers.SamModel(settings).eval(), (), {"pixel_values": images(1, 64), "input_points": points}


def detection() -> Made:
    import transformers

    backbone = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic", out_features=["stage2"]
    )
    settings = transformers.DetrConfig(
        use_timm_backbone=False, backbone_config=backbone, d_model=16, num_queries=5, num_labels=4, encoder_layers=1,
        decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32,
    )  # fmt: skip
    return transformers.DetrForObjectDetection(settings).eval(), (), {"pixel_values": images(1, 64)}


PERCEIVER = {
    "num_latents": 8, "d_latents": 16, "d_model": 16, "num_blocks": 1, "num_self_attends_per_block": 2,
    "num_self_attention_heads": 2, "num_cross_attention_heads": 2, "vocab_size": 99, "max_position_embeddings": 16,
}  # fmt: skip
MAMBA2 = {
    "vocab_size": 99, "hidden_size": 16, "num_hidden_layers": 1, "state_size": 4, "num_heads": 4, "head_dim": 8,
    "n_groups": 2, "chunk_size": 4, "expand": 2,
}  # fmt: skip
#: With `rescale_every` it writes into its weights.
RWKV = {"vocab_size": 99, "hidden_size": 16, "num_hidden_layers": 2, "context_length": 16, "rescale_every": 0}
DPT = {
    **SEEN, "num_hidden_layers": 4, "image_size": 32, "patch_size": 8, "backbone_out_indices": [0, 1, 2, 3],
    "neck_hidden_sizes": [8, 8, 16, 16], "fusion_hidden_size": 8, "reassemble_factors": [4, 2, 1, 0.5], "is_hybrid": False,
}  # fmt: skip
HIERA = {
    "embed_dim": 8, "image_size": [32, 32], "patch_size": [3, 3], "patch_stride": [4, 4], "patch_padding": [1, 1],
    "depths": [1, 1], "num_heads": [1, 2], "query_stride": [2, 2], "masked_unit_size": [4, 4],
    "masked_unit_attention": [True, False], "num_query_pool": 1,
}  # fmt: skip
ENCODEC = {
    "num_filters": 4, "hidden_size": 8, "num_residual_layers": 1, "upsampling_ratios": [4, 2], "codebook_size": 16,
    "codebook_dim": 8, "num_lstm_layers": 1,
}  # fmt: skip

MODELS: dict[str, Callable[[], Made]] = {
    "hf_bert": of_transformers("BertModel", "BertConfig", SMALL, input_ids=ids),
    "hf_gpt2": of_transformers(
        "GPT2LMHeadModel", "GPT2Config", {"vocab_size": 99, "n_embd": 32, "n_layer": 2, "n_head": 4}, input_ids=ids
    ),
    "hf_llama": of_transformers("LlamaForCausalLM", "LlamaConfig", GROUPED, input_ids=ids),
    "hf_qwen2": of_transformers("Qwen2ForCausalLM", "Qwen2Config", GROUPED, input_ids=ids),
    "hf_phi": of_transformers("PhiForCausalLM", "PhiConfig", SMALL, input_ids=ids),
    "hf_t5": of_transformers("T5ForConditionalGeneration", "T5Config", T5, input_ids=ids, decoder_input_ids=ids),
    "hf_distilbert": of_transformers(
        "DistilBertModel",
        "DistilBertConfig",
        {"vocab_size": 99, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64},
        input_ids=ids,
    ),
    "hf_electra": of_transformers("ElectraModel", "ElectraConfig", {**SMALL, "embedding_size": 32}, input_ids=ids),
    "hf_deberta": of_transformers("DebertaV2Model", "DebertaV2Config", DEBERTA, input_ids=ids),
    "hf_vit": of_transformers(
        "ViTModel", "ViTConfig", {**SEEN, "image_size": 32, "patch_size": 8}, pixel_values=lambda: images(2, 32)
    ),
    "hf_swin": of_transformers("SwinModel", "SwinConfig", SWIN, pixel_values=lambda: images(2, 32)),
    "hf_whisper": of_transformers(
        "WhisperModel",
        "WhisperConfig",
        WHISPER,
        input_features=lambda: torch.randn(2, 16, 40),
        decoder_input_ids=ids,
    ),
    "hf_convnext": of_transformers("ConvNextModel", "ConvNextConfig", CONVNEXT, pixel_values=lambda: images(1, 32)),
    "timm_resnet18": of_timm("resnet18", 64),
    "timm_convnext_atto": of_timm("convnext_atto", 64),
    "timm_mobilenetv3_small_050": of_timm("mobilenetv3_small_050", 64),
    "timm_densenet121": of_timm("densenet121", 64),
    "timm_vgg11": of_timm("vgg11", 64),
    "timm_mixer_s32_224": of_timm("mixer_s32_224", 224),
    "timm_vit_tiny_patch16_224": of_timm("vit_tiny_patch16_224", 224),
    "timm_deit_tiny_patch16_224": of_timm("deit_tiny_patch16_224", 224),
    "timm_coat_lite_tiny": of_timm("coat_lite_tiny", 224),
    "timm_poolformer_s12": of_timm("poolformer_s12", 64),
    "timm_maxvit_nano_rw_256": of_timm("maxvit_nano_rw_256", 256),
    "timm_edgenext_xx_small": of_timm("edgenext_xx_small", 64),
    "timm_cait_xxs24_224": of_timm("cait_xxs24_224", 224),
    "tv_resnet18": of_torchvision("resnet18", 1, 3, 96, 96),
    "tv_shufflenet_v2_x0_5": of_torchvision("shufflenet_v2_x0_5", 1, 3, 96, 96),
    "tv_mnasnet0_5": of_torchvision("mnasnet0_5", 1, 3, 96, 96),
    "tv_alexnet": of_torchvision("alexnet", 1, 3, 96, 96),
    "tv_lraspp": of_torchvision("segmentation.lraspp_mobilenet_v3_large", 1, 3, 64, 64, weights_backbone=None),
    "tv_r3d18": of_torchvision("video.r3d_18", 1, 3, 8, 32, 32),
    "nn_recurrent": lambda: (Recurrent().eval(), (torch.randn(2, 7, 8),), {}),
    "nn_transformer": lambda: (
        nn.Transformer(16, 4, 1, 1, 32, batch_first=True).eval(),
        (torch.randn(2, 5, 16), torch.randn(2, 6, 16)),
        {},
    ),
    "nn_unet": lambda: (UNet().eval(), (images(1, 32),), {}),
    # a second choice, made after the rules were written
    "hf_gpt_neox": of_transformers("GPTNeoXForCausalLM", "GPTNeoXConfig", SMALL, input_ids=ids),
    "hf_mistral": of_transformers(
        "MistralForCausalLM", "MistralConfig", {**GROUPED, "sliding_window": 8}, input_ids=ids
    ),
    "hf_gemma2": of_transformers("Gemma2ForCausalLM", "Gemma2Config", {**GROUPED, "head_dim": 8}, input_ids=ids),
    "hf_bart": of_transformers("BartModel", "BartConfig", BART, input_ids=ids, decoder_input_ids=ids),
    "hf_opt": of_transformers(
        "OPTForCausalLM",
        "OPTConfig",
        {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 64},
        input_ids=ids,
    ),
    "hf_clip": of_transformers("CLIPModel", "CLIPConfig", CLIP, input_ids=ids, pixel_values=lambda: images(2, 32)),
    "hf_wav2vec2": of_transformers("Wav2Vec2Model", "Wav2Vec2Config", WAV2VEC, input_values=sound),
    "hf_segformer": of_transformers(
        "SegformerForSemanticSegmentation", "SegformerConfig", SEGFORMER, pixel_values=lambda: images(1, 32)
    ),
    "hf_mamba": of_transformers(
        "MambaForCausalLM",
        "MambaConfig",
        {"vocab_size": 99, "hidden_size": 16, "num_hidden_layers": 2, "state_size": 4},
        input_ids=lambda: ids(6),
    ),
    "hf_mixtral": of_transformers(
        "MixtralForCausalLM", "MixtralConfig", {**GROUPED, "num_local_experts": 4}, input_ids=ids
    ),
    "timm_efficientnet_b0": of_timm("efficientnet_b0", 64),
    "timm_regnetx_002": of_timm("regnetx_002", 64),
    "timm_beit_base": of_timm("beit_base_patch16_224", 224, depth=2, embed_dim=64, num_heads=4),
    "tv_squeezenet": of_torchvision("squeezenet1_1", 1, 3, 96, 96),
    "tv_swin_v2_t": of_torchvision("swin_v2_t", 1, 3, 64, 64),
    "nn_tuples": lambda: (Tuples().eval(), (torch.randn(2, 3, 8), torch.rand(2, 3, 8) > 0.5), {}),
    # a third choice, of other kinds of models
    "hf_vit_mae": masked_autoencoder,
    "hf_sam": segment_anything,
    "hf_detr": detection,
    "hf_perceiver": of_transformers("PerceiverForMaskedLM", "PerceiverConfig", PERCEIVER, inputs=ids),
    "hf_rwkv": of_transformers("RwkvForCausalLM", "RwkvConfig", RWKV, input_ids=lambda: ids(6)),
    "hf_mamba2": of_transformers("Mamba2ForCausalLM", "Mamba2Config", MAMBA2, input_ids=lambda: ids(8)),
    "hf_fnet": of_transformers(
        "FNetModel",
        "FNetConfig",
        {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64},
        input_ids=ids,
    ),
    "hf_bloom": of_transformers(
        "BloomForCausalLM",
        "BloomConfig",
        {"vocab_size": 99, "hidden_size": 32, "n_layer": 2, "n_head": 4},
        input_ids=ids,
    ),
    "hf_xlnet": of_transformers(
        "XLNetModel",
        "XLNetConfig",
        {"vocab_size": 99, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64},
        input_ids=ids,
    ),
    "hf_longformer": of_transformers(
        "LongformerModel",
        "LongformerConfig",
        {**SMALL, "attention_window": 4, "max_position_embeddings": 40, "pad_token_id": 0},
        input_ids=ids,
    ),
    "hf_dpt": of_transformers("DPTForDepthEstimation", "DPTConfig", DPT, pixel_values=lambda: images(1, 32)),
    "hf_hiera": of_transformers("HieraModel", "HieraConfig", HIERA, pixel_values=lambda: images(1, 32)),
    "hf_encodec": of_transformers(
        "EncodecModel", "EncodecConfig", ENCODEC, input_values=lambda: torch.randn(1, 1, 160)
    ),
    # a fourth choice, of kinds that the others are not of
    "hf_speech2text": of_transformers(
        "Speech2TextModel",
        "Speech2TextConfig",
        {
            **BART,
            "num_conv_layers": 2,
            "conv_channels": 16,
            "input_feat_per_channel": 8,
            "max_source_positions": 80,
            "max_target_positions": 40,
        },
        input_features=lambda: torch.randn(2, 40, 8),
        decoder_input_ids=ids,
    ),
    "hf_qwen3_next": of_transformers(
        "Qwen3NextForCausalLM",
        "Qwen3NextConfig",
        {
            **GROUPED,
            "head_dim": 8,
            "linear_key_head_dim": 8,
            "linear_value_head_dim": 8,
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 16,
            "shared_expert_intermediate_size": 16,
            "layer_types": ["linear_attention", "full_attention"],
        },
        input_ids=lambda: ids(8),
    ),
    "hf_blip": of_transformers(
        "BlipModel",
        "BlipConfig",
        {
            "text_config": {**SMALL, "encoder_hidden_size": 32, "max_position_embeddings": 40},
            "vision_config": {**SEEN, "image_size": 32, "patch_size": 8},
            "projection_dim": 16,
        },
        input_ids=ids,
        pixel_values=lambda: images(2, 32),
    ),
    "hf_bigbird": of_transformers(
        "BigBirdModel",
        "BigBirdConfig",
        {**SMALL, "block_size": 4, "num_random_blocks": 1, "max_position_embeddings": 64},
        input_ids=lambda: ids(48),
    ),
    "timm_ghostnet_050": of_timm("ghostnet_050", 64),
    "tv_googlenet": of_torchvision("googlenet", 1, 3, 64, 64, init_weights=False),
}

#: Models that are also judged in training mode, with dropout switched off, for torch's random numbers are its own.
TRAINED = [
    "hf_bert", "hf_gpt2", "timm_resnet18", "timm_mobilenetv3_small_050", "tv_shufflenet_v2_x0_5", "nn_recurrent", "nn_unet",
]  # fmt: skip

#: Models that read elements in checks of their own.
READING = {"hf_bigbird", "hf_deberta", "hf_encodec", "hf_longformer"}
