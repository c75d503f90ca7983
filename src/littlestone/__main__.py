"""``python -m littlestone`` is the command ``littlestone``."""

from littlestone.cli import main

main(prog_name="littlestone")
