"""Rows: how those of an evaluation are read, asked and scored one by one."""
