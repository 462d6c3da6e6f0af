"""From a file to a checked flowchart: parse, resolve, check, and the forms a chart can be written in."""
