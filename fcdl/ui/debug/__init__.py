"""The debugger for authors of charts: `debugger.py` is the model, `commands.py` its language, the rest shows it."""
