"""The chat page's entry: `streamlit run streamlit_app.py`, or `footnote demo`."""

from app.ui.page import main

main()
