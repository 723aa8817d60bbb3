"""What is kept of conversations: the databases, what is masked before it is written, and how it goes again."""
