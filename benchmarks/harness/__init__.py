"""What every benchmark shares: timing in turns, peak memory, and where the figures go."""
