"""Builds the extension module of kernels that are compiled when littlestone is installed; not a part of the package."""
