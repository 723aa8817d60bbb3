"""A trained part, ready to be written: its weights, its model card, and what was measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

CARD_NAME = "MODEL_CARD.md"

Figures_co = TypeVar("Figures_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Release(Generic[Figures_co]):
    """What training makes.

    Attributes:
        path: Where the weights are read from; the card stands beside them.
        weights: Their content.
        card: The content of the model card.
        figures: What was measured, by the name of the rows.
    """

    path: Path
    weights: bytes
    card: str
    figures: Mapping[str, Figures_co]

    def write(self, folder: Path | None = None) -> None:
        """Write both files, where the part reads them or into another folder."""
        folder = folder or self.path.parent
        (folder / self.path.name).write_bytes(self.weights)
        (folder / CARD_NAME).write_text(self.card, encoding="utf-8")
