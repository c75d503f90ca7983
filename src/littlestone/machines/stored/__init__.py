"""Machines that store mistakes."""
