"""The API: parses, calls one selector or service, and encodes. It knows no particular game."""

import sys
from importlib import import_module

# REST framework imports an HTTP client for its tests if one is installed: 5 MB in every process with pages. A module
# set to None cannot be imported; later imports of the client work.
if "requests" not in sys.modules:
    sys.modules["requests"] = None  # type: ignore[assignment]
    try:
        import_module("rest_framework.compat")
    finally:
        del sys.modules["requests"]
