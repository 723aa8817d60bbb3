"""Gaps: what customers asked and the shop's information does not say, and the fact that would answer it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import streamlit as st

from app.errors import AppError
from app.gaps import GapCluster
from app.staff import StaffDesk
from app.ui.markup import literal
from app.ui.staff.shown import DAYS, draw_turn
from graph.turn import Turn
from ingestion.errors import IngestError
from ingestion.source_types import SOURCE_TABLE

SAVED = "saved"
SHOWN = 40
FIRST_KINDS = ("feature", "spec", "help_article", "delivery", "return_policy", "warranty", "payment")
KINDS_HELP = (
    "A feature is quoted as the seller's word. A claim about safety, health or a certificate counts as a specification "
    "alone. What holds of the whole shop is a help article, a delivery rule, a return policy …"
)


@dataclass(frozen=True, slots=True)
class _Saved:
    """A fact that was just saved.

    Attributes:
        told: What a customer is told now who asks the question of its gap; None where it was written for none.
        answers: Whether that is the fact, and all that was asked.
    """

    told: Turn | None = None
    answers: bool = False


def gaps(desk: StaffDesk) -> None:
    """Draw what is missing, what most customers asked first."""
    period = st.selectbox("Asked in the", list(DAYS), index=1, key="gaps-period", format_func=str.lower)
    found = desk.gaps(DAYS[period])
    draw_saved(desk)
    if not found:
        st.info("Every question of this time was answered.")
        return
    st.caption("The first is what most customers asked. Write the missing fact, and the next customer gets it.")
    st.download_button(
        "Download as CSV", as_csv(found, desk), "gaps.csv", "text/csv", key="gaps-csv", icon=":material/download:"
    )
    for cluster in found[:SHOWN]:
        with st.container(border=True, key=f"gap-{cluster.gaps[0].number}"):
            _gap(desk, cluster)


def as_csv(clusters: Sequence[GapCluster], desk: StaffDesk) -> str:
    """A line for each cluster; no cell of it is taken for a formula by a spreadsheet."""
    file = io.StringIO()
    lines = csv.writer(file)
    lines.writerow(["question", "product", "intent", "attribute", "customers", "trend", "latest"])
    for one in clusters:
        told = [one.question, about(one.product_id, desk), one.intent or "", one.attribute]
        counts = [one.threads, one.trend(desk.now()), one.gaps[-1].at.date().isoformat()]
        lines.writerow([*(f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell for cell in told), *counts])
    return file.getvalue()


def about(product_id: str | None, desk: StaffDesk) -> str:
    """What a gap or a fact is about: a product's name, or the shop."""
    product = desk.products.get(product_id or "")
    return product.name if product else product_id or "The whole shop"


def _gap(desk: StaffDesk, cluster: GapCluster) -> None:
    trend = cluster.trend(desk.now())
    told, count = st.columns([4, 1], vertical_alignment="center")
    told.markdown(f"**{literal(cluster.question)}**")
    asked = " · ".join(
        filter(None, (about(cluster.product_id, desk), (cluster.intent or "").replace("_", " "), cluster.attribute))
    )
    told.caption(literal(asked))
    count.metric("Asked", cluster.threads, delta=trend or None, delta_color="inverse", help="Change against last week")
    others = dict.fromkeys(gap.question for gap in cluster.gaps if gap.question != cluster.question)
    if others:
        told.caption(literal(f"Also: {' / '.join(list(others)[:3])}"))
    key = f"gap-{cluster.gaps[0].number}"
    with st.expander("Write the missing fact", key=f"write-{key}"):
        write_fact(desk, key, cluster)


def draw_saved(desk: StaffDesk) -> None:
    """Say of a fact that was just saved what it does, once."""
    if (saved := cast("_Saved | None", st.session_state.pop(SAVED, None))) is None:
        return
    if saved.told is None:
        st.success("Saved: it answers from the next question on.")
        return
    if saved.answers:
        st.success("Saved. Who asks that is told now:")
    else:
        st.warning("Saved, but it does not answer what was asked. Who asks that is told now:")
    draw_turn(desk, saved.told)


def write_fact(desk: StaffDesk, key: str, cluster: GapCluster | None = None) -> None:
    """A form for a fact, which is ingested and answers from the next turn on."""
    product_id = cluster.product_id if cluster else None
    kinds = [*FIRST_KINDS, *(kind for kind in SOURCE_TABLE if kind not in FIRST_KINDS)]
    settling = desk.settled_by(cluster.question, product_id) if cluster else kinds[0]
    written = st.session_state.setdefault(f"{key}-written", 0)
    with st.form(f"{key}-fact", border=False):
        # Another box for another fact: what was saved is not there to be saved twice.
        text = st.text_area("The fact, in one or two sentences", key=f"{key}-text-{written}")
        kind = st.selectbox(
            "What kind it is",
            kinds,
            index=kinds.index(settling),
            key=f"{key}-kind",
            format_func=lambda one: SOURCE_TABLE[one].name,
            help=KINDS_HELP,
        )
        whose = st.selectbox(
            "About",
            [None, *desk.products],
            index=[None, *desk.products].index(product_id) if product_id in desk.products else 0,
            format_func=lambda one: about(one, desk),
            key=f"{key}-product",
        )
        saved = st.form_submit_button("Save and answer with it", icon=":material/save:")
    if saved:
        try:
            evidence_id = desk.knowledge.write_fact(text, kind, whose)
        except AppError as error:
            st.error(literal(str(error)))
            return
        if run_ingest(desk):
            st.session_state[f"{key}-written"] += 1
            st.session_state[SAVED] = _Saved(*desk.settle(cluster, evidence_id)) if cluster else _Saved()
            st.rerun()


def run_ingest(desk: StaffDesk) -> bool:
    """Ingest the shop with what was added, showing how far it is; whether all of it was taken."""
    bar = st.progress(0.0, "Reading the shop's files …")
    names = {"read": "Reading files", "embed": "Embedding", "statements": "Embedding sentences", "write": "Writing"}
    order = list(names)

    def show(stage: str, done: int, total: int) -> None:
        share = (order.index(stage) + (done / total if total else 1.0)) / len(order)
        bar.progress(min(share, 1.0), f"{names[stage]} …")

    try:
        report = desk.knowledge.ingest(show)
    except (AppError, IngestError) as error:
        bar.empty()
        st.error(literal(str(error)))
        return False
    bar.empty()
    st.success(literal(f"{report.changes}. Questions are answered by it from now on."))
    for issue in report.skipped[:10]:
        st.warning(literal(f"Skipped: {issue}"))
    return not report.skipped
