"""Reading what a shop hands over: tables, documents and `shop.toml`."""
