"""Bits, lists of rows and tables of sets: compiled."""
