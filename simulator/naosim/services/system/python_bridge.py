"""ALPythonBridge: code given as text, run beside the box scripts; the names it makes are theirs too."""

from __future__ import absolute_import, division, print_function

from naosim import scripting
from naosim.clock import TaskEnded
from naosim.compat import reason
from naosim.compiler import compile_script
from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, Dict, List

PLACE = "ALPythonBridge"


class ALPythonBridge(Service):
    """Runs code for box scripts, in the interpreter that they share; what it prints stands in the trace."""

    def eval(self, code):  # type: (str) -> str
        """Run code and return ""; every script finds the names it makes. Raise RuntimeError when it fails."""
        try:
            self._run(self._text(code, "eval"))
        except TaskEnded:
            raise
        except Exception as error:
            raise self._error("eval", reason(error))
        return ""

    def evalReturn(self, code):  # type: (str) -> Any
        """Return the value of an expression. Raise RuntimeError when it fails."""
        try:
            return self._value(self._text(code, "evalReturn"))
        except TaskEnded:
            raise
        except Exception as error:
            raise self._error("evalReturn", reason(error))

    def evalFull(self, code):  # type: (str) -> Any
        """Run code and return [value, error, "", ""]: the value of an expression, and why it failed or ""."""
        text, answer = self._text(code, "evalFull"), [None, "", "", ""]  # type: str, List[Any]
        try:
            compile(text, PLACE, "eval")
        except (SyntaxError, TypeError, ValueError):
            run = self._run  # type: Any
        else:
            run = self._value
        try:
            answer[0] = run(text)
        except TaskEnded:
            raise
        except Exception as error:
            answer[1] = reason(error)
            self.world.warn("ALPythonBridge.evalFull", "%s, in %.60r" % (answer[1], text))
        return answer

    def _run(self, code):  # type: (str) -> None
        names = self._found_by_scripts()
        before = dict(names)
        try:
            exec(compile_script(code, PLACE, rewrite=True), names)
        finally:
            self._share(
                {
                    name: value
                    for name, value in names.items()
                    if name != "__builtins__" and before.get(name, names) is not value
                },
                before,
            )

    def _value(self, code):  # type: (str) -> Any
        return eval(code, self._found_by_scripts())

    def _found_by_scripts(self):  # type: () -> Dict[str, Any]
        names = scripting.list_script_names(self.world)
        names.update(self.world.shared_names)
        return names

    def _share(self, made, before):  # type: (Dict[str, Any], Dict[str, Any]) -> None
        """Give names to all scripts, those that run already too; what a script has made itself stays its own."""
        self.world.shared_names.update(made)
        for module in list(self.world.modules.values()):
            namespace = getattr(getattr(module, "_naosim_box", None), "namespace", {})  # type: Dict[str, Any]
            for name, value in made.items() if namespace else ():
                if name not in namespace or namespace[name] is before.get(name):
                    namespace[name] = value
