"""What is learned from the data before anything is scored: moments and what follows from them."""
