"""The API, over HTTP, with real tokens."""
