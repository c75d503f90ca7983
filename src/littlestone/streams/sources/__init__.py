"""Where the bytes come from."""
