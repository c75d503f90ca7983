"""What hatchling does besides copying files: build the extension module of kernels that are compiled ahead of time.

A wheel gets a module for any x86-64 processor since 2009 (level v2), an editable install one for this very machine.
``LITTLESTONE_NATIVE`` says otherwise: ``v2``, ``v3``, ``v4``, ``host``, or ``none`` for a wheel of plain Python. Where
there is no C compiler, or anything else goes wrong, the package is plain Python: Numba then compiles at the first call.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NativeKernels(BuildHookInterface[Any]):
    """Build the module, and put it into the wheel, or beside the sources of an editable install."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before anything is packed."""
        editable = version == "editable"
        asked = os.environ.get("LITTLESTONE_NATIVE") or ("host" if editable else "v2")
        if self.target_name != "wheel" or asked == "none":
            return
        root = Path(self.root)
        engine = root / "src" / "littlestone" / "engine"
        folder = engine if editable else Path(self.directory) / "native"
        command = [sys.executable, "-m", "native.build", str(folder), asked]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)  # noqa: S603 - ours
        if done.returncode:
            why = (done.stderr.strip() or "no reason").splitlines()[-1]
            self.app.display_warning(f"kernels are not compiled ahead of time: {why}")
            return
        module = Path(done.stdout.strip().splitlines()[-1])
        build_data["pure_python"], build_data["infer_tag"] = False, True
        if not editable:
            build_data["force_include"][str(module)] = f"littlestone/engine/{module.name}"
