"""Shops: their files read without an index, and questions and claims made from them with what is right of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingestion.evidence import Evidence, Product


@dataclass(frozen=True, slots=True)
class ShopData:
    """What a shop hands over.

    Attributes:
        products: Its catalog by id.
        evidence: All its evidence, in the order of its files.
    """

    products: Mapping[str, Product]
    evidence: tuple[Evidence, ...]


def read_folder(folder: Path) -> ShopData:
    """Read a shop's folder, chunked as the shipped settings say."""
    from ingestion.chunking import Cutter  # noqa: PLC0415 - heavy, with all below
    from ingestion.encoder import shared_encoder  # noqa: PLC0415
    from ingestion.readers.confined import Confined  # noqa: PLC0415
    from ingestion.readers.discovery import discover  # noqa: PLC0415
    from ingestion.shop import read_shop  # noqa: PLC0415

    cutter = Cutter(shared_encoder())
    with Confined() as reading:
        shop = read_shop(discover([folder]), cutter, lambda _done, _total: None, reading)
    return ShopData(shop.products, tuple(shop.evidence.values()))
