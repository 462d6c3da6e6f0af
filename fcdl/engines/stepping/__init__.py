"""A plain engine that goes from node to node: for debugging charts, and the third opinion when engines disagree."""

from fcdl.engines.stepping.engine import SteppingEngine
from fcdl.engines.stepping.state import SteppingState
from fcdl.engines.stepping.values import SteppingFacts, Values

__all__ = ["SteppingEngine", "SteppingFacts", "SteppingState", "Values"]
