"""Sphinx configuration; builds without a network."""

import sys
from pathlib import Path

import holdfast

DOCS = Path(__file__).parent
# The measure catalogue is written by what the tests find.
sys.path[:0] = [str(DOCS / "_ext"), str(DOCS.parent)]

project = "holdfast"
author = "the holdfast developers"
copyright = "2026, the holdfast developers"
release = holdfast.__version__

extensions = [
    "mathml",
    "measure_catalogue",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autosummary_generate = True
autosummary_ignore_module_all = False
numpydoc_show_class_members = False

# Names that other projects document; without a network there is nothing to link to.
nitpick_ignore_regex = [(r"py:.*", r"(collections|joblib|numpy|polars|scipy|sklearn|typing)\..*")]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "holdfast"
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False}
