"""What a turn would write, held back until the turn is over: one that is abandoned or killed leaves no trace."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

from graph.draft import Dropped
from graph.parts import Recorder
from graph.turn import Turn
from ingestion.evidence import Evidence


class HeldCheckpoints(BaseCheckpointSaver[str]):
    """Reads through to another saver, and writes nothing until it is told to."""

    def __init__(self, saver: BaseCheckpointSaver[str]) -> None:
        super().__init__(serde=saver.serde)
        self._saver = saver
        self._held: list[Callable[[], object]] = []

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """What the conversation remembers."""
        return self._saver.get_tuple(config)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Hold a checkpoint."""
        self._held.append(partial(self._saver.put, config, checkpoint, metadata, new_versions))
        return {"configurable": {**config["configurable"], "checkpoint_id": checkpoint["id"]}}

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Hold what a step wrote."""
        self._held.append(partial(self._saver.put_writes, config, writes, task_id, task_path))

    def get_next_version(self, current: str | None, channel: None) -> str:
        """The version of a channel after this one."""
        return self._saver.get_next_version(current, channel)

    def write(self) -> None:
        """Write what was held, in its order."""
        for write in self._held:
            write()
        self._held.clear()


class HeldRecord:
    """Takes the audit row of a turn, and writes nothing until it is told to."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._held: tuple[Turn, Sequence[Evidence], Sequence[Dropped]] | None = None

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Hold a turn with its sources, and what was dropped."""
        self._held = (turn, sources, dropped)

    def write(self) -> Turn:
        """Write the turn, and return it."""
        assert self._held is not None, "the graph ended without a record"
        self._recorder.record(*self._held)
        return self._held[0]
