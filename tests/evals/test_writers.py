"""The table of writers: what a plain prompt comes to, what is compared, and what the page tells."""

from collections.abc import Callable, Generator
from typing import Any

import pytest

from app.errors import InputError
from app.llm.options import LlmOptions
from app.settings import Settings
from evals.report import mean_metric
from evals.writers import REFUSAL, Told, Writing, as_lines, as_markdown, plainly, ways
from graph.llm.model import Completion, LanguageModelError, Piece, Request
from graph.turn import Turn, Usage
from ingestion.evidence import Evidence

WEIGHT = Evidence("spec:tarn-2", "spec", "Weight: 1.9 kg", "Tarn 2 specifications", "tarn-2")
RULE = Evidence("return_policy:all", "return_policy", "Items can be returned within 30 days.", "Returns", "all")
ENDPOINT = {"base_url": "http://localhost/v1"}


class Says:
    """A model that says one thing, and may break off behind it."""

    name = "says"

    def __init__(self, text: str, *, breaks: bool = False) -> None:
        self.text, self.breaks = text, breaks
        self.asked: list[Request] = []

    def stream(self, request: Request) -> Generator[Piece]:
        self.asked.append(request)
        yield Piece(self.text)
        if self.breaks:
            reason = "no whole answer in time"
            raise LanguageModelError(reason, Usage(llm_calls=1, prompt_tokens=7))
        yield Piece(usage=Usage(llm_calls=1, prompt_tokens=9))

    def complete(self, request: Request) -> Completion:
        return Completion.of(self.stream(request))

    def close(self) -> None:
        pass


@pytest.fixture
def asked(make_turn: Callable[..., Turn]) -> Turn:
    return make_turn(standalone_query="How heavy is the Tarn 2, and can I return it?")


def test_a_plain_answer_is_shown_as_it_is_with_the_sources_that_it_names(asked: Turn) -> None:
    model = Says("It weighs 1.9 kg [1]. It can go back within 90 days [2]. Enjoy it [7].")
    turn, _ = plainly(model, asked, [WEIGHT, RULE])
    assert turn.outcome == "clear"
    assert [one.text for one in turn.sentences] == ["It weighs 1.9 kg.", "It can go back within 90 days.", "Enjoy it."]
    assert [one.citations for one in turn.sentences] == [[1], [2], []]
    assert [one.evidence_id for one in turn.citations] == ["spec:tarn-2", "return_policy:all"]
    assert turn.usage == Usage(llm_calls=1, prompt_tokens=9)
    (request,) = model.asked
    assert "[2] Returns\nItems can be returned" in request.prompt.shared


@pytest.mark.parametrize("text", ["", "NOT STATED", f"{REFUSAL}."])
def test_a_plain_refusal_is_no_answer(asked: Turn, text: str) -> None:
    turn, _ = plainly(Says(text), asked, [WEIGHT])
    assert (turn.outcome, turn.sentences, turn.citations) == ("no_answer", [], [])


def test_what_a_model_wrote_before_it_failed_was_shown(asked: Turn) -> None:
    turn, _ = plainly(Says("It weighs 1.9 kg [1].", breaks=True), asked, [WEIGHT])
    assert [one.text for one in turn.sentences] == ["It weighs 1.9 kg."]
    assert turn.usage.prompt_tokens == 7


def test_we_alone_are_compared_with_the_models_of_settings_and_variants() -> None:
    small, large = (LlmOptions(**ENDPOINT, model=name) for name in ("small", "large"))
    settings = Settings.load().model_copy(update={"llm": small})
    variant = settings.model_copy(update={"llm": large})
    both = settings.model_copy(update={"variants": {"other": variant}})
    assert list(ways(settings)) == [
        "local", "small, where we are unsure", "small, in every answer", "small, plain prompt, unverified"
    ]  # fmt: skip
    assert len(ways(both)) == 7
    assert list(ways(both, ["never", "plain"])) == [
        "local", "small, plain prompt, unverified", "large, plain prompt, unverified"
    ]  # fmt: skip
    with pytest.raises(InputError, match="name none"):
        ways(settings.model_copy(update={"llm": LlmOptions()}))


def test_the_page_tells_each_way_with_what_was_not_shown_and_why(asked: Turn) -> None:
    plain, _ = plainly(Says("It weighs 9 kg [1]."), asked, [WEIGHT])
    told = Told("small", plain, [WEIGHT], ["support", "support"], 1.25, ["It weighs 9 kg."])
    figures: dict[str, Any] = dict.fromkeys(("precision", "recall", "refusal_rate", "cgr", "ccr"), mean_metric([0.5]))
    writing = Writing("small", [told], [True, False], {"rows": figures | {"ccov": mean_metric([1.0])}})
    page = as_markdown([writing], at_once=3)
    assert "| small | 0.500 |" in page
    assert "at the same time: 3" in page
    assert "| small | support | 2 |" in page
    assert "## rows (1 rows)" in page
    (line,) = as_lines([writing])
    assert (line["unsupported"], line["dropped"], line["quotes"]) == (
        ["It weighs 9 kg."], ["support", "support"], {"1": "Weight: 1.9 kg"}
    )  # fmt: skip
