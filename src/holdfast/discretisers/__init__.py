"""Numbers to levels: scikit-learn transformers that learn where to cut."""

from holdfast.discretisers.base import Discretiser
from holdfast.discretisers.frequency import EqualFrequency
from holdfast.discretisers.mdl import MDL
from holdfast.discretisers.width import EqualWidth

__all__ = ["MDL", "Discretiser", "EqualFrequency", "EqualWidth"]
