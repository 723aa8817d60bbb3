"""Linear maps with their weight laid out."""

import pytest
import torch
from torch.nn import functional

from ingestion.bert import PackedLinear


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("rows", [1, 7, 300])
def test_the_products_are_torchs_own_to_the_last_bit(dtype: torch.dtype, rows: int) -> None:
    weight, bias, states = (torch.randn(shape, dtype=dtype) for shape in ((96, 64), (96,), (2, rows, 64)))
    plain = functional.linear(states, weight, bias)
    with torch.inference_mode():
        assert torch.equal(PackedLinear(weight, bias)(states), plain)


def test_gradients_flow_through_it() -> None:
    states = torch.ones(1, 4, dtype=torch.bfloat16, requires_grad=True)
    linear = PackedLinear(torch.full((2, 4), 3.0, dtype=torch.bfloat16), torch.zeros(2, dtype=torch.bfloat16))
    linear(states).sum().backward()
    assert states.grad is not None
    assert torch.equal(states.grad, torch.full((1, 4), 6.0, dtype=torch.bfloat16))
