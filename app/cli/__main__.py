"""`python -m app.cli`, the same as `footnote`."""

from app.cli.application import main

main()
