"""The page's script, which Streamlit runs for every visit and every click."""

from app.ui.page import main

if __name__ == "__main__":
    main()
