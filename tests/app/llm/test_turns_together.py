"""Many conversations with one served model at once: each is answered for itself."""

from concurrent.futures import ThreadPoolExecutor

from app import Assistant
from graph.turn import Turn
from tests.app.llm.sensible import sensible
from tests.app.llm.turns import ask
from tests.llm_server.script import Script
from tests.llm_server.server import LlmServer

WEIGHTS = {
    "Aurora X2": "172 g",
    "Aurora X2 Pro": "204 g",
    "Aurora X3": "181 g",
    "Aurora Case": "31 g",
    "Kestrel 2": "1.9 kg",
    "Heron 2": "2.4 kg",
    "Strider Flow": "248 g",
    "Strider Ridge": "296 g",
}
CHATS = 16


def test_sixteen_chats_at_once_do_not_mix(assistant: Assistant, endpoint: LlmServer) -> None:
    endpoint.answer = lambda body: Script(sensible(body).text, pause_s=0.002)
    names = [name for _ in range(CHATS // len(WEIGHTS)) for name in WEIGHTS]

    def talk(chat: int) -> list[Turn]:
        name = names[chat]
        return [
            ask(assistant, text, thread=f"together-{chat}")
            for text in (f"What is the weight of the {name}?", "and how heavy is it again?")
        ]

    with ThreadPoolExecutor(CHATS) as pool:
        conversations = list(pool.map(talk, range(CHATS)))
    for name, turns in zip(names, conversations, strict=True):
        for turn in turns:
            assert [product.name for product in turn.products] == [name]
            assert (turn.answered_by, turn.degraded) == ("llm", None), turn.answer
            assert f"The weight of the {name} is {WEIGHTS[name]} [1]." == turn.answer
