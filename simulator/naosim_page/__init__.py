"""NAO on a page in the browser: the simulated robot in a web worker, and the archive that the worker unpacks.

Only the standard library and `naosim` are needed here; `static/worker.js` runs these modules on Pyodide.
"""

__all__ = ["bundle", "posted"]
