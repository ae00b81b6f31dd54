"""Printed numbers only: what both editions share, and one file for each edition."""
