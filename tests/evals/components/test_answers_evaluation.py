"""`eval answers`: what counts as answered and as good, over which rows, and a turn over a row's own evidence."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.components.answers import evaluate
from evals.metrics.answers import is_answered
from evals.report import Evaluation
from evals.row_turns import Reply, RowQuestion
from evals.rows import Request
from graph.turn import Citation, Turn
from tests.evals.scored import values, written

MakeTurn = Callable[..., Turn]
MakeCitation = Callable[..., Citation]
Evaluate = Callable[..., Evaluation]

EVIDENCE = [
    {"id": "w", "text": "Weight: 1.9 kg", "source_type": "spec"},
    {"id": "r", "text": "it is light to carry", "source_type": "review"},
    {"id": "d", "text": "a tent for two people", "source_type": "description"},
    {"id": "x", "text": "it came in a red bag", "source_type": "review"},
]
IDS = {str(item["id"]): f"{item['source_type']}:{item['id']}" for item in EVIDENCE}


class NoJudge:
    """Finds every sentence supported by anything."""

    name = "nobody"

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        del sentence, known
        return bool(evidence)


class WordJudge(NoJudge):
    """Finds a sentence supported by a text that has its first word."""

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        del known
        return sentence.split(maxsplit=1)[0] in " ".join(evidence).split()


@pytest.fixture
def said(make_turn: MakeTurn, make_citation: MakeCitation) -> Callable[..., Turn]:
    """A turn that cites these ids of the row in one sentence, or in several given as (text, ids)."""

    def said(*cited: str, sentences: Sequence[tuple[str, str]] | None = None, **changes: Any) -> Turn:  # noqa: ANN401
        parts = sentences if sentences is not None else [("It is.", "".join(cited))]
        keys = list(dict.fromkeys(key for _, ids in parts for key in ids))
        told = [
            {"text": text, "citations": [keys.index(key) + 1 for key in ids], "support": 1.0, "factual": text != "Hm."}
            for text, ids in parts
        ]
        citations = [make_citation(marker=n, evidence_id=IDS[key]) for n, key in enumerate(keys, start=1)]
        return make_turn(**{"sentences": told, "citations": citations} | changes)

    return said


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows, each given as its columns beside the evidence and the turn that comes of it."""

    def run(*rows: tuple[dict[str, Any], Turn], judge: NoJudge | None = None) -> Evaluation:
        lines = [
            {"id": n, "question": str(n), "evidence": EVIDENCE, "answerable": True, "gold_evidence": ["w"]} | columns
            for n, (columns, _) in enumerate(rows)
        ]
        return evaluate(
            Request(written(tmp_path, *lines)),
            lambda: lambda question: Reply(rows[int(question.text)][1]),
            judge or NoJudge(),
        )

    return run


NOTHING: dict[str, Any] = {"answerable": False, "gold_evidence": []}


def test_clear_is_an_answer_and_a_question_back_only_beside_something_cited(said: Callable[..., Turn]) -> None:
    assert is_answered(said("w"))
    assert is_answered(said("w", outcome="ambiguous"))
    assert not is_answered(said("w", outcome="ambiguous", citations=[]))
    assert not any(is_answered(said("w", outcome=other)) for other in ("no_answer", "non_decision", "handoff"))


@pytest.mark.parametrize(
    ("cited", "precision"),
    [("w", 1.0), ("wr", 1.0), ("rw", 0.0), ("wx", 0.0), ("x", 0.0), ("", 0.0)],
)
def test_an_answer_is_good_by_its_first_citation_and_others_may_help(
    run: Evaluate, said: Callable[..., Turn], cited: str, precision: float
) -> None:
    found = run(({"gold_evidence": ["w", "d"], "partial_evidence": ["r"]}, said(*cited)))
    assert (found.predictions[0]["good"], values(found)["precision"]) == (bool(precision), precision)


def test_rows_fall_into_the_four_scenarios(run: Evaluate, said: Callable[..., Turn]) -> None:
    refusal = said(outcome="no_answer")
    found = run(({}, said("w")), ({}, said("x")), ({}, refusal), (NOTHING, said("w")), (NOTHING, refusal))
    assert [row["scenario"] for row in found.predictions] == ["s1", "s1", "s4", "s3", "s2"]
    figures = values(found)
    assert (figures["precision"], figures["recall"]) == (pytest.approx(1 / 3, abs=1e-6),) * 2
    assert (figures["accuracy"], figures["hallucination_rate"], figures["refusal_rate"]) == (0.4, 0.4, 0.5)
    assert figures["answered_with_citation"] == pytest.approx(2 / 3, abs=1e-6)


def test_partial_rows_count_only_in_how_many_are_answered(run: Evaluate, said: Callable[..., Turn]) -> None:
    partial = NOTHING | {"partial": True, "partial_evidence": ["r"]}
    found = run(({}, said("w")), (partial, said("r")), (partial, said(outcome="no_answer")))
    metrics = found.report.metrics
    assert (metrics["partial.answered_rate"].value, metrics["partial.answered_rate"].n) == (0.5, 2)
    assert (metrics["s1"].n, metrics["answerable_auroc"].n, metrics["scr"].n, metrics["refusal_rate"].n) == (1, 1, 1, 0)
    assert found.predictions[1]["scenario"] is None


def test_what_is_cited_is_pooled_over_answers_to_answerable_questions(run: Evaluate, said: Callable[..., Turn]) -> None:
    gold = {"gold_evidence": ["w", "d"]}
    found = values(
        run((gold, said("w", "r", "x")), ({}, said("w")), (NOTHING, said("x")), ({}, said(outcome="no_answer")))
    )
    assert (found["cited_precision"], found["cited_recall"]) == (2 / 4, pytest.approx(2 / 3, abs=1e-6))


def test_where_nothing_is_answered_nothing_is_cited(run: Evaluate, said: Callable[..., Turn]) -> None:
    found = values(run(({}, said(outcome="no_answer"))))
    assert found["cited_precision"] is found["cited_recall"] is found["precision"] is None


def test_confidence_tells_answerable_questions_and_right_answers(run: Evaluate, said: Callable[..., Turn]) -> None:
    def sure(score: float, *cited: str, **changes: Any) -> Turn:  # noqa: ANN401 - fields of a turn
        return said(*cited, confidence={"score": score, "label": "low"}, **changes)

    rows = [
        ({}, sure(0.9, "w")),
        ({}, sure(0.5, "x")),
        (NOTHING, sure(0.6, "w")),
        (NOTHING, sure(0.1, outcome="no_answer")),
    ]
    found = run(*rows).report.metrics
    assert (found["answerable_auroc"].value, found["answerable_auroc"].n) == (0.75, 4)
    assert (found["confidence_auroc"].value, found["confidence_auroc"].n) == (1, 3)
    assert found["confidence_ece"].value == pytest.approx((0.1 + 0.5 + 0.6) / 3, abs=1e-6)


def test_token_f1_is_that_of_the_best_reference_without_markers_and_0_without_an_answer(
    run: Evaluate, said: Callable[..., Turn]
) -> None:
    references = {"answers": ["no idea", "It weighs 1.9 kg"]}
    found = run(
        (references, said("w", answer="It weighs 1.9 kg [1].")),
        (references, said(outcome="no_answer", answer="It weighs 1.9 kg")),
        (NOTHING | references, said("w")),
        ({}, said("w")),
    )
    assert (found.report.metrics["token_f1"].value, found.report.metrics["token_f1"].n) == (0.5, 2)


def test_polarity_is_over_answers_whose_references_agree_on_yes_or_no(run: Evaluate, said: Callable[..., Turn]) -> None:
    yes, no = {"answers": ["Yes, it does.", "It fits."]}, {"answers": ["no."]}
    found = run(
        (yes, said("w", answer="Yes. It fits [1].")),
        (yes, said("w", answer="It does not fit [1].")),
        (no, said("w", answer="It doesn't fit [1].")),
        (no, said("w", answer="Yes. It fits [1].")),
        ({"answers": ["Yes.", "No."]}, said("w")),
        ({"answers": ["Nobody knows."]}, said("w")),
        (yes, said(outcome="no_answer")),
    )
    assert (found.report.metrics["polarity_accuracy"].value, found.report.metrics["polarity_accuracy"].n) == (0.5, 4)


def test_grounding_is_judged_sentence_by_sentence_and_citation_by_citation(
    run: Evaluate, said: Callable[..., Turn]
) -> None:
    turn = said(sentences=[("light tent.", "rd"), ("red one.", "r"), ("unseen.", ""), ("Hm.", "")])
    found = run(({}, turn), judge=WordJudge())
    metrics = found.report.metrics
    assert (metrics["cgr"].value, metrics["cgr"].n) == (pytest.approx(2 / 3, abs=1e-6), 3)
    assert (metrics["ccr"].value, metrics["ccr"].n) == (pytest.approx(1 / 3, abs=1e-6), 3)
    assert (metrics["psr"].value, metrics["psr"].n) == (0, 2)
    assert (metrics["scr"].value, metrics["scr_all"].value) == (pytest.approx(2 / 3, abs=1e-6), 0.5)
    assert (metrics["eur"].value, metrics["grounded_accuracy"].value) == (0.5, 0)


def test_a_count_is_not_judged_but_must_be_cited(
    run: Evaluate, said: Callable[..., Turn], make_citation: MakeCitation
) -> None:
    counted = make_citation(evidence_id=IDS["r"], derived={"op": "count", "of": [IDS["r"]], "value": 1})
    turn = said(sentences=[("One review.", "r")], citations=[counted])
    metrics = run(({}, turn), judge=WordJudge()).report.metrics
    assert [metrics[name].n for name in ("cgr", "ccr", "psr", "scr")] == [0, 0, 0, 1]
    assert metrics["grounded_accuracy"].value == 1


def test_predictions_hold_each_sentence_for_a_second_judge(run: Evaluate, said: Callable[..., Turn]) -> None:
    found = run(({}, said(sentences=[("light tent.", "rd")])), judge=WordJudge())
    assert found.predictions[0]["sentences"] == [
        {
            "text": "light tent.",
            "factual": True,
            "computed": False,
            "grounded": True,
            "citations": {"review:r": True, "description:d": False},
        }
    ]


def test_evidence_used_is_a_share_of_what_was_there_where_there_is_an_answer(
    run: Evaluate, said: Callable[..., Turn]
) -> None:
    found = run(({}, said("w", "r", "d")), ({}, said("w")), ({}, said("w", outcome="no_answer")))
    assert (found.report.metrics["eur"].value, found.report.metrics["eur"].n) == (0.5, 2)


def test_an_answer_that_names_a_missing_part_is_not_complete(tmp_path: Path, said: Callable[..., Turn]) -> None:
    row = {"id": 1, "question": "q", "evidence": EVIDENCE, "answerable": True, "gold_evidence": ["w"]}
    data = written(tmp_path, row)
    assert values(evaluate(Request(data), lambda: lambda _: Reply(said("w"), ("height",))))["completeness"] == 0
    assert values(evaluate(Request(data), lambda: lambda _: Reply(said("w"))))["completeness"] == 1


def test_the_report_names_the_judge(run: Evaluate, said: Callable[..., Turn]) -> None:
    report = run(({}, said("w"))).report
    assert report.model_dump(mode="json")["judge"] == "nobody"
    assert any("judged by nobody" in warning for warning in report.warnings)


def test_gold_that_is_missing_or_not_in_the_row_is_told(run: Evaluate, said: Callable[..., Turn]) -> None:
    found = run(({"gold_evidence": []}, said("w")), ({"gold_evidence": ["w", "z"]}, said("w")))
    assert [warning.split(" ")[0] for warning in found.report.warnings[:2]] == ["1", "1"]
    assert values(found)["precision"] == 0.5


def test_product_and_evidence_reach_the_turn(tmp_path: Path, said: Callable[..., Turn]) -> None:
    seen: list[RowQuestion] = []

    def ask(question: RowQuestion) -> Reply:
        seen.append(question)
        return Reply(said("w"))

    row = {"id": 1, "question": "q", "evidence": EVIDENCE, "product": {"id": 7, "name": ""}} | NOTHING
    evaluate(Request(written(tmp_path, row)), lambda: ask)
    assert seen[-1].product is not None
    assert (seen[-1].product.id, [item.id for item in seen[-1].evidence]) == ("7", ["w", "r", "d", "x"])


def test_the_graph_that_ships_answers_from_the_row_and_refuses_what_it_lacks(tmp_path: Path) -> None:
    product = {"id": "k2", "name": "Kestrel 2"}
    rows = [
        {
            "id": 1,
            "question": "How heavy is the Kestrel 2?",
            "product": product,
            "answerable": True,
            "gold_evidence": ["w"],
        },
        {"id": 2, "question": "Does the Kestrel 2 have a footprint?", "product": product} | NOTHING,
        {
            "id": 3,
            "question": "How long can I return something?",
            "evidence": [
                {"id": "p", "text": "You can return anything within 30 days.", "source_type": "return_policy"}
            ],
            "answerable": True,
            "gold_evidence": ["p"],
        },
    ]
    found = evaluate(Request(written(tmp_path, *({"evidence": EVIDENCE} | row for row in rows))))
    assert [row["scenario"] for row in found.predictions] == ["s1", "s2", "s1"]
    assert [found.predictions[place]["good"] for place in (0, 2)] == [True, True]
    assert "1.9 kg" in found.predictions[0]["answer"]


def test_a_kind_of_evidence_that_does_not_exist_is_named(tmp_path: Path) -> None:
    evidence = [{"id": 1, "text": "t", "source_type": "rumour"}]
    row = {"id": 1, "question": "q", "evidence": evidence} | NOTHING
    with pytest.raises(InputError, match=r"data\.jsonl:1: evidence\.0\.source_type: .*'rumour' is no kind of evidence"):
        evaluate(Request(written(tmp_path, row)))
