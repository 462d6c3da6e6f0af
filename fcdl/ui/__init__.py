"""Playing in a terminal: the session (no user interface), the full-screen table, and play line by line."""
