"""References: pronouns and partial names, and what they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise

from graph.language.english import noun_phrases
from graph.language.lexicon import (
    ARTICLES,
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
    is_participle,
    is_verb,
)
from graph.language.locale import word_class
from graph.language.words import Word, words_of
from graph.rewriting.message import REQUESTS, Edit, appended, edited, lead_of, lowered, naming
from graph.rewriting.scene import Scene
from graph.rewriting.topics import about_quality, is_generic
from ingestion.evidence import Product

_SINGULAR = frozenset({"it", "it's", "its"})
_PLURAL = frozenset({"they", "they're", "them", "their", "these", "those", "both"})
_SEVERAL = frozenset({"them", "these", "those", "both", "their"})
_MAX_SEVERAL = 4
_OWN = frozenset({"my", "our"})
_DETERMINERS = DEMONSTRATIVES | _OWN | {"the"}
_CLAUSE_WORDS = frozenset("and but if when because so".split())
_CLAUSE_MARKS = frozenset(".,;:!?")
_ASKED = frozenset({"what", "which", "any"})
"""What stands before the kind of thing that is asked for: "what stove do you have, and does it ..."."""
_INTRODUCING = frozenset({"a", "an", "my", "some"})
"""What a sentence names a thing with that it has not spoken of before."""
_STATES, _IMPERSONAL = word_class("states"), word_class("impersonal")
_COMPLEMENTS = frozenset({"to", "that", "for", "long"})
_AFTER = frozenset("of for with about after before".split())
_SPEAKERS = frozenset({"i", "you", "we"})
_OWNERS = frozenset({"its", "their"})


@dataclass(frozen=True, slots=True)
class Reference:
    """A phrase that stands for products.

    Attributes:
        start: Where it begins, in code points.
        end: Where it ends.
        possessive: Whether it stands for "of the product".
        products: What it stands for.
        tail: What of the phrase must stay behind the name, such as the verb of "it's".
        quality: What of the product is meant, where "that" is what was said of it.
        aside: Whether the phrase stays, with the names behind the question: what "that" and "they" stand for is often
            something else that was said, of which the products are a part.
    """

    start: int
    end: int
    possessive: bool
    products: tuple[Product, ...]
    tail: str = ""
    quality: str | None = None
    aside: bool = False

    def edit(self) -> Edit:
        """The edit that puts names in the phrase's place."""
        names = " and ".join(product.name for product in self.products)
        if self.quality is not None:
            return Edit(self.start, self.end, f"the {self.quality} of {names}{self.tail}")
        return Edit(self.start, self.end, f"{names}'s" if self.possessive else f"{names}{self.tail}")


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
    for index, word in enumerate(words):
        if word.text in {"they", "them", "their"} or (word.text in {"it", "its"} and not _is_empty(words, index)):
            return word
    return None


def find_pointing(query: str) -> Word | None:
    """The first demonstrative that stands for something said: "how does that work?", "and after this?"."""
    words = words_of(query)
    for index, word in enumerate(words):
        before = words[index - 1].text if index else ""
        following = words[index + 1].text if index + 1 < len(words) else ""
        verb = following in AUXILIARIES or (before in AUXILIARIES and is_verb(following))
        if word.text in DEMONSTRATIVES and before in AUXILIARIES | _AFTER and (verb or not following):
            return word
    return None


def replaced(query: str, reference: Reference) -> str:
    """The question with names in place of the reference, or behind the question."""
    if reference.aside:
        return naming(query, reference.products)
    text = edited(query, [reference.edit()])
    return text[:1].upper() + text[1:] if reference.start == 0 and query[:1].isupper() else text


def _noun_phrase(words: Sequence[Word], index: int, scene: Scene) -> Reference | None:
    """Read "this phone", "the tent", "that one": a determiner and a noun that fits a product at hand."""
    word = words[index]
    if word.text not in _DETERMINERS or index + 1 >= len(words):
        return None
    noun = words[index + 1]
    bare = noun.text.removesuffix("'s")
    if word.text == "the" and is_generic(bare) and bare not in {"product", "item", "device"}:
        return None
    if word.text in _OWN:
        owned = [] if _is_modifier(words, index + 1) else scene.owned(bare)
        return Reference(word.start, noun.end, noun.text.endswith("'s"), (owned[0],)) if len(owned) == 1 else None
    fitting = scene.of_kind(bare)
    if not fitting:
        return None
    several = word.text in {"these", "those"} and len(scene.focus) > 1
    chosen = tuple(scene.focus) if several else (fitting[0],)
    return Reference(word.start, noun.end, noun.text.endswith("'s"), chosen)


def _is_modifier(words: Sequence[Word], index: int) -> bool:
    """Whether a noun only describes the next one ("what is the phone number"); after an auxiliary a verb follows."""
    if index > 1 and words[index - 2].text in AUXILIARIES:
        return False
    following = words[index + 1].base if index + 1 < len(words) else None
    return following is not None and following not in FUNCTION_WORDS and not following.endswith(("s", "ed", "ing"))


def _pronoun(query: str, words: Sequence[Word], index: int, scene: Scene) -> Reference | None:
    word = _with_both(words, index)
    strayed = scene.strayed and not any(about_quality(query, product) for product in scene.focus)
    if not scene.focus or strayed:
        return _plural_of_list(words, index, scene)
    if word.text in _SINGULAR and not _is_empty(words, index):
        tail = " is" if word.text == "it's" else ""
        aside = _is_verb(words, index) if word.text == "its" else not _is_asked_first(query, index)
        return Reference(word.start, word.end, word.text == "its", tuple(scene.focus), tail, aside=aside)
    if word.text in _PLURAL and _stands_alone(words, index):
        if len(scene.focus) == 1 and len(scene.listed) > 1 and word.text in _SEVERAL:
            return _plural_of_list(words, index, scene)
        aside = not (word.text in {"them", "both"} and _is_asked_first(query, index)) and not _opens(words, index)
        return Reference(word.start, word.end, word.text == "their", tuple(scene.focus), aside=aside)
    if word.text in {"this", "that", "that's"} and _stands_alone(words, index) and not _joins_clauses(words, index):
        page = [scene.page] if scene.page and word.text == "this" else []
        products = tuple(page or scene.focus)
        quality = _quality_said(words, index, scene) if len(products) == 1 else None
        aside = quality is None and not page and not (word.text == "this" and _opens(words, index))
        return Reference(word.start, word.end, possessive=False, products=products, quality=quality, aside=aside)
    return None


def _with_both(words: Sequence[Word], index: int) -> Word:
    """A pronoun; "both of them" as one."""
    word, behind = words[index], [later.text for later in words[index + 1 : index + 3]]
    if word.text == "both" and behind in (["of", "them"], ["of", "these"], ["of", "those"]):
        return Word("them", word.start, words[index + 2].end)
    return word


def _plural_of_list(words: Sequence[Word], index: int, scene: Scene) -> Reference | None:
    """Read "them" and "both" as the products shown, where there are few enough to mean each."""
    word = _with_both(words, index)
    if word.text not in _SEVERAL | {"they"} or not _stands_alone(words, index):
        return None
    if not 1 < len(scene.listed) <= _MAX_SEVERAL:
        return None
    return Reference(word.start, word.end, word.text == "their", tuple(scene.listed))


def _is_verb(words: Sequence[Word], index: int) -> bool:
    """Whether "its" is written for "it's": no noun follows ("its for my wife")."""
    return words[index].text == "its" and (index + 1 == len(words) or words[index + 1].text in FUNCTION_WORDS)


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


def _opens(words: Sequence[Word], index: int) -> bool:
    """Whether a pronoun is the subject of a question that begins with its verb: "are they waterproof"."""
    return index == 1 and words[0].text in AUXILIARIES


def _quality_said(words: Sequence[Word], index: int, scene: Scene) -> str | None:
    """What the last answer was about, when "is that ..." asks on about it."""
    asks_on = words[index].text == "that" and index > 0 and words[index - 1].text in {"is", "was", "does"}
    said = scene.previous.attributes if scene.previous else []
    return lowered(said[0]) if asks_on and len(said) == 1 else None


def _is_empty(words: Sequence[Word], index: int) -> bool:
    """Whether "it" stands for no thing: "is it possible to", "how long does it take"."""
    before = words[index - 1].base if index else ""
    behind = [word.text for word in words[index + 1 :]]
    if behind and behind[0] in _IMPERSONAL:
        # "Does it take AA batteries?" asks of a thing; "how long does it take?" does not.
        asked = behind[0] == "matter" or (behind[0] == "take" and index > 1)
        return asked or not _COMPLEMENTS.isdisjoint(behind[1:2])
    states = list(dropwhile(lambda word: word in BE | MODALS, behind))
    size = states[:3] == ["true", "to", "size"]
    linked = {before, *behind[:1]} & (BE | MODALS) or words[index].text == "it's"
    return bool(linked) and not size and not _STATES.isdisjoint(states[:1])


def _stands_alone(words: Sequence[Word], index: int) -> bool:
    """Whether no noun follows: "these" but not "these colours"."""
    if words[index].text in {"they", "they're", "them", "their", "that's"} or index + 1 == len(words):
        return True
    following = words[index + 1].base
    if following in FUNCTION_WORDS:
        return words[index].text != "both" or following not in PRONOUNS | DEFINITE | INDEFINITE
    return index > 0 and words[index - 1].text in AUXILIARIES


def _joins_clauses(words: Sequence[Word], index: int) -> bool:
    """Whether "that" only joins clauses: "the one that leaks", "is it true that it leaks"."""
    if words[index].text != "that" or index == 0:
        return False
    before = words[index - 1].text
    return before not in AUXILIARIES | PREPOSITIONS | {"and", "but", "or", "than"} and index + 1 < len(words)


def has_own_antecedent(query: str, place: int, scene: Scene) -> bool:
    """Whether the sentence itself says what is meant: "I placed an order, can I cancel it?"."""
    words, mentions = words_of(query), scene.mentions(query[:place])
    at = next(index for index, word in enumerate(words) if word.start >= place)
    clause = next((index for index in range(at, 0, -1) if _opens_clause(query, words, index)), None)
    if clause is None:
        return any(mention.known for mention in mentions)
    introducing = _INTRODUCING | ({"the", "your"} if words[at].text in {"they", "them", "their"} else set())
    before = words[: clause - 1]
    asked = any(word.text in _ASKED and scene.names.category(noun.text) for word, noun in pairwise(before))
    return asked or bool(mentions) or any(word.text in introducing for word in before)


def carried(query: str, scene: Scene) -> str | None:
    """The question with the topic at hand in it; None where it needs none or there is none."""
    topic = _topic(scene)
    if topic is None:
        return None
    pronoun = find_pronoun(query)
    if pronoun is not None:
        return edited(query, [Edit(pronoun.start, pronoun.end, f"{topic}'s" if pronoun.text in _OWNERS else topic)])
    spoken = {word.text for word in words_of(query)}
    continues = lead_of(query) > 0 and "the" in spoken and not spoken & {"a", "an"}
    return appended(query, f"for {topic}") if continues and not spoken.isdisjoint(AUXILIARIES) else None


def _topic(scene: Scene) -> str | None:
    """What the last question was about, if no product; else the title of a page about no product.

    The name of something that is not sold is no topic: carried on, it would read as if it were.
    """
    question = scene.previous.standalone_query if scene.strayed and scene.previous else ""
    last = None if any(not mention.known for mention in scene.mentions(question)) else topic_of(question)
    return last or next(iter([] if scene.focus else scene.user.page.titles), None)


def topic_of(question: str) -> str | None:
    """The noun phrase that a question is about: its subject, or its object after "I" and "you"."""
    words = words_of(question)
    auxiliary = next((i for i, word in enumerate(words) if word.base in AUXILIARIES), None)
    if auxiliary is None or auxiliary + 1 >= len(words):
        return None
    first = auxiliary + 1
    by_speaker = words[first].text in _SPEAKERS
    if words[first].text in PRONOUNS - _SPEAKERS:
        return None
    if by_speaker:
        first += 2
    last = _phrase_end(words, first)
    if not by_speaker and last is not None and last > first:
        asks_what = words[0].text.startswith("what")
        ends_in_verb = words[auxiliary].text in MODALS or is_participle(words[last].text)
        last -= 1 if ends_in_verb and not asks_what else 0
    topic = question[words[first].start : words[last].end] if last is not None else ""
    return topic if noun_phrases(topic) else None


def _phrase_end(words: Sequence[Word], first: int) -> int | None:
    """Index of the last word of the noun phrase that begins at a word; None where none begins there."""
    start = first + 1 if first < len(words) and words[first].text in ARTICLES | {"my", "your"} else first
    end = start
    while end < len(words) and words[end].text not in FUNCTION_WORDS:
        end += 1
    return end - 1 if end > start else None
