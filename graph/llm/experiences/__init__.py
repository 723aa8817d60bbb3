"""Multi-UX Inference: further requests on the prefix of an answer, each a suffix file and a class of its own.

After "Cite Before You Speak", section 5: what a new experience asks for is appended to a prompt that the server has
read already, so that it changes no other experience and costs no second reading.
"""

from graph.llm.experiences.blurb import CardBlurb
from graph.llm.experiences.experience import Experience, ExperienceContext
from graph.llm.experiences.followups import FollowUps
from graph.llm.experiences.judge import AnswerJudge

EXPERIENCES: dict[str, Experience] = {one.name: one for one in (FollowUps(), CardBlurb(), AnswerJudge())}
"""All that can be asked for beside the cited answer, by name."""

__all__ = ["EXPERIENCES", "AnswerJudge", "CardBlurb", "Experience", "ExperienceContext", "FollowUps"]
