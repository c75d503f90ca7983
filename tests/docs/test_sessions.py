"""What runs the shells of pages: it finds commands and files, and refuses what was not printed."""

import os

import pytest

from tests.docs.sessions import PORT, Shell, pieces, same

PAGE = """# A page

```python
# greet.py
print("hello")
```

```console
$ python greet.py
hello
$ cat <<'END'
> one
> END
one
$ true
```

```python
>>> 1 + 1
2
```
"""


def test_pieces_of_a_page():
    file, *commands = pieces(PAGE)
    assert (file.file, file.shown, file.line) == ("greet.py", '# greet.py\nprint("hello")\n', 4)
    assert [(one.command, one.shown, one.line) for one in commands] == [
        ("python greet.py", "hello\n", 9), ("cat <<'END'\none\nEND", "one\n", 11), ("true", "", 15),
    ]  # fmt: skip


def test_what_is_shown_must_be_printed():
    assert same("in ... seconds\n", "in 0.3 seconds\n") and same("a  b\n", "a b\n")
    assert not same("", "note: something\n") and not same("97 mistakes\n", "98 mistakes\n") and not same("a\n", "")


@pytest.mark.skipif(os.name != "posix", reason="the shell is that of POSIX")
def test_a_shell(tmp_path):
    with Shell(tmp_path) as shell:
        for piece in pieces(PAGE):
            if piece.file:
                shell.write(piece)
            else:
                assert shell.run(piece.command) == piece.shown
        assert shell.run("echo problem >&2; printf 'no end'") == "problem\nno end"
        assert shell.run(f"echo {PORT}") == f"{PORT}\n" and shell.with_port(PORT) == shell.port != PORT
        assert shell.run("(sleep 0.2; echo ready; sleep 60) &", lines=1) == "ready\n"
        shell.run("kill %1; wait")
