"""Open models that are known to follow instructions and to be served by vLLM, by size; none was measured here."""

from dataclasses import dataclass

from app.errors import InputError


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A model whose weights can be had.

    Attributes:
        name: On the Hugging Face hub.
        billions: Parameters, in thousand millions; of a mixture of experts, all of them.
        licence: Of the weights.
        note: What else to know before choosing it.
    """

    name: str
    billions: float
    licence: str
    note: str = ""

    @property
    def weights_gb(self) -> int:
        """Memory of the weights alone, in GB at two bytes a parameter (bfloat16)."""
        return round(self.billions * 2)


RECOMMENDED = (
    OpenModel("Qwen/Qwen3-4B-Instruct-2507", 4.0, "Apache-2.0"),
    OpenModel("Qwen/Qwen3-8B", 8.2, "Apache-2.0", "thinking is switched off"),
    OpenModel("Qwen/Qwen3-14B", 14.8, "Apache-2.0", "thinking is switched off"),
    OpenModel(
        "Qwen/Qwen3-30B-A3B-Instruct-2507", 30.5, "Apache-2.0", "mixture of experts, 3.3 billion at work a token"
    ),
    OpenModel("Qwen/Qwen3-32B", 32.8, "Apache-2.0", "thinking is switched off"),
    OpenModel(
        "meta-llama/Llama-3.3-70B-Instruct",
        70.6,
        "Llama 3.3 Community License",
        "terms to accept on the hub; several GPUs",
    ),
)
"""Smallest first."""

DEFAULT = RECOMMENDED[1]
"""What a command prints that names no model."""


class NoModelError(InputError):
    """No model was named."""

    def __init__(self) -> None:
        known = ", ".join(f"{one.name} ({one.weights_gb} GB of weights, {one.licence})" for one in RECOMMENDED)
        super().__init__(
            f"No model is named. Say which, such as `make run-llm MODEL={DEFAULT.name}`. By size there are {known}; "
            "any other that vLLM serves will do, too."
        )


def required_model(name: str) -> str:
    """The name of a model to serve.

    Raises:
        NoModelError: It is blank.
    """
    if not name.strip():
        raise NoModelError
    return name.strip()
