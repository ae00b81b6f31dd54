"""Printed numbers only: those that both editions share, and one file for each edition."""
