"""``python -m tests.battery``."""

import sys

from tests.battery import main

sys.exit(main(sys.argv[1:]))
