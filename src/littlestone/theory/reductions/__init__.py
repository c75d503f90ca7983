"""Hard problems as learning problems: counting the models of a formula by asking kernel Winnow."""

from littlestone.theory.reductions.formulas import formula_with
from littlestone.theory.reductions.instance import Examples, KernelWinnowInstance
from littlestone.theory.reductions.kernel_winnow import count_models, kernel_winnow_instance

__all__ = ["Examples", "KernelWinnowInstance", "count_models", "formula_with", "kernel_winnow_instance"]
