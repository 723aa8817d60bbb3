"""Reports: what a choice rests on, measured and written down."""
