"""Two ways to lay out the same texts of a request: ours, and that of applications that do not think of the cache."""

import re
from collections.abc import Callable, Mapping

from graph.llm.model import Prompt

_PART = re.compile(r"<(evidence|customer|notes|question|conversation)>\n.*?\n</\1>", re.DOTALL)
_NAIVE_ORDER = ("question", "conversation", "customer", "notes", "evidence")
_TASK = re.compile(r'<task name="([^"]+)">')

Layout = Callable[[Prompt], Prompt]


def cached_first(prompt: Prompt) -> Prompt:
    """Ours: rules, evidence, customer, notes and question, and last what this request alone asks for."""
    return prompt


def question_first(prompt: Prompt) -> Prompt:
    """The usual one: instructions for this request, then the question, then the evidence.

    The general rules still come first, which is the better of the usual orders: they at least are cached.
    """
    parts = {match[1]: match[0] for match in _PART.finditer(prompt.shared)}
    shared = "\n\n".join(parts[name] for name in _NAIVE_ORDER if name in parts)
    return Prompt(f"{prompt.static}\n\n{prompt.suffix}", f"{shared}\n\n", "")


LAYOUTS: Mapping[str, Layout] = {"ours": cached_first, "naive": question_first}


def task_of(prompt: Prompt) -> str:
    """What a request asks for: `answer`, `repair`, `dialogue`, or the name of an experience."""
    found = _TASK.search(prompt.suffix)
    return found[1] if found else "other"
