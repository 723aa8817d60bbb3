"""What to say when the shop does not say: the gap by its name, the nearest thing known, and a next step."""

import re
from collections import Counter
from collections.abc import Sequence

from graph.answering.asked import Asked
from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.kinds import FIRST_KINDS, POLICIES
from graph.answering.matching import attribute_lines, statements
from graph.answering.overview import price_of
from graph.answering.prose import sentence_of
from graph.draft import Block, Draft, Sentence
from graph.language.detection import FOREIGN
from graph.language.families import positive
from graph.language.indirect import indirect
from graph.language.names import LONGEST, name_pattern
from graph.language.sentences import capitalised, lower_name, plural, the
from graph.language.sources import source_kinds
from graph.language.terms import stem, terms, words
from graph.parts import CatalogResult, Question
from graph.turn import Clarification, ProductMatch, Suggestion
from ingestion.evidence import Evidence, Product

NEXT_STEP = "Shall I ask the shop's team?"
ASK_TEAM = "I'd like to talk to a person"
"""The reply that accepts the next step."""
OPTIONS = 6
ONLY_THIS = "I can only tell you what the shop's information says:"
PARTIAL = 0.8
"""How sure an answer stays that leaves a part of the question open."""
LONGEST_NAME = 3
_CODE = re.compile(r"[<>{}|\\`]|;[^;\n]*=|--\s*$")
"""Marks of code: nothing of such a message is repeated."""
_OF_IT = re.compile(r"(?i)(?<!\s)\s+(?:of|for|on) (it|they)\b")


def gap(asked: Asked, product: Product | None, question: Question) -> str:
    """Name what is missing in the words of the question."""
    about = f" on {the(product.name)}" if product else ""
    if _CODE.search(question.query):
        return f"I couldn't find an answer to that in the shop's information{about}."
    told = indirect(_unnamed(asked.text, product)) if product and not _in_compound(asked.text, product) else ""
    if told:
        return f"The shop's information{about} does not say {told}, so I can't confirm it."
    phrase = missing_phrase(asked, question)
    if phrase:
        return f"The shop's information{about} does not mention {phrase}, so I can't confirm it."
    matter = _matter(asked)
    return f"I couldn't find an answer {f'about {matter}' if matter else 'to that'} in the shop's information{about}."


def _in_compound(text: str, product: Product) -> bool:
    """Whether the product's name only tells which thing of another kind is meant: "an Aurora case"."""
    return name_pattern(product.name, r"\ban? ", r"\s+\w").search(text) is not None


def _unnamed(text: str, product: Product) -> str:
    """A clause with a pronoun for the product's name."""
    parts = product.name[:LONGEST].split()
    name = r"(?:the |this |a )?" + r"\s+".join(map(re.escape, parts))
    verb = re.match(r"(?i)(?:and |but |so )?(\w+)", text)
    many = plural(product.name) or (verb is not None and verb[1].lower() in ("are", "do", "were", "have"))
    pronoun = "they" if many else "it"
    said = re.sub(rf"(?i)\b{name}(?!\w)", pronoun, text)
    # Each word once: two ways to read the same words would be tried in all their combinations.
    part = "|".join(map(re.escape, {part.casefold(): part for part in parts}.values()))
    verbs = "is|are|does|do|can|will|has|have"
    opening = rf"(?i)^((?:and |but |so )?(?:{verbs})) (?:the|this|these) (?:{part})(?: (?:{part}))*\b"
    said = re.sub(opening, rf"\1 {pronoun}", said)
    return _OF_IT.sub(lambda found: "" if found[1].lower() == pronoun else found[0], said)


def _matter(asked: Asked) -> str:
    """What a clause is about, where its telling words stand side by side."""
    tokens = re.findall(r"[\w'’-]+", asked.text)
    places = [i for i, token in enumerate(tokens) if {stem(positive(word)) for word in words(token)} & asked.specific]
    if not places or places[-1] - places[0] != len(places) - 1 or len(places) > LONGEST_NAME:
        return ""
    return _inside(" ".join(tokens[place] for place in places), at_start=not places[0])


def _inside(phrase: str, *, at_start: bool) -> str:
    """A phrase inside a sentence, without the capital it has from the question's beginning."""
    return phrase[:1].lower() + phrase[1:] if at_start and re.match(r"[A-Z][a-z]", phrase) else phrase


def missing_phrase(asked: Asked, question: Question) -> str:
    """The words of a clause that no evidence holds, in their order; empty when each is held somewhere."""
    held = {term for item, _ in question.evidence for term in terms(f"{item.title} {item.section or ''} {item.text}")}
    cues = {
        cue for intent in question.intents for kind in FIRST_KINDS.get(intent, ()) for cue in source_kinds()[kind].cues
    }
    wanted = asked.specific - held - cues
    tokens = re.findall(r"[\w'’-]+", asked.text)
    places = [i for i, token in enumerate(tokens) if {stem(positive(word)) for word in words(token)} & wanted]
    # A gap is named only where it reads as a name: its words stand side by side and are few.
    if not places or places[-1] - places[0] != len(places) - 1 or len(places) > LONGEST_NAME:
        return ""
    after = tokens[places[-1] + 1 : places[-1] + 2]
    # "lifetime" is missing, yet it is a lifetime warranty that was asked for.
    whole = [stem(positive(word)) for token in after for word in words(token)]
    more = after if whole and set(whole) <= asked.terms else []
    named = " ".join([*(tokens[place] for place in places), *more])
    return _inside(named, at_start=not places[0])


def no_answer(missing: Sequence[tuple[Asked, Product | None]], question: Question) -> Draft:
    """State nothing about what was asked; name the gap, and what the shop does know."""
    sentences = [remark(gap(asked, product, question)) for asked, product in missing[:2]]
    near = [said for asked, _ in missing[:1] for said in related_products(asked, question)] or nearest_known(question)
    return Draft(
        outcome="no_answer",
        blocks=[paragraph(*sentences, *near, remark(NEXT_STEP))],
        confidence=0.3,
        missing=[missing_phrase(asked, question) or asked.text for asked, _ in missing],
        followups=[ASK_TEAM],
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in question.related],
    )


def related_products(asked: Asked, question: Question) -> list[Sentence]:
    """An accessory or sibling of the product that the question names, sold by itself."""
    found = []
    for product in question.related:
        if not asked.terms & set(terms(product.name)):
            continue
        for item, _ in question.evidence:
            rows = attribute_lines(item) if item.source_type == "spec" and item.product_id == product.id else []
            found += [
                cited(
                    f"The shop sells {the(product.name)} separately for {value}.",
                    span(item, start, end),
                    product_id=product.id,
                )
                for name, value, start, end in rows
                if name == "Price"
            ]
    return found


def nearest_known(question: Question) -> list[Sentence]:
    """What the best evidence does say, so that the refusal is no dead end."""
    wanted = [kind for intent in question.intents[:1] for kind in FIRST_KINDS.get(intent, ())[:1]]
    known = {product.id: product for product in (*question.products, *question.context)}
    for item, _ in question.evidence:
        # A rule of another product answers nothing here.
        if item.source_type in POLICIES and item.source_type in wanted and item.product_id in {None, *known}:
            start, end = statements(item)[0]
            label = source_kinds()[item.source_type].label
            lead = f"{capitalised(label)} {'do' if plural(label) else 'does'} say:"
            return [remark(lead), sentence_of(item, start, end, known.get(item.product_id or ""))]
    for product in (question.products or question.context)[:1]:
        for item, _ in question.evidence:
            if item.source_type == "spec" and item.product_id == product.id:
                return _covers(item, product)
    return []


def _covers(item: Evidence, product: Product) -> list[Sentence]:
    rows = [row for row in attribute_lines(item) if row[0] not in ("Brand", "Category", "Price")][:3]
    if not rows:
        return []
    listed = [lower_name(name) for name, *_ in rows]
    text = f"The specification of {the(product.name)} covers {joined(listed)}."
    return [cited(text, *(span(item, start, end) for _, _, start, end in rows), product_id=product.id)]


def unknown_product(catalog: CatalogResult) -> Draft:
    """Say that the shop does not sell it, and what comes nearest by name."""
    sentences = [remark(f"The shop has no {catalog.unknown[0]}.")]
    nearest = catalog.nearest[:3]
    if nearest:
        names = joined([the(match.name) for match in nearest])
        sentences.append(remark(f"The nearest {'are' if len(nearest) > 1 else 'is'} {names}."))
    return Draft(
        outcome="no_answer",
        blocks=[paragraph(*sentences)],
        confidence=0.6,
        suggestions=[Suggestion(product_id=match.id, name=match.name) for match in nearest],
        missing=[catalog.unknown[0]],
    )


def foreign() -> Draft:
    """Say that the question was not understood for its language."""
    return Draft(outcome="no_answer", blocks=[paragraph(remark(FOREIGN))], confidence=0.3, missing=["language"])


def only_this(question: Question) -> Draft:
    """Answer an instruction with what the shop does say, and with nothing of what was demanded."""
    prices = [sentence for product in question.products for sentence in price_of(product, question.evidence)]
    return Draft(
        outcome="clear" if prices else "no_answer",
        blocks=[paragraph(remark(ONLY_THIS.removesuffix(":") + (":" if prices else ".")), *prices)],
        confidence=0.8,
    )


def which_product(candidates: Sequence[ProductMatch], lead: Sequence[Block] = ()) -> Draft:
    """Ask which of several products is meant; options are their names."""
    shown = candidates[:OPTIONS]
    names = Counter(match.name for match in shown)
    # Products of the same name are told apart by their ids.
    labels = {match.name if names[match.name] == 1 else f"{match.name} ({match.id})": match.id for match in shown}
    question = f"Did you mean {joined([the(label) for label in labels], 'or')}?"
    return Draft(
        outcome="ambiguous",
        blocks=[paragraph(remark(question)), *lead],
        confidence=0.5,
        clarification=Clarification(question=question, options=list(labels)),
        options=labels,
        pending_kind="product",
        listed=[match.id for match in shown],
    )


def name_a_product(question: Question) -> Draft:
    """Ask for the product when the question needs one and the thread knows none."""
    words_ = "Which product do you mean? Tell me its name, or open its page."
    return Draft(
        outcome="ambiguous",
        blocks=[paragraph(remark(words_))],
        confidence=0.4,
        clarification=Clarification(
            question=words_, options=[match.name for match in question.catalog.nearest[:OPTIONS]]
        ),
        options={match.name: match.id for match in question.catalog.nearest[:OPTIONS]},
        pending_kind="product",
    )


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: `a, b and c`."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
