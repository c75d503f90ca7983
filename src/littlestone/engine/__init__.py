"""Arrays in, arrays out: NumPy and Numba only, no objects."""
