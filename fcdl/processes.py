"""Limits of processes: of fcdl itself, and of those that it starts."""

from __future__ import annotations

import multiprocessing
import os
import threading

MEMORY = "FCDL_MEMORY_MB"
"""The variable that says how much memory a command may have; 0 is all there is."""
_SHARE = 0.75


def end_with_parent() -> None:
    """Lets this child process end when its parent has gone, however that happened."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def limit_memory() -> None:
    """Lets this process have three quarters of the machine's memory, or what FCDL_MEMORY_MB says, and not more.

    Whatever a chart asks for then ends with "out of memory" before the machine is brought to its knees. Processes that
    are started by this one have the same limit, each for itself. Where the system knows no such limit there is none.
    """
    wanted = os.environ.get(MEMORY, "")
    try:
        import resource

        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
        most = int(wanted) << 20 if wanted.isdecimal() and wanted.isascii() else int(_SHARE * pages * size)
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if most > 0 and (hard == resource.RLIM_INFINITY or most < hard):
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    except (ImportError, AttributeError, OSError, ValueError, OverflowError):
        return
