"""An event loop in a thread of its own: what waits in it can be cancelled at any point."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")


class LoopThread:
    """Runs coroutines for the threads of a process.

    Args:
        name: The thread's, as lists of threads show it.
    """

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine to its end, which it must find by itself."""
        return self.begin(coroutine).result()

    def begin(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Begin a coroutine; cancelling what is returned cancels it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def cancel_all(self) -> None:
        """Cancel what still runs, and wait until it has ended."""
        self.run(_cancel_others())

    def close(self) -> None:
        """Cancel what still runs, and stop the loop."""
        self.cancel_all()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
