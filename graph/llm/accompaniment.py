"""What is asked for beside an answer: at once, on the prompt that the server has just read."""

from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor

from graph.llm.experiences import EXPERIENCES, Experience, ExperienceContext
from graph.llm.model import Completion, LanguageModel, LanguageModelError
from graph.turn import Beside, Usage


class Accompaniment:
    """The experiences of one turn. They begin when the answer does: by then the server has the prefix.

    Args:
        model: The served model.
        names: The experiences that were asked for.
    """

    def __init__(self, model: LanguageModel, names: Collection[str]) -> None:
        self._model = model
        self._asked = [EXPERIENCES[name] for name in EXPERIENCES if name in names]
        self._pool = ThreadPoolExecutor(max_workers=max(len(self._asked), 1))
        self._running: list[tuple[Experience, Future[Completion]]] = []
        self.usage = Usage()
        self.failures: list[str] = []

    def begin(self, matter: ExperienceContext) -> None:
        """Ask for what does not need the answer."""
        self._ask(matter, after_answer=False)

    def finished(self, matter: ExperienceContext) -> Beside:
        """Ask for what reads the answer, if there is one, and wait for all."""
        if matter.answer:
            self._ask(matter, after_answer=True)
        found = Beside()
        for experience, future in self._running:
            try:
                completion = future.result()
            except LanguageModelError as error:
                self.usage += error.usage
                self.failures.append(f"{experience.name}: {error.reason}")
                continue
            self.usage += completion.usage
            shown = experience.read(completion.text, matter)
            found = found.model_copy(update={name: getattr(shown, name) for name in shown.model_fields_set})
        self._pool.shutdown()
        return found

    def _ask(self, matter: ExperienceContext, *, after_answer: bool) -> None:
        for experience in self._asked:
            if experience.after_answer is after_answer:
                request = experience.request(matter)
                self._running.append((experience, self._pool.submit(self._model.complete, request)))
