"""What a piece of evidence says to a yes/no question: yes, no, or nothing that decides it."""

from graph.polarity.polarity import Polarity, Verdict

__all__ = ["Polarity", "Verdict"]
