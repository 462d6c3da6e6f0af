"""The native engine: charts compiled to node programs that a C extension runs."""

from importlib import import_module
from typing import TYPE_CHECKING

from fcdl.errors import FcdlError

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine

__all__ = ["NativeEngine"]


class NoExtensionError(FcdlError, ImportError):
    """The C extension was not built here."""


def __getattr__(name: str) -> object:
    """The engine is imported when it is asked for: building the extension needs the compiler, which does without."""
    if name == "NativeEngine":
        from fcdl.engines.native.engine import NativeEngine

        return NativeEngine
    if name == "_engine":
        try:
            return import_module(f"{__name__}._engine")
        except ImportError as error:
            raise NoExtensionError(
                "this needs the native engine, which was not built here (install a C compiler, then fcdl again)"
            ) from error
    raise AttributeError(f"module {__name__} has no attribute {name}")
