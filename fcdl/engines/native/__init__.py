"""The native engine: charts compiled to node programs that a C extension runs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine

__all__ = ["NativeEngine"]


def __getattr__(name: str) -> object:
    """The engine is imported when it is asked for: building the extension needs the compiler, which does without."""
    if name == "NativeEngine":
        from fcdl.engines.native.engine import NativeEngine

        return NativeEngine
    raise AttributeError(f"module {__name__} has no attribute {name}")
