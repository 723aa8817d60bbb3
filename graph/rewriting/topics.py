"""Topics: what a question is about that names no product."""

from collections.abc import Iterable
from functools import lru_cache

from graph.language.families import Family, families, family_of
from graph.language.lexicon import AUXILIARIES, QUESTION_WORDS
from graph.language.terms import words
from graph.rewriting.scene import Scene
from graph.rewriting.words import words_of
from ingestion.evidence import Product
from ingestion.stems import stem

_SHOP = frozenset(
    map(
        stem,
        """pay payment payments paypal klarna invoice receipt account login password username email newsletter
        subscription order orders ordering cancel cancellation track tracking parcel package basket cart checkout
        voucher coupon gift card cards loyalty points membership member refund refunds vat tax branch
        branches opening hours company privacy contact store shop website app cash credit debit""".split(),
    )
)
"""Stems of what belongs to the shop and not to one product."""

_INSTALMENTS = frozenset({"instalments", "installments"})
"""Apart, for they share their stem with "installation"."""

_SERVICE = frozenset(
    map(
        stem, "deliver delivery ship shipping shipment return returns exchange policy collect collection pickup".split()
    )
)
"""Stems of services that concern a product or the whole shop, as the sentence has it."""

_SHOP_SUBJECTS = frozenset({"you", "your", "yours"})
_OWN_OBJECTS = frozenset(
    map(stem, "item items product products order orders something anything goods things purchase".split())
)
_BROWSING = frozenset(map(stem, "show list find search browse recommend suggest looking alternatives top".split()))
_PARTICIPLES = frozenset({"recommended", "suggested", "listed"})
"""What is said of a quality: "the recommended age"."""

_SELLING = frozenset({"sell", "stock", "carry"})
_AT_HAND = frozenset({"it", "this", "that", "them"})
_OPINION = frozenset(
    map(stem, "review opinion people customer buyer say think pro con complain complaint rating".split())
)
_QUALITY = frozenset(
    map(
        stem,
        """price cost discount offer deal sale warranty guarantee stock available availability colour color size fit
        variant version material feature spec specification detail included box accessory authentic genuine original
        quality worth manual instruction rating cleaning care""".split(),
    )
)


@lru_cache(maxsize=1024)
def stems(text: str) -> frozenset[str]:
    """Stems of all words of a text."""
    return frozenset(stem(word) for word in words(text))


def about_shop(text: str) -> bool:
    """Whether a question concerns the shop, whatever product was spoken of before."""
    found = stems(text)
    if _SHOP & found or _INSTALMENTS & set(words(text)):
        return True
    addressed = not _SHOP_SUBJECTS.isdisjoint(words(text))
    if _SERVICE & found:
        return addressed or bool(_OWN_OBJECTS & found) or is_complete(text)
    return False


def is_browsing(text: str) -> bool:
    """Whether a question asks to be shown products."""
    spoken = words(text)
    asks = bool(_BROWSING & {stem(word) for word in spoken if word not in _PARTICIPLES})
    offers = "you" in spoken and not _AT_HAND & set(spoken)
    has = offers and (_SELLING & set(spoken) or ("have" in spoken and not _QUALITY & stems(text)))
    wants = "i" in spoken and not {"need", "want"}.isdisjoint(spoken) and not QUESTION_WORDS & set(spoken)
    return asks or bool(has) or wants


def asks_shop(text: str) -> bool:
    """Whether a question is of the kind that shops and their products are asked, whichever these are."""
    found = stems(text)
    named = any(found & family.stems or any(way <= found for way in family.names) for family in families())
    return named or bool(found & (_QUALITY | _OPINION)) or about_shop(text) or is_browsing(text)


def about_quality(text: str, product: Product) -> bool:
    """Whether a question asks for something products have: an attribute, a price, an opinion."""
    found = stems(text)
    if found & (_QUALITY | _OPINION):
        return True
    return bool(found & attribute_stems([product])) or any(found & family.stems for family in _families_of(product))


def about_named_quality(text: str, product: Product) -> bool:
    """Whether a question names an attribute by its own name, a price or an opinion; stricter than `about_quality`."""
    return bool(stems(text) & (_QUALITY | _OPINION | attribute_stems([product])))


def attribute_stems(products: Iterable[Product]) -> frozenset[str]:
    """Stems of the names of all attributes of products."""
    return frozenset(stem(word) for product in products for name in product.attributes for word in words(name))


def is_quality_word(word: str, product: Product) -> bool:
    """Whether a noun names an attribute, in any of the ways customers name it."""
    found = frozenset({stem(word)})
    if any(found & family.stems or found in family.names for family in families()):
        return True
    return bool(found & (attribute_stems([product]) | _QUALITY | _OPINION | _SERVICE))


def is_complete(text: str) -> bool:
    """Whether a text has a verb that makes it a sentence, as far as closed classes tell."""
    return not AUXILIARIES.isdisjoint(word.split("'")[0] for word in words(text))


def _families_of(product: Product) -> list[Family]:
    return [family for family in map(family_of, product.attributes) if family is not None]


_DEFINITE = frozenset({"the"})
_EXISTENTIAL = frozenset({"is", "are", "was", "isn't", "aren't"})


def is_about(query: str, product: Product) -> bool:
    """Whether a question that names nothing is about the product at hand."""
    words = [word.text for word in words_of(query)]
    if "your" in words:
        return False
    exists = len(words) > 1 and words[0] in _EXISTENTIAL and words[1] == "there"
    return exists or about_quality(query, product) or not _DEFINITE.isdisjoint(words)


def product_at_hand(scene: Scene) -> Product | None:
    """The one product a question may be about without naming it."""
    return scene.focus[0] if len(scene.focus) == 1 else None
