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
from app.ui.staff.shown import DAYS, draw_turn, own_name
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
        key: Of the form that it was written in.
        place: Where in the list its gap stood.
        cluster: The gap; None where it was written for none.
        told: What a customer is told now who asks the question of its gap; None as above.
        fills: Whether that is the fact, and what the gap is about.
    """

    key: str
    place: int = 0
    cluster: GapCluster | None = None
    told: Turn | None = None
    fills: bool = False


def gaps(desk: StaffDesk) -> None:
    """Draw what is missing, what most customers asked first; a gap that was just filled is shown once more."""
    period = st.selectbox("Period", list(DAYS), index=1, key="gaps-period")
    found = desk.gaps(DAYS[period])
    shown, saved = found[:SHOWN], cast("_Saved | None", st.session_state.get(SAVED))
    if saved and saved.cluster and saved.fills:
        shown.insert(saved.place, saved.cluster)
    if found:
        st.caption("The first is what most customers asked. Write the missing fact, and the next customer gets it.")
        lines = as_csv(found, desk, DAYS[period])
        st.download_button("Download as CSV", lines, "gaps.csv", "text/csv", key="gaps-csv", icon=":material/download:")
    else:
        st.info("Every question of this time was answered.")
    for place, cluster in enumerate(shown):
        with st.container(border=True, key=_key(cluster)):
            _gap(desk, cluster, place, period)


def _key(cluster: GapCluster) -> str:
    return f"gap-{cluster.gaps[0].number}"


def as_csv(clusters: Sequence[GapCluster], desk: StaffDesk, days: int) -> str:
    """A line for each cluster of some days; no cell of it is taken for a formula by a spreadsheet."""
    file = io.StringIO()
    lines = csv.writer(file)
    lines.writerow(["question", "product", "intent", "attribute", "customers", "trend", "latest"])
    for one in clusters:
        told = [one.question, about(one.product_id, desk), one.intent or "", one.attribute]
        counts = [one.threads, one.trend(desk.now(), days), one.gaps[-1].at.date().isoformat()]
        lines.writerow([*(f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell for cell in told), *counts])
    return file.getvalue()


def about(product_id: str | None, desk: StaffDesk) -> str:
    """What a gap or a fact is about: a product's name, or the shop."""
    product = desk.products.get(product_id or "")
    return product.name if product else product_id or "The whole shop"


def _gap(desk: StaffDesk, cluster: GapCluster, place: int, period: str) -> None:
    told, count = st.columns([4, 1], vertical_alignment="center")
    told.markdown(f"**{literal(cluster.question)}**")
    intent = (cluster.intent or "").replace("_", " ")
    unanswered = cluster.attribute and f"not answered: {cluster.attribute}"
    told.caption(literal(" · ".join(filter(None, (about(cluster.product_id, desk), intent, unanswered)))))
    trend = cluster.trend(desk.now(), DAYS[period])
    compared = "" if trend is None else " Below it: how many more or fewer in the last 7 days than in the 7 before."
    asked = f"How many times it was asked in the {period.lower()}.{compared}"
    count.metric("Asked", cluster.threads, delta=trend or None, delta_color="inverse", help=asked)
    others = dict.fromkeys(gap.question for gap in cluster.gaps if gap.question != cluster.question)
    if others:
        told.caption(literal(f"Also: {' / '.join(list(others)[:3])}"))
    key = _key(cluster)
    saved = draw_saved(desk, key)
    if not (saved and saved.fills):
        with st.expander("Write the missing fact", key=f"write-{key}"):
            write_fact(desk, key, cluster, place)


def draw_saved(desk: StaffDesk, key: str) -> _Saved | None:
    """Say of the fact that was just saved in a form what it does, once; nothing where none was."""
    saved = cast("_Saved | None", st.session_state.get(SAVED))
    if saved is None or saved.key != key:
        return None
    del st.session_state[SAVED]
    st.toast("Saved.", icon=":material/check:")
    if saved.told is None:
        st.success("Saved: it answers from the next question on.")
        return saved
    if saved.fills:
        st.success("Saved. Who asks that is told now:")
    else:
        st.warning("Saved, but it does not answer what was asked. Who asks that is told now:")
    draw_turn(desk, saved.told)
    return saved


def write_fact(desk: StaffDesk, key: str, cluster: GapCluster | None = None, place: int = 0) -> None:
    """A form for a fact, which is ingested and answers from the next turn on.

    Args:
        desk: What it is written to.
        key: Of the form.
        cluster: The gap that it is to fill; None for none.
        place: Where in the list that stands.
    """
    product_id = cluster.product_id if cluster else None
    kinds = [*FIRST_KINDS, *(kind for kind in SOURCE_TABLE if kind not in FIRST_KINDS)]
    settling = desk.settled_by(cluster) if cluster else kinds[0]
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
            evidence_id = desk.write_fact(text, kind, whose, own_name())
        except AppError as error:
            st.error(literal(str(error)))
            return
        if run_ingest(desk):
            st.session_state[f"{key}-written"] += 1
            filled = (cluster, *desk.settle(cluster, evidence_id)) if cluster else ()
            st.session_state[SAVED] = _Saved(key, place, *filled)
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
