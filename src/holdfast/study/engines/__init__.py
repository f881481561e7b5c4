"""Who does the tasks of a study: this process, processes beside it, or a cluster."""

from holdfast.study.engines.base import Engine, engine_of
from holdfast.study.engines.local import Processes, Serial

__all__ = ["Engine", "Processes", "Serial", "engine_of"]
