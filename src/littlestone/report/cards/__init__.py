"""Cards: things as small HTML, which notebooks show."""
