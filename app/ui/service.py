"""What the page needs of an assistant; tests pass a fake."""

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import Protocol

from app.begun import Interrupted
from app.events import TurnEvent
from app.records import ThreadSummary, Thumb
from graph.turn import Style, Turn, User
from ingestion.evidence import Evidence, Product


class Service(Protocol):
    """An assistant as the page sees it; `app.assistant.Assistant` is one."""

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id."""
        ...

    @property
    def regions(self) -> Sequence[str]:
        """The regions the shop names."""
        ...

    @property
    def experiences(self) -> Sequence[str]:
        """What else can be asked for beside an answer."""
        ...

    def stream(
        self,
        text: str,
        thread: str | None = None,
        style: Style = "text",
        user: User | None = None,
        experiences: Collection[str] = (),
    ) -> Generator[TurnEvent]:
        """Answer one question piece by piece."""
        ...

    def threads(self) -> list[ThreadSummary]:
        """The latest conversations, latest first."""
        ...

    def history(self, thread: str) -> list[Turn]:
        """The turns of a conversation, oldest first."""
        ...

    def interrupted(self, thread: str) -> list[Interrupted]:
        """The questions of a conversation that were never answered, oldest first."""
        ...

    def source(self, evidence_id: str, generation: str) -> Evidence:
        """What a citation points to, as it was when it was cited."""
        ...

    def feedback(self, thread: str) -> dict[str, Thumb]:
        """What the user thought of the turns of a conversation, by turn id."""
        ...

    def record_feedback(self, turn_id: str, thumb: Thumb | None) -> None:
        """Keep what the user thought of a turn."""
        ...
