"""Implicit products: whole questions about a quality that name no product ("how long does the battery last?")."""

from graph.catalog.function_words import FUNCTION_WORDS
from graph.rewriting.scene import Scene
from graph.rewriting.topics import about_opinion, about_quality, is_quality_word
from graph.rewriting.words import Edit, Word, appended, edited, words_of
from ingestion.evidence import Product

_DEFINITE = frozenset({"the"})
_BEFORE_SUBJECT = frozenset("do does did can could will would should".split())
_SELF_SUFFICIENT = frozenset({"which", "who", "whose"})


def is_about(query: str, product: Product) -> bool:
    """Whether a question that names nothing is about the product at hand."""
    words = [word.text for word in words_of(query)]
    if not _SELF_SUFFICIENT.isdisjoint(words[:1]):
        return False
    return about_quality(query, product) or not _DEFINITE.isdisjoint(words)


def with_product(query: str, product: Product) -> str:
    """The question with the product's name behind the quality it asks for, or at its end."""
    words = words_of(query)
    for index, word in enumerate(words[:-1]):
        last = _noun_end(words, index + 1, product) if word.text in _DEFINITE else None
        if last is not None:
            return edited(query, [Edit(words[last].end, words[last].end, f" of {product.name}")])
    return appended(query, f"{'about' if about_opinion(query) else 'for'} {product.name}")


def _noun_end(words: tuple[Word, ...], first: int, product: Product) -> int | None:
    """Index of the last word of a noun phrase that names a quality; None where it names something else."""
    end = first
    while end < len(words) and words[end].text not in FUNCTION_WORDS:
        end += 1
    inverted = first > 1 and words[first - 2].text in _BEFORE_SUBJECT
    if inverted and end == len(words) and end - first > 1:
        end -= 1  # the verb: "does the battery *last*"
    fitting = [index for index in range(first, end) if is_quality_word(words[index].text, product)]
    return fitting[-1] if fitting else None


def product_at_hand(scene: Scene) -> Product | None:
    """The one product a question may be about without naming it."""
    return scene.focus[0] if len(scene.focus) == 1 else None
