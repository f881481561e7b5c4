"""Peak memory of some work, in a process that does nothing else.

Run as a module it is that process: ``python -m benchmarks.harness.memory module:function``. The
function gets the input ready and returns the work, a callable; only the work is timed.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path


def peak_of_fresh_process(function: str) -> tuple[int, float]:
    """Peak resident bytes, interpreter, imports and input included, and the seconds of the work."""
    command = [sys.executable, "-m", "benchmarks.harness.memory", function]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["peak"], answer["seconds"]


def peak_so_far() -> int:
    """Peak resident bytes of this process."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not getrusage: there a child begins with the peak of its parent.
        return 1024 * int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1])
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _main() -> None:
    module, name = sys.argv[1].split(":")
    work = getattr(importlib.import_module(module), name)()
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    print(json.dumps({"peak": peak_so_far(), "seconds": seconds}))


if __name__ == "__main__":
    _main()
