"""Settings of Sphinx, which makes HTML of the pages staged in .cache/site/source."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import littlestone
from docs.building.places import DOCS

project = "littlestone"
author = "The littlestone developers"
version = release = littlestone.__version__
project_copyright = author

extensions = [
    "myst_parser",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "docs.building.mathematics",
    "docs.building.references",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
nitpicky = True
smartquotes = False  # -- begins an option
add_module_names = False
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
suppress_warnings = ["myst.header"]  # pages for a forge may begin with a heading of the second rank

sphinx_gallery_conf = {
    "examples_dirs": [str(DOCS / "gallery")],
    "gallery_dirs": ["gallery"],
    "reset_modules": ("matplotlib", "docs.building.figures.style"),
    "image_srcset": ["2x"],
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": False,
    "download_all_examples": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "littlestone"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "littlestone"},
    "header_links_before_dropdown": 8,
    "collapse_navigation": True,
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "back_to_top_button": True,
    "show_toc_level": 2,
    "search_bar_text": "Search",
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_math_renderer = "mathml"
