"""Streams made of streams."""
