"""Processes that fcdl starts."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """Lets this child process end when its parent has gone, however that happened."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
