"""What is learned from the data before anything is scored: moments, counts, row hashes."""
