"""Box scripts with type information: the names NAOqi provides, and a GeneratedClass with the outputs of their box."""

from jotto_desk import robot_kit

#: The scripts carry no types, so untyped code is accepted; every name they use has to exist.
CONFIGURATION = """
[mypy]
strict = true
mypy_path = src:behaviour:simulator
disallow_untyped_defs = false
disallow_incomplete_defs = false
disallow_untyped_calls = false
strict_optional = false
# Modules that a script imports have their own settings and their own check.
follow_imports = silent

# The preamble leaves a note of its own on the package.
[mypy-jotto_behaviour]
follow_imports = skip
"""
HEAD = """from naoqi import ALBehavior, ALBroker, ALDocable, ALModule, ALProxy


class GeneratedClass(ALBehavior):
    def __init__(self, autoBind: bool = True) -> None: ...
"""


def typed_scripts(root):
    """Map script names to what a type checker reads; only outputs that all boxes with the script have may be fired."""
    sources = robot_kit.sources.read_sources(root)
    return {name: HEAD + outputs(sources.flow, name) + "\n\n" + text for name, text in sources.whole_scripts().items()}


def outputs(flow, script):
    """Declare the outputs of the boxes that use a script, as methods."""
    shared = set.intersection(*({port.name for port in box.outputs} for box in flow.boxes if box.script == script))
    return "".join(f"    def {name}(self, p: object = None) -> None: ...\n" for name in sorted(shared))
