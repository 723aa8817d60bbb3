"""What all trained parts share: the data they learn from, the files they ship as, and the plainest model of all."""
