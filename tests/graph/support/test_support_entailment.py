"""Entailment: evidence is read in windows, and the embedding model is adapted by thin matrices that can be kept."""

from functools import cache

import numpy as np
import torch

from graph.support.entailment import CrossEncoder
from graph.support.entailment.adapter import PLACES, Adapter
from graph.support.entailment.adapting import RANK, adapt
from graph.support.entailment.pairs import pair, pair_states
from graph.support.entailment.windows import MOST, windows
from graph.support.passages import Rarity
from graph.support.weights import shipped
from graph.support.wording import read
from ingestion.bert import Bert
from ingestion.encoder import model_folder

PLAIN = Rarity({})
SAID = [("It is warm.", "It keeps you warm."), ("It is cold.", "It keeps you warm."), ("It is blue.", "It is warm.")]


@cache
def learnt() -> Adapter:
    return adapt([pair(claim, evidence) for claim, evidence in SAID], [0, 2, 1])


def test_a_line_is_one_window() -> None:
    assert windows(read("It is warm."), ["It keeps you warm. It is blue."], PLAIN) == ["It keeps you warm. It is blue."]
    assert windows(read("It is warm."), [], PLAIN) == [""]


def test_of_pages_the_windows_that_share_the_most_are_read() -> None:
    filler = "The seller tells at some length how the shop began and where it moved after some years. "
    found = windows(read("The pump is made of steel."), [filler * 9 + "The pump is of steel. " + filler * 9], PLAIN)
    assert len(found) == MOST
    assert "The pump is of steel." in found[0]


def test_a_claim_and_its_evidence_are_told_apart_and_too_much_is_cut() -> None:
    short, long = pair("It is warm.", "It keeps you warm."), pair("warm " * 300, "cold " * 300)
    assert short.evidence == 5
    assert short.ids != pair("It keeps you warm.", "It is warm.").ids
    assert len(long.ids) == 128


def test_the_same_pairs_give_the_same_adapter() -> None:
    again = adapt([pair(claim, evidence) for claim, evidence in SAID], [0, 2, 1])
    first = learnt().to_arrays()
    assert all(np.array_equal(first[name], one) for name, one in again.to_arrays().items())
    assert {one.shape[0] for one in learnt().down.values()} == {RANK}


def test_an_adapter_is_kept_as_arrays() -> None:
    arrays = learnt().to_arrays()
    kept = Adapter.from_arrays(arrays)
    assert all(np.array_equal(kept.up[place], learnt().up[place]) for place in PLACES)
    assert np.array_equal(CrossEncoder(kept).log_odds(SAID), CrossEncoder(learnt()).log_odds(SAID))


def test_an_adapter_changes_what_the_model_makes_of_a_pair_and_leaves_the_model_as_it_was() -> None:
    base = Bert(model_folder())
    read_together = [pair(*SAID[0])]
    before = pair_states(base, read_together)
    merged = pair_states(learnt().merged(base), read_together)
    assert torch.equal(before, pair_states(base, read_together))
    assert not torch.allclose(before, merged)


def test_the_cross_encoder_that_ships_tells_what_follows() -> None:
    encoder = CrossEncoder(shipped().adapter)
    follows, contradicts = encoder.log_odds(
        [("A man is outdoors.", "A man walks along the beach."), ("A man is asleep.", "A man walks along the beach.")]
    )
    assert follows > 0 > contradicts


def test_log_odds_do_not_depend_on_the_order_of_pairs() -> None:
    encoder = CrossEncoder(shipped().adapter)
    assert np.allclose(encoder.log_odds(SAID), encoder.log_odds(SAID[::-1])[::-1], atol=0.1)
    assert encoder.log_odds([]).shape == (0,)
