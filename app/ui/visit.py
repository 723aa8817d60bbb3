"""An assistant as one visitor sees it: all that the page asks, and it is asked for their conversations alone."""

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import TYPE_CHECKING

from app.storage.begun_turns import Interrupted
from app.storage.records import ThreadSummary, Thumb
from app.turns import TurnEvent
from graph.turn import Style, Turn, User
from ingestion.evidence import Evidence, Product

if TYPE_CHECKING:
    from app.assistant import Assistant


class Visit:
    """What the page needs of an assistant, for one owner; tests of the page pass a fake.

    Args:
        assistant: That of all visitors.
        owner: Whose visit it is.
    """

    def __init__(self, assistant: "Assistant", owner: str) -> None:
        self._assistant, self._owner = assistant, owner

    @property
    def owner(self) -> str:
        """Under which name the visitor's conversations are kept."""
        return self._owner

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id."""
        return self._assistant.products

    @property
    def regions(self) -> Sequence[str]:
        """The regions the shop names."""
        return self._assistant.regions

    @property
    def experiences(self) -> Sequence[str]:
        """What else can be asked for beside an answer."""
        return self._assistant.experiences

    def stream(
        self,
        text: str,
        thread: str | None = None,
        style: Style = "text",
        user: User | None = None,
        experiences: Collection[str] = (),
    ) -> Generator[TurnEvent]:
        """Answer one question piece by piece."""
        return self._assistant.stream(text, thread, style, user, experiences, self._owner)

    def threads(self) -> list[ThreadSummary]:
        """The visitor's latest conversations, latest first."""
        return self._assistant.threads(self._owner)

    def history(self, thread: str) -> list[Turn]:
        """The turns of a conversation of theirs, oldest first."""
        return self._assistant.history(thread, self._owner)

    def interrupted(self, thread: str) -> list[Interrupted]:
        """Their questions that were never answered, oldest first."""
        return self._assistant.interrupted(thread, self._owner)

    def source(self, evidence_id: str, generation: str) -> Evidence:
        """What a citation of theirs points to, as it was when it was cited."""
        return self._assistant.source(evidence_id, generation, self._owner)

    def feedback(self, thread: str) -> dict[str, Thumb]:
        """What they thought of the turns of a conversation, by turn id."""
        return self._assistant.feedback(thread, self._owner)

    def record_feedback(self, turn_id: str, thumb: Thumb | None) -> None:
        """Keep what they thought of a turn."""
        self._assistant.record_feedback(turn_id, thumb, self._owner)
