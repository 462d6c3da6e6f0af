"""The native engine: charts compiled to node programs that a C extension runs."""

from fcdl.engines.native.engine import NativeEngine

__all__ = ["NativeEngine"]
