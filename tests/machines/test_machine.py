"""The contract of machines: every learner's machine keeps it, and no other room asks what class a machine is."""

import ast
from pathlib import Path

import numpy as np
import pytest

import littlestone
from littlestone.learners import LEARNERS, Winnow
from littlestone.machines.machine import Machine
from littlestone.machines.sound import Unsound

ROOT = Path(littlestone.__file__).parent
ROOMS = ("core", "learners", "models", "theory", "sklearn", "river", "report", "papers", "cli")


def subclasses(kind):
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)


def begun(name):
    kind = LEARNERS[name]
    learner = kind(sides=(4, 4, 4, 4)) if name == "box-winnow" else kind()
    return learner.begin(4)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_machine_says_what_its_state_is(name):
    learner = begun(name)
    X = np.eye(4, dtype=bool)
    learner.learn(X, [0, 1, 1, 0])
    machine = learner.machine
    assert isinstance(machine, Machine)
    state = machine.state()
    machine.check_kinds(state)
    machine.check(state)
    with pytest.raises(Unsound):
        machine.check_kinds({**state, "more": np.zeros(1)})
    with pytest.raises(Unsound):
        machine.check_kinds({key: array for key, array in state.items() if key != "counts"})


def test_a_state_of_another_machine_is_refused():
    machine = begun("winnow").machine
    state = machine.state()
    with pytest.raises(Unsound, match="states that are in the table"):
        machine.check({**state, "states": state["states"] + 1 if len(state["states"]) else np.ones(1, dtype=np.uint8)})


def test_a_machine_is_read_only_from_outside():
    with pytest.raises(AttributeError):
        Winnow().begin(3).machine = None


def asked(tree, machines):
    """Yield the lines where code asks for the class of a machine, or for what it may not have."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or len(node.args) < 2:
            continue
        first, second = ast.unparse(node.args[0]), ast.unparse(node.args[1])
        classes = {name.strip() for name in second.strip("()").replace("|", ",").split(",")}
        if node.func.id == "isinstance" and machines & classes and "kernel" not in first:  # of conjunctions
            yield node.lineno
        if node.func.id == "getattr" and len(node.args) == 3 and first.split(".")[-1].lstrip("_") == "machine":
            yield node.lineno


def test_no_room_asks_for_the_class_of_a_machine():
    machines = {kind.__name__ for kind in subclasses(Machine)}
    assert {"Exponents", "Duals", "Slotted"} <= machines
    planted = "isinstance(learner.machine, Exponents | Duals)\ngetattr(learner.machine, 'rule', None)"
    assert list(asked(ast.parse(planted), machines)) == [1, 2]
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for line in asked(ast.parse(path.read_text(encoding="utf-8")), machines)
    ]
    assert found == []
