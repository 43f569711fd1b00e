"""What tools/mutations breaks on purpose, and where."""
