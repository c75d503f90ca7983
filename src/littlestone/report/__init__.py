"""Pages about what was played: one style, one skeleton, no network and no scripts."""
