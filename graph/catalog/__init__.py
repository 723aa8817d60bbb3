"""Catalog search: which products a question names."""

from graph.catalog.local import LocalCatalog
from graph.catalog.mentions import Mention

__all__ = ["LocalCatalog", "Mention"]
