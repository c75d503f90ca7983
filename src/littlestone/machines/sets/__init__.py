"""Machines over sets of attributes, and over boxes: whole numbers without a limit."""
