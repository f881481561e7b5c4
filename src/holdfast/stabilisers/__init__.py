"""What makes selection more stable: ensembles over samples, and groups of correlated features."""

from holdfast.stabilisers.ensemble import EnsembleSelector
from holdfast.stabilisers.groups import GroupSelector

__all__ = ["EnsembleSelector", "GroupSelector"]
