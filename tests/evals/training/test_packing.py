"""What a transformer becomes to ship."""

from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import MPNetConfig, MPNetForSequenceClassification

from evals.training.packing import LEAST_SIZE, RANK, pack
from ingestion.inference import CONFIG, DOWN, GROUP, UP, packed_model, unpacked


def test_packed_weights_are_within_a_step_of_their_group(tmp_path: Path) -> None:
    large = torch.randn(LEAST_SIZE // GROUP + 1, GROUP, generator=torch.Generator().manual_seed(0))
    pack({"large": large, "small": torch.tensor([1.0, -0.5])}, tmp_path / "weights")
    found = unpacked(tmp_path / "weights")
    steps = (large.amax(1) - large.amin(1)) / 15
    assert bool(((found["large"] - large).abs().amax(1) <= steps * 0.51).all())
    assert found["small"].tolist() == [1.0, -0.5]
    assert (tmp_path / "weights").stat().st_size < large.numel() * 0.6


def test_a_packed_model_computes_with_its_adapter_what_the_whole_one_computes(tmp_path: Path) -> None:
    torch.manual_seed(0)
    whole = MPNetForSequenceClassification(MPNetConfig(num_hidden_layers=2, num_labels=3)).eval()
    whole.config.architectures = [type(whole).__name__]
    whole.config.to_json_file(tmp_path / CONFIG)
    pack(whole.state_dict(), tmp_path / "weights")
    name = "mpnet.encoder.layer.1.output.dense.weight"
    rows, columns = whole.state_dict()[name].shape
    down, up = torch.randn(columns, RANK) / 8, torch.randn(RANK, rows) / 8
    save_file({name + DOWN: down, name + UP: up}, tmp_path / "adapter")
    values = unpacked(tmp_path / "weights")
    whole.load_state_dict(values | {name: values[name] + (down @ up).T})
    read = packed_model(tmp_path, tmp_path / "weights", tmp_path / "adapter").eval()
    ids = torch.tensor([[0, 7, 9, 2]])
    with torch.inference_mode():
        assert torch.allclose(read(ids).logits.float(), whole(ids).logits, atol=0.02)
