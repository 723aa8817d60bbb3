"""Composing evidence: how each row and document of a shop reads as citable text."""

import re
from collections.abc import Iterator, Mapping, Sequence

from ingestion.evidence import ANSWER, GLOSSARY, Evidence, GlossaryTerm, Product, Variant, evidence_id
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document
from ingestion.readers.rows import FactRow, ProductRow, QuestionRow, ReviewRow

_BARE_WORDS = frozenset({"yes", "no", "true", "false"})
"""Values that say nothing without their name, wherever the same word stands."""
_WORD = re.compile(r"\d+(?:[.,]\d+)*\w*(?: ?%)?|\w+")


def product_of(row: ProductRow) -> Product:
    """The catalog's entry of a product row."""
    return Product(
        id=row.id,
        name=row.name,
        brand=row.brand,
        category=row.category,
        aliases=row.aliases,
        url=row.url,
        price=row.price,
        attributes=row.attributes,
        variants=tuple(
            Variant(variant.id or str(number), variant.attributes, variant.price, variant.in_stock)
            for number, variant in enumerate(row.variants, start=1)
        ),
        related=row.related,
        image=row.image,
    )


def product_evidence(row: ProductRow, product: Product) -> Iterator[Evidence]:
    """Specifications, description, features and variants of a product, each where there is any."""
    texts = {
        "spec": ("specifications", _specifications(product)),
        "description": ("description", [row.description] if row.description else []),
        "feature": ("features", list(row.features)),
        "variant": ("variants", [_variant_line(variant) for variant in product.variants]),
    }
    for source_type, (name, lines) in texts.items():
        text = "\n".join(line for line in lines if line)
        if text:
            yield Evidence(
                evidence_id=evidence_id(source_type, row.id),
                source_type=source_type,
                text=text,
                title=f"{row.name} {name}",
                row_id=row.id,
                product_id=row.id,
                url=row.url,
                updated_at=row.updated_at,
            )


HEADS = ("Brand", "Category", "Price")
"""What a specification says of any product, before its attributes."""


def _specifications(product: Product) -> list[str]:
    """Lines `Name: value`; what an attribute repeats is said once."""
    own = {name.casefold() for name in product.attributes}
    heads = (product.brand, " > ".join(product.category), str(product.price) if product.price else None)
    stated = zip(HEADS, heads, strict=True)
    first = [f"{name}: {value}" for name, value in stated if value and name.casefold() not in own]
    return first + [f"{name}: {value}" for name, value in product.attributes.items()]


def _variant_line(variant: Variant) -> str:
    """One line such as `Slate, 128 GB: $599, in stock`."""
    name = ", ".join(variant.attributes.values()) or variant.id
    stock = {True: "in stock", False: "out of stock", None: ""}[variant.in_stock]
    said = ", ".join(part for part in (str(variant.price) if variant.price else "", stock) if part)
    return f"{name}: {said}" if said else name


def review_evidence(row: ReviewRow, names: Mapping[str, str]) -> Evidence:
    """A customer's review; its stars stand in a line of their own, so that an average can be checked."""
    stars = f"Rating: {row.rating:g} of 5" if row.rating is not None else None
    return Evidence(
        evidence_id=evidence_id("review", row.id),
        source_type="review",
        text="\n".join(filter(None, [row.title, row.text, stars])),
        title=f"{names.get(row.product_id, row.product_id)} review",
        row_id=row.id,
        product_id=row.product_id,
        url=row.url,
        updated_at=row.date,
        rating=row.rating,
    )


def glossary_evidence(term: GlossaryTerm) -> Evidence:
    """One of the shop's own words with its meaning, so that what is shown of it can be cited."""
    slug = "-".join(re.findall(r"[^\W_]+", term.term.casefold())) or term.term
    row_id = f"glossary/{slug}"
    return Evidence(
        evidence_id=evidence_id("help_article", row_id),
        source_type="help_article",
        text=f"{term.term}: {term.meaning}",
        title=term.term,
        section=GLOSSARY,
        row_id=row_id,
        url=term.url,
    )


def question_evidence(row: QuestionRow, names: Mapping[str, str]) -> Evidence:
    """A customer's question and its answer."""
    return Evidence(
        evidence_id=evidence_id("qa", row.id),
        source_type="qa",
        text=f"Question: {row.question}{ANSWER}{row.answer}",
        title=f"{names.get(row.product_id, row.product_id)} customer Q&A",
        row_id=row.id,
        product_id=row.product_id,
        url=row.url,
        updated_at=row.date,
    )


def fact_evidence(row: FactRow, names: Mapping[str, str]) -> Evidence:
    """A fact, with those of its attributes that its text does not say."""
    unsaid = [f"{name}: {value}" for name, value in row.attributes.items() if not _says(row.text, value)]
    kind = row.source_type.replace("_", " ")
    about = names.get(row.product_id, row.product_id) if row.product_id else None
    return Evidence(
        evidence_id=evidence_id(row.source_type, row.id),
        source_type=row.source_type,
        text="\n".join([row.text, *unsaid]),
        title=row.title or (f"{about} {kind}" if about else kind.capitalize()),
        row_id=row.id,
        product_id=row.product_id,
        category=" > ".join(row.category) or None,
        brand=row.brand,
        url=row.url,
        updated_at=row.updated_at,
        region=row.region,
        audience=row.audience,
        membership=row.membership,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        keywords=tuple(word for word in (*row.category, row.brand) if word) if row.product_id is None else (),
    )


def _says(text: str, value: str) -> bool:
    """Whether a text has a value as whole words and numbers: "5" stands neither in "15" nor in "1.5" or "5%"."""
    wanted = _in_words(value)
    return bool(wanted.strip()) and value.casefold() not in _BARE_WORDS and wanted in _in_words(text)


def _in_words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def document_kind(document: Document) -> str:
    """A document's source type: its own, else a manual when it is about a product, else a help article."""
    return document.meta.kind or ("manual" if document.meta.product_id else "help_article")


def document_evidence(document: Document, chunks: Sequence[Block]) -> Iterator[Evidence]:
    """A document's chunks, numbered where there are several."""
    kind = document_kind(document)
    meta = document.meta
    for number, chunk in enumerate(chunks, start=1):
        yield Evidence(
            evidence_id=evidence_id(kind, document.id, number if len(chunks) > 1 else None),
            source_type=kind,
            text=chunk.text,
            title=document.title,
            row_id=document.id,
            product_id=meta.product_id,
            section=" > ".join(chunk.section) or None,
            page=chunk.page,
            url=meta.url,
            updated_at=meta.updated_at,
            audience=meta.audience,
            keywords=document.keywords,
        )
