"""The API: parses, calls one selector or service, and encodes. No game is named here."""

import sys
from importlib import import_module

# For its tests alone, REST framework imports an HTTP client where there is one: 5 MB in every process with pages. A
# module that is None cannot be imported; whoever needs the client later finds it.
if "requests" not in sys.modules:
    sys.modules["requests"] = None  # type: ignore[assignment]
    try:
        import_module("rest_framework.compat")
    finally:
        del sys.modules["requests"]
