"""What trained parts learn from: shops made up for it, and what their customers type."""
