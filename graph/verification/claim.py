"""Claim: a sentence, drafted or of a source, read once into what it is compared with another by."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter

from graph.answering.matching import LONGEST_NAME, rows_of
from graph.draft import Sentence, Span
from graph.language.limits import Limit, limits_in
from graph.language.negation import NEGATED_VALUE, NEGATIONS, is_negation
from graph.language.quantities import Written, quantities
from graph.language.terms import STOPWORDS, WORD, words
from graph.parts import Verdict
from graph.turn import Derived
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans
from ingestion.stems import stem

_BREAK = re.compile(r"[,;:.!?()|–—]|\bbut\b|\bhowever\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"[“„]([^“”„]+)[”“]|(?<!\S)\"(?=\w)([^\"]+(?:\"\w[^\"]*){0,5})\"(?!\w)|(?<!\S)[‘'](?=\w)([^‘’']+)[’'](?!\w)"
)
_OPENERS = frozenset(".!?:\n")
"""What stands before the first word of a sentence."""
_NEAR = 4
_REACH = 6
_SHORTEST_NAME = 2
"""Letters and digits of a name; a lone capital is a unit or a size."""
_REMEMBERED = 8192


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text.

    Attributes:
        text: Folded.
        bare: It without its possessive ending.
        stem: Its stem.
        start: Where it starts in the text.
        end: Where it ends.
        capital: Whether it is written with a capital letter.
    """

    text: str
    bare: str
    stem: str
    start: int
    end: int
    capital: bool

    @property
    def telling(self) -> bool:
        """Whether it is a content word or a number."""
        return self.text not in STOPWORDS

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.text[0].isdigit()

    @property
    def negates(self) -> bool:
        """Whether it says no of what follows."""
        return is_negation(self.text)


Name = tuple[Token, ...]
"""Words that are written with a capital side by side, with the numbers in and behind them."""


@dataclass(frozen=True)
class Claim:
    """What a text says, each word with its place.

    Of whom or what (`names`), under which name of a list (`attribute`), how much (`quantities`, `bounds`), and whether
    yes or no (`negated`).

    Attributes:
        text: A sentence, or several.
    """

    text: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Its words, in order."""
        return tuple(
            Token(word, bare, stem(word), found.start(), found.end(), found[0][0].isupper())
            for found in WORD.finditer(self.text)
            for word in words(found[0])
            for bare in [word.removesuffix("'s").removesuffix("’s")]
        )

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words without their possessive ending, in order."""
        return tuple(token.bare for token in self.tokens)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its words, with and without their possessive ending."""
        return frozenset(self.words) | {token.text for token in self.tokens}

    @cached_property
    def telling(self) -> tuple[Token, ...]:
        """Its content words and numbers, in order."""
        return tuple(token for token in self.tokens if token.telling)

    @cached_property
    def content(self) -> frozenset[str]:
        """Their stems."""
        return frozenset(token.stem for token in self.telling)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The names in it; a sentence's first word is none."""
        runs: list[list[Token]] = [[]]
        for place, token in enumerate(self.tokens):
            joined = place > 0 and not self.between(self.tokens[place - 1], token).strip(" -'’.")
            opens = place == 0 or self._opens(token.start)
            named = token.capital and not (opens and not (token.telling and self._goes_on(place)))
            glued = place > 0 and self.tokens[place - 1].end == token.start
            if named or (runs[-1] and (glued or (token.is_number and joined))):
                if not joined:
                    runs.append([])
                runs[-1].append(token)
            else:
                runs.append([])
        return tuple(tuple(run) for run in runs if sum(len(token.text) for token in run) >= _SHORTEST_NAME)

    @cached_property
    def attribute(self) -> str:
        """The name before its colon, where it is an entry of a list; empty where it is none."""
        name, colon, value = self.text.strip().partition(": ")
        named = 1 < len(name) <= LONGEST_NAME and ":" not in name
        return name if colon and named and value.strip() and "\n" not in self.text.strip() else ""

    @cached_property
    def quantities(self) -> tuple[Written, ...]:
        """Its figures, in order."""
        return tuple(quantities(self.text))

    @cached_property
    def limits(self) -> tuple[Limit, ...]:
        """Which of them are limits."""
        return limits_in(self.text)

    @cached_property
    def negated(self) -> frozenset[str]:
        """Stems of the content words that it says no of."""
        found: set[str] = set()
        for token in self.tokens:
            if token.negates:
                found |= self._reached(token)
        answers = [answer.start() for answer in NEGATED_VALUE.finditer(self.text)]
        # Of an entry, the last such answer reaches all that stands before the others.
        for entry, end in {max(self.text.rfind(mark, 0, end) for mark in "\n;") + 1: end for end in answers}.items():
            found |= {one.stem for one in self._telling_from(entry) if one.start < end}
        return frozenset(found)

    @cached_property
    def quotations(self) -> tuple[str, ...]:
        """What stands in quotation marks."""
        return tuple("".join(filter(None, found.groups())) for found in _QUOTED.finditer(self.text))

    @cached_property
    def unquoted(self) -> "Claim":
        """The rest."""
        return Claim(_QUOTED.sub(" ", self.text))

    @cached_property
    def run(self) -> str:
        """Its words between single blanks: marks, capitals and line breaks are no difference."""
        return f" {' '.join(token.text for token in self.tokens)} "

    def written(self, run: Sequence[Token]) -> str:
        """Words that stand side by side, as they are written."""
        return self.text[run[0].start : run[-1].end]

    def between(self, one: Token, following: Token) -> str:
        """What stands between two words."""
        return self.text[one.end : following.start]

    def has(self, name: Sequence[Token]) -> bool:
        """Whether a name stands in it whole."""
        return bool(self._ends_of(name))

    def goes_on(self, name: Sequence[Token]) -> bool:
        """Whether it has a name only as the beginning of a longer one ("X2" in "X2 Pro")."""
        ends = self._ends_of(name)
        return bool(ends) and all(map(self._named_on, ends))

    def covers(self, said: "Claim") -> float:
        """Share of the content words of another claim that stand in it, that one's names left out."""
        asked = said.content - {token.stem for name in said.names for token in name}
        return len(asked & self.content) / len(asked) if asked else 1.0

    def turns_round(self, said: "Claim") -> frozenset[str]:
        """Stems of what it denies and another says, or the other way about."""
        return (self.content & said.content) & (self.negated ^ said.negated)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(self.words):
            found[word].append(place)
        return dict(found)

    def _ends_of(self, name: Sequence[Token]) -> list[int]:
        """Which words stand behind a name, wherever it stands whole in one line."""
        bare = tuple(token.bare for token in name)
        found = [at for at in self._places.get(bare[0], ()) if self.words[at : at + len(bare)] == bare]
        ends = ((self.tokens[at].start, self.tokens[at + len(bare) - 1].end, at + len(bare)) for at in found)
        return [behind for start, end, behind in ends if "\n" not in self.text[start:end]]

    def _named_on(self, at: int) -> bool:
        if at >= len(self.tokens):
            return False
        between = self.between(self.tokens[at - 1], self.tokens[at])
        return not between or (self.tokens[at].capital and between in {" ", "-"})

    def _opens(self, start: int) -> bool:
        """Whether a sentence begins at a place, or a quotation that does."""
        before = self.text[max(start - _NEAR, 0) : start].rstrip('"“').rstrip(" \t")
        return before[-1:] in _OPENERS

    def _goes_on(self, place: int) -> bool:
        """Whether the next word stands right beside it and is a name or a number too."""
        if place + 1 >= len(self.tokens):
            return False
        following = self.tokens[place + 1]
        beside = not self.between(self.tokens[place], following).strip(" -")
        return beside and (following.capital or following.is_number)

    def _reached(self, negation: Token) -> set[str]:
        """What a negation says no of: the next words of its clause."""
        behind = bisect_left(self._breaks, negation.end)
        end = self._breaks[behind] if behind < len(self._breaks) else len(self.text)
        return {one.stem for one in self._telling_from(negation.end)[:_REACH] if one.start < end}

    def _telling_from(self, start: int) -> tuple[Token, ...]:
        return self.telling[bisect_left(self.telling, start, key=attrgetter("start")) :]

    @cached_property
    def _breaks(self) -> tuple[int, ...]:
        return tuple(found.start() for found in _BREAK.finditer(self.text))


@lru_cache(maxsize=_REMEMBERED)
def read(text: str) -> Claim:
    """Read a text; what was read lately is remembered."""
    return Claim(text)


LONGEST_SENTENCE = 360
"""Characters of a sentence; a longer one is read in parts."""


def nearest_sentences(claim: Claim, evidence: Sequence[str]) -> list[str]:
    """The sentences of evidence, those that share the most words with a claim first, of equal ones the first."""
    sentences = [one for text in evidence for one in sentences_of(text)]
    return sorted(sentences, key=lambda one: -len(claim.content & read(one).content))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a very long one in parts."""
    return [text[start:end] for start, end in sentence_spans(text, LONGEST_SENTENCE)]


SAME_MATTER = 0.8
"""Share of the words of a sentence from which on a source that has them speaks of the same."""


@dataclass(frozen=True)
class Case:
    """A sentence whose citations resolve.

    Attributes:
        sentence: What is judged.
        evidence: At least what it cites, by id.
        product: The product it speaks of.
    """

    sentence: Sentence
    evidence: Mapping[str, Evidence]
    product: Product | None

    @cached_property
    def said(self) -> Claim:
        """What the sentence says."""
        return read(self.sentence.text)

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        """The cited words, a text for each span."""
        return tuple(dict.fromkeys(map(self.quote, self.sentence.spans)))

    @cached_property
    def cited(self) -> Claim:
        """What the cited words say, a line or more for each span."""
        return read("\n".join(self.quotes))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the product."""
        if self.product is None:
            return ()
        brand, names = self.product.brand, (self.product.name, *self.product.aliases)
        return (*names, brand, *(f"{brand} {name}" for name in names)) if brand else names

    @cached_property
    def above(self) -> Claim:
        """What stands above the cited words: the product's names, titles, sections and the heads of tables."""
        titles = [text for item in self.items for text in (item.title, item.section or "")]
        heads = [_heads(self.evidence[span.evidence_id], span.start) for span in self.sentence.spans]
        return read("\n".join(dict.fromkeys(filter(None, [*self.names, *titles, *heads]))))

    @cached_property
    def told(self) -> Claim:
        """All that a sentence may say: the cited words and what stands above them."""
        return read(f"{self.cited.text}\n{self.above.text}")

    @cached_property
    def items(self) -> tuple[Evidence, ...]:
        """What is cited, each once."""
        return tuple(self.evidence[key] for key in dict.fromkeys(span.evidence_id for span in self.sentence.spans))

    @cached_property
    def derived(self) -> tuple[Derived, ...]:
        """What was computed for it."""
        return tuple(span.derived for span in self.sentence.spans if span.derived)

    def quote(self, span: Span) -> str:
        """The words of a span."""
        return self.evidence[span.evidence_id].text[span.start : span.end]

    def stands(self, text: str) -> bool:
        """Whether words stand side by side in a cited span, and no negation beside them is cut off."""
        run = read(text).run
        for quote in (read(quote).run for quote in self.quotes) if run.strip() else ():
            before, found, after = quote.partition(run)
            if found and not NEGATIONS & {*before.split()[-1:], *after.split()[:1]}:
                return True
        return False


def _heads(item: Evidence, start: int) -> str:
    """The heads of the table that a cited row belongs to."""
    return next((" ".join(row.heads) for row in rows_of(item) if row.start == start), "")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a sentence is refused for.

    Attributes:
        verdict: What it is refused for.
        finds: Tells the words that fail; none where a sentence passes.
        paraphrases: Whether only what a fluent writer says in its own words is held to it: a sentence built from its
            sources keeps their conditions and their words by construction.
    """

    verdict: Verdict
    finds: Callable[[Case], tuple[str, ...]]
    paraphrases: bool = False
