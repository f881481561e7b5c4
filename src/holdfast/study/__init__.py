"""Studies: many selectors on many samples, kept in a file, compared with each other."""

from holdfast.resampling import Bootstrap, ComplementaryPairs
from holdfast.study.engines import Engine, Processes, Serial
from holdfast.study.protocols import PROTOCOLS, Protocol
from holdfast.study.results import Results
from holdfast.study.study import Study

__all__ = [
    "PROTOCOLS",
    "Bootstrap",
    "ComplementaryPairs",
    "Engine",
    "Processes",
    "Protocol",
    "Results",
    "Serial",
    "Study",
]
