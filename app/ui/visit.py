"""An assistant as one visitor sees it: all that the page asks, and it is asked for their conversations alone."""

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.assistant import Assistant


class Visit:
    """What the page needs of an assistant, for one owner. Tests pass a fake.

    Attributes:
        owner: Under which name the visitor's conversations are kept.
    """

    def __init__(self, assistant: "Assistant", owner: str) -> None:
        """Begin a visit.

        Args:
            assistant: That of all visitors.
            owner: Whose visit it is.
        """
        self.owner = owner
        self.products, self.regions, self.experiences = assistant.products, assistant.regions, assistant.experiences
        self.find_products, self.details = assistant.find_products, assistant.details
        self.stream = partial(assistant.stream, owner=owner)
        self.source = partial(assistant.source, owner=owner)
        self.threads = partial(assistant.records.threads, owner=owner)
        self.name_thread = partial(assistant.records.name_thread, owner=owner)
        self.forget = partial(assistant.forget, owner=owner)
        self.history = partial(assistant.records.history, owner=owner)
        self.being_answered = partial(assistant.records.being_answered, owner=owner)
        self.interrupted = partial(assistant.records.interrupted, owner=owner)
        self.messages = partial(assistant.records.messages, owner=owner)
        self.feedback = partial(assistant.records.feedback, owner=owner)
        self.record_feedback = partial(assistant.records.record_feedback, owner=owner)
