"""Parsers of bytes, hashing and pairs of attributes: compiled."""
