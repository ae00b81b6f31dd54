"""Forms of pages: what they ask, and how it is cleaned."""
