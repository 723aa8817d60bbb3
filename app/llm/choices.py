"""What settings and commands choose from; free of heavy imports, as the command line reads it."""

from typing import Literal

Stage = Literal["rewrite", "respond", "judge"]
Where = Literal["local", "llm"]
Refinement = Literal["simplify", "details", "keywords", "simulated", "intent+simulated"]
