"""What a small model is taught to write: the requests of turns, each beside a reply that is shown as it stands.

The shops are those below `evals/training/shops`. A reply is dictated to the writer that ships, and taught only if its
verifier drops nothing of it.
"""

import json
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from app.llm.options import LlmOptions
from evals.conversations.replay import shop_context
from evals.row_turns import past_turns
from evals.rows import Message, RewritingRow
from evals.shops import read_folder
from evals.shops.questions import shop_questions
from evals.training.reader_examples import SHOPS, Answer, AskedMessage, ShopRow, written_for
from evals.training.recipe import pack_rows
from graph.build import build_graph
from graph.catalog import LocalCatalog
from graph.discourse import Discourse
from graph.draft import Block, Draft, Sentence, YesNo
from graph.llm.dialogue import DialogueContext, DialogueReply, dialogue_prompt, fault_of
from graph.llm.markers import marker_of
from graph.llm.model import Completion, Piece, Prompt, Request
from graph.llm.prompts import prompt_text
from graph.llm.turn_prompt import turn_prompt
from graph.parts import Question, Writer, Written
from graph.rewriting.flags import Flags
from graph.state import CHECKPOINTED, TurnInput
from graph.turn import Page, Usage, User
from ingestion.evidence import Evidence
from ingestion.statements import plain

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


Dictate = Callable[[str], Writer]
CLEAR = "outcome: clear"

ExampleKind = Literal["answer", "refusal", "followups", "dialogue"]


@dataclass(frozen=True, slots=True)
class WriterExample:
    """A request, and what a model should write to it."""

    kind: ExampleKind
    prompt: Prompt
    reply: str


class Dictated:
    """A language model that writes what it was told to: as an answer its reply, else what may be asked next."""

    name = "dictated"

    def __init__(self, questions: Sequence[str]) -> None:
        self.reply, self._questions = "", "\n".join(questions)

    def complete(self, request: Request) -> Completion:
        """All that may be asked next."""
        del request
        return Completion(self._questions, Usage())

    def stream(self, request: Request) -> Generator[Piece]:
        """The reply as one piece."""
        del request
        yield Piece(self.reply)

    def close(self) -> None:
        """Nothing is open."""


NOWHERE = LlmOptions(base_url="http://localhost/v1", model=Dictated.name, rewrite="local")
"""An endpoint that nobody calls: what it would write is dictated."""


class Asked:
    """A writer that writes nothing, and remembers what it was asked."""

    offered: Collection[str] = ()
    only_unsure = False

    def __init__(self) -> None:
        self._taken: tuple[Question, Question] | None = None

    def take(self) -> tuple[Question, Question] | None:
        """What it was asked since it was last taken: the question as a model reads it, and with all of its evidence."""
        taken, self._taken = self._taken, None
        return taken

    def write(
        self,
        question: Question,
        sources: Question,
        experiences: Collection[str],
        show: Callable[[Sequence[Block]], None],
    ) -> Written:
        """Nothing."""
        del experiences, show
        self._taken = (question, sources)
        return Written(None)


def answer_examples(shop: str, share: float, random: Random) -> Iterator[WriterExample]:
    """Requests for cited answers about a shop.

    Args:
        shop: Its folder below `evals/training/shops`.
        share: Of its messages, those that are asked.
        random: Draws them.
    """
    answered = [one.text for one in shop_questions(read_folder(SHOPS / shop / "shop")) if one.label.answerable]
    model = Dictated(random.sample(answered, len(answered)))
    with shop_context(SHOPS / shop / "shop", model, llm=NOWHERE) as context:
        assert context.writer is not None
        dictate, asked = dictating(model, context.writer), Asked()
        saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=CHECKPOINTED))
        graph, asking = build_graph(saver), replace(context, writer=asked)
        messages = list(shop_messages(shop))
        for number, message in enumerate(random.sample(messages, round(share * len(messages)))):
            config: RunnableConfig = {"configurable": {"thread_id": str(number)}}
            for place, text in enumerate(message.said):
                page, turn_id = Page(product_id=message.page), f"{number}-{place}"
                given = TurnInput(query=text, user=User(page=page), turn_id=turn_id)
                state = graph.invoke(given, config, context=asking)
                taken = asked.take()
            if taken is not None:
                yield from _taught(message, state["draft"], taken, dictate, random)


def shop_messages(shop: str) -> Iterator[AskedMessage]:
    """All that customers type who were made up with a shop, and what its own data answer."""
    data = read_folder(SHOPS / shop / "shop")
    yield from written_for(shop, data.evidence)
    yield from (AskedMessage((one.text,), made=True) for one in shop_questions(data))


def _taught(
    message: AskedMessage,
    draft: Draft,
    asked: tuple[Question, Question],
    dictate: Dictate,
    random: Random,
) -> Iterator[WriterExample]:
    question, _ = asked
    told = list(_told(message.row, message.says, question, random)) if message.row else []
    if not told and draft.outcome in ("ambiguous", "no_answer"):
        told = [refusal(draft.outcome)]
    elif message.made and draft.outcome == "clear":
        told = [as_reply(draft)]
    yield from first_shown(told, asked, dictate)


def dictating(model: "Dictated", writer: Writer) -> Dictate:
    """A writer that is told what to write, with all that it checks."""

    def dictate(reply: str) -> Writer:
        model.reply = reply
        return writer

    return dictate


def refusal(outcome: str) -> str:
    """A reply that answers nothing."""
    return f"outcome: {outcome}"


def first_shown(replies: Iterable[str], asked: tuple[Question, Question], dictate: Dictate) -> Iterator[WriterExample]:
    """The first reply of which the writer that ships drops nothing, and what may be asked next.

    Args:
        replies: What may be written.
        asked: The question as a model reads it, and with all of its evidence.
        dictate: Writes one of them.
    """
    question, sources = asked
    prompt = turn_prompt(question, prompt_text("answer"))
    for reply in replies:
        if not reply.startswith(CLEAR):
            yield WriterExample("refusal", prompt, reply)
            return
        written = dictate(reply).write(question, sources, ("followups",), lambda _: None)
        if written.draft is not None and written.failure is None and not written.dropped:
            yield WriterExample("answer", prompt, reply)
            if written.beside.followups:
                asked_next = replace(prompt, suffix=prompt_text("followups"))
                yield WriterExample("followups", asked_next, "\n".join(written.beside.followups))
            return


def _told(row: ShopRow, says: Answer | None, question: Question, random: Random) -> Iterator[str]:
    """Replies that tell a sentence: in other words that it bears out, else in its own."""
    pieces = [item for item, _ in question.evidence]
    standing = _holding(row.sentence, [one for one in pieces if f"{one.source_type}:{one.row_id}" == row.evidence])
    if standing is None:
        return
    also = [_holding(text, pieces) for text in row.also]
    verdict = {"yes": f"{YesNo.YES} ", "no": f"{YesNo.NO} "}.get(says or "", "")
    ids = list(dict.fromkeys(one.evidence_id for one in (standing, *also) if one is not None))
    worded = [(text, ids) for text in random.sample(row.supported, len(row.supported))] if all(also) else []
    for text, keys in (*worded, (plain(row.sentence), ids[:1])):
        yield f"{CLEAR}\n{verdict}{cited(text, keys)}"


def _holding(sentence: str, pieces: Sequence[Evidence]) -> Evidence | None:
    return next((one for one in pieces if plain(sentence) in plain(one.text)), None)


def as_reply(draft: Draft) -> str:
    """A local answer as a model should write it; of what states nothing, a yes or no and what is missing are kept."""
    lines = [CLEAR, *chain.from_iterable(map(_lines, draft.blocks))]
    return "\n".join([*lines, *(f"missing: {part}" for part in draft.missing[:1])])


def _lines(block: Block) -> Iterator[str]:
    said = [_sentence(one) for one in block.sentences if one.factual or one.text.strip() in tuple(YesNo)]
    if block.kind == "paragraph":
        yield from filter(None, [" ".join(said)])
    else:
        yield from (f"{f'{number}.' if block.kind == 'steps' else '-'} {text}" for number, text in enumerate(said, 1))


def _sentence(sentence: Sentence) -> str:
    ids = list(dict.fromkeys(span.evidence_id for span in sentence.spans))
    return cited(sentence.text.strip(), ids) if ids else sentence.text.strip()


def cited(text: str, ids: Sequence[str]) -> str:
    """A sentence with the markers of its sources before its full stop."""
    stop = text[-1] if text[-1] in ".!?" else "."
    return f"{text.rstrip('.!?')} {''.join(map(marker_of, ids))}{stop}"


CANARD, CAST = "rewriting-canard", "rewriting-cast2019"
FLAGS = Path(__file__).with_name("flag_utterances")
_NO_SHOP = LocalCatalog({})


def dialogue_examples(bench: Path) -> Iterator[WriterExample]:
    """Requests for a question that stands alone: train rows of the packs, and messages whose flags are known.

    What people wrote is taught where the dialogue manager would use it.

    Raises:
        InputError: A pack is missing or malformed.
    """
    for name in (CANARD, CAST):
        for row in pack_rows(bench / name / "data.jsonl", RewritingRow, "train"):
            asked = _conversation(row.query, row.history, row.context)
            if row.gold[0] == row.query or fault_of(row.gold[0], asked, _NO_SHOP) is None:
                yield _dialogue(asked, row.gold[0], Flags(searchable=True, live_agent=False))
    for name, flags in FLAGS_OF.items():
        for text in (FLAGS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            yield _dialogue(_conversation(text, [], []), text, flags)


FLAGS_OF = {
    "both": Flags(searchable=True, live_agent=True),
    "neither": Flags(searchable=False, live_agent=False),
    "person": Flags(searchable=False, live_agent=True),
    "question": Flags(searchable=True, live_agent=False),
}
"""What the messages of each file are."""


def _conversation(query: str, history: Sequence[Message], titles: Sequence[str]) -> DialogueContext:
    said = Discourse(turns=past_turns(history))
    return DialogueContext.of(query, said, User(page=Page(titles=list(titles))), {})


def _dialogue(asked: DialogueContext, standalone: str, flags: Flags) -> WriterExample:
    reply = DialogueReply(
        standalone_query=standalone,
        searchable=flags.searchable,
        live_agent=flags.live_agent,
        intent="",
        simulated_response="",
    )
    return WriterExample("dialogue", dialogue_prompt(asked), json.dumps(reply.model_dump(), ensure_ascii=False))
