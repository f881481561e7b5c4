"""What the figures were measured with."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from importlib.metadata import version

ALWAYS = ("holdfast", "numpy", "numba")


def environment(peers: Iterable[str]) -> dict[str, str]:
    """Versions and the size of the machine, and nothing that tells which one it is."""
    packages = dict.fromkeys((*ALWAYS, *peers))
    return {
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
        "system": f"{platform.system()} {platform.machine()}",
        "processors": str(os.cpu_count()),
    }
