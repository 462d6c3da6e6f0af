"""The ASP engine: clingo plays any chart by the rules in `asp/*.lp`; the only home of clingo."""

from fcdl.engines.asp.engine import AspEngine, AspState

__all__ = ["AspEngine", "AspState"]
