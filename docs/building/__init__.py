"""What builds the site: pages are staged and generated in .cache/site, and Sphinx makes HTML of them."""
