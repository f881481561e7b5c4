"""Which subsets to try next; how each search chooses, whatever the criterion."""
