"""Gaps: what customers asked and the shop's information does not say, and the fact that would answer it."""

import csv
import io
from collections.abc import Sequence

import streamlit as st

from app.errors import AppError
from app.gaps import GapCluster
from app.staff import StaffDesk
from app.ui.markup import literal
from app.ui.staff.shown import DAYS, draw_turn
from ingestion.errors import IngestError
from ingestion.source_types import SOURCE_TABLE

SHOWN = 40
FIRST_KINDS = ("feature", "spec", "help_article", "delivery", "return_policy", "warranty", "payment")
KINDS_HELP = (
    "A feature is quoted as the seller's word. A claim about safety, health or a certificate counts as a specification "
    "alone. What holds of the whole shop is a help article, a delivery rule, a return policy …"
)


def gaps(desk: StaffDesk) -> None:
    """Draw what is missing, what most customers asked first."""
    period = st.selectbox("Asked in the", list(DAYS), index=1, key="gaps-period", format_func=str.lower)
    found = desk.gaps(DAYS[period])
    if not found:
        st.info("Every question of this time was answered.")
        return
    st.caption("The first is what most customers asked. Write the missing fact, and the next customer gets it.")
    st.download_button(
        "Download as CSV", as_csv(found, desk), "gaps.csv", "text/csv", key="gaps-csv", icon=":material/download:"
    )
    for number, cluster in enumerate(found[:SHOWN]):
        with st.container(border=True, key=f"gap-{number}"):
            _gap(desk, cluster, number)


def as_csv(clusters: Sequence[GapCluster], desk: StaffDesk) -> str:
    """A line for each cluster; no cell of it is taken for a formula by a spreadsheet."""
    file = io.StringIO()
    lines = csv.writer(file)
    lines.writerow(["question", "product", "intent", "attribute", "customers", "trend", "latest"])
    for one in clusters:
        told = [one.question, _about(one, desk), one.intent or "", one.attribute]
        counts = [one.threads, one.trend(desk.now()), one.gaps[-1].at.date().isoformat()]
        lines.writerow([*(f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell for cell in told), *counts])
    return file.getvalue()


def _about(cluster: GapCluster, desk: StaffDesk) -> str:
    product = desk.products.get(cluster.product_id or "")
    return product.name if product else cluster.product_id or "The whole shop"


def _gap(desk: StaffDesk, cluster: GapCluster, number: int) -> None:
    trend = cluster.trend(desk.now())
    told, count = st.columns([4, 1], vertical_alignment="center")
    told.markdown(f"**{literal(cluster.question)}**")
    about = " · ".join(
        filter(None, (_about(cluster, desk), (cluster.intent or "").replace("_", " "), cluster.attribute))
    )
    told.caption(literal(about))
    count.metric("Asked", cluster.threads, delta=trend or None, delta_color="inverse", help="Change against last week")
    others = dict.fromkeys(gap.question for gap in cluster.gaps if gap.question != cluster.question)
    if others:
        told.caption(literal(f"Also: {' / '.join(list(others)[:3])}"))
    with st.expander("Write the missing fact", key=f"write-{number}"):
        write_fact(desk, f"gap-{number}", cluster)


def write_fact(desk: StaffDesk, key: str, cluster: GapCluster | None = None) -> None:
    """A form for a fact, which is ingested and answers from the next turn on: what a customer is told then is shown."""
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
        about = st.selectbox(
            "About",
            [None, *desk.products],
            index=[None, *desk.products].index(product_id) if product_id in desk.products else 0,
            format_func=lambda one: desk.products[one].name if one else "The whole shop",
            key=f"{key}-product",
        )
        saved = st.form_submit_button("Save and answer with it", icon=":material/save:")
    if saved:
        try:
            desk.knowledge.write_fact(text, kind, about)
        except AppError as error:
            st.error(literal(str(error)))
            return
        if run_ingest(desk):
            st.session_state[f"{key}-written"] += 1
            st.session_state[f"{key}-told"] = desk.preview(cluster.question, product_id) if cluster else None
            st.rerun()
    if written:
        st.success("Saved: it answers from the next question on.")
        if told := st.session_state[f"{key}-told"]:
            st.caption("Who asks that is told now:")
            draw_turn(desk, told)


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
    st.success(literal(f"{report.changes}. Generation {report.generation} answers from the next question on."))
    for issue in report.skipped[:10]:
        st.warning(literal(f"Skipped: {issue}"))
    return not report.skipped
