"""The dialogue manager: a model reads the conversation where rules are not sure, and its reading is checked."""

from graph.llm.dialogue.manager import REFINEMENTS, DialogueManager, Refinement

__all__ = ["REFINEMENTS", "DialogueManager", "Refinement"]
