"""Evidence: the citable pieces of a shop's own information, and the products they are about.

And the ids it is cited by.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from ingestion.source_types import PRIMARY_SOURCES
from ingestion.stems import stem

ANSWER = "\nAnswer: "
"""Parts a customer's question from its answer."""
GLOSSARY = "Glossary"
"""Section of the evidence that explains one of the shop's own words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One chunk of the shop's information, the unit that is retrieved and cited.

    Attributes:
        evidence_id: Readable and stable id, `source_type:row_id` with `#n` where a row has several chunks.
        source_type: One of `SOURCE_TYPES`.
        text: The text a quote is cut from; offsets into it are Unicode code points.
        title: Name of the source as a reader would call it.
        row_id: Id of the row or document it comes from, not encoded.
        product_id: The product it is about; None for the whole shop or a group of products.
        category: Group of products a fact is about, when it is not about one product.
        brand: Brand a fact is about, when it is not about one product.
        section: Section path inside a document, such as `Returns > Opened items`.
        page: Page number, from 1, of a paged document.
        url: Where a reader finds the source.
        updated_at: ISO date of the last change.
        region: Region the statement holds for; None for all.
        audience: `buyer`, `seller` or `both`.
        membership: Membership the statement holds for; None for all.
        valid_from: First ISO date (inclusive, UTC) on which it holds.
        valid_until: Last ISO date (inclusive, UTC) on which it holds.
        rating: A review's stars, 1 to 5.
        keywords: Words the source names itself by, used for search only.
    """

    evidence_id: str
    source_type: str
    text: str
    title: str
    row_id: str
    product_id: str | None = None
    category: str | None = None
    brand: str | None = None
    section: str | None = None
    page: int | None = None
    url: str | None = None
    updated_at: str | None = None
    region: str | None = None
    audience: str = "both"
    membership: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    rating: float | None = None
    keywords: tuple[str, ...] = ()

    @property
    def primary(self) -> bool:
        """Whether the shop answers for this source itself."""
        return self.source_type in PRIMARY_SOURCES


@dataclass(frozen=True, slots=True)
class Money:
    """A price: an amount in units of an ISO 4217 currency; the currency is empty where the shop names none."""

    amount: float
    currency: str

    def __str__(self) -> str:
        """The price as a shop writes it: `$249`, `$9.99`, `CHF 20`."""
        symbols = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "": ""}
        symbol = symbols.get(self.currency, f"{self.currency} ")
        return f"{symbol}{self.amount:,.0f}" if self.amount == int(self.amount) else f"{symbol}{self.amount:,.2f}"


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of a product that is sold by itself, such as a colour or a storage size."""

    id: str
    attributes: dict[str, str]
    price: Money | None = None
    in_stock: bool | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """A product of the catalog.

    Attributes:
        id: The shop's id.
        name: The full name shown to customers.
        brand: The maker's name.
        category: Path from the department down, such as `("Camping", "Tents")`.
        aliases: Other names customers use.
        url: The product page.
        image: The address of its picture.
        price: The list price now.
        attributes: Attribute name to value, in the shop's order and words.
        variants: Its variants, in the shop's order.
        related: Ids of accessories and siblings.
    """

    id: str
    name: str
    brand: str | None = None
    category: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    url: str | None = None
    price: Money | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()
    related: tuple[str, ...] = ()
    image: str | None = None

    @property
    def variant_values(self) -> tuple[str, ...]:
        """What its variants are told apart by, such as "Moss" and "256 GB", each once."""
        return tuple(dict.fromkeys(value for one in self.variants for value in one.attributes.values()))


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """One of the shop's own words and what it means there."""

    term: str
    meaning: str
    intents: tuple[str, ...] = ()
    url: str | None = None


def lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of every non-blank line of a text, without its surrounding white space."""
    offset = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            start = offset + line.index(stripped)
            yield start, start + len(stripped)
        offset += len(line)


def concerns(evidence: Evidence, product: Product) -> bool:
    """Whether a statement about a group of products is about this one too.

    Its category must be an element of the product's category path (or a part of the path), its brand the product's;
    case and plural do not matter. A statement about no group is about the whole shop, not about a product.
    """
    if evidence.category is None and evidence.brand is None:
        return False
    if evidence.brand is not None and _stemmed(evidence.brand) != _stemmed(product.brand or ""):
        return False
    if evidence.category is None:
        return True
    path = {_stemmed(step) for step in product.category} | {_stemmed(" > ".join(product.category))}
    return all(_stemmed(step) in path for step in evidence.category.split(" > "))


@lru_cache(maxsize=4096)
def _stemmed(name: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in re.findall(r"\w+", name.casefold()))


DOCUMENT_SOURCES = frozenset({"manual", "datasheet", "help_article"})


def is_searched(evidence: Evidence) -> bool:
    """Whether an evidence is found by search: all that is not about one product, and every document.

    A product's other evidence is a few dozen rows, read by its product and scored exactly.
    """
    return evidence.product_id is None or evidence.source_type in DOCUMENT_SOURCES


def encode_row_id(row_id: str) -> str:
    """Percent-encode the characters that part an evidence id: `%`, `#` and `:`."""
    return row_id.replace("%", "%25").replace("#", "%23").replace(":", "%3A")


def evidence_id(source_type: str, row_id: str, chunk: int | None = None) -> str:
    """Compose an evidence id; `chunk` counts from 1 and stands only where the row has several chunks."""
    base = f"{source_type}:{encode_row_id(row_id)}"
    return base if chunk is None else f"{base}#{chunk}"
