"""References: pronouns and nouns that stand for a product at hand."""

from collections.abc import Sequence
from itertools import dropwhile, pairwise

from graph.language.english import noun_phrases
from graph.language.lexicon import (
    AUXILIARIES,
    BE,
    DEFINITE,
    DEMONSTRATIVES,
    FUNCTION_WORDS,
    INDEFINITE,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    is_verb,
)
from graph.language.locale import word_class
from graph.language.terms import Word, words_of
from graph.rewriting.message import REQUESTS, appended, edited, lead_of
from graph.rewriting.scene import Scene, about_quality, is_generic
from graph.rewriting.selection import Reference
from ingestion.evidence import Product

_OF_THINGS = frozenset({"they", "them", "their", "it", "its"})
_SINGULAR = frozenset({"it", "its", "it's"})
_ALONE = frozenset({"they", "they're", "them", "their", "that's"})
"""Words that stand for a thing whatever follows them."""
_SEVERAL = frozenset({"them", "these", "those", "both", "their"})
_PRONOUNS = _SEVERAL | _SINGULAR | {"this", "that", "that's", "they", "they're"}
_MAX_SEVERAL = 4
_OWN = frozenset({"my", "our"})
_DETERMINERS = DEMONSTRATIVES | _OWN | {"the"}
_CLAUSE_WORDS = word_class("clause_words")
_CLAUSE_MARKS = frozenset(".,;:!?")
_ASKED = frozenset({"what", "which", "any"})
_INTRODUCING = frozenset({"a", "an", "my", "some"})
"""What a sentence names a thing with that it has not spoken of before."""
_STATES, _IMPERSONAL = word_class("states"), word_class("impersonal")
_COMPLEMENTS = frozenset({"to", "that", "for", "long"})


def find_reference(query: str, scene: Scene) -> Reference | None:
    """The first phrase of a question that stands for a product of the scene; the others then follow from it."""
    words = words_of(query)
    for index, word in enumerate(words):
        found = _noun_phrase(words, index, scene) or _pronoun(query, words, index, scene)
        if found is not None:
            return found if not has_own_antecedent(query, word.start, scene) else None
    return None


def find_pronoun(query: str) -> Word | None:
    """The first pronoun that stands for a thing, whatever it is."""
    words = words_of(query)
    told = (word for index, word in enumerate(words) if word.text in _OF_THINGS and not _is_empty(words, index))
    return next(told, None)


def refers_back(text: str) -> bool:
    """Whether a pronoun stands for a thing that the text itself does not name before it."""
    pronoun = find_pronoun(text)
    return pronoun is not None and not noun_phrases(text[: pronoun.start])


def find_leaning(query: str) -> Word | None:
    """The first pronoun or lone demonstrative, which lean on what was said: "how does that work?", "after this?"."""
    words = words_of(query)
    told = (one for index, one in enumerate(words) if one.text in DEMONSTRATIVES and _stands_alone(words, index))
    return find_pronoun(query) or next(told, None)


def _called(products: Sequence[Product], *, possessive: bool) -> str:
    return " and ".join(product.name for product in products) + ("'s" if possessive else "")


def _noun_phrase(words: Sequence[Word], index: int, scene: Scene) -> Reference | None:
    """Read "this phone", "the tent", "my tent": a determiner and a noun that fits a product at hand, or one owned."""
    word = words[index]
    if word.text not in _DETERMINERS or index + 1 >= len(words):
        return None
    noun = words[index + 1]
    bare = noun.text.removesuffix("'s")
    if word.text == "the" and is_generic(bare) and bare not in {"product", "item", "device"}:
        return None
    if word.text in _OWN:
        fitting = [] if noun.text == bare and _is_modifier(words, index + 1) else scene.owned(bare)
        fitting = fitting if len(fitting) == 1 else []
    else:
        fitting = scene.of_kind(bare)
    if not fitting:
        return None
    chosen = (fitting[0],)
    return Reference(word.start, noun.end, chosen, _called(chosen, possessive=noun.text.endswith("'s")))


def _is_modifier(words: Sequence[Word], index: int) -> bool:
    """Whether a noun only describes the next one ("what is the phone number")."""
    following = words[index + 1].base if index + 1 < len(words) else None
    return following is not None and following not in FUNCTION_WORDS and not following.endswith(("s", "ed", "ing"))


def _pronoun(query: str, words: Sequence[Word], index: int, scene: Scene) -> Reference | None:
    """Read "it", "them" or "that" as what is spoken of, "this" as the open page, and "them" as a short list shown."""
    word = words[index]
    if word.text not in _PRONOUNS or _is_empty(words, index) or not _stands_alone(words, index):
        return None
    spoken = scene.focus
    if scene.strayed and not any(about_quality(query, product) for product in spoken):
        spoken = []
    if len(spoken) < (_FEWEST if word.text in _SEVERAL else 1):
        shown = scene.listed if word.text in _SEVERAL and 1 < len(scene.listed) <= _MAX_SEVERAL else []
        spoken = shown or spoken
    page = [scene.page] if scene.page and word.text == "this" else []
    products = tuple(page or spoken)
    if not products:
        return None
    return Reference(word.start, word.end, products, _in_place(query, index, products, scene))


def _in_place(query: str, index: int, products: Sequence[Product], scene: Scene) -> str | None:
    """What takes the place of a pronoun; None where it is not clear that the products themselves are meant."""
    words, pronoun = words_of(query), words_of(query)[index].text
    before = words[index - 1].text if index else ""
    said = scene.previous.attributes if scene.previous else []
    if pronoun == "that" and before in BE and len(said) == len(products) == 1:
        return f"the {said[0][:1].lower()}{said[0][1:]} of {products[0].name}"
    opens = index == 1 and before in AUXILIARIES and pronoun != "that"
    asked = pronoun in {"it", "them", "both"} and _is_asked_first(query, index)
    # "Its for my wife" is written for "it's".
    owner = pronoun == "its" and index + 1 < len(words) and words[index + 1].text not in FUNCTION_WORDS
    page = pronoun == "this" and scene.page is not None
    return _called(products, possessive=pronoun in {"its", "their"}) if opens or asked or owner or page else None


_FEWEST = 2
"""Products that "them" stands for."""


def _is_asked_first(query: str, index: int) -> bool:
    """Whether a pronoun stands in the one question or request of a message, and not in what is told beside it."""
    words = words_of(query)
    first = next(place for place, word in enumerate(words) if word.start >= lead_of(query))
    told = words[first].text in _CLAUSE_WORDS or any(
        _opens_clause(query, words, place) for place in range(first + 1, index + 1)
    )
    return not told and words[first].base in AUXILIARIES | QUESTION_WORDS | REQUESTS


def _opens_clause(query: str, words: Sequence[Word], index: int) -> bool:
    """Whether a clause begins at a word that is not the first."""
    between = query[words[index - 1].end : words[index].start]
    return words[index].text in _CLAUSE_WORDS or not _CLAUSE_MARKS.isdisjoint(between)


def _is_empty(words: Sequence[Word], index: int) -> bool:
    """Whether "it" stands for no thing: "is it possible to", "how long does it take"."""
    if words[index].text not in _SINGULAR:
        return False
    before = words[index - 1].base if index else ""
    behind = [word.text for word in words[index + 1 :]]
    if behind and behind[0] in _IMPERSONAL:
        # "Does it take AA batteries?" asks of a thing; "how long does it take?" does not.
        asked = behind[0] == "matter" or (behind[0] == "take" and index > 1)
        return asked or not _COMPLEMENTS.isdisjoint(behind[1:2])
    states = list(dropwhile(lambda word: word in BE | MODALS, behind))
    linked = {before, *behind[:1]} & (BE | MODALS) or words[index].text == "it's"
    # "Is it true to size?" asks of a thing.
    return bool(linked) and states[:2] != ["true", "to"] and not _STATES.isdisjoint(states[:1])


def _stands_alone(words: Sequence[Word], index: int) -> bool:
    """Whether no noun follows ("these" but not "these colours"), nor a clause that "that" only joins."""
    text, last = words[index].text, index + 1 == len(words)
    if text in _ALONE | _SINGULAR:
        return True
    before = words[index - 1].text if index else ""
    # "The one that leaks", "is it true that it leaks".
    joins = before not in AUXILIARIES | PREPOSITIONS | {"and", "but", "or", "than"}
    if text == "that" and index and not last and joins:
        return False
    following = "" if last else words[index + 1].base
    if last or following in FUNCTION_WORDS:
        return text != "both" or following not in PRONOUNS | DEFINITE | INDEFINITE | {"of"}
    return before in AUXILIARIES


def has_own_antecedent(query: str, place: int, scene: Scene) -> bool:
    """Whether the sentence itself says what is meant: "I placed an order, can I cancel it?"."""
    words, mentions = words_of(query), scene.mentions(query[:place])
    at = next(index for index, word in enumerate(words) if word.start >= place)
    clause = next((index for index in range(at, 0, -1) if _opens_clause(query, words, index)), None)
    if clause is None:
        return any(mention.known for mention in mentions)
    before = words[: clause - 1]
    # "What stove do you have, and does it ...".
    asked = any(word.text in _ASKED and scene.names.category(noun.text) for word, noun in pairwise(before))
    introducing = _INTRODUCING | ({"the", "your"} if words[at].text in {"they", "them", "their"} else set())
    return asked or bool(mentions) or any(word.text in introducing for word in before)


def with_topic(query: str, scene: Scene) -> str | None:
    """The question with what the previous one was about, where that was no product, else the title of such a page.

    The name of something that is not sold is no topic: carried on, it would read as if it were.
    """
    last = scene.previous.standalone_query if scene.strayed and scene.previous else ""
    topic = "" if any(not mention.known for mention in scene.mentions(last)) else _topic(last)
    topic = topic or next(iter([] if scene.focus else scene.user.page.titles), "")
    if not topic:
        return None
    pronoun, spoken = find_pronoun(query), {word.text for word in words_of(query)}
    if pronoun is not None:
        owner = "'s" if pronoun.text in {"its", "their"} else ""
        return edited(query, [(pronoun.start, pronoun.end, f"{topic}{owner}")])
    led = lead_of(query) > 0 and "the" in spoken and spoken.isdisjoint({"a", "an"})
    return appended(query, f"for {topic}") if led and not spoken.isdisjoint(AUXILIARIES) else None


def _topic(question: str) -> str:
    """The last noun phrase of a question that says hardly anything else; empty for none."""
    words = words_of(question)
    told = [index for index, word in enumerate(words) if word.base not in FUNCTION_WORDS and not is_verb(word.text)]
    run = [index for place, index in enumerate(told) if told[-1] - index == len(told) - 1 - place]
    if not run or len(told) - len(run) > 1 or words[run[0] - 1].text in PREPOSITIONS:
        return ""
    topic = question[words[run[0]].start : words[run[-1]].end]
    return topic if noun_phrases(topic) else ""
