"""Knowledge: what answers now, where it comes from, what is added to it, and back to what was."""

from datetime import datetime
from pathlib import Path

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
    # Where they lie on this machine is nobody's business here.
    folders = ", ".join(Path(path).name for path in info["paths"])
    st.caption(literal(f"Made from {folders or 'files that it does not name'}"))
    kinds = [
        {"Kind": SOURCE_TABLE[kind].name if kind in SOURCE_TABLE else kind, "Pieces": count}
        for kind, count in info["evidence"].items()
    ]
    st.dataframe([{"Kind": "Products", "Pieces": info["products"]}, *kinds], hide_index=True, width="stretch")
    with st.expander("Write a fact", key="write-fact"):
        write_fact(desk, "knowledge")
    draw_saved(desk, "knowledge")
    _facts(desk)
    _uploads(desk)
    st.subheader("Versions")
    for one in reversed(info["history"]):
        told, back = st.columns([4, 1], vertical_alignment="center")
        state = " · answers now" if one["answers"] else ""
        told.markdown(f"**{datetime.fromisoformat(one['made_at']):%d %B %Y, %H:%M} UTC**{state}")
        told.caption(f"{one['evidence']:,} pieces of evidence", help=f"Generation {one['generation']}")
        if not one["answers"] and back.button("Go back to it", key=f"back-{one['generation']}"):
            try:
                desk.knowledge.roll_back(one["generation"])
            except KnowledgeError as error:
                st.error(literal(str(error)))
                return
            st.rerun()


def _facts(desk: StaffDesk) -> None:
    """Draw the facts that were written, the latest first, each with the way to take it back."""
    try:
        written = desk.knowledge.facts()
    except AppError as error:
        st.error(literal(str(error)))
        return
    writers = desk.records.writers()
    for fact in reversed(written):
        told, withdraw = st.columns([4, 1], vertical_alignment="center")
        told.text(fact.text)
        kind, by = SOURCE_TABLE[fact.source_type].name, writers.get(fact.evidence_id)
        when = f"written {fact.updated_at}{f' by {by}' if by else ''}"
        told.caption(literal(f"{kind} · {about(fact.product_id, desk)} · {when}"))
        with withdraw.popover("Withdraw", key=f"ask-{fact.id}", icon=":material/delete:"):
            st.write("Nobody is answered with this fact any more. A gap that it filled is open again.")
            sure = st.button("Withdraw it", key=f"withdraw-{fact.id}", type="primary")
        if sure:
            desk.withdraw(fact)
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
