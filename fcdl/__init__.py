"""Card games as flowcharts: one chart, three executions."""

__version__ = "0.1.0"
