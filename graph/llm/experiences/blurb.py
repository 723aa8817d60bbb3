"""The text of a product card: plain sentences without markers, verified as the answer's are."""

from graph.draft import Sentence
from graph.llm.experiences.experience import ExperienceContext
from graph.llm.model import Request
from graph.turn import Beside, Blurb
from ingestion.spans import sentence_spans

_MAX_TOKENS = 120
_GRAMMAR = r"""root ::= sentence (" " sentence)?
sentence ::= [A-Z0-9] [^\n\[\]<>.]{8,200} "."
"""
_MOST = 2


class CardBlurb:
    """Asks for a card's text; a sentence is shown where some evidence bears it out, which is kept beside it."""

    name = "blurb"
    after_answer = False

    def request(self, matter: ExperienceContext) -> Request:
        """One or two sentences."""
        return Request(matter.request_prompt(self.name), _MAX_TOKENS, grammar=_GRAMMAR)

    def read(self, text: str, matter: ExperienceContext) -> Beside:
        """The sentences that evidence bears out."""
        flat = " ".join(text.split())
        spoken = [flat[start:end] for start, end in sentence_spans(flat)][:_MOST]
        shown: list[Sentence] = [one for said in spoken for one in matter.acceptance.accepted([(said, ())])]
        if not shown:
            return Beside()
        ids = dict.fromkeys(span.evidence_id for sentence in shown for span in sentence.spans)
        return Beside(blurb=Blurb(text=" ".join(one.text.strip() for one in shown), evidence_ids=list(ids)))
