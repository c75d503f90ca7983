"""Plots: things drawn on matplotlib's axes, the same for users and for pages."""
