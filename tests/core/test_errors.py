"""The tree of errors."""

from littlestone.core import errors


def test_all_errors_are_in_the_tree():
    assert issubclass(errors.InvalidData, ValueError)
    for name in errors.__all__:
        assert name in (errors.__doc__ or "")
        assert issubclass(getattr(errors, name), errors.LittlestoneError | UserWarning)
