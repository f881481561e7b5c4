"""How good is one subset of features."""
