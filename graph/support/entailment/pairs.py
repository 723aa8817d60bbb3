"""Pairs of evidence and claim as the cross-encoder reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ingestion.encoder import model_folder

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from ingestion.bert import Bert

FEATURES = 5
"""States side by side that a pair is judged by."""
_LONGEST, _LONGEST_CLAIM = 128, 60
"""Word pieces of a pair, special ones included, and of its claim."""
_START, _END = 101, 102
_DIFFERENCE, _PRODUCT = 3.0, 10.0
"""Scales by which differences and products are about as large as the states."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Word pieces of evidence and claim, special ones among them.

    Attributes:
        ids: All of them.
        evidence: How many are the evidence's.
    """

    ids: tuple[int, ...]
    evidence: int


def pair(claim: str, evidence: str) -> Pair:
    """Read a claim beside a short piece of evidence; what is too long is cut."""
    said = _tokenizer().encode(claim, add_special_tokens=False).ids[:_LONGEST_CLAIM]
    shown = _tokenizer().encode(evidence, add_special_tokens=False).ids[: _LONGEST - 3 - len(said)]
    return Pair((_START, *shown, _END, *said, _END), len(shown))


def pieces(text: str) -> int:
    """How many word pieces a text has."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


def pair_states(model: "Bert", pairs: Sequence[Pair]) -> "Tensor":
    """What a model makes of pairs: the first state, the mean of either text, their difference and their product."""
    import torch  # noqa: PLC0415 - heavy

    lengths = torch.tensor([len(one.ids) for one in pairs])
    shown = torch.tensor([one.evidence for one in pairs])[:, None]
    longest = int(lengths.max())
    ids = torch.tensor([list(one.ids) + [0] * (longest - len(one.ids)) for one in pairs])
    place = torch.arange(longest)
    mask = place < lengths[:, None]
    states = model(ids, None if bool(mask.all()) else mask)
    evidence = _mean(states, (place > 0) & (place <= shown))
    claim = _mean(states, (place > shown + 1) & (place < lengths[:, None] - 1))
    difference, product = (evidence - claim).abs() * _DIFFERENCE, evidence * claim * _PRODUCT
    return torch.cat([states[:, 0], evidence, claim, difference, product], dim=1)


def _mean(states: "Tensor", chosen: "Tensor") -> "Tensor":
    return (states * chosen[:, :, None]).sum(1) / chosen.sum(1, keepdim=True).clamp(min=1)


@cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

    tokenizer: Tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
