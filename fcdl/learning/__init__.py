"""Policies that are learned: what their networks see, how they are trained, and their files."""
