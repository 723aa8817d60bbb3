"""Answers from prose: the sentence that answers, quoted, with the conditions that belong to it."""

import re
from collections.abc import Sequence
from functools import partial

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.conversion import in_unit
from graph.answering.fragments import completed
from graph.answering.kinds import KIND_INTENT, POLICIES
from graph.answering.matching import (
    SentenceMatch,
    attribute_lines,
    context_terms,
    for_all_places,
    match_sentences,
    spoken_of_product,
    states_problem,
)
from graph.answering.prose_verdict import prose_verdict
from graph.draft import Sentence
from graph.language.measures import agreement
from graph.language.sources import quoted, source_kinds
from graph.language.terms import terms
from graph.language.units import wanted_unit
from graph.parts import Encoder
from ingestion.evidence import Evidence, Product, lines
from ingestion.spans import sentence_spans

PROSE = POLICIES | {"help_article", "manual", "description", "feature", "datasheet"}
ACCEPTED = 0.42
"""Least score of a sentence that covers everything asked."""
ACCEPTED_BY_MEANING = 0.6
"""Least score of one that leaves a word of the question uncovered."""
RECOGNISED, ACCEPTED_BESIDE = 0.6, 0.4
"""Score of the statement of a problem that is the one asked about, and least score of what is said beside it."""
EQUAL = 0.03
ACCEPTED_IN_ARTICLE = 0.5
"""Least score of a sentence of an article that covers everything asked, if not in that sentence."""
ACCEPTED_POLICY = 0.34
"""Least score of a policy of the kind that was asked for."""
OF_A_PRODUCT = frozenset({"product_spec", "size_and_fit", "variant", "opinion"})
"""Intents that ask what a product is like."""
ARTICLES, TABLE_ROW, NEAR = ("help_article", "manual"), " | ", 0.2
NUMERAL = (
    r"(?:\d[\d.,]{0,15}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty|few|several"
    r"|same)"
)
LENGTH = re.compile(
    rf"(?i)\b{NUMERAL}[\s-]*(?:(?:to|or|and|–|-)\s*{NUMERAL}[\s-]*)?(?:\w+ )?"
    r"(?:hours?|h|days?|min(?:ute)?s?|weeks?|months?|years?|seconds?|s|mm|cm|m|inch(?:es)?|feet|km)\b"
    r"|\d\s*\\?[\"”″]|\b(?:immediately|at once|today|tomorrow|overnight|all day|lifetime)\b"
)
FIGURE = re.compile(
    r"(?i)\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|once|twice|hour|day|week|month|year|free|"
    r"today|tomorrow|immediately|unlimited|lifetime|always|never|every|daily|weekly|monthly|(mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)s?\b|\b(january|february|march|april|june|july|august|september|october|november|december)\b"
)
MOST = 3
SHORT_FACT = 2
UNCOVERED_SHARE = ECHO_SHARE = 0.34
"""A sentence with fewer new words than this only repeats the question."""
HEADING_WORDS = 10
LISTED = 3
"""Semicolons of a line of keywords."""
END_MARK = re.compile(r"[.!?…:;][\"'”’)\]]*$")
MONEY = re.compile(r"(?i)[$€£₹¥]|\b(free|no charge|nothing|usd|eur|dollars?|euros?)\b|%|percent")
BULLET = re.compile(r"[-•*]\s+")
DEMAND = re.compile(r"(?i)\b(must|have to|has to|need to|needs to|required)\b")
RECEIVING = re.compile(
    r"(?i)\b(?:when|how (?:long|soon)\b.{0,200}) (?:do|will|would|can|should|until|till|before) (?:i|we) "
    r"(?:get|receive|see|have)\b"
)
"""Asks when something reaches the customer."""
PERMITTED = re.compile(
    r"(?i)\b(?:can|may|must|could)\b(?: only| also)?(?: be)? (?:return|exchang|sen[dt]|cancel|claim|swap)\w*"
)
"""Says until when the customer may do something."""
CONDITION = re.compile(
    r"(?i)(but|however|unless|except|only|if|it|this|they|these|after|before|otherwise|in that case|exceptions?|not"
    r" covered)\b"
)


def find_prose(
    asked: Asked,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    encoder: Encoder,
    intents: Sequence[str],
    *,
    narrow: bool,
) -> list[Candidate]:
    """The best answer of every kind of prose, where it has one.

    Args:
        asked: The clause.
        product: The product it is about.
        evidence: What was found.
        encoder: Compares meanings.
        intents: Selected intents, likeliest first.
        narrow: Whether a product is at hand, so that a rule for it comes before a general one.
    """
    prose = [
        (item, score)
        for item, score in evidence
        if item.source_type in PROSE and not (product and _of_no_product(item, intents))
    ]
    useful = partial(_may_count, asked, intents)
    matches = match_sentences(asked, prose, encoder, narrow=narrow, useful=useful)
    accepted = [match for match in matches if acceptable(asked, match, intents)]
    if matches and _recognised(matches[0], accepted):
        # Then every sentence counts: another may come closer, and those of the article are what is looked for.
        matches = match_sentences(asked, prose, encoder, narrow=narrow)
        accepted = _beside_question(asked, matches, intents) or accepted
    kinds = dict.fromkeys(match.evidence.source_type for match in accepted)
    own = {kind: [match for match in accepted if match.evidence.source_type == kind] for kind in kinds}
    return [_candidate(asked, product, found, encoder) for found in own.values()]


def _of_no_product(item: Evidence, intents: Sequence[str]) -> bool:
    """Whether an article of the whole shop is no answer to what a product is like."""
    return item.source_type == "help_article" and not item.product_id and OF_A_PRODUCT.issuperset(intents[:1])


def _may_count(asked: Asked, intents: Sequence[str], match: SentenceMatch) -> bool:
    """Whether a sentence of this score would be accepted, or recognised as the statement of a problem."""
    stating = match.evidence.source_type in ARTICLES and match.score >= RECOGNISED
    return stating or acceptable(asked, match, intents)


def _recognised(first: SentenceMatch, accepted: Sequence[SentenceMatch]) -> bool:
    """Whether the best sentence is of an article that states the very problem asked about, and answers it nowhere."""
    stating = first.evidence.source_type in ARTICLES and first.score >= RECOGNISED
    return stating and not any(match.evidence.row_id == first.evidence.row_id for match in accepted)


def _beside_question(asked: Asked, matches: Sequence[SentenceMatch], intents: Sequence[str]) -> list[SentenceMatch]:
    """What an article says that states the very problem asked about: its other sentences, outside of that statement."""
    accepted = [match for match in matches if acceptable(asked, match, intents)]
    if not _recognised(matches[0], accepted):
        return []
    return [
        match
        for match in matches
        if match.evidence.row_id == matches[0].evidence.row_id
        and match.score >= ACCEPTED_BESIDE
        and not states_problem(match.evidence)
        and not _says_nothing(asked, match, intents)
    ]


def acceptable(asked: Asked, match: SentenceMatch, intents: Sequence[str]) -> bool:
    """Whether a sentence is about what was asked, as far as words and meaning tell."""
    kind = match.evidence.source_type
    covered = frozenset(terms(spoken_of_product(match.evidence, match.text))) | context_terms(match.evidence)
    uncovered = asked.uncovered(covered)
    # In an article, the sentences around one say what it is about.
    about = covered | (frozenset(terms(match.evidence.text)) if kind in ARTICLES else frozenset())
    unsaid = hard_terms(asked, kind) - about
    if _says_nothing(asked, match, intents) or unsaid or lacks_figure(asked, match.text):
        return False
    if kind in POLICIES and not asked.specific and asked.quantity and KIND_INTENT.get(kind) in intents[:1]:
        # "How many do you have": only the intent says what is asked for.
        return True
    if not uncovered:
        return match.score >= (ACCEPTED_POLICY if kind in POLICIES else ACCEPTED)
    named = bool(asked.terms & source_kinds()[kind].core) if kind in POLICIES else False
    if kind in POLICIES and KIND_INTENT.get(kind) in (intents if named else intents[:1]):
        return match.score >= ACCEPTED_POLICY and not (asked.yes_no and uncovered)
    few = len(uncovered) <= len(asked.specific) * UNCOVERED_SHARE
    if kind in ARTICLES and not asked.uncovered(about):
        return few and match.score >= ACCEPTED_IN_ARTICLE
    return not asked.yes_no and few and match.score >= ACCEPTED_BY_MEANING


def _says_nothing(asked: Asked, match: SentenceMatch, intents: Sequence[str]) -> bool:
    """Whether a line asks, only names something, repeats the question, or is a rule of a kind nobody asked for."""
    text, kind = match.text, match.evidence.source_type
    said = frozenset(terms(text))
    listing = text.count(";") >= LISTED and not END_MARK.search(text)
    item = match.evidence.text[match.start - 2 : match.start].strip() == "-" or text.startswith("- ")
    titled = not END_MARK.search(text) and len(text.split()) <= HEADING_WORDS
    heading = kind in ARTICLES and titled and not item
    echo = kind in ARTICLES and not asked.yes_no and len(said - asked.terms) <= len(said) * ECHO_SHARE
    other = kind in POLICIES and KIND_INTENT.get(kind) not in intents
    unasked = other and (asked.quantity or not asked.specific)
    return text.endswith("?") or TABLE_ROW in text or heading or listing or echo or unasked


def lacks_figure(asked: Asked, text: str) -> bool:
    """Whether a figure or a length of time is asked for and none is given."""
    if (asked.money and not MONEY.search(text)) or (RECEIVING.search(asked.text) and PERMITTED.search(text)):
        return True
    if asked.duration:
        return not LENGTH.search(text) and agreement(asked.sought, "", text) <= 0
    return asked.quantity and not FIGURE.search(text)


def hard_terms(asked: Asked, kind: str) -> frozenset[str]:
    """Proper names and, but for policies, figures: an answer that does not hold them answers something else.

    Figures in a question about a policy tell the customer's case ("after 11 days").
    """
    figures = [] if kind in POLICIES else re.findall(r"\d[\d.,]*", asked.text)
    names = re.findall(r"(?<=[\w,] )[A-Z][\w-]*", asked.text)
    return frozenset(term for name in [*names, *figures] for term in terms(name)) & asked.specific


def _candidate(asked: Asked, product: Product | None, matches: list[SentenceMatch], encoder: Encoder) -> Candidate:
    policy = matches[0].evidence.source_type in POLICIES
    matches = for_all_places(asked, matches) if policy else matches
    best = matches[0]
    if policy:
        chosen = [m for m in _one_each(matches) if m.score >= best.score - NEAR][:MOST]
        sentences = [sentence for match in chosen for sentence in _with_conditions(match, product)]
    else:
        chosen = _together(matches)
        sentences = [sentence for match in chosen for sentence in _with_conditions(match, product)][:MOST]
    sentences = [in_unit(sentences[0], wanted_unit(asked.text)), *sentences[1:]]
    if asked.yes_no and (verdict := prose_verdict(asked, product, matches, encoder)):
        sentences = [remark(verdict), *sentences]
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=best.score,
        source_type=best.evidence.source_type,
        evidence_ids=frozenset(match.evidence.evidence_id for match in chosen),
    )


def _together(matches: Sequence[SentenceMatch]) -> list[SentenceMatch]:
    """The best sentence, and one of the same article that is as good, in their order."""
    best = matches[0]
    if best.evidence.source_type not in ARTICLES:
        return [best]
    near = [m for m in matches[1:] if m.evidence.row_id == best.evidence.row_id and m.score >= best.score - EQUAL]
    return sorted([best, *near[:1]], key=lambda match: (match.evidence.evidence_id, match.start))


def _one_each(matches: list[SentenceMatch]) -> list[SentenceMatch]:
    first: dict[str, SentenceMatch] = {}
    for match in matches:
        first.setdefault(match.evidence.evidence_id, match)
    return list(first.values())


def _with_conditions(match: SentenceMatch, product: Product | None) -> list[Sentence]:
    """The sentence, and those right after it that limit or continue it."""
    stated = {at[2:] for at in attribute_lines(match.evidence) if at[2]}
    spans = [at for at in sentence_spans(match.evidence.text) if at not in stated or at == (match.start, match.end)]
    index = spans.index((match.start, match.end))
    chosen = [spans[index]]
    for start, end in spans[index + 1 : index + MOST]:
        following = match.evidence.text[start:end]
        if not CONDITION.match(following) and not DEMAND.search(following) and not _short_fact(match.evidence, spans):
            break
        chosen.append((start, end))
    return [sentence_of(match.evidence, start, end, product) for start, end in chosen]


def _short_fact(evidence: Evidence, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a fact is two sentences that belong together."""
    return evidence.source_type in POLICIES and len(spans) <= SHORT_FACT


def sentence_of(evidence: Evidence, start: int, end: int, product: Product | None) -> Sentence:
    """A quoted sentence, or a fragment completed to one where a shop writes `Name: fragment`."""
    if BULLET.match(evidence.text[start:end]):
        return _list_item(evidence, start, end, product)
    text = re.sub(r"^\d+[.)]\s+|^(?:Answer|Question):\s*", "", evidence.text[start:end])
    text = completed(text, evidence, product) or quoted(evidence.source_type, text)
    about = product.id if product and evidence.product_id == product.id else evidence.product_id
    return cited(text, span(evidence, start, end), product_id=about)


def _list_item(evidence: Evidence, start: int, end: int, product: Product | None) -> Sentence:
    """An item of a list behind what introduces the list, without which it says nothing."""
    text = BULLET.sub("", evidence.text[start:end])
    before = [at for at in lines(evidence.text) if at[1] <= start and not BULLET.match(evidence.text[slice(*at)])]
    spans = [span(evidence, start, end)]
    lead = (evidence.section or evidence.title).rsplit(" > ", 1)[-1]
    if before and evidence.text[slice(*before[-1])].endswith(":"):
        lead = evidence.text[slice(*before[-1])].removesuffix(":")
        spans.insert(0, span(evidence, *before[-1]))
    about = product.id if product and evidence.product_id == product.id else evidence.product_id
    return cited(quoted("help_article", f"{lead}: {text}"), *spans, product_id=about)
