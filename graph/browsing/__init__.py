"""Browsing: products that fit a wish, as cited cards; and small talk."""
