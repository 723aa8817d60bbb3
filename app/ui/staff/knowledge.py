"""Knowledge: what answers now, where it comes from, what is added to it, and back to what was."""

from datetime import datetime

import streamlit as st

from app.errors import AppError
from app.staff import StaffDesk
from app.ui.markup import literal
from app.ui.staff.gaps import about, draw_saved, run_ingest, write_fact
from ingestion.errors import KnowledgeError
from ingestion.source_types import SOURCE_TABLE


def knowledge(desk: StaffDesk) -> None:
    """Draw the index: its generations, its sources, and what can be added."""
    try:
        info = desk.knowledge.info()
    except KnowledgeError as error:
        st.error(literal(str(error)))
        return
    st.caption(literal(f"Made from {', '.join(info['paths']) or 'files that it does not name'}"))
    kinds = [
        {"Kind": SOURCE_TABLE[kind].name if kind in SOURCE_TABLE else kind, "Pieces": count}
        for kind, count in info["evidence"].items()
    ]
    st.dataframe([{"Kind": "Products", "Pieces": info["products"]}, *kinds], hide_index=True, width="stretch")
    draw_saved(desk)
    with st.expander("Write a fact", key="write-fact"):
        write_fact(desk, "knowledge")
    _facts(desk)
    _uploads(desk)
    st.subheader("Versions")
    for one in reversed(info["history"]):
        told, back = st.columns([4, 1], vertical_alignment="center")
        state = " · answers now" if one["answers"] else ""
        told.markdown(f"**{datetime.fromisoformat(one['made_at']):%d %B %Y, %H:%M} UTC**{state}")
        told.caption(f"{one['evidence']:,} pieces of evidence · generation {one['generation']}")
        if not one["answers"] and back.button("Go back to it", key=f"back-{one['generation']}"):
            try:
                desk.knowledge.roll_back(one["generation"])
            except KnowledgeError as error:
                st.error(literal(str(error)))
                return
            st.rerun()


def _facts(desk: StaffDesk) -> None:
    """Draw the facts that were written, the latest first, each with a button that takes it back."""
    try:
        written = desk.knowledge.facts()
    except AppError as error:
        st.error(literal(str(error)))
        return
    for fact in reversed(written):
        told, withdraw = st.columns([4, 1], vertical_alignment="center")
        told.text(fact.text)
        kind = SOURCE_TABLE[fact.source_type].name
        told.caption(literal(f"{kind} · {about(fact.product_id, desk)} · written {fact.updated_at}"))
        if withdraw.button("Withdraw", key=f"withdraw-{fact.id}", icon=":material/delete:"):
            desk.knowledge.withdraw(fact.id)
            if run_ingest(desk):
                st.rerun()


def _uploads(desk: StaffDesk) -> None:
    st.subheader("Added files")
    files = st.file_uploader(
        "Add documents or tables", accept_multiple_files=True, key="uploads", help="In the formats of a shop's folder."
    )
    if files and st.button("Add and ingest", key="add-files", icon=":material/upload:"):
        try:
            for file in files:
                desk.knowledge.upload(file.name, file.getvalue())
        except AppError as error:
            st.error(literal(str(error)))
            return
        run_ingest(desk)
    for path in desk.knowledge.added():
        name, remove = st.columns([4, 1], vertical_alignment="center")
        name.text(f"{path.name}, {path.stat().st_size:,} bytes")
        if remove.button("Remove", key=f"remove-{path.name}", icon=":material/delete:"):
            desk.knowledge.remove(path.name)
            run_ingest(desk)
