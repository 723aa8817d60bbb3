"""The tables: an intent or a kind of evidence more is one entry, and nothing else in the code names it."""

import subprocess
import sys
from pathlib import Path

import pytest

from evals.training.intent_model import UTTERANCES
from graph.intents import INTENT_TABLE, INTENTS
from ingestion.source_types import SOURCE_TYPES

ROOT = Path(__file__).parents[3]

ENTRIES = {
    "ingestion/source_types.toml": """
[wobble_notice]
name = "Wobble"
label = "the wobble notice"
cues = ["wobble", "wobbles"]
primary = true
policy = true
timely = true
""",
    "graph/intents/intents.toml": """
[wobbles]
reads = ["wobble_notice", "help_article"]
first = ["wobble_notice", "help_article"]
for_shop = true
""",
}
"""What someone adds to the tables."""

TRIED = """
import importlib.resources as resources
from pathlib import Path

real, root, added = resources.files, Path({root!r}), {entries!r}

class Table:
    def __init__(self, package):
        self.package = package

    def joinpath(self, *names):
        self.name = "/".join(names)
        return self

    def __truediv__(self, name):
        return real(self.package) / name

    def read_text(self, encoding):
        path = self.package.replace(".", "/") + "/" + self.name
        return real(self.package).joinpath(self.name).read_text(encoding=encoding) + added.get(path, "")

resources.files = Table

from app.presentation import source_name
from graph.intents.entropy import normalised_entropy
from graph.intents import DECISION_INTENTS
from tests.graph.answering.asking import cited_in, draft_of, question
from tests.graph.shops import make_shop

even = dict.fromkeys(DECISION_INTENTS, 1 / len(DECISION_INTENTS))
assert abs(normalised_entropy(even) - 1) < 1e-9
noticed = {{"id": "lid", "source_type": "Wobble notice", "text": "The lid of the kettle wobbles."}}
shop = make_shop([], facts=[noticed])
draft = draft_of(question(shop, "Which lid wobbles?", intents=("wobbles",)))
assert draft.outcome == "clear", draft
assert cited_in(draft) == ["wobble_notice:lid"]
assert source_name("wobble_notice") == "Wobble"
"""


def test_an_entry_is_all_that_a_new_kind_and_a_new_intent_need() -> None:
    script = TRIED.format(root=str(ROOT), entries=ENTRIES)
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("intent", INTENTS)
def test_every_intent_is_worded(intent: str) -> None:
    assert (UTTERANCES / f"{intent}.txt").is_file()


@pytest.mark.parametrize("intent", INTENT_TABLE)
def test_an_intent_reads_kinds_that_there_are_and_the_best_of_them_first(intent: str) -> None:
    entry = INTENT_TABLE[intent]
    assert entry.reads <= SOURCE_TYPES
    assert set(entry.first) & entry.reads
