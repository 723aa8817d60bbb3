"""Follow-up suggestions: questions that the evidence at hand answers."""

from graph.language.terms import terms
from graph.llm.experiences.experience import ExperienceContext
from graph.llm.model import Request
from graph.turn import Beside

MOST = 3
_MAX_TOKENS = 120
_LONGEST = 120
_GRAMMAR = r"""root ::= question ("\n" question){0,2}
question ::= [A-Z] [^\n\[\]<>?]{8,110} "?"
"""


class FollowUps:
    """Asks for questions to go on with; none is shown that speaks of what neither evidence nor question holds."""

    name = "followups"
    after_answer = False

    def request(self, matter: ExperienceContext) -> Request:
        """A few lines, a question each."""
        return Request(matter.request_prompt(self.name), _MAX_TOKENS, grammar=_GRAMMAR)

    def read(self, text: str, matter: ExperienceContext) -> Beside:
        """The first few questions that can be asked here."""
        question = matter.acceptance.question
        known = {term for item, _ in question.evidence for term in terms(f"{item.title} {item.text}")}
        known.update(terms(question.standalone_query))
        lines = dict.fromkeys(line.strip("-*• ").strip() for line in text.splitlines())
        asked = [
            line
            for line in lines
            if line.endswith("?") and len(line) <= _LONGEST and terms(line) and set(terms(line)) <= known
            and line.casefold() != question.standalone_query.casefold()
        ]  # fmt: skip
        return Beside(followups=asked[:MOST])
