"""Commands whose packages are not installed say what to install, without a traceback."""

import sys

import pytest
from click.testing import CliRunner

from littlestone.cli import main


@pytest.mark.parametrize(("command", "missing"), [
    (["ask", "http://localhost:1", "spam", "win"], "httpx"),
    (["key", "FOLDER", "add", "--role", "learn"], "msgspec"),
    (["journal", "FOLDER", "verify"], "msgspec"),
])  # fmt: skip
def test_the_message_names_the_command_of_pip(command, missing, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("littlestone.service.") or name == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    done = CliRunner().invoke(main, [str(tmp_path) if word == "FOLDER" else word for word in command])
    said = f"Error: {command[0]}: expected {missing}, which is not installed; pip install 'littlestone[serve]'\n"
    assert (done.exit_code, done.output) == (1, said)
