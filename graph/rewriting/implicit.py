"""Implicit products: whole questions about a quality that name no product ("how long does the battery last?")."""

from graph.language.function_words import FUNCTION_WORDS
from graph.rewriting.scene import Scene
from graph.rewriting.topics import about_opinion, about_quality, is_quality_word
from graph.rewriting.words import Edit, Word, appended, edited, words_of
from ingestion.evidence import Product

_DEFINITE = frozenset({"the"})
_ADVERBS = ("ly", "right", "still")
_BEFORE_SUBJECT = frozenset("do does did can could will would should".split())
_EXISTENTIAL = frozenset({"is", "are", "was", "isn't", "aren't"})


def is_about(query: str, product: Product) -> bool:
    """Whether a question that names nothing is about the product at hand."""
    words = [word.text for word in words_of(query)]
    if "your" in words:
        return False
    exists = len(words) > 1 and words[0] in _EXISTENTIAL and words[1] == "there"
    return exists or about_quality(query, product) or not _DEFINITE.isdisjoint(words)


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
    if inverted and end - first > 1:
        end -= 1  # the verb: "does the battery *last*"
    if end < len(words) and words[end].text == "of":
        return None  # the quality of something else
    fitting = [index for index in range(first, end) if is_quality_word(words[index].text, product)]
    if not fitting:
        return None
    compound = not inverted and fitting[-1] == end - 2 and not words[end - 1].text.endswith(_ADVERBS)
    return end - 1 if compound else fitting[-1]


def product_at_hand(scene: Scene) -> Product | None:
    """The one product a question may be about without naming it."""
    return scene.focus[0] if len(scene.focus) == 1 else None
